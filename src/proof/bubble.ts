// Bubble flow control (Carrion et al., A flow control mechanism to avoid message deadlock in k-ary n-cube networks, 1997; Puente et al.,
// The adaptive bubble router, 2001), a sufficient condition for virtual cut-through:
// every cycle of dependencies lies in a ring, a strongly connected component in which (1) a packet that goes on in the ring may take any of
// the ring's next channels, (2) to go on it asks for room for one packet, and (3) to enter, from an endpoint or from outside the ring, it
// asks for room for two. Then an entry leaves at least one packet of room behind it, moves inside the ring keep the sum of free room, so
// there is always a packet of room in the ring and whoever stands before it moves; the rings themselves are ordered by the rest of the graph.
// The room asked for is the routing's own room(), read at every place; that the switch grants no less is the switch's part.
import type { End } from "../model/ids.ts"
import { edgesOf } from "./deadlock.ts"
import type { Walker } from "./walk.ts"

export interface Bubble {
  readonly rings: number
}

export function findBubble(walker: Walker, dests: readonly End[], component: Int32Array): Bubble | undefined {
  if (walker.subject.routing.room === undefined) return undefined
  if (!asksForRoom(walker, component) || !takesAny(walker, dests, component)) return undefined
  let rings = 0
  for (let v = 0; v < component.length; v++) rings = Math.max(rings, component[v]! + 1)
  return { rings }
}

/** Packets of room that the routing asks for from an input port (numbered like channels) to a node. */
function roomFor(walker: Walker, input: number, node: number): number {
  const { graph, subject } = walker
  const c = Math.floor(node / subject.vcs)
  const at = graph.routerOf[c]!
  const first = graph.firstChan[at]!
  return subject.routing.room?.(at, input - first, c - first) ?? 1
}

/** (2) and (3), at every dependency and every endpoint. */
function asksForRoom(walker: Walker, component: Int32Array): boolean {
  const { deps, graph } = walker
  for (let i = 0; i < deps.edges; i++) {
    const from = deps.from.data[i]!
    const to = deps.to.data[i]!
    const ring = component[to]!
    if (ring < 0) continue
    const room = roomFor(walker, graph.far[deps.chanOf(from)]!, to)
    if (component[from] === ring ? room > 1 : room < 2) return false
  }
  for (let node = 0; node < deps.nodes; node++) {
    if (component[node]! < 0 || deps.entered[node] === 0) continue
    const at = graph.routerOf[deps.chanOf(node)]!
    for (let input = graph.firstChan[at]!; input < graph.firstChan[at + 1]!; input++)
      if (graph.near[input]! <= -2 && roomFor(walker, input, node) < 2) return false
  }
  return true
}

/** (1), in every state and under every draw and queue; a ring with one next channel everywhere has no choice to offer. */
function takesAny(walker: Walker, dests: readonly End[], component: Int32Array): boolean {
  const width = ringWidth(walker, component)
  if (width.every((w) => w <= 1)) return true
  const { oracle } = walker
  for (const dest of dests) {
    walker.walkOne(dest)
    for (let s = 0; s < walker.count; s++) {
      const held = walker.nodeOf(s)
      if (held < 0 || width[held]! <= 1) continue
      const plan = walker.planOf(s)
      let runs = 0
      oracle.open(plan)
      do {
        do {
          runs++
          const offered = offers(walker, s, component)
          if (offered > 0 && offered < width[held]!) return false
        } while (oracle.nextDraws())
      } while (oracle.nextQueues(plan, runs))
    }
  }
  return true
}

/** [node] -> how many channels of its own ring follow it. */
function ringWidth(walker: Walker, component: Int32Array): Int32Array {
  const { deps } = walker
  const { at, to } = edgesOf(deps.nodes, deps.from.data, deps.to.data, deps.edges)
  const width = new Int32Array(component.length)
  for (let v = 0; v < component.length; v++) {
    if (component[v]! < 0) continue
    for (let j = at[v]!; j < at[v + 1]!; j++) if (component[to[j]!] === component[v]) width[v]!++
  }
  return width
}

/** Channels of its own ring that one run of the decision in state s offers. */
function offers(walker: Walker, s: number, component: Int32Array): number {
  const { out, graph } = walker
  const { vcs } = walker.subject
  const ring = component[walker.nodeOf(s)]!
  const first = graph.firstChan[graph.routerOf[walker.portOf(s)]!]!
  walker.run(s)
  let offered = 0
  for (let i = 0; i < out.n; i++) {
    const c = first + out.port[i]!
    if (graph.far[c]! < 0) continue
    const mask = walker.legal(out.vcMask[i]!, s)
    for (let v = 0; v < vcs; v++) if (((mask >> v) & 1) === 1 && component[c * vcs + v] === ring) offered++
  }
  return offered
}

export function tellBubble(b: Bubble): string {
  return `each of ${b.rings} rings keeps room for one packet: entering asks for room for two, going on for one (bubble, Puente 2001); this holds under virtual cut-through, in a switch that grants no less`
}
