// Bubble flow control, a sufficient condition for virtual cut-through: "A flow control mechanism to avoid message
// deadlock in k-ary n-cube networks", C. Carrion et al., 1997; "The adaptive bubble router", V. Puente et al., 2001.
// Every cycle of dependencies lies in a ring, a strongly connected component, in which:
//   1. A packet that continues in the ring may take any of the next channels of the ring.
//   2. To continue it requests buffer space for one packet.
//   3. To enter, from an endpoint or from outside the ring, it requests buffer space for two packets.
// An entry then leaves at least one free packet buffer behind it, and moves inside the ring keep the sum of free
// buffers. So there is always a free buffer in the ring, and the packet in front of it moves. The rings themselves are
// ordered by the rest of the graph.
//
// The requested space is read from the routing's own room() at every position. The switch must not grant a request with
// less space than that.
import type { End } from "../model/ids.ts"
import { edgesOf } from "./deadlock.ts"
import type { Walker } from "./walk.ts"

export interface Bubble {
  readonly rings: number
}

/** Returns the number of rings if all cycles are protected by bubbles, otherwise undefined. `component`: [node] -> its
 *  strongly connected component, -1 if it lies on no cycle. */
export function findBubble(walker: Walker, dests: readonly End[], component: Int32Array): Bubble | undefined {
  if (walker.subject.routing.room === undefined) return undefined
  if (!needsSpace(walker, component) || !takesAny(walker, dests, component)) return undefined
  let rings = 0
  for (let v = 0; v < component.length; v++) rings = Math.max(rings, component[v] + 1)
  return { rings }
}

/** Returns the buffer space in packets that the routing requests from an input port (numbered like channels) to a
 *  node. */
function neededCredits(walker: Walker, input: number, node: number): number {
  const { graph, subject } = walker
  const c = Math.floor(node / subject.vcs)
  const at = graph.routerOf[c]
  const first = graph.firstChan[at]
  return subject.routing.room?.(at, input - first, c - first) ?? 1
}

/** Checks conditions 2 and 3 at every dependency and every endpoint. */
function needsSpace(walker: Walker, component: Int32Array): boolean {
  const { deps, graph } = walker
  for (let i = 0; i < deps.edges; i++) {
    const from = deps.from.data[i]
    const to = deps.to.data[i]
    const ring = component[to]
    if (ring < 0) continue
    const needed = neededCredits(walker, graph.far[deps.chanOf(from)], to)
    if (component[from] === ring ? needed > 1 : needed < 2) return false
  }
  for (let node = 0; node < deps.nodes; node++) {
    if (component[node] < 0 || deps.entered[node] === 0) continue
    const at = graph.routerOf[deps.chanOf(node)]
    for (let input = graph.firstChan[at]; input < graph.firstChan[at + 1]; input++)
      if (graph.near[input] <= -2 && neededCredits(walker, input, node) < 2) return false
  }
  return true
}

/** Checks condition 1 in every state and under every draw and queue state. A ring with one next channel everywhere
 *  offers no choice and passes. */
function takesAny(walker: Walker, dests: readonly End[], component: Int32Array): boolean {
  const width = ringWidth(walker, component)
  if (width.every((w) => w <= 1)) return true
  const { oracle } = walker
  for (const dest of dests) {
    walker.walkOne(dest)
    for (let s = 0; s < walker.count; s++) {
      const held = walker.nodeOf(s)
      if (held < 0 || width[held] <= 1) continue
      const plan = walker.planOf(s)
      let runs = 0
      oracle.open(plan)
      do {
        do {
          runs++
          const offered = offers(walker, s, component)
          if (offered > 0 && offered < width[held]) return false
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
    if (component[v] < 0) continue
    for (let j = at[v]; j < at[v + 1]; j++) if (component[to[j]] === component[v]) width[v]++
  }
  return width
}

/** Channels of its own ring that one run of the decision in state s offers. */
function offers(walker: Walker, s: number, component: Int32Array): number {
  const { out, graph } = walker
  const { vcs } = walker.subject
  const ring = component[walker.nodeOf(s)]
  const first = graph.firstChan[graph.routerOf[walker.portOf(s)]]
  walker.run(s)
  let offered = 0
  for (let i = 0; i < out.n; i++) {
    const c = first + out.port[i]
    if (graph.far[c] < 0) continue
    const mask = walker.legal(out.vcMask[i], s)
    for (let v = 0; v < vcs; v++) if (((mask >> v) & 1) === 1 && component[c * vcs + v] === ring) offered++
  }
  return offered
}

export function tellBubble(b: Bubble): string {
  return (
    `each of ${b.rings} rings keeps free space for one packet: entering needs space for two packets, moving inside for one ` +
    "(bubble, Puente 2001); this holds under virtual cut-through, in a switch that grants no less"
  )
}
