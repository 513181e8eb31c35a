// Explores everything that a routing function may do with a packet for one destination. It is a breadth-first search
// over packet states, from every injection point, over all draws and all outcomes of queue readings. oracle.ts says
// which of them are tried and why they suffice.
//
// A state is (input port, VC, scratch slots). The hop count and the source are added if, and only if, the routing is
// seen to read them after injection, because a decision cannot depend on values that it does not read. Two packets for
// one destination in equal states have equal futures, so each state is explored once. The queue of an endpoint holds no
// channel, so injection makes no dependency; ejection is a sink.
//
// Limits: one decision per hop (a switch that calls the routing again while a packet waits must get the same result),
// and scratch slots that start at 0.
import { endOf, type Graph, UNWIRED } from "../model/graph.ts"
import type { End, Router, Vc } from "../model/ids.ts"
import { Candidates } from "../model/routing.ts"
import { Decisions } from "./decisions.ts"
import { Dependencies } from "./dependencies.ts"
import type { ExplorationLimit } from "./exploration-limit.ts"
import { Ints } from "./ints.ts"
import { type DrawPlan, NothingToDraw, Oracle } from "./oracle.ts"
import { longestPath, lostState, type StateGraph } from "./paths.ts"
import { States } from "./states.ts"
import type { Fault, Subject } from "./subject.ts"

/** States of one destination beyond which a packet is assumed never to arrive. */
const MOST_STATES = 6_000_000
const MOST_HOPS = 255
/** Number of draws made together without any change, under one state of the queues, after which the rest is assumed to
 *  change nothing. */
const PATIENCE = 12
/** Distance between the samples of one destination and of the next: a prime. */
const TURNS = 104_729

export class Walker implements StateGraph {
  readonly subject: Subject
  readonly graph: Graph
  readonly effort: ExplorationLimit
  readonly deps: Dependencies
  readonly faults: Fault[] = []
  /** maximum number of routers that a packet visits; Infinity if some packet may return to a state */
  hopBound = 0
  /** decisions replayed so far */
  runs = 0
  /** some decision drew too many combinations, or read too many queues, to try them all */
  drawsSampled = false
  queuesSampled = false
  /** sets of VCs (as masks) among which a waiting packet could choose; 0 = it may have to wait without any */
  readonly choices = new Set<number>()
  readonly oracle: Oracle
  readonly out: Candidates

  /** the walk of the last destination */
  states: States
  readonly succ = new Ints()
  readonly succAt = new Ints()
  readonly ejects = new Ints()
  private readonly seenFrom = new Ints()

  private keyHops = false
  private keySrc = false
  private heavyInjection = false
  private heavyHop = false
  private chosen = 0
  private readonly decisions: Decisions
  private decision = -1
  private taking = false
  private lastPort = -1
  private lastMask = 0
  private readonly last: Int32Array
  private sources: Int32Array | undefined

  /** `after`: adds to the dependencies that another walk has found, and reads the same parts of a packet. */
  constructor(subject: Subject, effort: ExplorationLimit, after?: Walker) {
    this.subject = subject
    this.graph = subject.topology.graph
    this.effort = effort
    this.deps = after?.deps ?? new Dependencies(this.graph, subject.vcs)
    this.oracle = new Oracle(subject.scratch)
    this.oracle.exact = effort.exact
    this.oracle.samples = effort.samples
    this.oracle.flips = effort.flips
    let ports = 0
    for (let r = 0; r < this.graph.routers; r++)
      ports = Math.max(ports, this.graph.firstChan[r + 1] - this.graph.firstChan[r])
    this.out = new Candidates(Math.max(subject.candidates, 4 * ports))
    this.decisions = new Decisions(subject.scratch)
    this.last = new Int32Array(subject.scratch)
    this.keyHops = this.oracle.sawHops = after?.keyHops ?? false
    this.keySrc = this.oracle.sawSrc = after?.keySrc ?? false
    this.states = this.layout()
  }

  /** Returns an empty table for states with the parts that are known to matter. */
  private layout(): States {
    return new States(1 + (this.keyHops ? 1 : 0) + (this.keySrc ? 1 : 0) + this.subject.scratch)
  }

  /** Returns whether this walk reads the same parts of a packet. */
  seesAs(other: Walker): boolean {
    return this.keyHops === other.keyHops && this.keySrc === other.keySrc
  }

  /** Whether decisions were reused. */
  get tookOver(): boolean {
    return this.decisions.trusted && !this.decisions.off
  }

  /** Walks these destinations. It starts over when the routing turns out to read more than was known. Returns the
   *  number of destinations that were walked. */
  walkAll(dests: readonly End[], enough?: (walked: number) => boolean): number {
    for (let i = 0; i < dests.length; i++) {
      if (!this.walk(dests[i])) i = -1
      else if (enough?.(i + 1) === true) return i + 1
    }
    return dests.length
  }

  /** Walks one destination, from all sources or only from these input ports. */
  walkOne(dest: End, ports?: readonly number[]): void {
    while (!this.walk(dest, ports));
  }

  get count(): number {
    return this.states.count
  }
  /** Returns the input port of a packet in this state. */
  portOf(s: number): number {
    return Math.floor(this.states.keys.data[s * this.states.width] / this.subject.vcs)
  }
  vcOf(s: number): Vc {
    return this.states.keys.data[s * this.states.width] % this.subject.vcs
  }
  /** Returns the node that a packet in this state holds, or -1 while it is still at its endpoint. */
  nodeOf(s: number): number {
    const c = this.graph.near[this.portOf(s)]
    return c < 0 ? -1 : c * this.subject.vcs + this.vcOf(s)
  }
  /** Returns the states from injection to s. */
  pathTo(s: number): number[] {
    const way = [s]
    for (let p = this.states.parent.data[s]; p >= 0; p = this.states.parent.data[p]) way.unshift(p)
    return way
  }
  sourceOf(s: number): End {
    return endOf(this.graph.near[this.portOf(this.pathTo(s)[0])])
  }

  /** Walks one destination. Returns false if the routing read something that is not part of the state yet; all results
   *  are then discarded. */
  private walk(dest: End, ports?: readonly number[]): boolean {
    this.begin(dest, ports)
    for (let s = 0; s < this.states.count; s++) {
      this.succAt.push(this.succ.n)
      this.tryExplore(s)
      if (this.seesMore()) return false
      if (this.states.count > MOST_STATES) {
        this.fault("endless", s)
        break
      }
    }
    while (this.succAt.n <= this.states.count) this.succAt.push(this.succ.n)
    if (this.oracle.badSlot) this.fault("no such scratch", 0)
    this.hopBound = Math.max(this.hopBound, longestPath(this))
    if (this.hopBound === Number.POSITIVE_INFINITY) {
      const lost = lostState(this)
      if (lost >= 0) this.fault("endless", lost)
    }
    return true
  }

  /** Discards the last destination and places a packet for this one at every source, or at these input ports. */
  begin(dest: End, ports?: readonly number[]): void {
    this.states.clear()
    this.decisions.clear()
    this.succ.n = this.succAt.n = this.ejects.n = this.seenFrom.n = 0
    this.oracle.to = dest
    if (ports !== undefined) for (const port of ports) this.enter(port, dest)
    else this.enterAll(dest)
  }

  /** Returns whether the routing has read something that is not part of the state yet. It is part of it from now on,
   *  and all states are void. */
  seesMore(): boolean {
    const { sawHops, sawSrc } = this.oracle
    if (sawHops === this.keyHops && sawSrc === this.keySrc) return false
    this.keyHops = sawHops
    this.keySrc = sawSrc
    this.states = this.layout()
    this.deps.clear()
    this.faults.length = 0
    this.hopBound = 0
    this.choices.clear()
    return true
  }

  private enterAll(dest: End): void {
    const { near, entry, rails, ends } = this.graph
    if (this.effort.sources === "first" && rails === 1) {
      this.sources ??= firstTwo(this.graph)
      const { sources } = this
      for (let i = 0; i < sources.length; i += 2) {
        const port = endOf(near[sources[i]]) === dest ? sources[i + 1] : sources[i]
        if (port >= 0) this.enter(port, dest)
      }
      return
    }
    for (let i = 0; i < ends * rails; i++) if (endOf(near[entry[i]]) !== dest) this.enter(entry[i], dest)
  }

  private enter(port: number, dest: End): void {
    const { oracle } = this
    const { vcs } = this.subject
    const from = endOf(this.graph.near[port])
    if (from === dest) return
    oracle.from = from
    oracle.injecting = true
    oracle.scratch.fill(0)
    for (let v = 0; v < vcs; v++) {
      this.intern(port * vcs + v, 0, -1)
      if (this.effort.entryVcs === "first") break
    }
  }

  /** Returns the plan for the draws of a decision in state s. */
  planOf(s: number): DrawPlan {
    return (this.graph.near[this.portOf(s)] < 0 ? this.heavyInjection : this.heavyHop) ? this.effort.draws : "tree"
  }

  /** Calls the routing function once for a packet in state s, under the script of the oracle. */
  run(s: number): void {
    const { oracle, out, keyHops, keySrc, graph } = this
    const { routing, vcs } = this.subject
    const { data } = this.states.keys
    let i = s * this.states.width
    const pos = data[i++]
    oracle.rewind(keyHops ? data[i++] : 0)
    if (keySrc) oracle.from = data[i++]
    const { scratch } = oracle
    for (let k = 0; k < scratch.length; k++) scratch[k] = data[i + k]
    const port = (pos / vcs) | 0
    const at = graph.routerOf[port]
    const chan = graph.near[port]
    out.n = 0
    oracle.injecting = chan < 0
    if (chan < 0) {
      oracle.from = endOf(chan)
      routing.inject?.(0, at, oracle)
    }
    routing.route(0, at, port - graph.firstChan[at], pos - port * vcs, oracle, out)
  }

  private tryExplore(s: number): void {
    try {
      this.decision = this.effort.alike !== "none" && !this.decisions.off ? this.decisionOf(s) : -1
      if (this.decision >= 0 && this.decisions.trusted && this.decisions.last.data[this.decision] >= 0) this.takeOver(s)
      else this.explore(s)
      if (this.decision >= 0) this.decisions.close(this.decision)
    } catch (e) {
      if (!(e instanceof NothingToDraw)) throw e
      this.fault("stuck", s)
    }
  }

  /** Returns the number of the decision in state s, whatever port (or parallel link) the packet came by; -1 at
   *  injection. */
  private decisionOf(s: number): number {
    const port = this.portOf(s)
    if (this.graph.near[port] < 0) return -1
    const { probe } = this.decisions.seen
    const { data } = this.states.keys
    const { width } = this.states
    probe.fill(0)
    probe[0] = this.graph.routerOf[port]
    for (let k = 1; k < width; k++) probe[k] = data[s * width + k]
    if (this.effort.alike === "trunk")
      probe[width] = this.graph.routerOf[this.graph.near[port]] * this.subject.vcs + this.vcOf(s)
    return this.decisions.find(s)
  }

  /** Reuses the outcomes of an equal decision for state s. */
  private takeOver(s: number): void {
    const { decisions, out, oracle } = this
    const { scratch } = oracle
    const { data } = decisions.ways.keys
    const { width } = decisions.ways
    const d = this.decision
    oracle.hopsNow = this.keyHops ? this.states.keys.data[s * this.states.width + 1] : 0
    if (this.keySrc) oracle.from = this.states.keys.data[s * this.states.width + (this.keyHops ? 2 : 1)]
    this.decision = -1
    this.taking = true
    out.n = 1
    for (let w = decisions.first.data[d]; w < decisions.last.data[d]; w++) {
      out.port[0] = data[w * width + 1]
      out.vcMask[0] = data[w * width + 2]
      for (let k = 0; k < scratch.length; k++) scratch[k] = data[w * width + 3 + k]
      this.record(s)
    }
    this.taking = false
  }

  /** Stores the outcomes of a decision for packets that come by other ports. */
  private keepWays(): void {
    const { out } = this
    const { probe } = this.decisions.ways
    const { scratch } = this.oracle
    probe[0] = this.decision
    for (let k = 0; k < scratch.length; k++) probe[3 + k] = scratch[k]
    for (let i = 0; i < out.n; i++) {
      probe[1] = out.port[i]
      probe[2] = out.vcMask[i]
      this.decisions.add(this.decision)
    }
  }

  /** Replays the runs of state s, or of the state whose decision was reused, until `found` returns true. */
  seek(s: number, found: () => boolean): boolean {
    this.heavyInjection = this.heavyHop = false
    const d = this.effort.alike !== "none" && !this.decisions.off ? this.decisionOf(s) : -1
    return this.explore(s, d < 0 ? s : this.decisions.maker.data[d], found)
  }

  /** Tries everything in state s. Where that would be too much, the samples depend only on the destination and `turn`,
   *  so that they can be replayed. With `found` it stops when that returns true. */
  private explore(s: number, turn = s, found?: () => boolean): boolean {
    const { oracle } = this
    const { limit } = this.effort
    const plan = this.planOf(s)
    this.chosen = 0
    this.lastPort = -1
    oracle.open(plan, oracle.to * TURNS + turn)
    let most = 0
    let leaves = 0
    do {
      leaves = 0
      let changes = 0
      do {
        this.run(s)
        if (oracle.hopsNow > MOST_HOPS) {
          this.fault("endless", s)
          return false
        }
        if (found?.() === true) return true
        if (!this.repeats()) {
          if (found === undefined) this.record(s)
          changes++
        }
        this.runs++
        leaves++
        if (oracle.plan === "together" && leaves === PATIENCE && changes <= 1) break
        if (oracle.plan === "tree" && leaves > limit) {
          this.drawsSampled = true
          if (oracle.injecting) this.heavyInjection = true
          else this.heavyHop = true
          return this.explore(s, turn, found)
        }
      } while (oracle.nextDraws())
      most = Math.max(most, leaves)
    } while (oracle.nextQueues(plan, most))
    if (oracle.sampledQueues) this.queuesSampled = true
    if (this.chosen === 0 && found === undefined) this.fault("stuck", s)
    return false
  }

  /** Returns whether this run gave the same result as the run before: a single candidate and the same scratch slots.
   *  Most runs do. */
  private repeats(): boolean {
    const { out, last } = this
    const { scratch } = this.oracle
    let same = out.n === 1 && out.port[0] === this.lastPort && out.vcMask[0] === this.lastMask
    for (let k = 0; k < scratch.length; k++) {
      if (scratch[k] === last[k]) continue
      same = false
      last[k] = scratch[k]
    }
    if (same) return true
    this.lastPort = out.n === 1 ? out.port[0] : -1
    this.lastMask = out.vcMask[0]
    return false
  }

  /** Records the result of one run of the routing function: dependencies, successors, faults. */
  private record(s: number): void {
    const { graph, out, deps } = this
    const { vcs } = this.subject
    const { far } = graph
    const port = this.portOf(s)
    const chan = graph.near[port]
    const node = chan < 0 ? -1 : chan * vcs + this.vcOf(s)
    const at = graph.routerOf[port]
    const first = graph.firstChan[at]
    const ports = graph.firstChan[at + 1] - first
    if (out.n > this.subject.candidates) this.fault("too many candidates", s)
    if (this.decision >= 0) this.keepWays()
    let choice = 0
    for (let i = 0; i < out.n; i++) {
      const p = out.port[i]
      const there = p >= 0 && p < ports ? far[first + p] : UNWIRED
      this.chosen++
      if (there < 0) {
        if (there === UNWIRED) this.fault("unwired", s)
        else if (endOf(there) !== this.oracle.to) this.fault("wrong end", s)
        else this.eject(s)
        choice = -1
        continue
      }
      const mask = this.legal(out.vcMask[i], s)
      choice |= mask
      for (let v = 0; v < vcs; v++) {
        if (((mask >> v) & 1) === 0) continue
        const to = (first + p) * vcs + v
        if (node < 0) deps.entered[to] = 1
        else deps.add(node, to, this.oracle.to)
        this.arrive(s, there * vcs + v)
      }
    }
    if (choice >= 0 && !this.taking) this.choices.add(choice)
  }

  /** Returns the VCs of the mask that exist. A VC that does not exist is a fault, or means the last one. */
  legal(mask: number, s: number): number {
    const { vcs, fold } = this.subject
    if (mask === 0) this.fault("no vc", s)
    const over = vcs < 32 ? mask >>> vcs : 0
    if (over === 0) return mask
    const within = mask & (2 ** vcs - 1)
    if (fold === true) return within | (1 << (vcs - 1))
    this.fault("no such vc", s, vcs + 31 - Math.clz32(over))
    return within
  }

  private eject(s: number): void {
    if (this.ejects.n === 0 || this.ejects.data[this.ejects.n - 1] !== s) this.ejects.push(s)
  }

  private arrive(s: number, pos: number): void {
    const t = this.intern(pos, this.oracle.hopsNow + 1, s)
    const { data } = this.seenFrom
    if (data[t] === s) return
    data[t] = s
    this.succ.push(t)
  }

  /** Returns the state at this position of a packet with the current scratch slots. */
  intern(pos: number, hops: number, parent: number): number {
    const { oracle, states } = this
    const { probe } = states
    let w = 0
    probe[w++] = pos
    if (this.keyHops) probe[w++] = hops
    if (this.keySrc) probe[w++] = oracle.from
    const { scratch } = oracle
    for (let k = 0; k < scratch.length; k++) probe[w++] = scratch[k]
    const t = states.intern(parent)
    if (t === this.seenFrom.n) this.seenFrom.push(-1)
    return t
  }

  /** Adds a fault, unless one of this kind is known already. */
  private fault(kind: Fault["kind"], s: number, vc: Vc = 0): void {
    if (this.faults.some((f) => f.kind === kind)) return
    const at: Router = s < 0 || s >= this.count ? 0 : this.graph.routerOf[this.portOf(s)]
    this.faults.push({
      kind,
      at,
      from: s < 0 || s >= this.count ? this.oracle.from : this.sourceOf(s),
      to: this.oracle.to,
      vc,
    })
  }
}

/** Returns the input ports of the first endpoint of each router, and of the second one (-1 if there is none), which
 *  replaces the first where that is the destination. */
function firstTwo({ entry, routerOf, ends }: Graph): Int32Array {
  const found: number[] = []
  for (let e = 0; e < ends; e++) {
    const port = entry[e]
    const known = found.length > 0 && routerOf[found.at(-2)!] === routerOf[port]
    if (!known) found.push(port, -1)
    else if (found.at(-1) === -1) found[found.length - 1] = port
  }
  return Int32Array.from(found)
}
