// A network for tests of traffic: one router (or one router per group) with all its endpoints, and digits or groups as
// asked for.
import { Draws } from "../../src/core/rng.ts"
import { GraphBuilder } from "../../src/model/graph.ts"
import type { ArrivalsSite } from "../../src/model/plugin.ts"
import type { Topology } from "../../src/model/topology.ts"

type Wish = {
  digits?: { radix: number; count: number; ends: number }
  groups?: number
  rate?: number
  files?: Record<string, string>
  seed?: number
}

export function site(ends: number, { digits, groups, rate = 0.1, files, seed = 1 }: Wish = {}): ArrivalsSite {
  const routers = groups ?? 1
  const per = ends / routers
  const builder = new GraphBuilder(ends, routers, per, { classes: ["end"] })
  for (let e = 0; e < ends; e++) builder.attach(e, Math.floor(e / per), e % per)
  const topology: Topology = {
    name: "plain",
    graph: builder.finish(),
    hops: (a, b) => (a === b ? 0 : 1),
    label: String,
    ...(digits !== undefined ? { digits } : {}),
    ...(groups !== undefined ? { group: Int32Array.from({ length: groups }, (_, g) => g) } : {}),
  }
  const read = (path: string): string => {
    const text = files?.[path]
    if (text === undefined) throw new Error("no such file")
    return text
  }
  return {
    topology,
    vcs: 1,
    rng: new Draws(seed),
    common: new Draws(seed ^ 1),
    rate,
    ...(files !== undefined ? { read } : {}),
  }
}
