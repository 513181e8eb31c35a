// Delivery records: one row for each delivered chunk. machine.ts writes the rows and passes them to the measurement in
// batches. All sums over rows are independent of the order, so every mode and number of workers obtains the same
// results. They are integers below 2^53 and a commutative hash.
//
// In the optimistic mode, a delivery may be undone. Its row is then stored until the commit, and copied to a batch
// afterwards.
import { hash3 } from "../../core/hash.ts"
import {
  BYTES,
  CHUNKS,
  CREATED,
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

/** Offsets of the words of a row. */
export const RECORD = {
  time: 0,
  epoch: 1,
  dst: 2,
  hops: 3,
  uid: 4,
  src: 5,
  bytes: 6,
  createdAt: 7,
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

/** Writes the row of chunk `c`, delivered at `dst` at time t of an epoch. */
export function writeRecord(
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
  rows[at + RECORD.epoch] = epoch
  rows[at + RECORD.dst] = dst
  const state = mem[c + STATE]
  rows[at + RECORD.hops] = state & HOPS
  rows[at + RECORD.wires] = (state >> WIRES) & MOST_WIRES
  rows[at + RECORD.waited] = (state & WAITED) === 0 ? 0 : mem[c + waited]
  rows[at + RECORD.uid] = mem[c + UID]
  rows[at + RECORD.src] = mem[k + SRC]
  rows[at + RECORD.bytes] = mem[k + BYTES]
  rows[at + RECORD.createdAt] = mem[k + CREATED]
  rows[at + RECORD.sent] = mem[k + SENT]
  rows[at + RECORD.epochs] = mem[k + EPOCHS]
  rows[at + RECORD.message] = mem[k + MESSAGE]
  rows[at + RECORD.chunks] = mem[k + CHUNKS]
  rows[at + RECORD.stream] = mem[k + STREAM]
  rows[at + RECORD.scratch] = mem[c + SCRATCH]
  rows[at + RECORD.scratch + 1] = mem[c + SCRATCH + 1]
}

/** These return times of a row in ps since the start. Creation and sending have their own epochs, 16 bits each. */
export function arrivalOf(rows: Int32Array, at: number): number {
  return rows[at + RECORD.epoch] * EPOCH + rows[at]
}
export function creationTime(rows: Int32Array, at: number): number {
  return (rows[at + RECORD.epochs] >>> 16) * EPOCH + rows[at + RECORD.createdAt]
}
export function sentAt(rows: Int32Array, at: number): number {
  return (rows[at + RECORD.epochs] & 0xffff) * EPOCH + rows[at + RECORD.sent]
}

/** Returns 32 bits that depend on one delivery; their sum over all deliveries is the fingerprint of the run. */
export function hashOf(rows: Int32Array, at: number): number {
  return hash3(
    rows[at] ^ rows[at + RECORD.epoch],
    rows[at + RECORD.uid],
    (rows[at + RECORD.dst] << 8) | rows[at + RECORD.hops],
  )
}

export interface DeliveryRecords {
  /** Returns a row of `rows` for an uncertain delivery; `next` returns one of `batch` for a certain delivery. */
  row(): number
  rows(): Int32Array
  next(): number
  readonly batch: Int32Array
  /** Makes an uncertain row final, or discards it. */
  commit(row: number): void
  free(row: number): void
  /** Passes all certain rows to `drain`. */
  flush(): void
}

const ROWS = 256

/**
 * Rows are passed on when a batch is full. `uncertain`: rows may be undone; they enter a batch when they are committed,
 * and their space is reused.
 */
export function makeDeliveryRecords(
  drain: (rows: Int32Array, count: number) => void,
  uncertain: boolean,
): DeliveryRecords {
  let rows = new Int32Array(ROWS * RECORD.words)
  let written = 0
  const free: number[] = []
  const batch = uncertain ? new Int32Array(ROWS * RECORD.words) : rows
  let batched = 0

  // Without uncertain rows, `rows` and `batch` are the same array, and `written` counts its rows.
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
    const at = next() * RECORD.words
    for (let i = 0; i < RECORD.words; i++) batch[at + i] = rows[row * RECORD.words + i]
    free.push(row)
  }

  return {
    next,
    batch,
    row() {
      const again = free.pop()
      if (again !== undefined) return again
      if (written * RECORD.words === rows.length) {
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
