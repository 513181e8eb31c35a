// Requests to disks in a block trace, and the messages that hosts and disks exchange about them. A write sends one
// message from a host to a disk, a read sends one from a disk to a host.
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
  /** true: each host draws its phase and its disks; false: all begin with the first request, and disk n is the nth of
   *  the list */
  readonly drawn: boolean
  readonly compression?: number | undefined
}

/** Returns the duration of a trace in picoseconds: up to its last request, plus one mean gap. */
export function lastsOf({ time }: Requests): number {
  const last = time[time.length - 1]
  return time.length > 1 && last > 0 ? (last * time.length) / (time.length - 1) : 1
}

/**
 * Returns the messages of all hosts. Every host replays the whole trace cyclically from its phase, so the offered load
 * does not depend on the phases.
 */
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
      const disk = m.disks[(of.disk[i] + turn) % m.disks.length]
      from[at] = of.read[i] !== 0 ? disk : host
      to[at] = of.read[i] !== 0 ? host : disk
      time[at] = (of.time[i] + phase) % lasts
      bytes[at] = of.bytes[i]
    }
  }
  return { ...bySender({ from, to, time, bytes }, m.ends), lasts, compression: m.compression }
}

/** Sorts messages by sender and time. Messages of one sender at one time keep their order. */
export function bySender(
  made: { from: Int32Array; to: Int32Array; time: Float64Array; bytes: Float64Array },
  ends: number,
): Pick<Script, "first" | "time" | "to" | "bytes"> {
  const first = new Int32Array(ends + 1)
  for (const e of made.from) first[e + 1]++
  for (let e = 0; e < ends; e++) first[e + 1] += first[e]
  const order = Uint32Array.from(made.from, (_, i) => i).sort(
    (a, b) => made.from[a] - made.from[b] || made.time[a] - made.time[b] || a - b,
  )
  return {
    first,
    time: Float64Array.from(order, (i) => made.time[i]),
    to: Int32Array.from(order, (i) => made.to[i]),
    bytes: Float64Array.from(order, (i) => made.bytes[i]),
  }
}
