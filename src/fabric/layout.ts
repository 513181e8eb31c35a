// Numbering of routers, ports and VCs in the clocked engines. Routers of one partition are contiguous and start at a
// multiple of 32, so that two workers never write to the same word of a bit set. Each router has RS = 32 * W slots:
//   VC id   = router * RS + (port << LV) + vc     (input VCs and output VCs alike; word = id >> 5, bit = id & 31)
//   port id = router * PS + port                  (PS = RS >> LV, so port id = VC id >> LV)
//   injection VCs of endpoint n: NOV + (n << LV) + vc
// "Inner" numbers are those of the layout, "outer" numbers those of the network. Numbers are padded to powers of two,
// so shifts replace divisions; the unused ones are holes.
import { bitsFor } from "../core/bitset.ts"
import { endOf, type Graph, UNWIRED } from "../model/graph.ts"
import { type Column, i32, u8, u16 } from "./columns.ts"

export interface Layout {
  readonly graph: Graph
  readonly vcs: number
  readonly parts: number
  /** 32-bit words of bit set per router, slots per router, ports per router, log2 of slots per port */
  readonly W: number
  readonly RS: number
  readonly PS: number
  readonly LV: number
  /** number of routers and endpoints, including the holes at the ends of partitions */
  readonly routers: number
  readonly ends: number
  readonly NOV: number
  /** largest number of ports that a router has */
  readonly radix: number
  /** inner number -> outer number (-1 in a hole), and back */
  readonly outerRouter: Int32Array
  readonly innerRouter: Int32Array
  readonly outerEnd: Int32Array
  readonly innerEnd: Int32Array
  /** [part] -> first router or endpoint; one entry more than parts */
  readonly firstRouter: Int32Array
  readonly firstEnd: Int32Array
  /** [router] -> part */
  readonly part: Uint8Array
  /** [port] -> VC 0 of the input where its flits arrive; -1 - endpoint if it ejects; NOWHERE if not connected */
  readonly down: Int32Array
  /** [input port] -> VC 0 of the output (or injection VC) that feeds it; -1 if not connected */
  readonly up: Int32Array
  readonly latency: Column
  readonly upLatency: Column
  /** [port] -> partition of the other side (its own if it ejects) */
  readonly downPart: Uint8Array
  readonly upPart: Uint8Array
  /** [endpoint] -> VC 0 of its router input, latency of its injection channel */
  readonly entry: Int32Array
  readonly entryLatency: Column
  readonly maxLatency: number
  /** [channel of the graph] -> VC 0 of that output */
  readonly slot: Int32Array
}

export const NOWHERE = -0x40000000

/** Returns the number of ports of the largest router. */
export function radixOf(graph: Graph): number {
  let radix = 1
  for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, portsOf(graph, r))
  return radix
}

/** Returns the ports of a router of the graph. In the layout it has as many as the largest router, some unused. */
export function portsOf({ firstChan }: Graph, router: number): number {
  return firstChan[router + 1] - firstChan[router]
}

function portBits(vcs: number): number {
  return bitsFor(vcs)
}

/** Returns the VC slots of each router. */
export function slotsOf(graph: Graph, vcs: number): number {
  return ((radixOf(graph) << portBits(vcs)) + 31) & ~31
}

/**
 * `assign`: [router of the graph] -> partition, for parts > 1. An endpoint belongs to the partition of the router it
 * injects into.
 */
export function layOut(graph: Graph, vcs: number, parts = 1, assign?: ArrayLike<number>): Layout {
  const radix = radixOf(graph)
  const LV = portBits(vcs)
  const RS = slotsOf(graph, vcs)
  const W = RS >> 5
  const PS = RS >> LV
  const routersBy = group(graph.routers, parts, (r) => assign?.[r] ?? 0)
  const endsBy = group(graph.ends, parts, (e) => assign?.[graph.routerOf[graph.entry[e * graph.rails]]] ?? 0)
  const routers = routersBy.outer.length
  const ends = endsBy.outer.length
  const NOV = routers * RS
  const part = u8(routers)
  for (let p = 0; p < parts; p++) part.fill(p, routersBy.first[p], routersBy.first[p + 1])
  const portOf = (c: number) => routersBy.inner[graph.routerOf[c]] * PS + c - graph.firstChan[graph.routerOf[c]]
  const down = i32(routers * PS).fill(NOWHERE)
  const up = i32(routers * PS).fill(-1)
  const latency = u16(routers * PS)
  const upLatency = u16(routers * PS)
  const downPart = u8(routers * PS)
  const upPart = u8(routers * PS)
  const slot = i32(graph.chans)
  let maxLatency = 1
  // graph.far and graph.near hold an input channel, an endpoint (<= -2), or UNWIRED.
  for (let c = 0; c < graph.chans; c++) {
    const port = portOf(c)
    slot[c] = port << LV
    latency[port] = graph.latency[c]
    maxLatency = Math.max(maxLatency, graph.latency[c])
    downPart[port] = part[Math.floor(port / PS)]
    upPart[port] = downPart[port]
    const far = graph.far[c]
    if (far <= -2) down[port] = -1 - endsBy.inner[endOf(far)]
    else if (far !== UNWIRED) {
      const into = portOf(far)
      down[port] = into << LV
      downPart[port] = part[Math.floor(into / PS)]
    }
    const near = graph.near[c]
    if (near <= -2) up[port] = NOV + (endsBy.inner[endOf(near)] << LV)
    else if (near !== UNWIRED) {
      const from = portOf(near)
      up[port] = from << LV
      upLatency[port] = graph.latency[near]
      upPart[port] = part[Math.floor(from / PS)]
    }
  }
  const entry = i32(ends).fill(-1)
  const entryLatency = u16(ends)
  for (let e = 0; e < graph.ends; e++) {
    const port = portOf(graph.entry[e * graph.rails])
    entry[endsBy.inner[e]] = port << LV
    entryLatency[endsBy.inner[e]] = graph.entryLatency[e * graph.rails]
    upLatency[port] = graph.entryLatency[e * graph.rails]
    maxLatency = Math.max(maxLatency, graph.entryLatency[e * graph.rails])
  }
  return {
    graph,
    vcs,
    parts,
    W,
    RS,
    PS,
    LV,
    routers,
    ends,
    NOV,
    radix,
    part,
    down,
    up,
    latency,
    upLatency,
    downPart,
    upPart,
    entry,
    entryLatency,
    maxLatency,
    slot,
    outerRouter: routersBy.outer,
    innerRouter: routersBy.inner,
    outerEnd: endsBy.outer,
    innerEnd: endsBy.inner,
    firstRouter: routersBy.first,
    firstEnd: endsBy.first,
  }
}

/** Numbers n items partition by partition. With several partitions, each starts at a multiple of 32. */
function group(
  n: number,
  parts: number,
  of: (i: number) => number,
): { outer: Int32Array; inner: Int32Array; first: Int32Array } {
  const count = new Int32Array(parts)
  for (let i = 0; i < n; i++) count[of(i)]++
  const first = i32(parts + 1)
  for (let p = 0; p < parts; p++) first[p + 1] = first[p] + (parts === 1 ? count[p] : (count[p] + 31) & ~31)
  const outer = i32(first[parts]).fill(-1)
  const inner = i32(n)
  const next = first.slice(0, parts)
  for (let i = 0; i < n; i++) {
    const at = next[of(i)]++
    inner[i] = at
    outer[at] = i
  }
  return { outer, inner, first }
}
