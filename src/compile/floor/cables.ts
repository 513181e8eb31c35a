// Link latencies from the floor layout (layout.ts): metres of cable times the delay per metre (about 5 ns for light in
// glass and signals in copper), rounded up to whole cycles, at least one. Link classes that network.links names keep
// their given latency.
import { type Checked, complain } from "../../core/complaint.ts"
import { quantity, type Scale } from "../../core/units.ts"
import type { LayoutSpec } from "../../model/experiment.ts"
import type { Topology } from "../../model/topology.ts"
import { place } from "./layout.ts"

const LONGEST = 60_000

/** Sets the latencies of all link classes that are not in `named`. */
export function applyLayout(
  topology: Topology,
  spec: LayoutSpec,
  scale: Scale,
  named: ReadonlySet<string>,
): Checked<Topology> {
  const metres = (written: string) => Number(quantity(written, "length", scale))
  const { width, depth, inside, overhead } = spec
  const placed = place(topology, {
    routers: spec.routers,
    width: metres(width),
    depth: metres(depth),
    inside: metres(inside),
    overhead: metres(overhead),
  })
  const perMetre = Number(quantity(spec.delay, "time", scale)) / scale.cycle
  const { graph } = topology
  const { routerOf, far, home, entry, rails } = graph
  let longest = 0
  const cycles = (a: number, b: number): number => {
    const length = placed.metres(a, b)
    longest = Math.max(longest, length)
    // The small constant keeps a product such as 3 x 0.1 from being rounded up because of its last bit.
    return Math.min(LONGEST, Math.max(1, Math.ceil(length * perMetre - 1e-9)))
  }
  for (let c = 0; c < graph.chans; c++)
    if (far[c] >= 0 && !named.has(graph.classes[graph.linkClass[c]]))
      graph.latency[c] = cycles(routerOf[c], routerOf[far[c]])
  if (!named.has(graph.classes[0])) {
    // An endpoint is located at the router of its first rail.
    for (let i = 0; i < graph.ends * rails; i++) {
      const first = routerOf[home[i - (i % rails)]]
      graph.latency[home[i]] = cycles(first, routerOf[home[i]])
      graph.entryLatency[i] = cycles(first, routerOf[entry[i]])
    }
  }
  if (longest * perMetre > LONGEST)
    return {
      bad: [
        complain(
          "network.layout",
          `a cable of ${longest.toFixed(0)} m takes ${Math.ceil(longest * perMetre)} cycles`,
          `keep it below ${LONGEST} cycles: choose a longer network.cycle or a shorter delay`,
        ),
      ],
    }
  return { ok: topology }
}
