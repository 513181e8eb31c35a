// The last operations of each rank with their times, for the probe `timeline`. A rank has a ring of rows: the operation
// (its number in the program), its state, and two times. Only runs with the probe reserve these words. They follow the
// other report words of the rank.
import { ANY, amount, KIND, Kind, kindNames, kindOf, NONE, PEER, WORDS } from "../program.ts"
import type { Job } from "./job.ts"
import type { Words } from "./words.ts"

/** Words of a row; the times are pairs of words. */
const OPERATION = 0
const STATE = 1
const SINCE = 2
const UNTIL = 4
const ROW = 6

/** States of a row: a call blocked the rank, the rank computed, or a non-blocking operation was in progress. */
export const BLOCKED = 0
export const COMPUTING = 1
export const PROGRESS = 2
export const stateNames = ["blocked", "computing", "progress"] as const

/** Returns the words that a ring of `rows` rows needs: the number of rows written so far, then the rows. */
export function operationWords(rows: number): number {
  return rows === 0 ? 0 : 1 + ROW * rows
}

export interface Operations {
  add(rank: number, operation: number, state: number, since: number, until: number): void
}

export function makeOperations(
  mem: Int32Array,
  { set, setLong }: Pick<Words, "set" | "setLong">,
  { operations, rows }: { readonly operations: Int32Array; readonly rows: number },
): Operations {
  return {
    add(rank, operation, state, since, until) {
      const at = operations[rank]
      const written = mem[at]
      const row = at + 1 + ROW * (written % rows)
      set(row + OPERATION, operation)
      set(row + STATE, state)
      setLong(row + SINCE, since)
      setLong(row + UNTIL, until)
      set(at, written + 1)
    },
  }
}

/** One stored operation; times in ps. */
export interface OperationReport {
  readonly rank: number
  readonly call: string
  readonly state: (typeof stateNames)[number]
  readonly since: number
  readonly until: number
  /** partner of a send or receive; -1: none, or any rank */
  readonly peer: number
  /** bytes of a message or collective; 0 of a wait or of computing */
  readonly bytes: number
}

/** Returns the stored operations of a rank in order of their ends, and the number of earlier ones that are lost. */
export function operationsOf(
  job: Job,
  rank: number,
  words: Int32Array,
  rows: number,
): { readonly list: readonly OperationReport[]; readonly lost: number } {
  const at = words.length - operationWords(rows)
  const written = words[at]
  const source = job.program.rank(rank)
  const list: OperationReport[] = []
  for (let i = Math.max(0, written - rows); i < written; i++) {
    const row = at + 1 + ROW * (i % rows)
    const window = source.at(words[row + OPERATION])!
    const op = (words[row + OPERATION] - window.first) * WORDS
    const kind = kindOf(window.ops[op + KIND])
    const peer = kind === Kind.SEND || kind === Kind.RECV || kind === Kind.PROBE ? window.ops[op + PEER] : NONE
    list.push({
      rank,
      call: kindNames[kind],
      state: stateNames[words[row + STATE]],
      since: long(words, row + SINCE),
      until: long(words, row + UNTIL),
      peer: peer === ANY || peer === NONE ? -1 : peer,
      bytes: kind === Kind.COMPUTE || kind < Kind.SEND ? 0 : amount(window.ops, op),
    })
  }
  return { list, lost: Math.max(0, written - rows) }
}

function long(words: Int32Array, i: number): number {
  return words[i + 1] * 0x1_0000_0000 + (words[i] >>> 0)
}
