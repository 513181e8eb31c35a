// Networks of switches with service levels flit by flit, with plain objects: every flit has a place, every credit is
// counted, nothing is skipped. What both switches share: sources, endpoints with a scheduler, links, output buffers
// with a scheduler. What is between input and output is `step` (plain-infiniband.ts, plain-omni-path.ts). Shares the
// routing and the sources with the engine, and nothing else. One VL for each class between two ports.
import { planOf } from "../../src/compile/classes.ts"
import type { Compiled } from "../../src/compile/compile.ts"
import { draw, streamOf } from "../../src/core/rng.ts"
import { sourceModel } from "../../src/engines/flit/sources.ts"
import { sourceColumns } from "../../src/fabric/flit.ts"
import { layOut } from "../../src/fabric/layout.ts"
import { endOf } from "../../src/model/graph.ts"
import { Candidates } from "../../src/model/routing.ts"
import { table as tableOf } from "../qos/output.ts"
import { DTableTwin, RoundRobinTwin, type Twin } from "../qos/twins.ts"
import { type Arrival, PlainView } from "./plain-combined.ts"

export interface Packet {
  readonly id: number
  readonly key: number
  readonly src: number
  readonly dst: number
  readonly flits: number
  readonly scratch: number[]
  /** its class, and its VL where it enters the network */
  readonly level: number
  readonly vl: number
  readonly createdAt: number
  hops: number
}

/** A packet at one router, or at its source: parts of it may be at several. */
export interface Visit {
  readonly packet: Packet
  port: number
  inPort: number
  /** the VL on which it came, and that on which it goes on */
  readonly from: number
  to: number
  /** cycle from which on each flit may cross; flits that have crossed, and that have left */
  readonly came: number[]
  crossed: number
  sent: number
}

/** A buffer that VLs share: each has a part for itself and may hold so much. */
export class Shared {
  readonly held: number[]
  private readonly flits: number
  private readonly least: number
  private readonly most: number
  constructor(p: Params, flits: number) {
    this.flits = flits
    this.least = p.reservedPerVl
    this.most = p.maxPerVl ?? flits - (p.vcs - 1) * p.reservedPerVl
    this.held = Array.from({ length: p.vcs }, () => 0)
  }
  fits(vl: number, flits: number): boolean {
    const after = this.held.map((h, v) => Math.max(this.least, v === vl ? h + flits : h))
    return this.held[vl] + flits <= this.most && after.reduce((a, b) => a + b, 0) <= this.flits
  }
}

export interface Input {
  readonly ready: Visit[][]
  /** what the sender behind it knows */
  readonly feeds: Shared | undefined
  readonly latency: number
  lastCredit: number
  turn: number
  busy: boolean
}

export interface Output {
  readonly chan: number
  /** packets of each VL that may go, or have begun to cross; the buffer; room behind the link */
  readonly queues: Visit[][]
  readonly buffer: Shared
  readonly behind: Shared
  readonly scheduler: Twin
  /** [level] -> the VL that it looks at first */
  readonly turns: number[]
  sending: Visit | undefined
  /** flits that are on the link, or behind it, and whose room in the buffer is not free yet */
  leaving: number
}

export interface Router {
  readonly inputs: Input[]
  readonly outputs: Output[]
}

interface End {
  readonly waiting: Packet[][]
  readonly buffer: Shared
  readonly scheduler: Twin
  sending: Visit | undefined
}

export interface Params {
  readonly vcs: number
  readonly input: number
  readonly output: number
  readonly reservedPerVl: number
  readonly maxPerVl?: number | undefined
  readonly route: number
  readonly body?: number | undefined
  readonly traverse: number
}

export abstract class PlainLevels<P extends Params> {
  readonly arrived: Arrival[] = []
  protected readonly c: Compiled
  protected readonly p: P
  protected readonly routers: Router[]
  protected readonly radix: number
  protected readonly lanes: number
  /** flits of the longest packet */
  protected longest = 0
  protected t = 0
  private readonly ends: End[]
  private readonly events = new Map<number, { credits: (() => void)[]; others: (() => void)[] }>()
  private readonly net: PlainView
  private readonly visits = new Map<Visit, Visit>()
  /** packets that were made and have not arrived */
  left = 0

  constructor(c: Compiled, p: P, until: number) {
    this.c = c
    this.p = p
    const { graph: g } = c.network.topology
    const count = (r: number) => g.firstChan[r + 1] - g.firstChan[r]
    this.radix = Math.max(...Array.from({ length: g.routers }, (_, r) => count(r)))
    this.lanes = 2 ** Math.ceil(Math.log2(p.vcs))
    const perVl = () => Array.from({ length: p.vcs }, () => [])
    this.routers = Array.from({ length: g.routers }, (_, r) => ({
      inputs: [],
      outputs: Array.from({ length: count(r) }, (_, o) => ({
        chan: g.firstChan[r] + o,
        queues: perVl(),
        buffer: new Shared(p, p.output),
        behind: new Shared(p, p.input),
        scheduler: this.scheduler(),
        turns: Array.from({ length: p.vcs }, () => 0),
        sending: undefined,
        leaving: 0,
      })),
    }))
    this.ends = Array.from({ length: g.ends }, () => ({
      waiting: perVl(),
      buffer: new Shared(p, p.input),
      scheduler: this.scheduler(),
      sending: undefined,
    }))
    for (let chan = 0; chan < g.chans; chan++) {
      const near = g.near[chan]
      const feeds = near <= -2 ? this.ends[endOf(near)].buffer : near >= 0 ? this.outputOf(near).behind : undefined
      const latency = near <= -2 ? g.entryLatency[endOf(near)] : near >= 0 ? g.latency[near] : 0
      this.routers[g.routerOf[chan]].inputs.push({
        ready: perVl(),
        feeds,
        latency,
        lastCredit: -1,
        turn: 0,
        busy: false,
      })
    }
    this.net = new PlainView((chan) => this.load(this.outputOf(chan)))
    this.create(until)
  }

  /** Flits that routing sees behind an output: what waits in its buffer and what the sender knows of the other side. */
  protected abstract load(o: Output): number

  /** One cycle of the switches; link cycles and core steps are the switch's own. */
  protected abstract step(): void

  private scheduler(): Twin {
    const { qos } = this.c.spec.network
    const n = this.p.vcs
    return qos?.name === "dtable" ? new DTableTwin(n, tableOf(String(qos["table"]))) : new RoundRobinTwin(n)
  }

  /** The tables SL to VL, or SL to SC to VL. */
  private vlOf(level: number): number {
    const of = (key: string, n: number) => {
      const table = this.c.spec.network.switch[key]
      return table === undefined ? n : Number(String(table).split(",")[n])
    }
    return of("sl2vl", of("sc2vl", of("sl2sc", level)))
  }

  /** The same between two ports: the last row that names both. */
  private vlAt(level: number, input: number, output: number): number {
    const sw = this.c.spec.network.switch
    const rows = (sw["sl2vlPorts"] ?? sw["sl2scPorts"] ?? []) as readonly {
      inputs: string
      outputs: string
      to: string
    }[]
    const names = (range: string, port: number) => {
      const [low, high] = range.split("-").map(Number)
      return range === "all" || (port >= low! && port <= (high ?? low!))
    }
    const row = rows.findLast((r) => names(r.inputs, input) && names(r.outputs, output))
    if (row === undefined) return this.vlOf(level)
    const to = Number(row.to.split(",")[level])
    return sw["sc2vl"] === undefined ? to : Number(String(sw["sc2vl"]).split(",")[to])
  }

  private outputOf(chan: number): Output {
    const { graph: g } = this.c.network.topology
    const r = g.routerOf[chan]
    return this.routers[r].outputs[chan - g.firstChan[r]]
  }

  protected at(cycle: number, what: () => void, credit = false): void {
    const list = this.events.get(cycle) ?? { credits: [], others: [] }
    this.events.set(cycle, list)
    if (credit) list.credits.push(what)
    else list.others.push(what)
  }

  private create(until: number): void {
    const { streams, spec, network } = this.c
    const { graph: g } = network.topology
    const plan = planOf(network, streams)
    const sources = sourceModel(streams, spec.seed, sourceColumns(layOut(g, 1), { streams: streams.length } as never))
    for (let stream = 0; stream < streams.length; stream++)
      for (let e = 0; e < g.ends; e++) {
        let createdAt = sources.firstCreation(stream, e)
        for (let n = 0; createdAt < until; n++) {
          const dst = sources.create(stream, e, n, stream * g.ends + e)
          const flits = sources.length(stream, e, n)
          const level = plan.classOf[streams[stream].vcFirst]
          const vl = this.vlOf(level)
          const key = draw(streamOf((spec.seed | 0) ^ 0x5bd1e995, Math.imul(stream, 0x9e3779b1) + e), n)
          this.ends[e].waiting[level].push({
            id: this.left++,
            key,
            src: e,
            dst,
            flits,
            scratch: [0, 0, 0, 0],
            level,
            vl,
            createdAt,
            hops: 0,
          })
          createdAt = sources.nextCreation(stream, e, createdAt, n, stream * g.ends + e)
        }
      }
    for (const s of streams) this.longest = Math.max(this.longest, s.packet.max)
  }

  run(limit: number): void {
    for (; this.left > 0 && this.t < limit; this.t++) {
      const { credits, others } = this.events.get(this.t) ?? { credits: [], others: [] }
      for (const happens of [...credits, ...others]) happens()
      this.events.delete(this.t)
      for (const r of this.routers) for (const o of r.outputs) this.sendFlit(o)
      for (const e of this.ends) this.inject(e)
      this.step()
    }
  }

  protected ejects(o: Output): boolean {
    return this.c.network.topology.graph.far[o.chan] <= -2
  }

  /** A packet may leave output o from the next cycle on. */
  protected enqueue(o: Output, here: Visit): void {
    o.queues[here.to].push(here)
    o.scheduler.arrive(here.packet.level, { size: here.packet.flits, createdAt: here.packet.createdAt, tag: 0 }, this.t)
  }

  /** Room behind the link is taken by the link. */
  protected atLink = true
  protected releaseAtTail = false

  private sendFlit(o: Output): void {
    const { graph: g } = this.c.network.topology
    const ejects = this.ejects(o)
    if (o.sending === undefined) {
      // where levels share a VL, its first packet is of one of them; where a level has several, they take turns
      const vlOf = (level: number) =>
        this.inTurn(o.turns[level]).find((v) => {
          const first = o.queues[v][0]?.packet
          return first?.level === level && (ejects || !this.atLink || o.behind.fits(v, first.flits))
        })
      const level = o.scheduler.serve((l) => vlOf(l) !== undefined)
      if (level < 0) return
      const v = vlOf(level)!
      o.turns[level] = (v + 1) % this.lanes
      o.sending = o.queues[v].shift()!
      const { flits } = o.sending.packet
      if (this.releaseAtTail) o.leaving = flits
      else o.buffer.held[v] -= flits
      if (this.atLink && !ejects) o.behind.held[v] += flits
    }
    const here = o.sending
    const { packet } = here
    if (here.sent === here.crossed) throw new Error("a link ran dry")
    const i = here.sent++
    const last = here.sent === packet.flits
    if (last) {
      o.sending = undefined
      if (this.releaseAtTail) this.at(this.t + 1, () => this.release(o, here), true)
    }
    const due = this.t + g.latency[o.chan] + this.p.traverse
    if (!ejects) this.arrives(here, i, g.far[o.chan], due)
    else if (last) this.at(due + 1, () => this.deliver(packet))
  }

  private release(o: Output, { to, packet }: Visit): void {
    o.buffer.held[to] -= packet.flits
    o.leaving = 0
  }

  /** Flit i is on its way to an input: the head makes a new visit, the others join it. */
  private arrives(before: Visit, i: number, chan: number, due: number): void {
    if (i === 0)
      this.visits.set(before, {
        packet: before.packet,
        port: 0,
        inPort: 0,
        from: before.to,
        to: -1,
        came: [],
        crossed: 0,
        sent: 0,
      })
    const next = this.visits.get(before)!
    next.came.push(due + (i === 0 ? this.p.route : (this.p.body ?? this.p.route)))
    if (i === 0) this.at(due + this.holdOf(before.packet.flits), () => this.moves(next, chan))
    if (i === before.packet.flits - 1) this.visits.delete(before)
  }

  /** Cycles after its head's arrival from which on a packet may move. */
  protected holdOf(_flits: number): number {
    return this.p.route
  }

  private deliver(p: Packet): void {
    this.left--
    this.arrived.push({ key: p.key, at: this.t, hops: p.hops, from: p.src })
  }

  private inject(e: End): void {
    const { graph: g } = this.c.network.topology
    if (e.sending === undefined) {
      // its scheduler is told of what has been born
      e.waiting.forEach((q, v) => {
        while (e.scheduler.queues[v].length < q.length) {
          const p = q[e.scheduler.queues[v].length]
          if (p.createdAt >= this.t + 1) break
          e.scheduler.arrive(v, { size: p.flits, createdAt: p.createdAt, tag: 0 }, this.t)
        }
      })
      const level = e.scheduler.serve((q) => e.buffer.fits(this.vlOf(q), e.waiting[q][0].flits))
      if (level < 0) return
      const packet = e.waiting[level].shift()!
      e.buffer.held[packet.vl] += packet.flits
      e.sending = { packet, port: 0, inPort: 0, from: -1, to: packet.vl, came: [], crossed: packet.flits, sent: 0 }
    }
    const here = e.sending
    const { src, flits } = here.packet
    const i = here.sent++
    if (here.sent === flits) e.sending = undefined
    this.arrives(here, i, g.entry[src], this.t + g.entryLatency[src])
  }

  private moves(here: Visit, chan: number): void {
    const { graph: g } = this.c.network.topology
    const r = g.routerOf[chan]
    here.inPort = chan - g.firstChan[r]
    const queue = this.routers[r].inputs[here.inPort].ready[here.from]
    queue.push(here)
    if (queue[0] === here) this.route(here, r)
  }

  private route(here: Visit, r: number): void {
    const { routing } = this.c.network
    const { packet: p } = here
    const out = new Candidates(8)
    this.net.look(p, this.t)
    if (p.hops === 0) routing.inject?.(p.id, r, this.net)
    routing.route(p.id, r, here.inPort, 0, this.net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i] < out.cost[best]) best = i
    here.port = out.port[best]
    here.to = this.vlAt(p.level, here.inPort, here.port)
    p.hops++
  }

  /** The front packet of a VL leaves its input; the one behind it learns its way. */
  protected leave(r: number, i: number, v: number): Visit {
    const input = this.routers[r].inputs[i]
    const here = input.ready[v].shift()!
    input.busy = true
    input.turn = (v + 1) % this.lanes
    if (input.ready[v][0] !== undefined) this.route(input.ready[v][0], r)
    return here
  }

  /** Room for a packet from input i in the buffer of an output (and behind the link, if that is taken now). */
  protected hasSpace(r: number, i: number, here: Visit): boolean {
    const o = this.routers[r].outputs[here.port]
    const vl = here.to
    const { flits } = here.packet
    if (this.ejects(o)) return o.buffer.fits(vl, flits)
    const packets = this.c.network.routing.room?.(r, i, here.port) ?? 0
    const buffer = packets === 0 ? flits : packets * this.longest
    return o.buffer.fits(vl, this.atLink ? buffer : flits) && (this.atLink || o.behind.fits(vl, buffer))
  }

  protected reserve(r: number, here: Visit): void {
    const o = this.routers[r].outputs[here.port]
    o.buffer.held[here.to] += here.packet.flits
    if (!this.atLink && !this.ejects(o)) o.behind.held[here.to] += here.packet.flits
  }

  /** Room goes back to the sender: one message in each cycle, and not before a cycle that has begun is over. */
  protected returnCredit(input: Input, vl: number, flits: number, early: boolean): void {
    input.lastCredit = Math.max(input.lastCredit + 1, early ? this.t : this.t + 1)
    const back = () => {
      input.feeds!.held[vl] -= flits
    }
    this.at(input.lastCredit + input.latency, back, true)
  }

  /** VLs in turn from one on. */
  protected inTurn(from: number): number[] {
    return Array.from({ length: this.lanes }, (_, n) => (from + n) % this.lanes).filter((v) => v < this.p.vcs)
  }
}
