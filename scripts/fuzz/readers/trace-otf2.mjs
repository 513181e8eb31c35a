// Fuzz target: OTF2 traces in the text form of otf2-print.
import { changedText, traceReader } from "../traces.mjs"

const event = (word, at, time, says) => `${word.padEnd(30)} ${at} ${time}  ${says}`
const world = 'Communicator: "W" <0>'
const lines = [
  "=== OTF2-PRINT ===",
  "CLOCK_PROPERTIES   Ticks per Seconds: 1000, Global Offset: 5, Length: 9",
  ...[0, 1].map((r) => `LOCATION  ${r}  Name: "M" <1>, Type: CPU_THREAD, # Events: 9, Group: "G" <${r}>`),
  'GROUP  1  Name: "" <0>, Type: COMM_GROUP, Paradigm: "MPI" <4>, Flags: NONE, 2 Members: 0 ("M" <0>), 1 ("M" <1>)',
  'COMM  0  Name: "W" <3>, Group: "" <1>, Parent: UNDEFINED, Flags: NONE',
  "=== Events ===",
  event("ENTER", 0, 10, 'Region: "MPI_Isend" <1>'),
  event("MPI_ISEND", 0, 11, `Receiver: 1 ("M" <1>), ${world}, Tag: 2, Length: 64, Request: 4`),
  event("LEAVE", 0, 12, 'Region: "MPI_Isend" <1>'),
  event("ENTER", 1, 13, 'Region: "MPI_Irecv" <2>'),
  event("MPI_IRECV_REQUEST", 1, 14, "Request: 1"),
  event("LEAVE", 1, 15, 'Region: "MPI_Irecv" <2>'),
  event("ENTER", 1, 16, 'Region: "MPI_Wait" <3>'),
  event("MPI_IRECV", 1, 17, `Sender: 0 ("M" <0>), ${world}, Tag: 2, Length: 64, Request: 1`),
  event("LEAVE", 1, 18, 'Region: "MPI_Wait" <3>'),
  ...[0, 1].map((r) =>
    event("MPI_COLLECTIVE_END", r, 20, `Operation: ALLREDUCE, ${world}, Root: UNDEFINED, Sent: 8, Received: 8`),
  ),
]
export default traceReader({ "t.txt": lines.join("\n") }, changedText)
