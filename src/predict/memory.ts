// Predicts the bytes of the columns of a run. A small network is laid out as the run would do it. For a large clocked
// network, two small networks with the same kind of routers are laid out, and the cost per router is extrapolated. The
// packet engine computes the size of its memory without allocating it.
import { clockedEngine } from "../compile/clocked/engine.ts"
import type { Compiled } from "../compile/compile.ts"
import { type PacketNetwork, packetWords } from "../compile/packet/machine.ts"
import { MOST_RECORD_BYTES } from "../engines/flit/transfers/sizes.ts"
import type { MeasurePlan } from "../measure/plan.ts"
import { GraphBuilder } from "../model/graph.ts"
import type { Topology } from "../model/topology.ts"

export interface Bytes {
  /** of all columns */
  readonly columns: number
  /** packet records among them: the operating system allocates no pages that no packet uses */
  readonly records: number
}

/** Channels up to which a network is laid out in full, and routers of the two small ones. */
const MOST_CHANS = 4096
const SMALL = [32, 64] as const

/** Returns the bytes of a clocked run. */
export function clockedBytes(c: Compiled, plan: MeasurePlan): Bytes {
  const { graph } = c.network.topology
  if (graph.chans <= MOST_CHANS) return laidOut(c, plan)
  const [less, more] = SMALL.map((routers) =>
    laidOut({ ...c, network: { ...c.network, topology: alike(c.network.topology, routers) } }, plan),
  )
  const [few, many] = SMALL
  const upTo = (key: keyof Bytes) => less![key] + ((more![key] - less![key]) / (many - few)) * (graph.routers - few)
  // A large network has as many records as can be numbered, not as many as could be in use.
  const over = Math.max(0, upTo("records") - MOST_RECORD_BYTES)
  return { columns: upTo("columns") - over + graphBytes(c.network.topology), records: upTo("records") - over }
}

function laidOut(c: Compiled, plan: MeasurePlan): Bytes {
  const engine = clockedEngine(c, { parts: 1, workers: 1, horizon: plan.horizon, series: plan.interval })
  const all = engine.allColumns()
  const records = (all["packet"] ?? all["packets"])?.byteLength ?? 0
  return {
    columns: engine.memory.reduce((sum, m) => sum + m.byteLength, 0),
    records: records + (all["free"]?.byteLength ?? 0),
  }
}

/** Returns a ring of similar routers: the same mean number of ports and endpoints, the same classes and latencies. */
function alike(t: Topology, routers: number): Topology {
  const { graph: g } = t
  const radix = Math.round(g.chans / g.routers)
  const ends = Math.max(1, Math.round((routers * g.ends) / g.routers))
  const latencies = g.classes.map((_, k) =>
    g.latency.reduce((most, l, c) => (g.linkClass[c] === k && l > most ? l : most), 0),
  )
  const b = new GraphBuilder(ends, routers, radix, { classes: g.classes, latencies })
  const taken = new Int32Array(routers)
  for (let e = 0; e < ends; e++) b.attach(e, e % routers, taken[e % routers]++)
  const first = Math.max(...taken)
  for (let r = 0; r < routers; r++)
    for (let p = first; p < radix; p++)
      b.wire(r, p, (r + 1) % routers, p, 1 + ((p - first) % Math.max(1, g.classes.length - 1)))
  return { name: t.name, graph: b.finish(), hops: () => 1, label: String }
}

function graphBytes({ graph }: Topology): number {
  return Object.values(graph).reduce(
    (sum: number, column) => sum + (ArrayBuffer.isView(column) ? column.byteLength : 0),
    0,
  )
}

export function packetBytes(n: PacketNetwork): Bytes {
  const { words, records } = packetWords(n)
  return { columns: 4 * words + graphBytes(n.topology), records: 4 * records }
}
