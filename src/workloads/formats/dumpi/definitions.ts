// Definitions of the numbers in a DUMPI summary. `lacewing trace check --json` prints them together with the numbers.
export const definitions = {
  recordsSha256:
    "SHA-256 over one line for each record, in file order; each line ends in one \\n. A line is compact JSON without " +
    "spaces: [function number, thread, [cpu start s, cpu start ns, cpu stop s, cpu stop ns], [wall start s, ns, " +
    "stop s, ns], [argument values in the order of calls.ts]]. Seconds include the offset of the file. Absent " +
    "@root fields are left out. A status field is null if it was not recorded, otherwise " +
    "[[bytes,source,cancelled,error,tag],...].",
  bytes:
    "count x datatype size, user-defined sizes tracked through the Type_* records of " +
    "the file; bytesBySizeTableOnly uses the size table alone",
  "collectives.localSendBytes":
    "count x size for Bcast/Reduce/Allreduce/Scan, sendcount x size for " +
    "Allgather/Alltoall/Gather (one block), sum(sendcounts) x size for Alltoallv",
  sentByWorldRank: "point-to-point sends, destination translated to MPI_COMM_WORLD",
  "wallSeconds.betweenCalls": "sum of (next start - previous stop)",
}
