// From a channel to the root of what stands before it: a front that lacks room behind its channel waits for the front of the buffer there, and so on, until one has
// room (its channel is the root: it is the one that is too slow), leaves the network, or is met a second time (a circle).
import type { Front, Sight } from "./sight.ts"

export interface ChainLink extends Front {
  /** endpoints of the front packet */
  readonly from: number
  readonly to: number
}

export interface Chain {
  readonly links: readonly ChainLink[]
  /** the channel that the others wait for; -1 where there is none */
  readonly root: number
  readonly ends: "nothing waits" | "its turn" | "endpoint" | "circle" | "in motion"
}

/** Starts with `packet` where that is a front before the channel, else with the fullest queue before it. */
export function chainOf(sight: Sight, chan: number, packet = -1): Chain {
  const { graph } = sight.topology
  const before = new Map<number, Front[]>()
  const at = new Map<number, Front[]>()
  const into = (map: Map<number, Front[]>, key: number, f: Front) => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [f])
    else list.push(f)
  }
  sight.fronts((f) => {
    into(before, f.chan, f)
    if (f.input >= 0) into(at, f.input, f)
  })
  const links: ChainLink[] = []
  const seen = new Set<string>()
  const first = before.get(chan) ?? []
  let front = first.find((f) => f.packet === packet) ?? fullest(first)
  if (front === undefined) return { links, root: -1, ends: "nothing waits" }
  for (;;) {
    const { from, to } = sight.packet(front.packet) ?? { from: -1, to: -1 }
    links.push({ ...front, from, to })
    const name = `${front.chan} ${front.vc} ${front.packet}`
    if (seen.has(name)) return { links, root: front.chan, ends: "circle" }
    seen.add(name)
    const far = graph.far[front.chan]!
    if (far < 0) return { links, root: front.chan, ends: "endpoint" }
    if (front.room) return { links, root: front.chan, ends: "its turn" }
    const behind: readonly Front[] = at.get(far) ?? []
    const same = behind.filter((f) => f.inputVc === front!.vc)
    const next = fullest(same) ?? fullest(behind)
    // what fills the buffer is still on the wire, or in inner queues
    if (next === undefined) return { links, root: front.chan, ends: "in motion" }
    front = next
  }
}

/** Of several those that lack room first: a queue that moves explains nothing. */
function fullest(fronts: readonly Front[]): Front | undefined {
  let best: Front | undefined
  for (const f of fronts) if (best === undefined || rank(f) > rank(best)) best = f
  return best
}
const rank = (f: Front): number => f.flits + (f.room ? 0 : 1e9)

/** All roots that fronts without room lead to, and the channels that wait for each: the trees of congestion. */
export function treesOf(sight: Sight): ReadonlyMap<number, ReadonlySet<number>> {
  const { graph } = sight.topology
  const stalled = new Map<number, Front>()
  const at = new Map<number, Front[]>()
  sight.fronts((f) => {
    if (!f.room && (stalled.get(f.chan)?.flits ?? -1) < f.flits) stalled.set(f.chan, f)
    if (f.input < 0) return
    const list = at.get(f.input)
    if (list === undefined) at.set(f.input, [f])
    else list.push(f)
  })
  const next = new Map<number, number>()
  for (const [chan, f] of stalled) {
    const far = graph.far[chan]!
    if (far < 0) continue
    const behind = at.get(far) ?? []
    const front = fullest(behind.filter((b) => b.inputVc === f.vc)) ?? fullest(behind)
    if (front !== undefined) next.set(chan, front.chan)
  }
  const trees = new Map<number, Set<number>>()
  for (const chan of next.keys()) {
    const way = new Set<number>()
    let c = chan
    while (next.has(c) && !way.has(c)) {
      way.add(c)
      c = next.get(c)!
    }
    const tree = trees.get(c) ?? new Set()
    for (const w of way) tree.add(w)
    trees.set(c, tree)
  }
  return trees
}
