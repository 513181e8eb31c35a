// The Omni-Path switch with packets of one flit (grain: packet), with plain objects: every flit is arbitrated for
// itself, at the crossbar of its MPort and at the central one.
import type { Compiled } from "../../src/compile/compile.ts"
import type { OmniPathParams } from "../../src/switches/omni-path/params.ts"
import { type Output, PlainLevels, Shared, type Visit } from "./plain-levels.ts"

const UPLINKS = 2
const ROUNDS = 3

/** A message in the centre: cycles in which its flits came, flits that have left. */
interface Stored {
  readonly visit: Visit
  readonly came: number[]
  left: number
  holds: boolean
  readonly passes: boolean
}

interface UpLink {
  /** [output * lanes + VL] -> messages, in the order of their first flits */
  readonly queues: Stored[][]
  readonly coming: Stored[]
  load: number
  turn: number
}

type Way = "direct" | "waits" | "holds" | "passes"

interface Begun {
  readonly visit: Visit
  readonly target: number
  readonly stored: Stored | undefined
}

interface Offer {
  readonly i: number
  readonly v: number
  readonly target: number
  readonly visit: Visit
  readonly way: Way | undefined
}

interface Middle {
  readonly ups: UpLink[]
  readonly buffers: Shared[]
  readonly begun: (Begun | undefined)[][]
  /** pointers: of targets, of messages into the centre; of outputs at the centre */
  readonly next: number[][]
  readonly enterNext: number[]
  readonly centralNext: number[]
  /** [output][input] -> the cycle in which it last gave space to one of its messages */
  readonly served: number[][]
  /** [output][VL] -> of the inputs of its MPort that found no space, the least of them */
  readonly longest: (number | undefined)[][]
  /** Messages at inputs that found no space, and their inputs */
  readonly lacking: Map<Visit, number>
  /** [MPort][VL] */
  readonly passing: boolean[][]
}

const zeros = (n: number) => Array.from({ length: n }, () => 0)

export class PlainOmniPackets extends PlainLevels<OmniPathParams> {
  private readonly middles: Middle[]

  constructor(c: Compiled, p: OmniPathParams, until: number) {
    super(c, p, until)
    const mports = Math.ceil(this.radix / p.mport)
    const no = (n: number) => Array.from({ length: n }, () => Array.from({ length: p.vcs }, () => false))
    this.middles = this.routers.map(() => ({
      ups: Array.from({ length: UPLINKS * mports }, () => ({
        queues: Array.from({ length: this.radix * this.lanes }, () => []),
        coming: [],
        load: 0,
        turn: 0,
      })),
      buffers: Array.from({ length: mports }, () => new Shared(p, p.central)),
      begun: Array.from({ length: this.radix }, () => []),
      next: Array.from({ length: mports }, () => zeros(p.mport + UPLINKS)),
      enterNext: zeros(mports),
      centralNext: zeros(this.radix),
      served: Array.from({ length: this.radix }, () => zeros(this.radix).map(() => -1)),
      longest: Array.from({ length: this.radix }, () => []),
      lacking: new Map(),
      passing: no(mports),
    }))
  }

  protected load(o: Output): number {
    return [...o.behind.held, ...o.buffer.held].reduce((x, y) => x + y, 0)
  }

  protected step(): void {
    for (const [r, x] of this.middles.entries()) {
      for (const up of x.ups)
        while (up.coming[0] !== undefined && up.coming[0].came[0]! <= this.t) {
          const s = up.coming.shift()!
          up.queues[s.visit.port * this.lanes + s.visit.to].push(s)
        }
      for (let round = 0; round < this.p.centralRate; round++) this.centre(r)
      const mports = x.buffers.length
      const first = Number(((BigInt(this.t) * 0x9e3779b1n) & 0xffffffffn) >> 8n) % mports
      for (let k = 0; k < mports; k++) this.mport(r, (first + k) % mports)
    }
  }

  /** The asks of the least distance from a pointer on. */
  private first<T>(all: readonly T[], at: (x: T) => number, pointer: number, size: number): T {
    const wait = (x: T) => (at(x) - pointer + size) % size
    return all.reduce((a, b) => (wait(a) <= wait(b) ? a : b))
  }

  private centre(r: number): void {
    const x = this.middles[r]
    const { outputs } = this.routers[r]
    const able = (s: Stored | undefined) => {
      if (s === undefined || !(s.came[s.left] <= this.t)) return false
      if (s.holds) return true
      const { port, to, packet } = s.visit
      const other = x.longest[port][to]
      if (other !== undefined && other < x.served[port][s.visit.inPort]) return false
      return outputs[port].buffer.fits(to, packet.flits)
    }
    const offers = x.ups.flatMap((up, u) => {
      const n = up.queues.length
      const found = up.queues.map((_, k) => (up.turn + k) % n).find((k) => able(up.queues[k][0]))
      return found === undefined ? [] : [{ u, up, queue: found, s: up.queues[found][0] }]
    })
    for (const o of outputs.keys()) {
      let own = offers.filter(({ s }) => s.visit.port === o)
      const begin = own.filter(({ s }) => !s.holds)
      const size = x.ups.length
      if (begin.length > 0) {
        const last = (a: (typeof begin)[number]) => x.served[o][a.s.visit.inPort]
        const one = begin.reduce((a, b) => (last(a) <= last(b) ? a : b))
        own = own.filter((a) => a.s.holds || a === one)
      }
      if (own.length === 0) continue
      const { u, up, queue, s } = this.first(own, (a) => a.u, x.centralNext[o], size)
      x.centralNext[o] = (u + 1) % size
      up.turn = (queue + 1) % up.queues.length
      const { to, packet } = s.visit
      if (!s.holds) {
        s.holds = true
        this.reserve(r, s.visit)
        x.served[o][s.visit.inPort] = this.t
      }
      if (++s.left < packet.flits) continue
      up.queues[queue].shift()
      up.load -= packet.flits
      const m = Math.floor(u / UPLINKS)
      if (s.passes) x.passing[m][to] = false
      else x.buffers[m].held[to] -= packet.flits
      s.visit.crossed = packet.flits
      this.enqueue(outputs[o], s.visit)
    }
  }

  private mport(r: number, m: number): void {
    const { mport: P } = this.p
    const finished = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const doneIn = new Set<number>()
      const taken = new Set<number>()
      let entered = false
      for (let n = 0; n < this.p.iterations; n++) {
        let offers = Array.from({ length: P }, (_, i) => i).flatMap((i) => {
          if (doneIn.has(i) || this.routers[r].inputs[m * P + i] === undefined) return []
          const found = this.offer(r, m, i, round, taken, finished.has(i))
          return found === undefined ? [] : [found]
        })
        const into = offers.filter((a) => a.way !== undefined && a.way !== "direct")
        if (into.length > 0) {
          const one = this.first(into, (a) => a.i, this.middles[r].enterNext[m], P)
          offers = offers.filter((a) => !into.includes(a) || (!entered && a === one))
        }
        for (let target = 0; target < P + UPLINKS; target++) {
          let own = offers.filter((a) => a.target === target)
          const begin = target < P ? own.filter((a) => a.way === "direct") : []
          if (begin.length > 0) {
            const last = (a: Offer) => this.middles[r].served[m * P + target][a.visit.inPort]
            const one = begin.reduce((a, b) => (last(a) <= last(b) ? a : b))
            own = own.filter((a) => a.way !== "direct" || a === one)
          }
          if (own.length === 0) continue
          const won = this.first(own, (a) => a.i, this.middles[r].next[m][target], P)
          this.middles[r].next[m][target] = (won.i + 1) % P
          taken.add(target)
          doneIn.add(won.i)
          if (won.way !== undefined && won.way !== "direct") entered = true
          if (this.cross(r, m, won)) finished.add(won.i)
        }
      }
    }
  }

  private offer(r: number, m: number, i: number, round: number, taken: Set<number>, done: boolean): Offer | undefined {
    const { mport: P, rate } = this.p
    const x = this.middles[r]
    const input = this.routers[r].inputs[m * P + i]
    for (const v of this.inTurn(input.turn)) {
      const begun = x.begun[m * P + i][v]
      const visit = begun?.visit ?? input.ready[v][0]
      if (visit === undefined) continue
      const sent = begun?.stored?.came.length ?? visit.crossed
      if (done && sent === visit.packet.flits - 1) continue
      if (begun !== undefined) {
        const { target } = begun
        if (taken.has(target) || (target < P && round >= rate) || !(visit.came[sent] <= this.t)) continue
        return { i, v, target, visit, way: undefined }
      }
      if (Math.floor(visit.port / P) === m) {
        const target = visit.port - m * P
        if (taken.has(target) || round >= rate) continue
        if (this.hasSpace(r, m * P + i, visit)) {
          if (this.p.room === "input" && this.overtakes(r, m * P + i, visit)) continue
          return { i, v, target, visit, way: "direct" }
        }
        if (!this.bubble(r, m * P + i, visit)) this.foundNoSpace(r, m * P + i, visit)
        continue
      }
      const free = [0, 1].filter((n) => !taken.has(P + n))
      free.sort((a, b) => x.ups[m * UPLINKS + a].load - x.ups[m * UPLINKS + b].load || a - b)
      const way = free[0] === undefined ? undefined : this.wayIn(r, m, m * P + i, visit)
      if (way !== undefined) return { i, v, target: P + free[0], visit, way }
    }
    return undefined
  }

  /** Whether a message must leave a bubble behind it. */
  private bubble(r: number, i: number, { port, packet }: Visit): boolean {
    const packets = this.c.network.routing.room?.(r, i, port) ?? 0
    return !this.ejects(this.routers[r].outputs[port]) && packets * this.longest > packet.flits
  }

  private wayIn(r: number, m: number, i: number, visit: Visit): Way | undefined {
    const x = this.middles[r]
    const { port, to, packet } = visit
    const space = x.buffers[m].fits(to, packet.flits)
    if (this.bubble(r, i, visit)) return space && this.hasSpace(r, i, visit) ? "holds" : undefined
    if (this.p.room === "input") {
      if (!this.hasSpace(r, i, visit)) this.foundNoSpace(r, i, visit)
      else if (space && !this.overtakes(r, i, visit)) return "holds"
      return undefined
    }
    if (space) return "waits"
    const waiting = x.ups.some((up) =>
      [...up.coming, ...up.queues.flat()].some((s) => !s.holds && s.visit.port === port && s.visit.to === to),
    )
    return !waiting && !x.passing[m][to] && this.hasSpace(r, i, visit) ? "passes" : undefined
  }

  private foundNoSpace(r: number, i: number, visit: Visit): void {
    const { served, longest, lacking } = this.middles[r]
    const { port, to } = visit
    longest[port][to] = Math.min(longest[port][to] ?? Infinity, served[port][i])
    lacking.set(visit, i)
  }

  /** Whether an input that was served less recently has found no space there. */
  private overtakes(r: number, i: number, { port, to }: Visit): boolean {
    const { served, lacking } = this.middles[r]
    return [...lacking].some(([a, from]) => a.port === port && a.to === to && served[port][from] < served[port][i])
  }

  /** A flit crosses; returns whether it was the last one of its message. */
  private cross(r: number, m: number, { i, v, target, visit, way }: Offer): boolean {
    const { mport: P, middle } = this.p
    const x = this.middles[r]
    const port = m * P + i
    const input = this.routers[r].inputs[port]
    const { flits } = visit.packet
    if (way !== undefined) {
      this.leave(r, port, v)
      input.busy = false
      let stored: Stored | undefined
      x.lacking.delete(visit)
      if (way === "direct") {
        x.longest[visit.port][visit.to] = undefined
      } else {
        x.enterNext[m] = (i + 1) % P
        stored = { visit, came: [], left: 0, holds: way !== "waits", passes: way === "passes" }
        if (way === "passes") x.passing[m][visit.to] = true
        else x.buffers[m].held[visit.to] += flits
        const up = x.ups[m * UPLINKS + target - P]
        up.load += flits
        up.coming.push(stored)
      }
      if (way !== "waits") {
        this.reserve(r, visit)
        x.served[visit.port][port] = this.t
      }
      x.begun[port][v] = { visit, target, stored }
    }
    input.turn = (v + 1) % this.lanes
    const { stored } = x.begun[port][v]!
    if (stored === undefined) visit.crossed++
    else stored.came.push(this.t + middle)
    if ((stored?.came.length ?? visit.crossed) < flits) return false
    x.begun[port][v] = undefined
    if (stored === undefined) this.enqueue(this.routers[r].outputs[visit.port], visit)
    this.returnCredit(input, visit.from, flits, true)
    return true
  }
}
