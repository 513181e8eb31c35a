// What the simulation writes down, one row for each delivered chunk, and the sums that are made of the rows. Sums are order-free, so every
// mode and number of workers comes to the same ones: integers below 2^53, and a commutative hash.
import { draw } from "../../core/rng.ts"
import { BORN, BYTES, CHUNKS, EPOCHS, HOPS, MESSAGE, SCRATCH, SENT, SRC, STATE, STREAM, UID } from "../../model/events.ts"
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
  words: 16,
} as const

export function writeFact(
  rows: Int32Array,
  at: number,
  mem: Int32Array,
  c: number,
  cold: number,
  dst: number,
  t: number,
  epoch: number,
): void {
  const k = c + cold
  rows[at] = t
  rows[at + FACT.epoch] = epoch
  rows[at + FACT.dst] = dst
  rows[at + FACT.hops] = mem[c + STATE]! & HOPS
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
  return draw(rows[at]! ^ rows[at + FACT.epoch]!, rows[at + FACT.uid]!, (rows[at + FACT.dst]! << 8) | rows[at + FACT.hops]!)
}
