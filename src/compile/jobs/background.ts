// The traffic stream of a background job: its endpoints send messages to one another at a fixed rate.
import { Draws } from "../../core/rng.ts"
import type { workloads } from "../../library.ts"
import { arrivals } from "../../library.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { Arrivals, Sizes, TrafficPattern } from "../../model/traffic.ts"

/** Units for the conversion of messages to packets and cycles. */
export interface Measures {
  /** ps of a cycle; bytes of a flit */
  readonly cycle: number
  readonly flit: number
  /** ps per byte at the bandwidth of an endpoint */
  readonly byteTime: number
  /** flits of the packets that messages are divided into */
  readonly packet: number
}

/** Load 0: the job only occupies its endpoints. */
export const never: Arrivals = { first: () => Number.POSITIVE_INFINITY, next: () => Number.POSITIVE_INFINITY }

function sized(n: number): Sizes {
  return { mean: n, max: n, fixed: n, size: () => n }
}

/** Returns the destinations: the next endpoint (ring), the first (hotspot), or a random other one. */
function patternOf({ pattern }: workloads.Background, seats: readonly number[], ends: number): TrafficPattern {
  const place = new Int32Array(ends).fill(-1)
  seats.forEach((e, i) => {
    place[e] = i
  })
  const n = seats.length
  if (pattern === "ring") return { dest: (from) => seats[(place[from] + 1) % n] }
  if (pattern === "hotspot") return { dest: () => seats[0] }
  return {
    dest(from, rng) {
      const d = rng.below(n - 1)
      return seats[d < place[from] ? d : d + 1]
    },
  }
}

/** Returns the arrival process: exponential gaps, or a fixed period with random or equal phases. */
function arrivalsOf({ phase, period }: workloads.Background, cycle: number, topology: Topology): Arrivals {
  const plugin = arrivals.find((p) => p.name === (phase === "exponential" ? "poisson" : "periodic"))!
  const site = { topology, vcs: 1, rng: new Draws(0), common: new Draws(0), rate: cycle / period }
  return plugin.make(phase === "exponential" ? {} : { phase: phase === "random" ? "random" : "none" }, site)
}

/** `start`: ps. Messages have load * period / byteTime bytes, rounded to whole packets. */
export function backgroundStream(
  name: string,
  b: workloads.Background,
  seats: readonly number[],
  start: number,
  topology: Topology,
  m: Measures,
): Stream {
  const bytes = (b.load * b.period) / m.byteTime
  const senders = new Uint8Array(topology.graph.ends)
  for (const e of seats) senders[e] = 1
  // The hot spot only receives.
  if (b.pattern === "hotspot") senders[seats[0]] = 0
  return {
    name,
    pattern: patternOf(b, seats, topology.graph.ends),
    arrivals: b.load === 0 ? never : arrivalsOf(b, m.cycle, topology),
    packet: sized(m.packet),
    message: sized(Math.max(1, Math.round(bytes / (m.flit * m.packet)))),
    senders,
    seats,
    start: start / m.cycle,
    stop: Number.POSITIVE_INFINITY,
    priority: 0,
    vcFirst: 0,
    vcCount: 0,
    reply: 0,
    replyStream: -1,
  }
}
