// What the numbers of a summary mean, as it is printed with them.
export const definitions = {
  recordsSha256:
    "sha256 over one line per record, in file order, each line ending in one \\n: compact JSON (no spaces) [function number, thread, [cpu start s, cpu start ns, cpu stop s, cpu stop ns], [wall start s, ns, stop s, ns], [argument values in the order of the table in dumpi-format.md]]; seconds include the body offset; absent @root fields are left out; a status field is null if not recorded, else [[bytes,source,cancelled,error,tag],...]",
  bytes:
    "count x datatype size, user-defined sizes tracked through the Type_* records of the file; bytesBySizeTableOnly uses the size table alone",
  "collectives.localSendBytes":
    "count x size for Bcast/Reduce/Allreduce/Scan, sendcount x size for Allgather/Alltoall/Gather (one block), sum(sendcounts) x size for Alltoallv",
  sentByWorldRank: "point-to-point sends, destination translated to MPI_COMM_WORLD",
  "wallSeconds.betweenCalls": "sum of (next start - previous stop)",
}
