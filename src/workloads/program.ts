// What the ranks of a parallel program do: the one form between readers of traces, generators and the layers that run them.
//
// Each rank has a stream of operations, numbered from 0. One operation is WORDS ints in a column; what does not fit (requests that it needs, byte
// counts for each partner) lies in a side list. A rank issues its operations in order. An operation that carries BLOCKS holds back those behind it
// until it has finished; one that does not starts a *request*, a small number of the rank's own, and runs beside what follows. `needs` are the requests
// that must have finished (or, written as ~request, only started) before the operation starts. So a plain MPI program (blocking calls, Isend, Waitall)
// and a graph of dependencies (GOAL, Chakra: nothing blocks, everything needs) are the same thing to the rank that runs them.
//
// Requests are reused: the number stands for the latest operation issued with it; one that was never issued counts as finished. A reader of a graph
// writes operations in an order in which nothing needs what comes later, and may reuse a number once the last that needs it is written.
//
// Loops are kept: LOOP n … END is played n times with the same numbers. A stream is read in windows (`RankSource.at`), so that it need not fit memory.

/** Ints for each operation, and which is which. */
export const WORDS = 12
export const KIND = 0 // one of Kind; flags from bit 8 on
export const PEER = 1 // destination, source or root, as a rank of the communicator; ANY or NONE. Communicator operations: the new number
export const TAG = 2 // ANY matches all. COMM_SPLIT: the colour (NONE: this rank gets no communicator)
export const COMM = 3 // the rank's own number of a communicator: WORLD, SELF, or what a communicator operation named
export const LOW = 4 // bytes (of a message; of a collective: see Kind), or picoseconds of compute, or turns of a loop: low 32 bits, unsigned
export const HIGH = 5 // and what is above, at most 2^21 - 1. COMM_SPLIT: LOW is the key (signed), HIGH 0
export const REQUEST = 6 // number that this operation starts; NONE: nobody asks for it
export const LIST = 7 // where its part of the window's side list begins: first the needs, then the values
export const NEEDS = 8 // how many needs
export const VALUES = 9 // how many values behind them
export const CALL = 10 // what the program called (index into Program.calls), for reports; NONE: named after its kind
export const JUMP = 11 // LOOP: operations from here to behind its END; END: back to behind its LOOP; else 0

export const ANY = -1
export const NONE = -2
export const WORLD = 0
export const SELF = 1
/** the first number that a program may give to a communicator of its own */
export const FIRST_COMM = 2

/** Holds back what follows until it has finished. */
export const BLOCKS = 1 << 8
/** A send that finishes only when its receive has begun (MPI_Ssend), whatever its size. */
export const SYNCHRONOUS = 1 << 9
/** A wait or test that finishes when one of its needs has, not all (MPI_Waitany, Waitsome). */
export const ONE_OF = 1 << 10

/**
 * Kinds of operations. Bytes of collectives are those of one rank's contribution in one call:
 * BCAST, REDUCE, ALLREDUCE, SCAN: the vector. GATHER, ALLGATHER, SCATTER, ALLTOALL: one block (what one rank has for, or from, one other).
 * REDUCE_SCATTER: one block of the result. The v-forms (ALLTOALLV, ALLGATHERV, GATHERV, SCATTERV, and REDUCE_SCATTER of unequal blocks) have values:
 * ALLTOALLV p byte counts to send, then p to receive; ALLGATHERV and REDUCE_SCATTER the p blocks; GATHERV and SCATTERV the p blocks at the root, and
 * the rank's own in LOW and HIGH everywhere.
 */
export const Kind = {
  /** nothing, but it has needs: a wait. Test that was true is a wait; one that was false is not written */
  WAIT: 0,
  COMPUTE: 1,
  SEND: 2,
  RECV: 3,
  /** waits for a message without taking it (MPI_Probe) */
  PROBE: 4,
  INIT: 5,
  FINALIZE: 6,
  LOOP: 7,
  END: 8,
  COMM_DUP: 9,
  COMM_SPLIT: 10,
  /** values: members as ranks of COMM, in the order of the new one. Called by all of COMM; those who are no members get none */
  COMM_CREATE: 11,
  /** values: members as ranks of the world; no other rank takes part (a trace that lists its communicators) */
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
/** Bytes, picoseconds or turns out of two words. */
export function amount(ops: Int32Array, row: number): number {
  return ops[row + HIGH]! * 0x1_0000_0000 + (ops[row + LOW]! >>> 0)
}
/** The most that two words of an operation hold. */
export const MOST = Number.MAX_SAFE_INTEGER

/** Some operations of one rank, one after the other. */
export interface Window {
  /** number of the first operation in it */
  readonly first: number
  readonly count: number
  /** count rows of WORDS; may be longer */
  readonly ops: Int32Array
  /** LIST counts from its beginning */
  readonly list: Int32Array
}

/** The operations of one rank. `at` gives the same answer whenever it is asked: runs go back (loops, undone events, restored snapshots). */
export interface RankSource {
  /** The window that holds operation `op`; undefined behind the last one. */
  at(op: number): Window | undefined
}

/** A program of `ranks` ranks. `rank` may be asked several times; each answer reads for itself. */
export interface Program {
  readonly ranks: number
  /** what CALL numbers mean, such as "MPI_Isend" */
  readonly calls: readonly string[]
  rank(r: number): RankSource
}

/** A stream that lies in memory as one window. */
export function inMemory(ops: Int32Array, count: number, list: Int32Array): RankSource {
  const whole: Window = { first: 0, count, ops, list }
  return { at: (op) => (op < count ? whole : undefined) }
}

/** No rank computes, sends, receives or takes part in a collective. */
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
  const kind = kindOf(ops[row + KIND]!)
  if (kind === Kind.COMPUTE) return amount(ops, row) > 0
  return kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE || isCollective(kind)
}

/** Calls `each` for every operation of a rank once, in the order of the stream (bodies of loops once). */
export function forEachOp(source: RankSource, each: (window: Window, row: number, op: number) => void): number {
  let op = 0
  for (let w = source.at(0); w !== undefined; w = source.at(op)) {
    for (; op < w.first + w.count; op++) each(w, (op - w.first) * WORDS, op)
  }
  return op
}
