// The 16 endpoints of "Contention-based Congestion Management in Large-Scale Networks": four routers, all linked with
// each other, four endpoints each; and the traffic of its cases of congestion.
import type { Named } from "../../src/model/experiment.ts"
import type { StreamWish, Wish } from "./machine.ts"

const usual = { flits: 32, message: { name: "fixed", size: "4packets" } }
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** Senders that offer all that their channel takes to one endpoint. */
export function incast(from: readonly number[], to: number, load = 1): StreamWish {
  return { ...usual, name: "hot", from, load, pattern: { name: "to-set", set: [to] } }
}

/** Uniform traffic among all endpoints but some. */
export function others(load: number, without: readonly number[] = []): StreamWish {
  const set = range(0, 16).filter((e) => !without.includes(e))
  return { ...usual, name: "uniform", from: set, load, pattern: { name: "to-set", set } }
}

/** Endpoint i to endpoint i + 4: all of a router to the next one. */
export function shifted(load: number, from: readonly number[] = range(0, 16)): StreamWish {
  return { ...usual, name: "shifted", load, pattern: { name: "fixed", pairs: from.map((e) => [e, (e + 4) % 16]) } }
}

export const cases: Readonly<Record<string, readonly StreamWish[]>> = {
  I: [others(0.3)],
  II: [shifted(0.4)],
  "II, one router at its full rate": [shifted(1, [0, 1, 2, 3])],
  III: [incast([0, 8, 12], 4)],
  "III with a neighbour of the destination": [incast([0, 5, 8, 12], 4)],
  IV: [incast([0, 1, 2, 3], 4)],
}

export function contention(congestion: Named, traffic: readonly StreamWish[], more: Partial<Wish> = {}): Wish {
  return {
    topology: { name: "hyperx", sides: "4", p: 4 },
    routing: { name: "hyperx.ugal-l", candidate: "any" },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
    links: { link: "100cycles", end: "1cycle" },
    congestion,
    traffic,
    ...more,
    switch: { vcs: { none: 4, ideal: 5, "ecn-delay": 5, cbcm: 6, lhrp: 7 }[congestion.name] ?? 8, ...more.switch },
  }
}
