// The combined switch flit by flit, with plain objects: every flit has a place, every credit is counted, nothing is
// skipped. Slow, and easy to read. It shares the routing, the sources and the plan of VCs with the engine, and nothing
// else: what it says about when packets arrive is its own.

import { planOf } from "../../src/compile/classes.ts"
import type { Compiled } from "../../src/compile/compile.ts"
import { below, draw, streamOf } from "../../src/core/rng.ts"
import { sourceModel } from "../../src/engines/flit/sources.ts"
import { sourceColumns } from "../../src/fabric/flit.ts"
import { layOut } from "../../src/fabric/layout.ts"
import { endOf } from "../../src/model/graph.ts"
import { Candidates, NetView } from "../../src/model/routing.ts"
import type { CombinedParams } from "../../src/switches/combined/params.ts"
import { PlainMatching } from "./plain-matching.ts"

interface Packet {
  readonly id: number
  readonly key: number
  readonly src: number
  readonly dst: number
  readonly flits: number
  readonly scratch: number[]
  readonly vcClass: number
  hops: number
}

/** A packet at one router, or at its source: parts of it may be at several. */
interface Visit {
  readonly packet: Packet
  /** VC on which it came, then the one on which it goes */
  vc: number
  /** output, VCs that it may take there */
  port: number
  mask: number
  /** cycle from which on each flit may cross; flits that have crossed, and that have left */
  readonly came: number[]
  crossed: number
  sent: number
}

function visit(packet: Packet, vc: number): Visit {
  return { packet, vc, port: 0, mask: 0, came: [], crossed: 0, sent: 0 }
}

interface Input {
  /** packets of each VC that may move, in order */
  readonly ready: Visit[][]
  /** [router's queue] where it comes from */
  readonly feeds: Sender | undefined
  readonly latency: number
  lastCredit: number
  turn: number
  busy: boolean
  /** `release: each`: flits of each VC whose credits have not left, and the VC whose credits leave first */
  readonly unsent: number[]
  nextCredit: number
}

interface Sender {
  /** free flits of each VC behind it */
  readonly credits: number[]
}

interface Output extends Sender {
  readonly chan: number
  /** `release: each`: flits of each VC whose space is taken, but which have not crossed */
  readonly taken: number[]
  /** packets that have begun to cross, by level */
  readonly queues: Visit[][]
  held: number
  turn: number
  sending: Visit | undefined
  transfer: { readonly visit: Visit; readonly input: Input; readonly vc: number; readonly ejects: boolean } | undefined
}

interface Router {
  readonly inputs: Input[]
  readonly outputs: Output[]
  readonly matching: PlainMatching
}

interface End extends Sender {
  readonly waiting: (Packet & { createdAt: number; order: number })[]
  lastVc: number
  sending: Visit | undefined
}

export interface Arrival {
  readonly key: number
  readonly at: number
  readonly hops: number
  readonly from: number
}

export class PlainCombined {
  readonly arrived: Arrival[] = []
  private readonly c: Compiled
  private readonly p: CombinedParams
  private readonly plan
  private readonly routers: Router[]
  private readonly ends: End[]
  private readonly events = new Map<number, (() => void)[]>()
  private readonly net: PlainView
  /** [visit that a packet is leaving] -> the one it goes to */
  private readonly visits = new Map<Visit, Visit>()
  private t = 0
  /** packets that were made and have not arrived */
  left = 0

  constructor(c: Compiled, p: CombinedParams, until: number) {
    this.c = c
    this.p = p
    this.plan = planOf(c.network, c.streams)
    const { graph: g } = c.network.topology
    const count = (r: number) => g.firstChan[r + 1] - g.firstChan[r]
    const radix = Math.max(...Array.from({ length: g.routers }, (_, r) => count(r)))
    const creditsOf = () => Array.from({ length: p.vcs }, () => (p.depth === "each" ? p.buffer * radix : p.buffer))
    this.routers = Array.from({ length: g.routers }, (_, r) => ({
      inputs: [],
      outputs: Array.from({ length: count(r) }, (_, o) => {
        const chan = g.firstChan[r] + o
        const queues = this.plan.levels
        return {
          chan,
          credits: creditsOf(),
          taken: Array<number>(p.vcs).fill(0),
          queues: Array.from(queues, () => []),
          held: 0,
          turn: 0,
          sending: undefined,
          transfer: undefined,
        }
      }),
      matching: new PlainMatching({ name: p.allocator, iterations: p.iterations, inputs: radix + 1, outputs: radix }),
    }))
    this.ends = Array.from({ length: g.ends }, () => ({
      credits: creditsOf(),
      waiting: [],
      lastVc: 0,
      sending: undefined,
    }))
    for (let chan = 0; chan < g.chans; chan++) {
      const near = g.near[chan]
      const feeds = near <= -2 ? this.ends[endOf(near)] : near >= 0 ? this.outputOf(near) : undefined
      const latency = near <= -2 ? g.entryLatency[endOf(near)] : near >= 0 ? g.latency[near] : 0
      const ready = Array.from({ length: p.vcs }, () => [])
      const unsent = Array<number>(p.vcs).fill(0)
      const credit = { lastCredit: -1, unsent, nextCredit: 0 }
      this.routers[g.routerOf[chan]].inputs.push({ ready, feeds, latency, ...credit, turn: 0, busy: false })
    }
    this.net = new PlainView((chan) => {
      const data = this.plan.classes.slice(0, this.plan.data).reduce((n, k) => n + k.count, 0)
      return creditsOf().reduce(
        (sum, credits, v) =>
          v < data ? sum + credits - this.outputOf(chan).credits[v] - this.outputOf(chan).taken[v] : sum,
        0,
      )
    })
    this.create(until)
  }

  private outputOf(chan: number): Output {
    const { graph: g } = this.c.network.topology
    const r = g.routerOf[chan]
    return this.routers[r].outputs[chan - g.firstChan[r]]
  }

  /** In each cycle credits come before packets. */
  private at(cycle: number, what: () => void, credit = false): void {
    const list = this.events.get(cycle)
    if (list === undefined) this.events.set(cycle, [what])
    else if (credit) list.unshift(what)
    else list.push(what)
  }

  /** All packets that are born before a cycle. */
  private create(until: number): void {
    const { streams, spec, network } = this.c
    const { graph: g } = network.topology
    const sources = sourceModel(streams, spec.seed, sourceColumns(layOut(g, 1), { streams: streams.length } as never))
    for (let stream = 0; stream < streams.length; stream++)
      for (let e = 0; e < g.ends; e++) {
        let createdAt = sources.firstCreation(stream, e)
        for (let n = 0; createdAt < until; n++) {
          const dst = sources.create(stream, e, n, stream * g.ends + e)
          if (dst < 0) break
          const { vcFirst } = streams[stream]
          this.ends[e].waiting.push({
            id: this.left++,
            key: draw(streamOf((spec.seed | 0) ^ 0x5bd1e995, Math.imul(stream, 0x9e3779b1) + e), n),
            src: e,
            dst,
            flits: sources.length(stream, e, n),
            scratch: [0, 0, 0, 0],
            vcClass: this.plan.classOf[vcFirst],
            hops: 0,
            createdAt,
            order: stream,
          })
          createdAt = sources.nextCreation(stream, e, createdAt, n, stream * g.ends + e)
        }
      }
    for (const end of this.ends) end.waiting.sort((a, b) => a.createdAt - b.createdAt || a.order - b.order)
  }

  /** Runs until all packets have arrived. */
  run(limit: number): void {
    const [link, core] = this.clock()
    for (let s = 0; this.left > 0 && this.t < limit; this.t++) {
      for (const happens of this.events.get(this.t) ?? []) happens()
      this.events.delete(this.t)
      for (const r of this.routers) for (const o of r.outputs) this.sendFlit(o)
      for (const e of this.ends) this.inject(e)
      for (; s * core < (this.t + 1) * link; s++)
        for (const [r, router] of this.routers.entries()) this.step(r, router, s * core === this.t * link)
      for (const { inputs } of this.routers) for (const input of inputs) this.returnUnsent(input)
    }
  }

  private clock(): [number, number] {
    for (let core = 1; ; core++) if (Number.isInteger(this.p.speed * core)) return [this.p.speed * core, core]
  }

  /** A flit goes over a link in each cycle, packet by packet. */
  private sendFlit(o: Output): void {
    const { graph: g } = this.c.network.topology
    if (o.sending === undefined) {
      o.sending = o.queues.find((q) => q.length > 0)?.shift()
      if (o.sending === undefined) return
      if (this.p.release !== "tail") o.held -= o.sending.packet.flits
    }
    const here = o.sending
    const { packet } = here
    if (here.sent === here.crossed) throw new Error("a link ran dry")
    const i = here.sent++
    const last = here.sent === packet.flits
    if (last) {
      o.sending = undefined
      if (this.p.release === "tail") this.at(this.t + 1, () => (o.held -= packet.flits))
    }
    const due = this.t + g.latency[o.chan] + this.p.traverse
    const far = g.far[o.chan]
    if (far > -2) this.arrives(here, i, far, due)
    else if (last) this.at(due + 1, () => this.deliver(packet))
  }

  /** Flit i is on its way to an input: the head makes a new visit, the others join it. */
  private arrives(before: Visit, i: number, chan: number, due: number): void {
    if (i === 0) this.visits.set(before, visit(before.packet, before.vc))
    const next = this.visits.get(before)!
    next.came.push(due + this.p.route)
    if (i === 0) this.at(due + this.holdOf(before.packet.flits), () => this.move(next, chan))
    if (i === before.packet.flits - 1) this.visits.delete(before)
  }

  private deliver(p: Packet): void {
    this.left--
    this.arrived.push({ key: p.key, at: this.t, hops: p.hops, from: p.src })
  }

  private inject(e: End): void {
    const { graph: g } = this.c.network.topology
    if (e.sending === undefined) {
      for (const level of this.plan.levels.keys()) {
        const tried = new Set<number>()
        for (const p of e.waiting) {
          // of each class the oldest packet alone
          if (
            p.createdAt >= this.t + 1 ||
            this.plan.levelOf[this.plan.classes[p.vcClass].first] !== level ||
            tried.has(p.vcClass)
          )
            continue
          tried.add(p.vcClass)
          const v = this.entryVc(e, p)
          if (v < 0) continue
          e.waiting.splice(e.waiting.indexOf(p), 1)
          e.credits[v] -= p.flits
          e.lastVc = v
          e.sending = visit(p, v)
          break
        }
        if (e.sending !== undefined) break
      }
      if (e.sending === undefined) return
    }
    const here = e.sending
    const { src, flits } = here.packet
    const i = here.sent++
    if (here.sent === flits) e.sending = undefined
    this.arrives(here, i, g.entry[src], this.t + g.entryLatency[src])
  }

  /** The next VC of its class with room for all of it. */
  private entryVc(e: End, p: Packet): number {
    const { first, count } = this.plan.classes[p.vcClass]
    const last = e.lastVc >= first && e.lastVc < first + count ? e.lastVc - first : count - 1
    for (let n = 1; n <= count; n++) {
      const v = first + ((last + n) % count)
      if (e.credits[v] >= p.flits) return v
    }
    return -1
  }

  /** Cycles after its head's arrival from which on a packet may move. */
  private holdOf(flits: number): number {
    const [link, core] = this.clock()
    if (this.p.start === "head") return this.p.route
    if (this.p.start === "stored") return this.p.route + flits - 1
    for (let wait = 0; ; wait++) {
      // flit i goes at wait * link + i * core and is there at i * link
      const dry = Array.from({ length: flits }, (_, i) => i).some((i) => wait * link + i * core < i * link)
      if (!dry) return this.p.route + wait
    }
  }

  private move(here: Visit, chan: number): void {
    const { graph: g } = this.c.network.topology
    const r = g.routerOf[chan]
    const queue = this.routers[r].inputs[chan - g.firstChan[r]].ready[here.vc]
    queue.push(here)
    if (this.p.queues === "voq" || queue[0] === here) this.route(here, r, chan - g.firstChan[r])
  }

  private route(here: Visit, r: number, inPort: number): void {
    const { routing } = this.c.network
    const { packet: p } = here
    const out = new Candidates(8)
    const first = this.plan.firstOf[here.vc]
    this.net.look(p, this.t)
    if (p.hops === 0) routing.inject?.(p.id, r, this.net)
    routing.route(p.id, r, inPort, here.vc - first, this.net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i] < out.cost[best]) best = i
    here.port = out.port[best]
    here.mask = out.vcMask[best] << first
    p.hops++
  }

  /** One core step of a router: transfers end, new ones begin, each moves a flit. */
  private step(r: number, router: Router, early: boolean): void {
    for (const o of router.outputs) {
      if (o.transfer === undefined || o.transfer.visit.crossed < o.transfer.visit.packet.flits) continue
      if (this.p.release === "tail")
        this.returnCredit(o.transfer.input, o.transfer.vc, o.transfer.visit.packet.flits, early)
      o.transfer.input.busy = false
      o.transfer = undefined
    }
    const asks: [number, number, number][] = []
    router.inputs.forEach((input, i) => {
      if (input.busy) return
      router.outputs.forEach((output, o) => {
        if (output.transfer !== undefined) return
        for (const level of this.plan.levels.keys())
          if (this.candidate(input, output, o, level) !== undefined) asks.push([i, o, level])
      })
    })
    for (const [i, o, level] of router.matching.match(asks)) this.begin(r, router, i!, o!, level!, early)
    for (const output of router.outputs) {
      const { transfer } = output
      const here = transfer?.visit
      if (here === undefined || here.crossed >= here.came.length || here.came[here.crossed] > this.t) continue
      here.crossed++
      if (this.p.release !== "each") continue
      transfer!.input.unsent[transfer!.vc]++
      if (transfer!.ejects === false) output.taken[here.vc]--
    }
  }

  /** Of the VCs of an input, in turn, the first whose packet can go to the output now; and the VC that it would get. */
  private candidate(input: Input, output: Output, o: number, level: number): { vc: number; to: number } | undefined {
    const { vcs } = this.p
    const size = 2 ** Math.ceil(Math.log2(vcs))
    for (let n = 0; n < size; n++) {
      const vc = (input.turn + n) % size
      if (vc >= vcs || this.plan.levelOf[vc] !== level) continue
      const queue = input.ready[vc]
      const here =
        this.p.queues === "voq" ? queue.find((x) => x.port === o) : queue[0]?.port === o ? queue[0] : undefined
      const to = here === undefined ? -1 : this.freeVc(output, here)
      if (to >= 0) return { vc, to }
    }
    return undefined
  }

  private freeVc(output: Output, { packet: p, mask }: Visit): number {
    const { vcs, output: credits } = this.p
    const size = 2 ** Math.ceil(Math.log2(vcs))
    if (output.held + p.flits > credits) return -1
    if (this.c.network.topology.graph.far[output.chan] <= -2) return Math.log2(mask & -mask)
    for (let n = 0; n < size; n++) {
      const v = (output.turn + n) % size
      if (((mask >> v) & 1) === 1 && output.credits[v] >= p.flits) return v
    }
    return -1
  }

  private begin(r: number, router: Router, i: number, o: number, level: number, early: boolean): void {
    const { vcs } = this.p
    const input = router.inputs[i]
    const output = router.outputs[o]
    const { vc, to } = this.candidate(input, output, o, level)!
    const queue = input.ready[vc]
    const here = queue.find((x) => x.port === o)!
    const { packet: p } = here
    const size = 2 ** Math.ceil(Math.log2(vcs))
    queue.splice(queue.indexOf(here), 1)
    input.busy = true
    input.turn = (vc + 1) % size
    output.held += p.flits
    const ejects = this.c.network.topology.graph.far[output.chan] <= -2
    // in a FIFO the next packet learns its way as soon as it is at the front
    if (this.p.queues === "fifo" && queue[0] !== undefined) this.route(queue[0], r, i)
    if (!ejects) {
      output.credits[to] -= p.flits
      if (this.p.release === "each") output.taken[to] += p.flits
      output.turn = (to + 1) % size
    }
    here.vc = to
    output.transfer = { visit: here, input, vc, ejects }
    output.queues[level].push(here)
    if (this.p.release === "flit") this.returnCredit(input, vc, p.flits, early)
  }

  /** `release: each`: in each cycle the credits of one VC leave, round-robin, with all its flits that have crossed. */
  private returnUnsent(input: Input): void {
    const size = 2 ** Math.ceil(Math.log2(this.p.vcs))
    for (let n = 0; n < size; n++) {
      const vc = (input.nextCredit + n) % size
      const flits = input.unsent[vc] ?? 0
      if (flits === 0) continue
      input.unsent[vc] = 0
      input.nextCredit = (vc + 1) % size
      this.returnCredit(input, vc, flits, true)
      return
    }
  }

  /** Room goes back to the sender: one message in each cycle, and not before a cycle that has begun is over. */
  private returnCredit(input: Input, vc: number, flits: number, early: boolean): void {
    input.lastCredit = Math.max(input.lastCredit + 1, early ? this.t : this.t + 1)
    const back = () => {
      input.feeds!.credits[vc] += flits
    }
    this.at(input.lastCredit + input.latency, back, true)
  }
}

/** What a routing sees: the packet that it is asked about, and queues. */
export class PlainView extends NetView {
  private readonly used: (chan: number) => number
  private packet: Omit<Packet, "vcClass"> | undefined
  private draws = 0
  constructor(used: (chan: number) => number) {
    const none = new Int32Array(1)
    super({
      src: none,
      dst: none,
      flits: none,
      hops: none,
      key: none,
      scratch: none,
      scratchSlots: 1,
      slot: none,
      capacity: none,
      credits: none,
      vcs: 1,
    })
    this.used = used
  }
  look(p: Omit<Packet, "vcClass">, now: number): void {
    this.packet = p
    this.now = now
    this.draws = 0
  }
  override src(): number {
    return this.packet!.src
  }
  override dst(): number {
    return this.packet!.dst
  }
  override flits(): number {
    return this.packet!.flits
  }
  override hops(): number {
    return this.packet!.hops
  }
  override draw(_p: number, n: number): number {
    return below(draw(this.packet!.key, (this.packet!.hops << 8) | (this.draws++ & 255)), n)
  }
  override queued(c: number): number {
    return this.used(c)
  }
  override get(_p: number, slot: number): number {
    return this.packet!.scratch[slot]
  }
  override set(_p: number, slot: number, value: number): void {
    this.packet!.scratch[slot] = value
  }
}
