// A packet simulation put together: memory, kernel, credits, the view of the routing, and the switch and endpoints that it is given.
import { bitsFor } from "../../core/bitset.ts"
import {
  ARRIVE,
  BORN,
  COLD_WORDS,
  type Credits,
  classOf,
  DST,
  EPOCHS,
  type Handler,
  INJECT,
  ISSUE,
  KEY,
  type Kernel,
  NUMBER,
  type PacketSwitch,
  type Reserve,
  SCRATCH,
  SEND,
  STATE,
  type Terminals,
  WAKE,
} from "../../model/events.ts"
import type { Graph } from "../../model/graph.ts"
import { Candidates, type NetView } from "../../model/routing.ts"
import { type ListedCredits, layLists, makeLists } from "./credit-lists.ts"
import { layRings, makeRings, type RingCredits, type WakingCredits } from "./credits.ts"
import { FACT, makeFacts, writeFact } from "./facts.ts"
import { type Loop, makeLoop } from "./kernel.ts"
import { EPOCH, Memory } from "./memory.ts"
import { joined, type PartState, packWords, partOf, type Range, unpackWords } from "./state.ts"
import { PacketView } from "./view.ts"
import { makeWorker, type Remote, type Side, type WorkerLoop } from "./worker.ts"

/** What the engine hands to the switch and the endpoints. */
export interface MachineSite {
  readonly kernel: Kernel
  readonly credits: Credits
  readonly view: NetView
  readonly candidates: Candidates
  /** words from a record to its cold half */
  readonly cold: number
  /** words from a record to the time that it has waited for credits */
  readonly waited: number
  readonly vcBits: number
  deliver(c: number, t: number): void
}

export interface Parts {
  /** Reserves the columns of the switch; answers how to build it. */
  switch(memory: Reserve, vcBits: number): { make(site: MachineSite, terminals: Terminals): PacketSwitch }
  terminals(memory: Reserve): { make(site: MachineSite): Terminals }
}

export interface MachineSpec {
  readonly graph: Graph
  readonly seed: number
  readonly vcs: number
  readonly scratch: number
  readonly candidates: number
  /** [slot] -> chunks that fit; slots of channels, then one for each entry */
  capacity(slots: number, vcBits: number): Uint16Array
  readonly chunkFlits: number
  readonly flitBytes: number
  /** chunks that may be on their way at once */
  readonly records: number
  /** ps before the present that an endpoint may ask about its credits: what it sends next may have begun that long ago */
  readonly lookBack: number
  /** an endpoint is a logical process with its router, or one of its own */
  readonly merged: boolean
  readonly shift: number
  readonly slots: number
  /** Takes rows of facts: words FACT.words apart. */
  drain(rows: Int32Array, count: number): void
}

export interface Machine extends Loop {
  readonly graph: Graph
  /** Hands over the facts that are certain. */
  flush(): void
  /** First events of the endpoints (of this worker). */
  start(): void
  /** words of memory */
  readonly words: number
  /** Is a chunk or a message under way that was created before `t` ps? */
  open(t: number): boolean
  /** flits sent on a channel of this worker's so far */
  sent(chan: number): number
  /** rows of WAIT: chunks at this worker's routers that wait for credits */
  waits(): Int32Array
  /** this worker's side, when there are several or it is optimistic */
  readonly worker: WorkerLoop<unknown> | undefined
  /** Sizes and places of its columns, by name: a saved state fits a machine of the same. */
  readonly layout: Readonly<Record<string, number>>
  /** Everything that the simulation depends on from here on, at a common time, after flush(); the same put back, in place of start(). */
  save(): PartState
  restore(state: PartState): void
}

/** Columns of a machine at their places, before any of them exists. */
function layMachine(spec: MachineSpec, parts: Parts, optimistic: boolean) {
  const { graph } = spec
  const vcBits = bitsFor(spec.vcs)
  const entrySlots = graph.chans << vcBits
  const entries = graph.ends * graph.rails
  const slots = entrySlots + entries
  const scratch = Math.max(1, spec.scratch)
  const stride = Math.max(COLD_WORDS, 1 << bitsFor(SCRATCH + scratch))
  const memory = new Memory()
  memory.reserve((spec.records + 1) * stride)
  const cold = memory.reserve((spec.records + 1) * stride)
  // seldom touched: a column of its own
  const waited = memory.reserve((spec.records + 1) * stride)
  const records = memory.size
  const capacity = spec.capacity(slots, vcBits)
  const most = capacity.reduce((a, b) => Math.max(a, b), 0)
  const rings = optimistic ? undefined : layRings(memory, slots, vcBits, spec.merged ? most : 2 * most)
  const lists = optimistic ? layLists(memory, slots, most) : undefined
  const switchPart = parts.switch(memory, vcBits)
  const terminalPart = parts.terminals(memory)
  return {
    vcBits,
    entrySlots,
    entries,
    scratch,
    stride,
    memory,
    cold,
    waited,
    records,
    capacity,
    most,
    rings,
    lists,
    switchPart,
    terminalPart,
  }
}

/** Words of a machine's memory, and those of them that are records of chunks: the more are on their way at once, the more of these are touched. */
export function machineWords(spec: MachineSpec, parts: Parts): { readonly words: number; readonly records: number } {
  const { memory, records } = layMachine(spec, parts, false)
  return { words: memory.size, records }
}

export function makeMachine(spec: MachineSpec, parts: Parts, side?: Side): Machine {
  const { graph } = spec
  const optimistic = side?.logWords !== undefined
  const laid = layMachine(spec, parts, optimistic)
  const { vcBits, entrySlots, entries, scratch, stride, memory, cold, waited, capacity, most, rings, lists, switchPart, terminalPart } =
    laid
  const least = capacity.reduce((a, b) => Math.min(a, b), most)
  const mem = memory.allocate()

  const facts = makeFacts(spec.drain, optimistic)
  const { batch } = facts
  const endLp = new Int32Array(entries)
  for (let i = 0; i < entries; i++) {
    endLp[i] = spec.merged ? graph.routerOf[graph.entry[i]!]! : graph.routers + Math.floor(i / graph.rails)
  }
  const { routerOf } = graph
  const lpOfSlot = (slot: number): number => (slot < entrySlots ? routerOf[slot >> vcBits]! : endLp[slot - entrySlots]!)

  const plan = {
    mem,
    stride,
    recordsEnd: (spec.records + 1) * stride,
    lps: graph.routers + (spec.merged ? 0 : graph.ends),
    shift: spec.shift,
    slots: spec.slots,
    rebase: () => {
      memory.rebase(mem)
      listed?.rebase(EPOCH)
    },
  }
  let ringed: RingCredits | undefined
  let listed: ListedCredits | undefined
  const back = { from: entrySlots, by: spec.lookBack }

  function creditsFor(kernel: Kernel, remote: Remote | undefined): WakingCredits {
    if (lists !== undefined && remote !== undefined) {
      listed = makeLists(kernel, lists, vcBits, capacity, back, {
        ...remote,
        lpOfSlot,
        remote: (slot, t) => remote.credit(lpOfSlot(slot), slot, t),
      })
      return listed
    }
    const send = remote === undefined ? undefined : (slot: number, t: number) => remote.credit(lpOfSlot(slot), slot, t)
    ringed = makeRings(kernel, rings!, capacity, least, spec.merged, back, send)
    return ringed
  }

  function build(kernel: Kernel, remote?: Remote): Handler & { terminals: Terminals; routers: PacketSwitch } {
    const { release, epoch } = kernel
    const credits = creditsFor(kernel, remote)
    const view = new PacketView(kernel, credits, {
      vcs: spec.vcs,
      vcBits,
      cold,
      chunkFlits: spec.chunkFlits,
      flitBytes: spec.flitBytes,
      capacity,
    })
    function deliver(c: number, t: number): void {
      if (!optimistic || !remote!.keeps()) {
        writeFact(batch, facts.next() * FACT.words, mem, c, cold, waited, mem[c + DST]!, t, epoch())
        return
      }
      const row = facts.row()
      writeFact(facts.rows(), row * FACT.words, mem, c, cold, waited, mem[c + DST]!, t, epoch())
      remote!.fact(row)
    }
    const site: MachineSite = { kernel, credits, view, candidates: new Candidates(spec.candidates), cold, waited, vcBits, deliver }
    const terminals = terminalPart.make(site)
    const routers = switchPart.make(site, terminals)
    const { arrive, send, wake } = routers
    const { woken } = credits
    const rails = graph.rails

    function handle(e: number, t: number, key: number): void {
      const n = key & NUMBER
      const kind = classOf(key)
      if (kind === ARRIVE) arrive(e, t, n)
      else if (kind === WAKE) {
        release(e)
        if (!woken(n, t)) return
        if (n < entrySlots) wake(n, t)
        else terminals.wake(n - entrySlots, t)
      } else if (kind === SEND) send(e, t, n)
      else if (kind === INJECT) terminals.inject(e, t, n)
      else terminals.issue(e, t, n)
    }

    function lpOf(key: number): number {
      const n = key & NUMBER
      const kind = classOf(key)
      if (kind === ARRIVE || kind === SEND) return routerOf[n]!
      if (kind === WAKE) return n < entrySlots ? routerOf[n >> vcBits]! : endLp[n - entrySlots]!
      return endLp[kind === ISSUE ? n * rails : n]!
    }
    return { handle, lpOf, terminals, routers }
  }

  const worker =
    side === undefined
      ? undefined
      : makeWorker(
          {
            ...plan,
            payload: [...range(STATE, SCRATCH + scratch), ...range(cold, cold + COLD_WORDS), waited],
            addCredit: (slot, t) => (listed ?? ringed)!.add(slot, t),
            dropCredit: (slot, t) => listed!.drop(slot, t),
            rehearsal: {
              halves: [0, cold, waited],
              rest: waited + (spec.records + 1) * stride,
              tidy: () => listed!.tidy(),
              settle: (copy) => listed!.settle(copy),
            },
            voidFact: facts.free,
            commitFact: facts.commit,
          },
          side,
          build,
        )
  const loop = worker ?? makeLoop(plan, build)

  const kept = () => (ringed ?? listed)!
  /** what may have been written: records up to the last that was ever used, and all behind them */
  const ranges = (): Range[] => [
    ...[0, cold, waited].map((half): Range => [half, half + loop.recordsTo()]),
    [waited + plan.recordsEnd, mem.length],
  ]

  const mine = (e: number) => side === undefined || side.owner[endLp[e * graph.rails]!] === side.me

  return {
    ...loop,
    graph,
    worker,
    sent: loop.model.routers.sent,
    waits: loop.model.routers.waits,
    open(t) {
      const epoch = Math.floor(t / EPOCH)
      const rest = t - epoch * EPOCH
      for (let e = stride; e < loop.recordsTo(); e += stride) {
        const kind = classOf(mem[e + KEY]!)
        if (mem[e + KEY] === -1 || (kind !== ARRIVE && kind !== INJECT)) continue
        const born = mem[e + cold + EPOCHS]! >>> 16
        if (born < epoch || (born === epoch && mem[e + cold + BORN]! < rest)) return true
      }
      for (let e = 0; e < graph.ends; e++) if (mine(e) && loop.model.terminals.behind(e, epoch, rest)) return true
      return false
    },
    words: memory.size,
    flush: facts.flush,
    layout: {
      ...layoutOf(laid),
      records: spec.records,
      lps: plan.lps,
      shift: plan.shift,
      slots: plan.slots,
      optimistic: optimistic ? 1 : 0,
      worker: side?.me ?? 0,
      workers: side?.mail.workers ?? 1,
    },
    save: () => joined({ loop: loop.save(), credits: kept().save(), memory: packWords(mem, ranges()) }),
    restore(state) {
      const before = ranges()
      loop.restore(partOf(state, "loop"))
      kept().restore(partOf(state, "credits"))
      unpackWords(mem, before, partOf(state, "memory"))
    },
    start() {
      for (let e = 0; e < graph.ends; e++) if (mine(e)) loop.model.terminals.start(e)
      loop.history?.reset()
    },
  }
}

function layoutOf(laid: ReturnType<typeof layMachine>): Record<string, number> {
  const { vcBits, entries, scratch, stride, memory, cold, waited, most, entrySlots } = laid
  return { vcBits, entries, entrySlots, scratch, stride, cold, waited, most, words: memory.size }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}
