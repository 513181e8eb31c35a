// Worker threads for one large run: they build the same machine over the first one's memory and run their partitions of it.
import { Worker } from "node:worker_threads"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { TEAM, Team } from "../../engines/flit/team.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Topology } from "../../model/topology.ts"

export interface TeamOrder {
  readonly spec: RunSpec
  readonly folder: string
  readonly parts: number
  readonly assign: Uint8Array
  readonly horizon: number
  readonly series: number
  readonly memory: readonly ArrayBufferLike[]
  readonly sync: Int32Array
  readonly size: number
  readonly me: number
}

/** Routers that must be of one partition, because an endpoint sends to one and receives from the other (networks with stages), and it is of one
 *  partition itself: [router] -> unit, numbered in order of their first routers. */
export function unitsOf({ routers, ends, rails, entry, home, routerOf }: Graph): { readonly unit: Int32Array; readonly count: number } {
  const first = Int32Array.from({ length: routers }, (_, r) => r)
  const root = (r: number): number => {
    while (first[r] !== r) r = first[r]!
    return r
  }
  for (let e = 0; e < ends * rails; e++) {
    const a = root(routerOf[entry[e]!]!)
    const b = root(routerOf[home[e]!]!)
    first[Math.max(a, b)] = Math.min(a, b)
  }
  const unit = new Int32Array(routers)
  let count = 0
  for (let r = 0; r < routers; r++) unit[r] = root(r) === r ? count++ : unit[root(r)]!
  return { unit, count }
}

/** Neighbouring routers together, groups whole where there are groups: partition number of each router. */
export function partition(topology: Topology, parts: number): Uint8Array {
  const { routers } = topology.graph
  const of = new Uint8Array(routers)
  const { unit, count } = unitsOf(topology.graph)
  if (count < routers) return of.map((_, r) => Math.floor((unit[r]! * parts) / count))
  const group = topology.group
  let units = routers
  if (group !== undefined) {
    units = 0
    for (let r = 0; r < routers; r++) units = Math.max(units, group[r]! + 1)
  }
  const whole = group !== undefined && units >= parts
  for (let r = 0; r < routers; r++) of[r] = Math.floor(((whole ? group[r]! : r) * parts) / (whole ? units : routers))
  return of
}

/** Calls `size - 1` workers to the engine's side; answers how to send them home. */
export async function gather(engine: ClockedEngine, order: Omit<TeamOrder, "memory" | "sync" | "me">): Promise<() => Promise<void>> {
  const sync = shared(Int32Array, TEAM.words)
  const workers: Worker[] = []
  // one after the other: each writes the initial state anew, and must not do so while another reads it
  for (let me = 1; me < order.size; me++) {
    const worker = new Worker(new URL("./teammate.js", import.meta.url), {
      workerData: { ...order, memory: engine.memory, sync, me } satisfies TeamOrder,
    })
    workers.push(worker)
    await new Promise<void>((ready, fail) => {
      worker.once("message", () => ready())
      worker.once("error", fail)
    })
  }
  engine.team = new Team(sync, order.size, 0)
  return async () => {
    engine.team!.call(0, -1)
    engine.team = undefined
    await Promise.all(workers.map((w) => new Promise((gone) => w.once("exit", gone))))
  }
}
