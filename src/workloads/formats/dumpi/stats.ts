// Statistics of one rank of a DUMPI trace: calls, bytes and times, and optionally the digest of all its records.
import { Sha256 } from "../../../core/sha256.ts"
import { COUNTED, callNames } from "./calls.ts"
import { lineOf } from "./line.ts"
import type { CallRecord } from "./record.ts"
import type { TypeSizes } from "./types.ts"

/** [call below 35] -> 1 for calls that send, 2 for calls that only receive. */
const transfers = new Uint8Array(35)
for (const fn of [0, 3, 4, 5, 8, 9, 10, 11, 33, 34]) transfers[fn] = 1
for (const fn of [1, 12]) transfers[fn] = 2
/**
 * [collective] -> index of the count (the datatype follows it) of the rank's contribution among the ints; -1: no bytes;
 * -2: a list of counts.
 */
const collectives: Readonly<Record<number, number>> = {
  52: -1,
  53: 0,
  54: 1,
  55: 2,
  56: 1,
  57: 3,
  58: 0,
  59: 1,
  60: 0,
  61: -2,
  62: 0,
  65: 0,
  66: -2,
  67: 0,
  156: 0,
}
const WORLD_HANDLE = 2

/** Datatypes below this value are counted in an array. */
const DENSE = 64

/** Sends of one kind: elements by datatype. */
export class Sent {
  calls = 0
  bytes = 0
  readonly #dense = new Float64Array(DENSE)
  readonly #others = new Map<number, number>()
  count(type: number, elements: number): void {
    if (type >= 0 && type < DENSE) this.#dense[type] += elements
    else this.#others.set(type, (this.#others.get(type) ?? 0) + elements)
  }
  /** Yields datatype and elements. */
  *byType(): Generator<[number, number]> {
    for (const [type, elements] of this.#dense.entries()) if (elements > 0) yield [type, elements]
    yield* this.#others
  }
}

export class Stats {
  readonly recorded = new Float64Array(COUNTED)
  readonly sends = new Map<number, Sent>()
  readonly receives = new Map<number, { calls: number; bytes: number }>()
  readonly collectives = new Map<number, { calls: number; bytes: number }>()
  anySource = 0
  worldSize: number | undefined
  worldRank: number | undefined
  #cpu = 0
  #wall = 0
  /** Nanoseconds since the second `#wall`. */
  #first = Number.NaN
  #last = Number.NaN
  #inside = 0
  #between = 0
  /** The same values as in the maps, indexed by call number below 35, because a map lookup per record is slow. */
  readonly #sends: (Sent | undefined)[] = new Array(transfers.length).fill(undefined)
  readonly #receives: ({ calls: number; bytes: number } | undefined)[] = new Array(transfers.length).fill(undefined)
  readonly #sizes: TypeSizes
  readonly #digest: Sha256 | undefined

  constructor(sizes: TypeSizes, digest: boolean) {
    this.#sizes = sizes
    this.#digest = digest ? new Sha256() : undefined
  }
  offsets(cpu: number, wall: number): void {
    this.#cpu = cpu
    this.#wall = wall
  }
  get cpuTimeOffset(): number {
    return this.#cpu
  }
  get wallTimeOffset(): number {
    return this.#wall
  }
  get digest(): string | undefined {
    return this.#digest?.hex()
  }

  record(r: CallRecord, bytes: Uint8Array): void {
    const { fn, ints: x } = r
    if (fn < COUNTED) this.recorded[fn]++
    if (r.hasWall) {
      const start = r.wall[0] * 1e9 + r.wall[1]
      const stop = r.wall[2] * 1e9 + r.wall[3]
      if (Number.isNaN(this.#first)) this.#first = start
      else this.#between += start - this.#last
      this.#inside += stop - start
      this.#last = stop
    }
    if (this.#digest !== undefined) this.#digest.update(`${lineOf(r, bytes, this.#cpu, this.#wall)}\n`)
    if (fn < 35) this.#transfer(fn, x)
    else if (fn === 81 && x[0] === WORLD_HANDLE) this.worldSize ??= x[1]
    else if (fn === 82 && x[0] === WORLD_HANDLE) this.worldRank ??= x[1]
    else this.#collective(fn, x)
  }

  #transfer(fn: number, x: Int32Array): void {
    if (transfers[fn] === 1) {
      const s = (this.#sends[fn] ??= this.#firstSend(fn))
      s.calls++
      s.bytes += this.#sizes.bytes(x[0], x[1])
      s.count(x[1], x[0])
    }
    if (transfers[fn] === 2) this.#receive(fn, x[0], x[1], x[2])
    else if (fn === 33) this.#receive(fn, x[4], x[5], x[6])
    else if (fn === 34) this.#receive(fn, x[0], x[1], x[4])
  }
  #firstSend(fn: number): Sent {
    const made = new Sent()
    this.sends.set(fn, made)
    return made
  }
  #firstReceive(fn: number): { calls: number; bytes: number } {
    const made = { calls: 0, bytes: 0 }
    this.receives.set(fn, made)
    return made
  }
  #receive(fn: number, count: number, type: number, source: number): void {
    const r = (this.#receives[fn] ??= this.#firstReceive(fn))
    r.calls++
    r.bytes += this.#sizes.bytes(count, type)
    if (source === -1) this.anySource++
  }
  #collective(fn: number, x: Int32Array) {
    const at = collectives[fn]
    if (at === undefined) return
    if (at >= 0) return add(this.collectives, fn, this.#sizes.bytes(x[at], x[at + 1]))
    if (at === -1) return add(this.collectives, fn, 0)
    let count = 0
    for (let i = 0; i < x[1]; i++) count += x[2 + i]
    // The datatype follows the counts, and for Alltoallv also the displacements.
    const type = fn === 61 ? 3 + x[1] + x[2 + x[1]] : 2 + x[1]
    add(this.collectives, fn, this.#sizes.bytes(count, x[type]))
  }

  /** Returns the times in seconds as decimal numbers with nine places. */
  wallSeconds(): Record<string, string> | undefined {
    if (Number.isNaN(this.#first)) return undefined
    return {
      firstStart: seconds(this.#wall, this.#first),
      lastStop: seconds(this.#wall, this.#last),
      insideCalls: seconds(0, this.#inside),
      betweenCalls: seconds(0, this.#between),
    }
  }
}

function add(to: Map<number, { calls: number; bytes: number }>, fn: number, bytes: number): void {
  const have = to.get(fn)
  if (have === undefined) to.set(fn, { calls: 1, bytes })
  else {
    have.calls++
    have.bytes += bytes
  }
}

function seconds(whole: number, nanoseconds: number): string {
  const ns = BigInt(whole) * 1_000_000_000n + BigInt(Math.round(nanoseconds))
  const sign = ns < 0n ? "-" : ""
  const n = ns < 0n ? -ns : ns
  return `${sign}${n / 1_000_000_000n}.${String(n % 1_000_000_000n).padStart(9, "0")}`
}

/** Returns the values of a map, sorted by the names of the calls. */
export function byName<T, U>(from: ReadonlyMap<number, T>, make: (x: T) => U): Record<string, U> {
  return Object.fromEntries(
    [...from].sort(([a], [b]) => (callNames[a] < callNames[b] ? -1 : 1)).map(([fn, x]) => [callNames[fn], make(x)]),
  )
}
