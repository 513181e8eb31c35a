// What the simulation writes down, one row for each delivered chunk, and the sums that are made of the rows. Sums are order-free, so every
// mode and number of workers comes to the same ones: integers below 2^53, and a commutative hash.
import { hash3 } from "../../core/hash.ts"
import {
  BORN,
  BYTES,
  CHUNKS,
  EPOCHS,
  HOPS,
  MESSAGE,
  MOST_WIRES,
  SCRATCH,
  SENT,
  SRC,
  STATE,
  STREAM,
  UID,
  WAITED,
  WIRES,
} from "../../model/events.ts"
import { EPOCH } from "./memory.ts"

/** Words of a row. */
export const FACT = {
  time: 0,
  epoch: 1,
  dst: 2,
  hops: 3,
  uid: 4,
  src: 5,
  bytes: 6,
  born: 7,
  sent: 8,
  epochs: 9,
  message: 10,
  chunks: 11,
  stream: 12,
  scratch: 13,
  wires: 15,
  waited: 16,
  words: 18,
} as const

export function writeFact(
  rows: Int32Array,
  at: number,
  mem: Int32Array,
  c: number,
  cold: number,
  waited: number,
  dst: number,
  t: number,
  epoch: number,
): void {
  const k = c + cold
  rows[at] = t
  rows[at + FACT.epoch] = epoch
  rows[at + FACT.dst] = dst
  const state = mem[c + STATE]!
  rows[at + FACT.hops] = state & HOPS
  rows[at + FACT.wires] = (state >> WIRES) & MOST_WIRES
  rows[at + FACT.waited] = (state & WAITED) === 0 ? 0 : mem[c + waited]!
  rows[at + FACT.uid] = mem[c + UID]!
  rows[at + FACT.src] = mem[k + SRC]!
  rows[at + FACT.bytes] = mem[k + BYTES]!
  rows[at + FACT.born] = mem[k + BORN]!
  rows[at + FACT.sent] = mem[k + SENT]!
  rows[at + FACT.epochs] = mem[k + EPOCHS]!
  rows[at + FACT.message] = mem[k + MESSAGE]!
  rows[at + FACT.chunks] = mem[k + CHUNKS]!
  rows[at + FACT.stream] = mem[k + STREAM]!
  rows[at + FACT.scratch] = mem[c + SCRATCH]!
  rows[at + FACT.scratch + 1] = mem[c + SCRATCH + 1]!
}

/** Times of a row in ps since the start. */
export function arrivalOf(rows: Int32Array, at: number): number {
  return rows[at + FACT.epoch]! * EPOCH + rows[at]!
}
export function bornAt(rows: Int32Array, at: number): number {
  return (rows[at + FACT.epochs]! >>> 16) * EPOCH + rows[at + FACT.born]!
}
export function sentAt(rows: Int32Array, at: number): number {
  return (rows[at + FACT.epochs]! & 0xffff) * EPOCH + rows[at + FACT.sent]!
}

/** 32 bits of one delivery; their sum over all deliveries is a fingerprint of the run. */
export function hashOf(rows: Int32Array, at: number): number {
  return hash3(rows[at]! ^ rows[at + FACT.epoch]!, rows[at + FACT.uid]!, (rows[at + FACT.dst]! << 8) | rows[at + FACT.hops]!)
}

export interface Facts {
  /** A row to write in `rows`; one that is certain already, in `batch`. */
  row(): number
  rows(): Int32Array
  next(): number
  readonly batch: Int32Array
  /** The row is certain; it was in error. */
  commit(row: number): void
  free(row: number): void
  /** Hands over what is certain. */
  flush(): void
}

const ROWS = 256

/** Rows are handed over as they fill a batch; `uncertain` ones when they are committed, and their places are used again. */
export function makeFacts(drain: (rows: Int32Array, count: number) => void, uncertain: boolean): Facts {
  let rows = new Int32Array(ROWS * FACT.words)
  let written = 0
  const free: number[] = []
  const batch = uncertain ? new Int32Array(ROWS * FACT.words) : rows
  let batched = 0

  function flush(): void {
    const n = uncertain ? batched : written
    if (n > 0) drain(batch, n)
    if (uncertain) batched = 0
    else written = 0
  }

  function next(): number {
    if (uncertain) {
      if (batched === ROWS) flush()
      return batched++
    }
    if (written === ROWS) flush()
    return written++
  }

  function commit(row: number): void {
    const at = next() * FACT.words
    for (let i = 0; i < FACT.words; i++) batch[at + i] = rows[row * FACT.words + i]!
    free.push(row)
  }

  return {
    next,
    batch,
    row() {
      const again = free.pop()
      if (again !== undefined) return again
      if (written * FACT.words === rows.length) {
        const bigger = new Int32Array(rows.length * 2)
        bigger.set(rows)
        rows = bigger
      }
      return written++
    },
    rows: () => rows,
    commit,
    free(row) {
      free.push(row)
    },
    flush,
  }
}
