// The InfiniBand switch flit by flit: an input offers the front packet of one VL, an output takes one input, and a flit
// crosses in each core step.
import type { Compiled } from "../../src/compile/compile.ts"
import type { InfinibandParams } from "../../src/switches/infiniband/params.ts"
import { type Input, type Output, PlainLevels, type Visit } from "./plain-levels.ts"
import { type Ask, PlainMatching } from "./plain-matching.ts"

interface Transfer {
  readonly visit: Visit
  readonly input: Input
}

export class PlainInfiniband extends PlainLevels<InfinibandParams> {
  private readonly matchings: PlainMatching[]
  /** [router][output] -> what holds it */
  private readonly transfers: (Transfer | undefined)[][]
  /** [router][input][VL] -> the message of which a part has crossed; [router][output] -> the input that it looks at first */
  private readonly begun: (Visit | undefined)[][][]
  private readonly pointers: number[][]
  private readonly starts: number[][]
  private s = 0

  constructor(c: Compiled, p: InfinibandParams, until: number) {
    super(c, p, until)
    this.atLink = p.credits === "link"
    this.releaseAtTail = p.release === "tail"
    this.matchings = this.routers.map(
      () => new PlainMatching({ name: "input-first", iterations: 1, inputs: this.radix + 1, outputs: this.radix }),
    )
    this.transfers = this.routers.map(() => [])
    this.begun = this.routers.map(() => [])
    this.starts = this.routers.map(() => Array.from({ length: this.radix }, () => 0))
    this.pointers = this.routers.map(() => Array.from({ length: this.radix }, () => 0))
  }

  protected load(o: Output): number {
    const sum = (a: readonly number[]) => a.reduce((x, y) => x + y, 0)
    if (!this.atLink) return sum(o.behind.held)
    return sum(o.behind.held) + sum(o.buffer.held) - o.leaving
  }

  private clock(): [number, number] {
    for (let core = 1; ; core++) if (Number.isInteger(this.p.speed * core)) return [this.p.speed * core, core]
  }

  protected override holdOf(flits: number): number {
    const [link, core] = this.clock()
    if (this.p.start === "head") return this.p.route
    for (let wait = 0; ; wait++) {
      // flit i goes at wait * link + i * core and is there at i * link
      const dry = Array.from({ length: flits }, (_, i) => i).some((i) => wait * link + i * core < i * link)
      if (!dry) return this.p.route + wait
    }
  }

  protected step(): void {
    const [link, core] = this.clock()
    for (; this.s * core < (this.t + 1) * link; this.s++)
      for (const r of this.routers.keys()) this.coreStep(r, this.s * core === this.t * link)
  }

  /** One flit of each pair crosses; a message goes on when all of it has crossed. */
  private flitStep(r: number, early: boolean): void {
    const { inputs, outputs } = this.routers[r]
    const doneIn = new Set<number>()
    const doneOut = new Set<number>()
    for (let n = 0; n < this.p.iterations; n++) {
      const asks: (readonly [number, Visit, number])[] = []
      for (const [i, input] of inputs.entries()) {
        if (doneIn.has(i)) continue
        for (const v of this.inTurn(input.turn)) {
          const begun = this.begun[r][i]?.[v]
          const here = begun ?? input.ready[v][0]
          if (here === undefined || doneOut.has(here.port)) continue
          if (begun === undefined ? !this.hasSpace(r, i, here) : !(here.came[here.crossed] <= this.t)) continue
          asks.push([i, here, v])
          break
        }
      }
      for (const o of outputs.keys()) {
        const all = asks.filter(([, here]) => here.port === o)
        if (all.length === 0) continue
        const first = (from: typeof all, pointer: number) => {
          const wait = (i: number) => (i - pointer + this.radix + 1) % (this.radix + 1)
          return from.reduce((a, b) => (wait(a[0]) <= wait(b[0]) ? a : b))
        }
        const begins = all.filter(([i, , v]) => this.begun[r][i]?.[v] === undefined)
        const one = begins.length > 0 ? first(begins, this.starts[r][o]) : undefined
        const own = all.filter((a) => a === one || !begins.includes(a))
        const [i, here, v] = first(own, this.pointers[r][o])
        if (begins.includes(own.find((a) => a[0] === i)!)) this.starts[r][o] = (i + 1) % (this.radix + 1)
        this.pointers[r][o] = (i + 1) % (this.radix + 1)
        doneIn.add(i)
        doneOut.add(o)
        const input = inputs[i]
        if (this.begun[r][i]?.[v] === undefined) {
          this.leave(r, i, v)
          input.busy = false
          this.reserve(r, here)
          this.begun[r][i] ??= []
          this.begun[r][i][v] = here
        }
        input.turn = (v + 1) % this.lanes
        if (++here.crossed < here.packet.flits) continue
        this.begun[r][i][v] = undefined
        this.enqueue(outputs[o], here)
        this.returnCredit(input, here.from, here.packet.flits, early)
      }
    }
  }

  private coreStep(r: number, early: boolean): void {
    if (this.p.grain === "packet") {
      this.flitStep(r, early)
      return
    }
    const { inputs, outputs } = this.routers[r]
    const held = this.transfers[r]
    for (const o of outputs.keys()) {
      const at = held[o]
      if (at === undefined || at.visit.crossed < at.visit.packet.flits) continue
      if (this.releaseAtTail) this.returnCredit(at.input, at.visit.from, at.visit.packet.flits, early)
      at.input.busy = false
      held[o] = undefined
    }
    const asks: Ask[] = []
    for (const [i, input] of inputs.entries()) {
      if (input.busy) continue
      const here = this.inTurn(input.turn)
        .map((v) => input.ready[v][0])
        .find((x) => x !== undefined && held[x.port] === undefined && this.hasSpace(r, i, x))
      if (here !== undefined) asks.push([i, here.port, 0])
    }
    for (const [i, o] of this.matchings[r].match(asks)) this.begin(r, i!, o!, early)
    for (const at of held) {
      const here = at?.visit
      if (here !== undefined && here.crossed < here.came.length && here.came[here.crossed] <= this.t) here.crossed++
    }
  }

  private begin(r: number, i: number, o: number, early: boolean): void {
    const input = this.routers[r].inputs[i]
    const front = this.inTurn(input.turn)
      .map((v) => input.ready[v][0])
      .find((x) => x !== undefined && x.port === o && this.hasSpace(r, i, x))!
    const here = this.leave(r, i, front.from)
    this.reserve(r, here)
    this.transfers[r][o] = { visit: here, input }
    this.enqueue(this.routers[r].outputs[o], here)
    if (!this.releaseAtTail) this.returnCredit(input, here.from, here.packet.flits, early)
  }
}
