// The one representation of a parallel program. Trace readers (formats/) and generators (generators/) write it, and the
// MPI layer (mpi/) and the static checks (check/) read it.
//
// Each rank has a stream of operations, numbered from 0. One operation is a row of WORDS ints. Lists of variable length
// (the requests that it needs, the byte counts for each partner) are in a side list. A rank issues its operations in
// program order. An operation with the flag BLOCKS delays the later ones until it has finished. An operation without it
// starts a *request*, a small number that is private to the rank, and overlaps with the later ones. `needs` lists the
// requests that must have finished before the operation starts. An entry ~request means that the request must only have
// started. So a plain MPI program (blocking calls, Isend, Waitall) and a dependency graph (GOAL, Chakra: no operation
// blocks, every operation has needs) look the same to the rank that executes them.
//
// Request numbers are reused. A number denotes the latest operation that was issued with it. A request that was never
// issued counts as finished. A reader of a graph writes its operations in topological order. It may reuse a number
// after it has written the last operation that needs it.
//
// Loops are not unrolled: LOOP n … END is executed n times with the same operation numbers. A stream is read in windows
// (`RankSource.at`), so it need not fit into memory.

/** Ints of one operation, and the meaning of each. */
export const WORDS = 12
export const KIND = 0 // one of Kind; flags from bit 8 on
/** destination, source or root, as a rank of the communicator; ANY or NONE. Communicator operations: the new number */
export const PEER = 1
export const TAG = 2 // ANY matches every tag. COMM_SPLIT: the colour (NONE: this rank gets no communicator)
/** the rank's own number of a communicator: WORLD, SELF, or the number that a communicator operation assigned */
export const COMM = 3
/**
 * bytes (of a message; of a collective: see Kind), or picoseconds of compute, or iterations of a loop: low 32 bits,
 * unsigned
 */
export const LOW = 4
export const HIGH = 5 // the bits above, at most 2^21 - 1. COMM_SPLIT: LOW is the key (signed), HIGH 0
export const REQUEST = 6 // request number that this operation starts; NONE: no operation waits for it
export const LIST = 7 // first entry in the side list of the window: first the needs, then the values
export const NEEDS = 8 // number of needs
export const VALUES = 9 // number of values after them
/** the MPI call in the program (index into Program.calls), for reports; NONE: the name of the kind */
export const CALL = 10
/** LOOP: distance to the operation after its END; END: distance (negative) to the operation after its LOOP; else 0 */
export const JUMP = 11

export const ANY = -1
export const NONE = -2
export const WORLD = 0
export const SELF = 1
/** The first number that a program may assign to a new communicator. */
export const FIRST_COMM = 2

/** The rank issues no later operation until this one has finished. */
export const BLOCKS = 1 << 8
/** A send that finishes only when its receive has been posted (MPI_Ssend), independent of its size. */
export const SYNCHRONOUS = 1 << 9
/** A wait or test that finishes when one of its needs has finished, not all (MPI_Waitany, MPI_Waitsome). */
export const ONE_OF = 1 << 10
/**
 * A wait for some of several requests, all those that it needs: an MPI_Waitany or MPI_Waitsome of a trace, which names
 * the requests that had finished.
 */
export const PARTIAL = 1 << 11

/**
 * Kinds of operations. The byte count of a collective is that of one rank in one call.
 *   BCAST, REDUCE, ALLREDUCE, SCAN: the whole vector.
 *   GATHER, ALLGATHER, SCATTER, ALLTOALL: one block, the data that one rank has for, or from, one other rank.
 *   REDUCE_SCATTER: one block of the result.
 *
 * The v-forms (ALLTOALLV, ALLGATHERV, GATHERV, SCATTERV, and REDUCE_SCATTER with unequal blocks) have values. ALLTOALLV
 * has p byte counts to send, then p to receive. ALLGATHERV and REDUCE_SCATTER have the p blocks. GATHERV and SCATTERV
 * have the p blocks at the root, and every rank has its own block in LOW and HIGH.
 */
export const Kind = {
  /**
   * An operation with needs and no action: a wait. A test that returned true is a wait; a test that returned false is
   * not written.
   */
  WAIT: 0,
  COMPUTE: 1,
  SEND: 2,
  RECV: 3,
  /** Waits for a message without receiving it (MPI_Probe). */
  PROBE: 4,
  INIT: 5,
  FINALIZE: 6,
  LOOP: 7,
  END: 8,
  COMM_DUP: 9,
  COMM_SPLIT: 10,
  /**
   * Values: the members as ranks of COMM, in the order of the new communicator. All ranks of COMM call it; ranks that
   * are not members get no communicator.
   */
  COMM_CREATE: 11,
  /** Values: the members as ranks of the world. No other rank takes part (for traces that list their communicators). */
  COMM_DEFINE: 12,
  COMM_FREE: 13,
  BARRIER: 16,
  BCAST: 17,
  REDUCE: 18,
  ALLREDUCE: 19,
  SCAN: 20,
  GATHER: 21,
  SCATTER: 22,
  ALLGATHER: 23,
  REDUCE_SCATTER: 24,
  ALLTOALL: 25,
  GATHERV: 26,
  SCATTERV: 27,
  ALLGATHERV: 28,
  ALLTOALLV: 29,
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

export const kindNames: readonly string[] = (() => {
  const names: string[] = []
  for (const [name, kind] of Object.entries(Kind)) names[kind] = name.toLowerCase().replaceAll("_", "-")
  return names
})()

export function kindOf(word: number): number {
  return word & 0xff
}
export function isCollective(kind: number): boolean {
  return kind >= Kind.BARRIER
}
/** Returns the bytes, picoseconds or iterations that LOW and HIGH encode. */
export function amount(ops: Int32Array, row: number): number {
  return ops[row + HIGH] * 0x1_0000_0000 + (ops[row + LOW] >>> 0)
}
/** The largest amount that LOW and HIGH can encode. */
export const MOST = Number.MAX_SAFE_INTEGER

/** Consecutive operations of one rank. */
export interface Window {
  /** Number of the first operation in the window. */
  readonly first: number
  readonly count: number
  /** `count` rows of WORDS ints; the array may be longer. */
  readonly ops: Int32Array
  /** The side list; LIST is an index into it. */
  readonly list: Int32Array
}

/**
 * The operations of one rank. `at` must return the same operations each time, because the caller goes backwards: in
 * loops, after a rollback of the optimistic engine and after a restored snapshot.
 */
export interface RankSource {
  /** Returns the window that contains operation `op`, or undefined after the last operation. */
  at(op: number): Window | undefined
}

/** A program of `ranks` ranks. Each call of `rank` returns an independent source, because workers read in parallel. */
export interface Program {
  readonly ranks: number
  /** The names that CALL refers to, such as "MPI_Isend". */
  readonly calls: readonly string[]
  rank(r: number): RankSource
  /**
   * A program that only repeats one collective: the bytes of all calls together as nccl-tests counts them, and the
   * factor from algorithm to bus bandwidth.
   */
  readonly volume?: Volume
  /** A program that only sends a list of flows: its flows, so that the results have the times of each. */
  readonly flows?: readonly FlowRequests[]
  /** Returns the details of a GOAL schedule that the stream of a rank cannot contain. Absent for other programs. */
  graph?(r: number): RankGraph
}

/** A flow of a program, and the requests of its send and of its receive. */
export interface FlowRequests {
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly send: number
  readonly receive: number
}

export interface Volume {
  readonly bytes: number
  readonly bus: number
}

/** Details of a GOAL schedule of one rank. Operations have the numbers of their order in the file. */
export interface RankGraph {
  /** [operation] -> its number in the stream */
  readonly place: Int32Array
  /** [operation] -> number of its processor, and of its network interface */
  readonly cpu: Int32Array
  readonly nic: Int32Array
  /**
   * Dependencies in the order of their lines, LINE_WORDS ints each: the operation that waits, the one that it needs,
   * and 1 if that one must only have started (irequires), else 0 (requires).
   */
  readonly lines: Int32Array
}
export const LINE_WORDS = 3

/** Returns the first processor or interface other than number 0 that a program names, such as "cpu 1". */
export function namedUnit({ ranks, graph }: Program): { readonly rank: number; readonly unit: string } | undefined {
  if (graph === undefined) return undefined
  for (let rank = 0; rank < ranks; rank++) {
    const { cpu, nic } = graph(rank)
    const [c, n] = [cpu.find((i) => i > 0), nic.find((i) => i > 0)]
    if (c !== undefined || n !== undefined) return { rank, unit: c === undefined ? `nic ${n}` : `cpu ${c}` }
  }
  return undefined
}

/** Returns a stream that is in memory as one window. */
export function inMemory(ops: Int32Array, count: number, list: Int32Array): RankSource {
  const whole: Window = { first: 0, count, ops, list }
  return { at: (op) => (op < count ? whole : undefined) }
}

/** Returns true if no rank computes, sends, receives or takes part in a collective. */
export function isIdle({ ranks, rank }: Program): boolean {
  for (let r = 0; r < ranks; r++) {
    const source = rank(r)
    let op = 0
    for (let w = source.at(0); w !== undefined; w = source.at(op))
      for (; op < w.first + w.count; op++) if (isWork(w.ops, (op - w.first) * WORDS)) return false
  }
  return true
}

function isWork(ops: Int32Array, row: number): boolean {
  const kind = kindOf(ops[row + KIND])
  if (kind === Kind.COMPUTE) return amount(ops, row) > 0
  return kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE || isCollective(kind)
}

/**
 * Calls `each` once for every operation of a rank, in the order of the stream (the body of a loop once). Returns the
 * number of operations.
 */
export function forEachOp(source: RankSource, each: (window: Window, row: number, op: number) => void): number {
  let op = 0
  for (let w = source.at(0); w !== undefined; w = source.at(op)) {
    for (; op < w.first + w.count; op++) each(w, (op - w.first) * WORDS, op)
  }
  return op
}
