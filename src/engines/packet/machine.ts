// A packet simulation put together: memory, kernel, credits, the view of the routing, and the switch and endpoints that it is given.
import { seenBeforehand } from "../../core/beforehand.ts"
import { bitsFor } from "../../core/bitset.ts"
import {
  ARRIVE,
  BORN,
  BYTES,
  COLD_WORDS,
  type Credits,
  classOf,
  DST,
  EPOCHS,
  HAND,
  type Handler,
  HOPS,
  INJECT,
  ISSUE,
  KEY,
  type Kernel,
  NUMBER,
  type PacketSwitch,
  RANK,
  type Reserve,
  SCRATCH,
  SEND,
  SENT,
  SRC,
  STATE,
  STREAM,
  type Terminals,
  TIME,
  UID,
  UP,
  WAITED,
  WAKE,
} from "../../model/events.ts"
import type { Graph } from "../../model/graph.ts"
import { Candidates, type NetView } from "../../model/routing.ts"
import { OWN_WORDS, type RankLayer, type Ranks, type Seat } from "../../model/workload.ts"
import { type ListedCredits, layLists, makeLists } from "./credit-lists.ts"
import { layRings, makeRings, type RingCredits, type WakingCredits } from "./credits.ts"
import { FACT, makeFacts, writeFact } from "./facts.ts"
import { type Loop, makeLoop } from "./kernel.ts"
import { EPOCH, Memory } from "./memory.ts"
import { makeSeat, type PacketSeat } from "./seat.ts"
import { joined, type PartState, packWords, partOf, type Range, unpackWords } from "./state.ts"
import { PacketView } from "./view.ts"
import { MOST_WARM, warmUp } from "./warm-up.ts"
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
  /** where ranks live; absent: there are none */
  readonly seat: Seat | undefined
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
  /** ranks of parallel programs */
  readonly ranks?: RankLayer | undefined
  /** Takes rows of facts: words FACT.words apart. */
  drain(rows: Int32Array, count: number): void
}

/** A chunk on its way; times in ps since the beginning. */
export interface ChunkNow {
  /** its record, which is another's when it has arrived */
  readonly id: number
  readonly uid: number
  readonly from: number
  readonly to: number
  readonly stream: number
  readonly bytes: number
  readonly born: number
  readonly sent: number
  readonly hops: number
  /** ps that it has waited for credits, as far as that is over */
  readonly waited: number
  /** slot (channel and VC) in whose list it is, and whether it waits there for room; else where it will arrive next, and when */
  readonly slot: number
  readonly waits: boolean
  /** the slot that it came over, and takes up until it has room in the next */
  readonly up: number
  /** input port, and when; -1 while it is in a list or at its endpoint */
  readonly into: number
  readonly arrives: number
}

export type VisitChunk = (chunk: ChunkNow) => void

export interface Machine extends Loop {
  readonly graph: Graph
  /** Every chunk that has left its endpoint and has not arrived, at a common time. */
  chunks(visit: VisitChunk): void
  /** One of them, but for where it is. */
  chunk(id: number): ChunkNow | undefined
  /** Hands over the facts that are certain. */
  flush(): void
  /** Plays the whole network alone until `until` ps or for so many events, and forgets it but for facts; before start() or restore() (warm-up.ts). */
  warmUp(until: number, events: number): void
  /** First events of the endpoints (of this worker). */
  start(): void
  /** words of memory */
  readonly words: number
  /** Is a chunk or a message under way that was created before `t` ps? */
  open(t: number): boolean
  /** Returns the bytes that the streams of this worker's endpoints created before `t` ps, the present. */
  created(t: number): number
  /** flits sent on a channel of this worker's so far */
  sent(chan: number): number
  /** rows of WAIT: chunks at this worker's routers that wait for credits */
  waits(): Int32Array
  /** ranks of this worker that have finished; what a report needs of all of them, at rank * summary words */
  finished(): number
  summaries(into: Int32Array): void
  /** this worker's side, when there are several or it is optimistic */
  readonly worker: WorkerLoop<unknown> | undefined
  /** Sizes and places of its columns, by name: a saved state fits a machine of the same. */
  readonly layout: Readonly<Record<string, number>>
  /** Everything that the simulation depends on from here on, at a common time, after flush(); the same put back, in place of start(). */
  save(): PartState
  restore(state: PartState): void
}

/** records of an optimistic worker at most, besides those of the chunks under way, for events that may be undone */
const MOST_KEPT = 1 << 16

/** Columns of a machine at their places, before any of them exists. */
function layMachine(spec: MachineSpec, parts: Parts, optimistic: boolean) {
  const { graph } = spec
  const vcBits = bitsFor(spec.vcs)
  const entrySlots = graph.chans << vcBits
  const entries = graph.ends * graph.rails
  const slots = entrySlots + entries
  const scratch = Math.max(1, spec.scratch)
  const stride = Math.max(spec.ranks === undefined ? COLD_WORDS : OWN_WORDS, 1 << bitsFor(SCRATCH + scratch))
  const memory = new Memory()
  // what may be undone is kept apart from what is really under way, so that a lack of records stops optimism and not the run
  const pool = spec.records + (optimistic ? Math.min(spec.records, MOST_KEPT) : 0)
  const column = (pool + 1) * stride
  memory.reserve(column)
  const cold = memory.reserve(column)
  // seldom touched: a column of its own
  const waited = memory.reserve(column)
  const own = spec.ranks === undefined ? 0 : memory.reserve(column)
  const records = memory.size
  const capacity = spec.capacity(slots, vcBits)
  const most = capacity.reduce((a, b) => Math.max(a, b), 0)
  const rings = optimistic ? undefined : layRings(memory, slots, vcBits, spec.merged ? most : 2 * most)
  const lists = optimistic ? layLists(memory, slots, most) : undefined
  const switchPart = parts.switch(memory, vcBits)
  const terminalPart = parts.terminals(memory)
  const rankPart = spec.ranks?.lay(memory)
  const opened = spec.ranks === undefined ? 0 : memory.reserve(graph.ends)
  return {
    column,
    own,
    rankPart,
    opened,
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
  const { column, own, rankPart, opened } = laid
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

  const halves = own === 0 ? [0, cold, waited] : [0, cold, waited, own]
  const rest = halves[halves.length - 1]! + column
  const plan = {
    mem,
    stride,
    recordsEnd: column,
    enough: spec.records > MOST_KEPT ? Math.floor(0.75 * spec.records) : spec.records,
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

  function build(
    kernel: Kernel,
    remote?: Remote,
  ): Handler & { terminals: Terminals; routers: PacketSwitch; ranks: Ranks | undefined; seat: PacketSeat | undefined } {
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
    const layer = spec.ranks
    const seat =
      layer === undefined
        ? undefined
        : makeSeat(kernel, { own, cold, opened, place: layer.place, stream: layer.stream, merged: spec.merged })
    const ranks = seat === undefined ? undefined : rankPart!.make(seat.host)
    const site: MachineSite = { kernel, credits, view, candidates: new Candidates(spec.candidates), cold, waited, vcBits, deliver, seat }
    const terminals = terminalPart.make(site)
    const routers = switchPart.make(site, terminals)
    const { arrive, send, wake } = routers
    const { woken } = credits
    const rails = graph.rails

    function handle(e: number, t: number, key: number): void {
      if (classOf(key) === ARRIVE) arrive(e, t, key & NUMBER)
      else others[key >>> 28]!(e, t, key & NUMBER)
    }

    function wakeEvent(e: number, t: number, slot: number): void {
      release(e)
      if (!woken(slot, t)) return
      if (slot < entrySlots) wake(slot, t)
      else terminals.wake(slot - entrySlots, t)
    }

    /** [class >>> 28] -> what it means; the last two mean nothing. One call for all, and none that V8 takes for granted: a kind that comes late costs no code. */
    const others = [
      wakeEvent,
      arrive,
      send,
      terminals.inject,
      terminals.issue,
      (e: number, t: number, n: number) => rankEvent(e, t, RANK, n),
      (e: number, t: number, n: number) => rankEvent(e, t, HAND, n),
      terminals.look,
      () => {},
      () => undefined,
    ]
    function rankEvent(e: number, t: number, kind: number, n: number): void {
      if (seat!.early(e, t, kind | n)) return
      if (kind === HAND) terminals.handed(e, t, n)
      else {
        const whole = seat!.complete(e, n)
        if (whole !== 0) ranks!.event(whole, n, seat!.now(t))
      }
    }

    function lpOf(key: number): number {
      const n = key & NUMBER
      const kind = classOf(key)
      if (kind === ARRIVE || kind === SEND) return routerOf[n]!
      if (kind === WAKE) return n < entrySlots ? routerOf[n >> vcBits]! : endLp[n - entrySlots]!
      if (kind === RANK) return endLp[layer!.place[n]! * rails]!
      return endLp[kind === INJECT ? n : n * rails]!
    }
    /** Events of nobody, which mean nothing; processes of all kinds of events; a chunk that has waited. */
    function goAllWays(): void {
      handle(0, 0, 8 << 28)
      handle(0, 0, 9 << 28)
      lpOf(WAKE)
      lpOf(WAKE | entrySlots)
      lpOf(ARRIVE)
      lpOf(INJECT)
      lpOf(ISSUE)
      mem[STATE] = WAITED
      writeFact(batch, 0, mem, 0, cold, waited, 0, 0, 0)
      mem[STATE] = 0
    }
    seenBeforehand(goAllWays)
    return { handle, lpOf, terminals, routers, ranks, seat }
  }

  const worker =
    side === undefined
      ? undefined
      : makeWorker(
          {
            ...plan,
            payload: [
              ...range(STATE, SCRATCH + scratch),
              ...range(cold, cold + COLD_WORDS),
              waited,
              ...(own === 0 ? [] : range(own, own + OWN_WORDS)),
            ],
            addCredit: (slot, t) => (listed ?? ringed)!.add(slot, t),
            dropCredit: (slot, t) => listed!.drop(slot, t),
            rehearsal: {
              halves,
              rest,
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
  const ranges = (): Range[] => [...halves.map((half): Range => [half, half + loop.recordsTo()]), [rest, mem.length]]

  const mine = (e: number) => side === undefined || side.owner[endLp[e * graph.rails]!] === side.me

  const isChunk = (e: number): boolean => mem[e + KEY] !== -1 && classOf(mem[e + KEY]!) === ARRIVE

  /** `list`: the one that it is in, as far as is known. */
  function chunkAt(e: number, list: { readonly slot: number; readonly waits: boolean } | undefined): ChunkNow {
    const k = e + cold
    const state = mem[e + STATE]!
    return {
      ...{ id: e, uid: mem[e + UID]!, from: mem[k + SRC]!, to: mem[e + DST]!, stream: mem[k + STREAM]!, bytes: mem[k + BYTES]! },
      born: (mem[k + EPOCHS]! >>> 16) * EPOCH + mem[k + BORN]!,
      sent: (mem[k + EPOCHS]! & 0xffff) * EPOCH + mem[k + SENT]!,
      hops: state & HOPS,
      waited: (state & WAITED) === 0 ? 0 : mem[e + waited]!,
      ...{ slot: list?.slot ?? -1, waits: list?.waits ?? false, up: mem[e + UP]! },
      into: list === undefined ? mem[e + KEY]! & NUMBER : -1,
      arrives: list === undefined ? loop.base() + mem[e + TIME]! : -1,
    }
  }

  /** First events of these endpoints and of the ranks at them. */
  function begin(theirs: (e: number) => boolean): void {
    for (let e = 0; e < graph.ends; e++) if (theirs(e)) loop.model.terminals.start(e)
    if (spec.ranks !== undefined) for (let r = 0; r < spec.ranks.ranks; r++) if (theirs(spec.ranks.place[r]!)) loop.model.ranks!.start(r)
    loop.history?.reset()
  }

  function save(): PartState {
    return joined({ loop: loop.save(), credits: kept().save(), memory: packWords(mem, ranges()) })
  }

  function restore(state: PartState): void {
    const before = ranges()
    loop.restore(partOf(state, "loop"))
    kept().restore(partOf(state, "credits"))
    unpackWords(mem, before, partOf(state, "memory"))
  }

  return {
    ...loop,
    graph,
    worker,
    finished() {
      let n = 0
      for (let r = 0; r < (spec.ranks?.ranks ?? 0); r++) if (mine(spec.ranks!.place[r]!) && loop.model.ranks!.finished(r)) n++
      return n
    },
    summaries(into) {
      for (let r = 0; r < (spec.ranks?.ranks ?? 0); r++)
        if (mine(spec.ranks!.place[r]!)) loop.model.ranks!.summary(r, into, r * spec.ranks!.summary)
    },
    sent: loop.model.routers.sent,
    waits: loop.model.routers.waits,
    chunks(visit) {
      const lists = new Map<number, { slot: number; waits: boolean }>()
      loop.model.routers.queues((chunk, slot, waits) => lists.set(chunk, { slot, waits }))
      for (let e = stride; e < loop.recordsTo(); e += stride) if (isChunk(e)) visit(chunkAt(e, lists.get(e)))
    },
    chunk: (e) => (e < loop.recordsTo() && isChunk(e) ? chunkAt(e, undefined) : undefined),
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
    created(t) {
      let sum = 0
      for (let e = 0; e < graph.ends; e++) if (mine(e)) sum += loop.model.terminals.created(e, t)
      return sum
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
    save,
    restore,
    start: () => begin(mine),
    warmUp(until, events) {
      // columns of channels and endpoints are touched all over: not worth it where that is a lot of memory for each worker
      if (worker === undefined || 4 * (mem.length - rest) > MOST_WARM) return
      const state = save()
      warmUp(worker, () => begin(() => true), until, events)
      facts.flush()
      restore(state)
    },
  }
}

function layoutOf(laid: ReturnType<typeof layMachine>): Record<string, number> {
  const { vcBits, entries, scratch, stride, memory, cold, waited, own, most, entrySlots } = laid
  return { own, vcBits, entries, entrySlots, scratch, stride, cold, waited, most, words: memory.size }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}
