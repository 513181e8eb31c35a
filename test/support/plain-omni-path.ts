// The Omni-Path switch flit by flit: MPorts with crossbars to their own outputs and two up-links, and a centre that
// reads the buffers of the up-links.
import type { Compiled } from "../../src/compile/compile.ts"
import type { OmniPathParams } from "../../src/switches/omni-path/params.ts"
import { type Input, type Output, PlainLevels, Shared, type Visit } from "./plain-levels.ts"
import { type Ask, PlainMatching } from "./plain-matching.ts"

const UPLINKS = 2
const MOST = 3

interface Transfer {
  readonly visit: Visit
  readonly input: Input
  readonly target: number
  readonly rate: number
  /** cycle in which each flit has crossed */
  readonly moved: number[]
}

/** A packet in the centre. */
interface Stored {
  readonly visit: Visit
  readonly from: Transfer
  readonly comes: number
}

interface UpLink {
  readonly queues: Stored[][]
  readonly coming: Stored[]
  load: number
  writes: number
  reads: number
  turn: number
}

interface Read {
  readonly stored: Stored
  readonly up: UpLink
  readonly takes: number
  readonly rate: number
}

/** What an input could send now, and where to. */
interface Offer {
  readonly input: number
  readonly target: number
  readonly visit: Visit
}

interface Middle {
  readonly ups: UpLink[]
  readonly matching: PlainMatching
  /** [output] -> what the centre writes to it */
  readonly reads: (Read | undefined)[]
  readonly mports: { readonly matching: PlainMatching; readonly buffer: Shared }[]
  /** [input] -> its transfer; outputs that an MPort's crossbar writes to */
  readonly transfers: (Transfer | undefined)[]
  readonly taken: Set<number>
  /** [output][input] -> the cycle in which it last took a packet of it */
  readonly served: number[][]
}

export class PlainOmniPath extends PlainLevels<OmniPathParams> {
  private readonly middles: Middle[]

  constructor(c: Compiled, p: OmniPathParams, until: number) {
    super(c, p, until)
    const mports = Math.ceil(this.radix / p.mport)
    const queues = (p.queues === "output" ? this.radix : 1) * this.lanes
    this.middles = this.routers.map(() => ({
      ups: Array.from({ length: UPLINKS * mports }, () => ({
        queues: Array.from({ length: queues }, () => []),
        coming: [],
        load: 0,
        writes: 0,
        reads: 0,
        turn: 0,
      })),
      matching: new PlainMatching({
        name: "input-first",
        iterations: 1,
        inputs: UPLINKS * mports,
        outputs: this.radix,
      }),
      reads: [],
      mports: Array.from({ length: mports }, () => ({
        matching: new PlainMatching({
          name: "input-first",
          iterations: 1,
          inputs: p.mport,
          outputs: p.mport + UPLINKS,
        }),
        buffer: new Shared(p, p.central),
      })),
      transfers: [],
      taken: new Set(),
      served: Array.from({ length: this.radix }, () => Array.from({ length: this.radix }, () => -1)),
    }))
  }

  protected load(o: Output): number {
    return [...o.behind.held, ...o.buffer.held].reduce((x, y) => x + y, 0)
  }

  protected step(): void {
    for (const r of this.routers.keys()) {
      this.ended(r)
      this.centre(r)
      this.crossbars(r)
      this.flits(r)
    }
  }

  /** Transfers and reads whose last flit has crossed; packets that have come into the centre. */
  private ended(r: number): void {
    const x = this.middles[r]
    for (const [i, at] of x.transfers.entries()) {
      if (at === undefined || at.moved.length < at.visit.packet.flits) continue
      x.transfers[i] = undefined
      at.input.busy = false
      if (at.target < this.p.mport) x.taken.delete(at.visit.port)
      else this.upOf(x, i, at.target).writes -= this.p.uplink === "shared" ? at.rate : 1
    }
    for (const [o, at] of x.reads.entries()) {
      if (at === undefined || at.stored.visit.crossed < at.stored.visit.packet.flits) continue
      x.reads[o] = undefined
      at.up.reads -= at.takes
    }
    for (const up of x.ups)
      while (up.coming[0] !== undefined && up.coming[0].comes <= this.t) {
        const stored = up.coming.shift()!
        up.queues[this.queueOf(stored)].push(stored)
      }
  }

  private upOf(x: Middle, i: number, target: number): UpLink {
    return x.ups[Math.floor(i / this.p.mport) * UPLINKS + target - this.p.mport]
  }

  private queueOf({ visit }: Stored): number {
    return this.p.queues === "output" ? visit.port * this.lanes + visit.to : visit.to
  }

  private centre(r: number): void {
    const x = this.middles[r]
    const asks: Ask[] = []
    const front = (up: UpLink) => {
      if (up.reads >= (this.p.reads === "shared" ? MOST : 1)) return undefined
      return Array.from(up.queues, (_, n) => up.queues[(up.turn + n) % up.queues.length][0]).find(
        (s) => s !== undefined && x.reads[s.visit.port] === undefined,
      )
    }
    x.ups.forEach((up, u) => {
      const s = front(up)
      if (s !== undefined) asks.push([u, s.visit.port, 0])
    })
    const chosen = new Map(asks.map(([u]) => [u, front(x.ups[u])!]))
    for (const [u, o] of x.matching.match(asks)) {
      const up = x.ups[u!]
      const stored = chosen.get(u!)!
      const { packet } = stored.visit
      const n = this.queueOf(stored)
      up.queues[n].shift()
      up.turn = (n + 1) % up.queues.length
      const whole = stored.from.moved.length === packet.flits
      const free = this.p.reads === "shared" ? MOST - up.reads : MOST
      const rate = whole ? Math.min(this.p.centralRate, free) : 1
      const takes = this.p.reads === "shared" ? rate : 1
      up.reads += takes
      up.load -= packet.flits
      x.mports[Math.floor(u! / UPLINKS)].buffer.held[stored.visit.to] -= packet.flits
      x.reads[o!] = { stored, up, takes, rate }
      this.enqueue(this.routers[r].outputs[o!], stored.visit)
    }
  }

  /** All inputs offer what they could send; outputs give room; then the crossbar of each MPort matches. */
  private crossbars(r: number): void {
    const { mport: P } = this.p
    const offers = this.withSpace(r, this.offers(r))
    for (const [m, { matching }] of this.middles[r].mports.entries()) {
      const own = offers.filter((x) => Math.floor(x.input / P) === m)
      const pairs = matching.match(own.map((x): Ask => [x.input - m * P, x.target, 0]))
      for (const [n, target] of pairs)
        this.begin(r, m, m * P + n!, target!, own.find((x) => x.input === m * P + n!)!.visit)
    }
  }

  private offers(r: number): Offer[] {
    const found: Offer[] = []
    for (const [i, input] of this.routers[r].inputs.entries()) {
      if (input.busy) continue
      for (const v of this.inTurn(input.turn)) {
        const visit = input.ready[v][0]
        const target = visit === undefined ? -1 : this.target(r, Math.floor(i / this.p.mport), i, visit)
        if (target < 0) continue
        found.push({ input: i, target, visit: visit! })
        break
      }
    }
    return found
  }

  /** The offers that the output buffers have room for together: those of inputs that an output served least recently
   *  come first. */
  private withSpace(r: number, offers: readonly Offer[]): Offer[] {
    const { served } = this.middles[r]
    const kept: Offer[] = []
    for (const [o, { buffer }] of this.routers[r].outputs.entries()) {
      const line = offers.filter((x) => x.visit.port === o)
      line.sort((a, b) => served[o][a.input] - served[o][b.input] || a.input - b.input)
      const before = [...buffer.held]
      for (const x of line) {
        if (!this.hasSpace(r, x.input, x.visit)) continue
        buffer.held[x.visit.to] += x.visit.packet.flits
        kept.push(x)
      }
      buffer.held.splice(0, before.length, ...before)
    }
    return kept
  }

  /** The output or up-link that a packet could take now. */
  private target(r: number, m: number, i: number, here: Visit): number {
    const { mport: P } = this.p
    const x = this.middles[r]
    const direct = Math.floor(here.port / P) === m
    if ((direct && x.taken.has(here.port)) || !this.hasSpace(r, i, here)) return -1
    if (direct) return here.port - m * P
    if (!x.mports[m].buffer.fits(here.to, here.packet.flits)) return -1
    const most = this.p.uplink === "shared" ? MOST : 1
    const free = [0, 1].filter((n) => x.ups[m * UPLINKS + n].writes < most)
    free.sort((a, b) => x.ups[m * UPLINKS + a].load - x.ups[m * UPLINKS + b].load || a - b)
    return free[0] === undefined ? -1 : P + free[0]
  }

  private begin(r: number, m: number, i: number, target: number, front: Visit): void {
    const x = this.middles[r]
    const input = this.routers[r].inputs[i]
    const here = this.leave(r, i, front.from)
    const { packet } = here
    this.reserve(r, here)
    x.served[here.port][i] = this.t
    const up = target < this.p.mport ? undefined : this.upOf(x, i, target)
    // all of it may cross
    const whole = here.came.length === packet.flits && here.came.every((t) => t <= this.t)
    const shared = this.p.uplink === "shared"
    const rate = up === undefined ? this.p.rate : !shared ? MOST : whole ? MOST - up.writes : 1
    const transfer: Transfer = { visit: here, input, target, rate, moved: [] }
    x.transfers[i] = transfer
    if (up === undefined) {
      x.taken.add(here.port)
      this.enqueue(this.routers[r].outputs[here.port], here)
    } else {
      up.writes += shared ? rate : 1
      up.load += packet.flits
      x.mports[m].buffer.held[here.to] += packet.flits
      up.coming.push({ visit: here, from: transfer, comes: this.t + this.p.middle })
    }
    this.returnCredit(input, here.from, packet.flits, true)
  }

  /** Flits cross: from inputs as they have come, from the centre a cycle after they got there. */
  private flits(r: number): void {
    const x = this.middles[r]
    for (const at of x.reads) {
      if (at === undefined) continue
      const { visit, from } = at.stored
      for (let n = 0; n < at.rate && visit.crossed < visit.packet.flits && from.moved[visit.crossed] < this.t; n++)
        visit.crossed++
    }
    for (const at of x.transfers) {
      if (at === undefined) continue
      const { came, packet } = at.visit
      for (let n = 0; n < at.rate && at.moved.length < packet.flits && came[at.moved.length] <= this.t; n++)
        at.moved.push(this.t)
      if (at.target < this.p.mport) at.visit.crossed = at.moved.length
    }
  }
}
