// Requests to disks as a block trace has them, and the messages that hosts and disks exchange about them: what is written goes from a host to a disk, what is
// read from a disk to a host, one message for each request.
import type { Draws } from "../../core/rng.ts"
import type { End } from "../../model/ids.ts"
import type { Script } from "../../model/traffic.ts"

export interface Requests {
  /** picoseconds since the first, in order */
  readonly time: Float64Array
  readonly disk: Int32Array
  readonly read: Uint8Array
  readonly bytes: Float64Array
}

export interface Mapping {
  readonly ends: number
  readonly hosts: readonly End[]
  readonly disks: readonly End[]
  /** each host begins at a time of its own and has disks of its own, drawn; else all begin with the first request, and disk n is the nth of the list */
  readonly drawn: boolean
  readonly compression?: number | undefined
}

/** Picoseconds that a trace lasts: to its last request, and the mean gap after it. */
export function lastsOf({ time }: Requests): number {
  const last = time[time.length - 1]!
  return time.length > 1 && last > 0 ? (last * time.length) / (time.length - 1) : 1
}

/** Every host replays the whole trace, going round. */
export function replayed(of: Requests, m: Mapping, rng: Draws): Script {
  const n = of.time.length
  const lasts = lastsOf(of)
  const count = n * m.hosts.length
  const from = new Int32Array(count)
  const to = new Int32Array(count)
  const time = new Float64Array(count)
  const bytes = new Float64Array(count)
  let at = 0
  for (const host of m.hosts) {
    const phase = m.drawn ? Math.floor(rng.unit() * lasts) : 0
    const turn = m.drawn ? rng.below(m.disks.length) : 0
    for (let i = 0; i < n; i++, at++) {
      const disk = m.disks[(of.disk[i]! + turn) % m.disks.length]!
      from[at] = of.read[i] !== 0 ? disk : host
      to[at] = of.read[i] !== 0 ? host : disk
      time[at] = (of.time[i]! + phase) % lasts
      bytes[at] = of.bytes[i]!
    }
  }
  return { ...bySender({ from, to, time, bytes }, m.ends), lasts, compression: m.compression }
}

/** Messages in the order of their senders and times; those of one sender and time as they were made. */
export function bySender(
  made: { from: Int32Array; to: Int32Array; time: Float64Array; bytes: Float64Array },
  ends: number,
): Pick<Script, "first" | "time" | "to" | "bytes"> {
  const first = new Int32Array(ends + 1)
  for (const e of made.from) first[e + 1]!++
  for (let e = 0; e < ends; e++) first[e + 1]! += first[e]!
  const order = Uint32Array.from(made.from, (_, i) => i).sort(
    (a, b) => made.from[a]! - made.from[b]! || made.time[a]! - made.time[b]! || a - b,
  )
  return {
    first,
    time: Float64Array.from(order, (i) => made.time[i]!),
    to: Int32Array.from(order, (i) => made.to[i]!),
    bytes: Float64Array.from(order, (i) => made.bytes[i]!),
  }
}
