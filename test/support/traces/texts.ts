// Small traces of the formats that are text, one function each.

export function goalRing(ranks: number): string {
  const block = (r: number) =>
    `rank ${r} {\nl1: calc 1000\nl2: send 64b to ${(r + 1) % ranks} tag 5\n` +
    `l2 requires l1\nl3: recv 64b from ${(r + ranks - 1) % ranks} tag 5\n` +
    `l4: calc 500\nl4 requires l3\nl4 irequires l2\n` +
    `}\n`
  return `num_ranks ${ranks}\n\n${Array.from({ length: ranks }, (_, r) => block(r)).join("\n")}`
}

export function simgridRank(rank: number, ranks: number): string {
  const counts = Array.from({ length: ranks }, () => "3").join(" ")
  const lines = [
    "init 1",
    `comm_size ${ranks}`,
    "compute 2000",
    `isend ${(rank + 1) % ranks} 4 100`,
    `irecv ${(rank + ranks - 1) % ranks} 4 100`,
  ]
  lines.push(
    "waitall 2",
    "allreduce 10 50 1",
    `alltoallv ${3 * ranks} ${counts} ${3 * ranks} ${counts}`,
    "bcast 5 0",
    "barrier",
    "finalize",
  )
  return lines.map((l) => `${rank} ${l}`).join("\n")
}

export function aicbList(ranks: number, tp: number): string {
  const row = (type: string, group: string, size: number, bytes: number) =>
    `CommType.${type},CommGroup.${group},${size},${bytes},step,None,None,,None,None,None,1`
  const head =
    `[rank0 ~ rank${ranks - 1}]\n` +
    "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,busbw,count"
  return [
    head,
    row("all_reduce", "tp_group", tp, 1000),
    row("all_gather", "dp_group", ranks / tp, 4000),
    "CommType.epoch_end,None,None,0,,None,None,,None,None,None,1",
  ].join("\n")
}

export const simaiList = `HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 8 checkpoints: 0
2
attention\t-1\t100\tALLGATHER\t2048\t100\tREDUCESCATTER\t2048\t50\tNONE\t0\t10
mlp\t-1\t200\tNONE\t0\t200\tNONE\t0\t50\tALLREDUCE\t4096\t10
`

export const flowList =
  "Nodes 4\nConnections 3\n0->1 start 0 size 1000\n2->1 id 2 start 5000 size 2000\n3->0 start 0 size 10\n"
export const flowTable = "src,dst,bytes,start_ns\n0,1,1000,0\n2,1,2000,5\n"
export const byteMatrix = "0,10,0\n5,7,0\n1,2,0\n"

/** As otf2-print writes it with -A or -G: two ranks, a message, a barrier. */
export const otf2Print = `
=== OTF2-PRINT ===

=== Global Definitions =========================================================

Definition                            ID  Attributes
--------------------------------------------------------------------------------
CLOCK_PROPERTIES                          Ticks per Seconds: 1000000000, Global Offset: 1000, Length: 9000, Date: UNDEFINED
STRING                                 0  ""
LOCATION_GROUP                         0  Name: "MPI Rank 0" <1>, Type: PROCESS, Parent: "node" <1>, Creator: UNDEFINED
LOCATION_GROUP                         1  Name: "MPI Rank 1" <2>, Type: PROCESS, Parent: "node" <1>, Creator: UNDEFINED
LOCATION                               0  Name: "Master thread" <10>, Type: CPU_THREAD, # Events: 9, Group: "MPI Rank 0" <0>
LOCATION                               1  Name: "Master thread" <10>, Type: CPU_THREAD, # Events: 9, Group: "MPI Rank 1" <1>
GROUP                                  0  Name: "" <0>, Type: COMM_LOCATIONS, Paradigm: "MPI" <4>, Flags: NONE, 2 Members: "Master thread" <0>, "Master thread" <1>
GROUP                                  1  Name: "" <0>, Type: COMM_GROUP, Paradigm: "MPI" <4>, Flags: NONE, 2 Members: 0 ("Master thread" <0>), 1 ("Master thread" <1>)
COMM                                   0  Name: "MPI_COMM_WORLD" <329>, Group: "" <1>, Parent: UNDEFINED, Flags: NONE

=== Events =====================================================================
Event                                   Location            Timestamp  Attributes
--------------------------------------------------------------------------------
ENTER                                          0                 1000  Region: "MPI_Send" <1>
MPI_SEND                                       0                 1010  Receiver: 1 ("Master thread" <1>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 2, Length: 64
ENTER                                          1                 1020  Region: "MPI_Irecv" <2>
MPI_IRECV_REQUEST                              1                 1030  Request: 1
LEAVE                                          1                 1040  Region: "MPI_Irecv" <2>
LEAVE                                          0                 1050  Region: "MPI_Send" <1>
ENTER                                          1                 1060  Region: "MPI_Wait" <3>
MPI_IRECV                                      1                 1070  Sender: 0 ("Master thread" <0>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 2, Length: 64, Request: 1
LEAVE                                          1                 1080  Region: "MPI_Wait" <3>
ENTER                                          0                 1090  Region: "MPI_Barrier" <4>
MPI_COLLECTIVE_BEGIN                           0                 1090  
ENTER                                          1                 1090  Region: "MPI_Barrier" <4>
MPI_COLLECTIVE_BEGIN                           1                 1091  
MPI_COLLECTIVE_END                             0                 1100  Operation: BARRIER, Communicator: "MPI_COMM_WORLD" <0>, Root: UNDEFINED, Sent: 0, Received: 0
LEAVE                                          0                 1100  Region: "MPI_Barrier" <4>
MPI_COLLECTIVE_END                             1                 1101  Operation: BARRIER, Communicator: "MPI_COMM_WORLD" <0>, Root: UNDEFINED, Sent: 0, Received: 0
LEAVE                                          1                 1101  Region: "MPI_Barrier" <4>
`
