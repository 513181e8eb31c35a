// Bubble flow control (Carrion et al., A flow control mechanism to avoid message deadlock in k-ary n-cube networks, 1997; Puente et al.,
// The adaptive bubble router, 2001), a sufficient condition for virtual cut-through with packets of up to M flits:
// every cycle of dependencies lies in a ring, a strongly connected component in which (1) a packet that goes on in the ring may take any of
// the ring's next channels, (2) to go on it asks for at most M flits of room, and (3) to enter, from an endpoint or from outside the ring,
// it asks for at least 2 M. Then an entry leaves at least M free behind it, moves inside the ring keep the sum of free room, so there is
// always a packet of room in the ring and whoever stands before it moves; the rings themselves are ordered by the remaining dependencies.
// The proof asks the routing what it would do in each reachable state if all queues had exactly so much room: no declaration is trusted.
import type { End } from "../model/ids.ts"
import { edgesOf } from "./deadlock.ts"
import { FULL } from "./oracle.ts"
import type { Walker } from "./walk.ts"

/** A packet longer than any constant that a routing would ask for. */
const LONG = 1 << 14

export interface Bubble {
  readonly rings: number
  /** largest packet in flits for which the condition holds; Infinity if the routing asks for the packet's own length */
  readonly packet: number
}

/** Least room with which a packet enters a ring somewhere, and most room that it asks for to go on in one. */
interface Asked {
  enter: number
  goOn: number
}

export function findBubble(walker: Walker, dests: readonly End[], component: Int32Array): Bubble | undefined {
  if (!walker.oracle.sawRoom) return undefined
  const width = ringWidth(walker, component)
  let rings = 0
  for (let v = 0; v < component.length; v++) rings = Math.max(rings, component[v]! + 1)
  // the room asked for may be a constant, or follow the packet's length
  const one = asked(walker, dests, component, width, 1)
  const long = asked(walker, dests, component, width, LONG)
  if (one.enter >= 2 && one.goOn <= 1 && long.enter >= 2 * LONG && long.goOn <= LONG) return { rings, packet: Number.POSITIVE_INFINITY }
  const packet = Math.floor(Math.min(one.enter, long.enter) / 2)
  return packet >= 1 && Math.max(one.goOn, long.goOn) <= packet ? { rings, packet } : undefined
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

function asked(walker: Walker, dests: readonly End[], component: Int32Array, width: Int32Array, size: number): Asked {
  const { oracle } = walker
  const worst: Asked = { enter: FULL, goOn: 0 }
  for (const dest of dests) {
    walker.walkOne(dest)
    oracle.size = size
    for (let s = 0; s < walker.count; s++) {
      const held = walker.nodeOf(s)
      const ring = held < 0 ? -1 : component[held]!
      const enters = (room: number) => answers(walker, s, room, (node) => component[node]! >= 0 && component[node] !== ring, 1) > 0
      if (enters(worst.enter - 1)) worst.enter = least(0, worst.enter - 1, enters)
      if (ring < 0) continue
      const goesOn = (room: number, atLeast: number) => answers(walker, s, room, (node) => component[node] === ring, atLeast)
      const wanted = goesOn(FULL, 1)
      if (goesOn(worst.goOn, width[held]!) < wanted)
        worst.goOn = least(worst.goOn, FULL + 1, (room) => goesOn(room, width[held]!) >= wanted)
    }
    oracle.room = -1
    oracle.size = 16
  }
  return worst
}

/** The least room above `low` with which it does, given that it does with `high` (or never) and not with `low`. */
function least(low: number, high: number, does: (room: number) => boolean): number {
  let [no, yes] = [low, high]
  while (yes - no > 1) {
    const mid = (no + yes) >> 1
    if (does(mid)) yes = mid
    else no = mid
  }
  return yes
}

/** Replays a decision under all its draws with so much room in every queue: how many answers offer at least so many of these nodes. */
function answers(walker: Walker, s: number, room: number, is: (node: number) => boolean, atLeast: number): number {
  const { oracle, out, graph } = walker
  const { vcs } = walker.subject
  const first = graph.firstChan[graph.routerOf[walker.portOf(s)]!]!
  const plan = walker.planOf(s)
  let count = 0
  oracle.room = room
  oracle.open(plan)
  do {
    walker.run(s)
    let offered = 0
    for (let i = 0; i < out.n; i++) {
      const c = first + out.port[i]!
      if (graph.far[c]! < 0) continue
      const mask = walker.legal(out.vcMask[i]!, s)
      for (let v = 0; v < vcs; v++) if (((mask >> v) & 1) === 1 && is(c * vcs + v)) offered++
    }
    if (offered >= atLeast) count++
  } while (oracle.nextDraws())
  return count
}

export function tellBubble(b: Bubble): string {
  const upTo = b.packet === Number.POSITIVE_INFINITY ? "packets of any length" : `packets of up to ${b.packet} flits`
  return `each of ${b.rings} rings keeps room for one packet: entering asks for twice the room that going on does (bubble, Puente 2001); this holds for ${upTo}, under virtual cut-through`
}
