// The stream of a background: its endpoints send each other messages at a fixed rate.
import { Draws } from "../../core/rng.ts"
import type { workloads } from "../../library.ts"
import { arrivals } from "../../library.ts"
import type { Site } from "../../model/plugin.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { Arrivals, Sizes, TrafficPattern } from "../../model/traffic.ts"

/** What messages are made of: flits of a packet, and cycles that one byte of flits takes on an endpoint's channel. */
export interface Measures {
  /** ps of a cycle; bytes of a flit */
  readonly cycle: number
  readonly flit: number
  /** ps of a byte at an endpoint's bandwidth */
  readonly byteTime: number
  /** flits of the packets that messages are cut into */
  readonly packet: number
}

function sized(n: number): Sizes {
  return { mean: n, max: n, fixed: n, size: () => n }
}

function patternOf({ pattern }: workloads.Background, seats: readonly number[], ends: number): TrafficPattern {
  const place = new Int32Array(ends).fill(-1)
  seats.forEach((e, i) => {
    place[e] = i
  })
  const n = seats.length
  if (pattern === "ring") return { dest: (from) => seats[(place[from]! + 1) % n]! }
  if (pattern === "hotspot") return { dest: () => seats[0]! }
  return {
    dest(from, rng) {
      const d = rng.below(n - 1)
      return seats[d < place[from]! ? d : d + 1]!
    },
  }
}

function arrivalsOf({ phase, period }: workloads.Background, cycle: number, topology: Topology): Arrivals {
  const plugin = arrivals.find((p) => p.name === (phase === "exponential" ? "poisson" : "periodic"))!
  const site: Site & { rate: number } = { topology, vcs: 1, rng: new Draws(0), rate: cycle / period }
  return plugin.make((phase === "exponential" ? {} : { phase: phase === "random" ? "random" : "none" }) as never, site)
}

/** `start`: ps. Messages have load * period / byteTime bytes, in whole packets. */
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
  // a hot spot receives
  if (b.pattern === "hotspot") senders[seats[0]!] = 0
  return {
    name,
    pattern: patternOf(b, seats, topology.graph.ends),
    arrivals: arrivalsOf(b, m.cycle, topology),
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
