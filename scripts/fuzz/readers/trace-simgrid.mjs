// Fuzz target: time-independent traces of SimGrid.
import { changedText, traceReader } from "../traces.mjs"

const rank = (r) =>
  [
    "init 1",
    "comm_size 2",
    "compute 2000",
    `isend ${1 - r} 4 100`,
    `irecv ${1 - r} 4 100`,
    "waitall 2",
    "allreduce 10 50 1",
    "alltoallv 6 3 3 6 3 3",
    "gather 5 5 0",
    "sleep 0.1",
    "barrier",
    "finalize",
  ]
    .map((l) => `${r} ${l}`)
    .join("\n")
export default traceReader({ "t0.txt": rank(0), "t1.txt": rank(1) }, changedText)
