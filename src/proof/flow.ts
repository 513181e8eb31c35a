// Distributes the traffic for one destination over the channels of an idle network: all queues are empty, draws are
// uniform, and equally cheap candidates and the VCs of a mask get equal shares, as an adaptive switch would balance
// them. Each packet state has its moves with their probabilities. loads.ts sums the results into channel loads.
import { endOf, UNWIRED } from "../model/graph.ts"
import type { Chan, End, Vc } from "../model/ids.ts"
import type { ExplorationLimit } from "./exploration-limit.ts"
import { Ints } from "./ints.ts"
import type { Subject } from "./subject.ts"
import { Walker } from "./walk.ts"

/** Maximum number of hops: traffic that is still in the network after them is left out. */
const MOST_HOPS = 64
const MOST_STATES = 4_000_000

export class Flow {
  readonly walker: Walker
  /** moves of state s are first[s] to first[s + 1] - 1; `to` = -1 ejects */
  readonly first = new Ints()
  readonly to = new Ints()
  readonly chan = new Ints()
  readonly vc = new Ints()
  share = new Float64Array(1024)
  /** states 0 to sources - 1 are at their sources */
  sources = 0
  /** draws were sampled: loads are estimates */
  sampled = false
  /** traffic in each state now, and one hop later; all zeros between two calls */
  private mass = [new Float64Array(1024), new Float64Array(1024)]
  private readonly samples: number
  private readonly many = [false, false]

  /** `samples`: draws of one decision when it has more combinations than that. */
  constructor(subject: Subject, effort: ExplorationLimit, samples: number) {
    this.walker = new Walker(subject, effort)
    this.samples = samples
    this.walker.oracle.samples = samples
  }

  /** Finds all states that carry traffic for this destination, with their moves. */
  begin(dest: End): void {
    const { walker } = this
    do {
      this.first.n = this.to.n = this.chan.n = this.vc.n = 0
      walker.begin(dest)
      this.sources = walker.count
      for (let s = 0; s < walker.count && s < MOST_STATES; s++) this.find(s)
    } while (walker.seesMore())
  }

  /** Sends weight(source) from every source to `dest` and calls `each` for every (channel, VC) pair that part of it
   *  crosses. */
  send(dest: End, weight: (from: End) => number, each: (chan: Chan, vc: Vc, load: number) => void): void {
    this.begin(dest)
    const { first, to, chan, vc, share } = this
    const states = this.walker.count
    if (this.mass[0].length < states) this.mass = [new Float64Array(2 * states), new Float64Array(2 * states)]
    let [mass, after] = this.mass as [Float64Array, Float64Array]
    let now: number[] = []
    for (let s = 0; s < this.sources; s++) {
      mass[s] = weight(this.sourceOf(s))
      now.push(s)
    }
    for (let hop = 0; now.length > 0 && hop < MOST_HOPS; hop++) {
      const next: number[] = []
      for (let k = 0; k < now.length; k++) {
        const s = now[k]
        const here = mass[s]
        mass[s] = 0
        for (let i = first.data[s]; i < first.data[s + 1]; i++) {
          const t = to.data[i]
          if (t < 0) continue
          const load = here * share[i]
          each(chan.data[i], vc.data[i], load)
          if (after[t] === 0) next.push(t)
          after[t] += load
        }
      }
      now = next
      ;[mass, after] = [after, mass]
    }
    for (let k = 0; k < now.length; k++) mass[now[k]] = 0
  }

  /** Finds the moves of one state. */
  private find(s: number): void {
    const { oracle } = this.walker
    if (s === 0) this.first.push(0)
    // whether all combinations are few enough is counted once for injection and once for hops
    const kind = s < this.sources ? 0 : 1
    let runs = 0
    if (!this.many[kind]) {
      oracle.open("tree")
      do this.walker.run(s)
      while (++runs <= this.samples && oracle.nextDraws())
      this.many[kind] = runs > this.samples
      this.sampled ||= this.many[kind]
    }
    oracle.open(this.many[kind] ? "random" : "tree")
    do {
      this.walker.run(s)
      this.record(s, oracle.chance)
    } while (oracle.nextDraws())
    this.first.push(this.to.n)
  }

  /** Adds the moves of one run of the routing function, with its probability. */
  private record(s: number, chance: number): void {
    const { walker } = this
    const { out, graph } = walker
    const { vcs } = walker.subject
    const first = graph.firstChan[graph.routerOf[walker.portOf(s)]]
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < out.n; i++) least = Math.min(least, out.cost[i])
    let ties = 0
    for (let i = 0; i < out.n; i++) if (out.cost[i] === least) ties++
    for (let i = 0; i < out.n; i++) {
      if (out.cost[i] !== least) continue
      const c = first + out.port[i]
      const there = graph.far[c] ?? UNWIRED
      if (there < 0) {
        this.move(-1, c, 0, chance / ties)
        continue
      }
      const mask = walker.legal(out.vcMask[i], s)
      let n = 0
      for (let v = 0; v < vcs; v++) n += (mask >> v) & 1
      for (let v = 0; v < vcs; v++)
        if (((mask >> v) & 1) === 1)
          this.move(walker.intern(there * vcs + v, walker.oracle.hopsNow + 1, s), c, v, chance / ties / n)
    }
  }

  private move(t: number, chan: Chan, vc: Vc, share: number): void {
    const i = this.to.n
    if (i === this.share.length) {
      const wider = new Float64Array(2 * i)
      wider.set(this.share)
      this.share = wider
    }
    this.share[i] = share
    this.to.push(t)
    this.chan.push(chan)
    this.vc.push(vc)
  }

  /** Returns the endpoint of an injection state. */
  sourceOf(s: number): End {
    return endOf(this.walker.graph.near[this.walker.portOf(s)])
  }
}
