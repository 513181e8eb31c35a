// Does the network stand still, and why? One place that decides it, from facts: who waits for whom, what is on wires, which timers are due.
// A deadlock is a circle of waits; where a switch cannot name one, it is a standstill that nothing on wires and no timer can end, in words.
// What only waits (a long link, a retransmission timer, a side band) is none, however long it takes. Pure functions.

/** Cycles without any movement before it is worth a word, on the shortest links. */
const PATIENCE = 4096
/** Crossings of the longest link that a packet may have to wait for: a credit comes back, a flit follows, and both once more. */
const CROSSINGS = 4

/** Cycles after which something must have moved: `latency` of the longest link, `timers`: the longest time that something waits by itself. */
export function patienceOf(latency: number, timers = 0): number {
  return Math.max(PATIENCE, CROSSINGS * latency + timers)
}

/** What an engine knows about a network that does not seem to move. */
export interface Standing {
  /** packets that were created and have not arrived */
  readonly underWay: number
  /** buffers of routers that hold something */
  readonly waiting: number
  /** flits, packets and credits that are on wires: each arrives by itself */
  readonly onWires: number
  /** timers and messages between parts of a switch that will act by themselves */
  readonly timers: number
  /** packets, or channels, that wait for one another in a circle, in words */
  readonly circle?: readonly string[]
}

/** What moved since the last look. */
export interface Look {
  readonly cycles: number
  /** flits sent and packets delivered */
  readonly moved: number
  /** packets were under way at the last look already: one that has only just been created did not stand still */
  readonly before: boolean
}

export type Verdict =
  | { readonly kind: "moves" }
  /** nothing moves, but something is bound to */
  | { readonly kind: "waits"; readonly words: string }
  | { readonly kind: "deadlock" | "starved"; readonly words: string }

const moves: Verdict = { kind: "moves" }

export function judgeStanding(s: Standing, look: Look, patience: number): Verdict {
  if (s.underWay === 0) return moves
  const rate = look.moved / Math.max(1, look.cycles)
  const moved = look.moved === 0 ? "no flit moved" : `only ${rate.toFixed(2)} flits a cycle moved`
  const still = `${moved} for ${look.cycles} cycles while ${packets(s.underWay)} on their way`
  if (s.circle !== undefined) return { kind: "deadlock", words: [still, ...s.circle].join("\n") }
  if (look.moved > 0 || look.cycles < patience || !look.before) return moves
  if (s.onWires > 0) return { kind: "waits", words: `${still}: ${s.onWires} flits or credits are on wires` }
  if (s.timers > 0) return { kind: "waits", words: `${still}: ${s.timers} timers or messages are due` }
  const where =
    s.waiting > 0
      ? `${s.waiting} buffers hold packets, nothing is on a wire and no timer is due: nothing can ever move again`
      : "no buffer holds any of them, nothing is on a wire and no timer is due: they are held back at their endpoints, or lost"
  return { kind: s.waiting > 0 ? "deadlock" : "starved", words: `${still}\n${where}` }
}

function packets(n: number): string {
  return n === 1 ? "1 packet was" : `${n} packets were`
}

/** Channels as a graph, and what is known of each: for switches that do not say which packet waits for which. */
export interface ChannelFacts {
  /** channels that the front of some buffer goes to */
  readonly wanted: Iterable<number>
  /** flits were sent on it within the patience */
  moved(chan: number): boolean
  routerOf(chan: number): number
  /** the router that it leads to, less than 0 for an endpoint */
  leadsTo(chan: number): number
  label(chan: number): string
}

/**
 * Channels that wait only for one another: packets stand before each of them, none has sent anything for as long as `moved` says, and all that stands in the router
 * behind it waits for such channels too. An endpoint, an empty router or one channel that moves behind it excuses a channel, and all that wait for it. Coarse:
 * a circle of one VC beside another that moves is not seen. Undefined if there is none.
 */
export function standingChannels(f: ChannelFacts, cycles: number): readonly string[] | undefined {
  const behind = new Map<number, number[]>()
  const left = new Set<number>()
  // in the order of the network: buffers are visited in another one by another number of partitions
  for (const c of [...new Set(f.wanted)].sort((a, b) => a - b)) {
    const r = f.routerOf(c)
    const list = behind.get(r)
    if (list === undefined) behind.set(r, [c])
    else list.push(c)
    if (!f.moved(c)) left.add(c)
  }
  for (let again = true; again; ) {
    again = false
    for (const c of left) {
      const r = f.leadsTo(c)
      const next = r < 0 ? undefined : behind.get(r)
      if (next?.every((n) => left.has(n)) === true) continue
      left.delete(c)
      again = true
    }
  }
  const first = [...left][0]
  if (first === undefined) return undefined
  const circle: number[] = []
  for (let c = first; !circle.includes(c); c = behind.get(f.leadsTo(c))!.find((n) => left.has(n))!) circle.push(c)
  const last = circle.at(-1)!
  const back = behind.get(f.leadsTo(last))!.find((n) => left.has(n))!
  const ring = circle.slice(circle.indexOf(back))
  return [
    `deadlock: ${ring.length} channels wait for one another in a circle, ${left.size} have sent nothing for ${cycles} cycles and never will`,
    ...ring.map((c, i) => `${f.label(c)} waits for room behind it, where packets wait for ${f.label(ring[(i + 1) % ring.length]!)}`),
  ]
}
