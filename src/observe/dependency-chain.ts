// Finds the root cause of congestion at one channel, and the congestion trees of the network, for the studio's
// inspector. A head packet without credits for its channel waits for the head packet of the buffer downstream, and so
// on. The chain ends at a channel with credits (the root: the bottleneck), at an endpoint, or at a packet that is seen
// a second time (a cyclic dependency). The search reads an Observation and changes nothing.
import type { Front, Observation } from "./observation.ts"

export interface ChainLink extends Front {
  /** source and destination of the head packet */
  readonly from: number
  readonly to: number
}

export interface Chain {
  readonly links: readonly ChainLink[]
  /** the channel that the others wait for; -1 if there is none */
  readonly root: number
  readonly ends: "nothing waits" | "its turn" | "endpoint" | "circle" | "in motion"
}

/**
 * Returns the chain of dependencies from a channel. It starts with `packet` if that is a head packet for the channel,
 * and with the longest queue for it otherwise.
 */
export function chainOf(observation: Observation, chan: number, packet = -1): Chain {
  const { graph } = observation.topology
  // before: [channel] -> head packets that request it; at: [input port] -> head packets in its buffer
  const before = new Map<number, Front[]>()
  const at = new Map<number, Front[]>()
  const into = (map: Map<number, Front[]>, key: number, f: Front) => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [f])
    else list.push(f)
  }
  observation.fronts((f) => {
    into(before, f.chan, f)
    if (f.input >= 0) into(at, f.input, f)
  })
  const links: ChainLink[] = []
  const seen = new Set<string>()
  const first = before.get(chan) ?? []
  let front = first.find((f) => f.packet === packet) ?? fullest(first)
  if (front === undefined) return { links, root: -1, ends: "nothing waits" }
  // Each round follows one dependency downstream. It ends, because a packet that is seen again ends it.
  for (;;) {
    const { from, to } = observation.packet(front.packet) ?? { from: -1, to: -1 }
    links.push({ ...front, from, to })
    const name = `${front.chan} ${front.vc} ${front.packet}`
    if (seen.has(name)) return { links, root: front.chan, ends: "circle" }
    seen.add(name)
    const far = graph.far[front.chan]
    if (far < 0) return { links, root: front.chan, ends: "endpoint" }
    if (front.hasCredits) return { links, root: front.chan, ends: "its turn" }
    const behind: readonly Front[] = at.get(far) ?? []
    // The head packet waits for its VC of the buffer downstream. If no packet of this VC is at the head there (shared
    // buffers), the longest queue of the input is the best explanation.
    const same = behind.filter((f) => f.inputVc === front!.vc)
    const next = fullest(same) ?? fullest(behind)
    // The buffer is occupied by flits that are in flight or in internal queues.
    if (next === undefined) return { links, root: front.chan, ends: "in motion" }
    front = next
  }
}

/** Returns the longest of these queues, those without credits first: a queue that moves explains nothing. */
function fullest(fronts: readonly Front[]): Front | undefined {
  let best: Front | undefined
  for (const f of fronts) if (best === undefined || rank(f) > rank(best)) best = f
  return best
}
const rank = (f: Front): number => f.flits + (f.hasCredits ? 0 : 1e9)

/**
 * Returns the congestion trees: for each root, the channels whose head packets wait for it directly or indirectly. Each
 * channel is represented by its longest stalled queue, so each has one successor, and chains can be followed in linear
 * time.
 */
export function treesOf(observation: Observation): ReadonlyMap<number, ReadonlySet<number>> {
  const { graph } = observation.topology
  const stalled = new Map<number, Front>()
  const at = new Map<number, Front[]>()
  observation.fronts((f) => {
    if (!f.hasCredits && (stalled.get(f.chan)?.flits ?? -1) < f.flits) stalled.set(f.chan, f)
    if (f.input < 0) return
    const list = at.get(f.input)
    if (list === undefined) at.set(f.input, [f])
    else list.push(f)
  })
  // next: channel -> the channel that it waits for
  const next = new Map<number, number>()
  for (const [chan, f] of stalled) {
    const far = graph.far[chan]
    if (far < 0) continue
    const behind = at.get(far) ?? []
    const front = fullest(behind.filter((b) => b.inputVc === f.vc)) ?? fullest(behind)
    if (front !== undefined) next.set(chan, front.chan)
  }
  const trees = new Map<number, Set<number>>()
  for (const chan of next.keys()) {
    const way = new Set<number>()
    let c = chan
    // A cyclic dependency has no root: the chain ends at the channel where it closes.
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
