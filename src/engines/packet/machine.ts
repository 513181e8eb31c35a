// Assembles one packet simulation, or one worker's part of a parallel one. `makeMachine` lays out the memory, creates
// the event loop (kernel.ts) and the credits, and builds the switch and the endpoints on them.
// compile/packet/machine.ts supplies these models; run/ drives the result.
//
// All state lives in one Int32Array (memory.ts). A chunk in flight is a record that serves as its own event. A record
// consists of several columns with the same stride, so that an offset such as `cold` leads from one to the next:
//   `0`       Hot words: time, key, link, state and routing scratch. Every event reads them.
//   `cold`    Words that only endpoints and reports read: source, size, creation time.
//   `waited`  Time that the chunk was stalled for credits. It is valid only if STATE has the bit WAITED.
//   `own`     Words of ranks of parallel programs. The column exists only if there are ranks.
//
// A logical process (LP) is a router together with its endpoints (`merged`), or a router or an endpoint alone.
// Conservative modes use the credits of credits.ts. The optimistic mode uses those of credit-lists.ts.
import { bitsFor } from "../../core/bitset.ts"
import { warmUpJit } from "../../core/jit-warmup.ts"
import {
  ARRIVE,
  BYTES,
  COLD_WORDS,
  CREATED,
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
import { makeDeliveryRecords, RECORD, writeRecord } from "./delivery-records.ts"
import { MOST_WARM, warmUp } from "./jit-warmup.ts"
import { type Loop, makeLoop } from "./kernel.ts"
import { EPOCH, Memory } from "./memory.ts"
import { makePacketRankAdapter, type PacketRankAdapter } from "./rank-adapter.ts"
import { joined, type PartState, packWords, partOf, type Range, unpackWords } from "./state.ts"
import { PacketView } from "./view.ts"
import { makeWorker, type Remote, type Side, type WorkerLoop } from "./worker.ts"

/** The services that the engine offers to the switch and the endpoints. */
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
  /** adapter between ranks of parallel programs and the endpoints; absent if there are no ranks */
  readonly rankAdapter: Seat | undefined
}

export interface Parts {
  /** Reserves the columns of the switch. Returns the function that builds it. */
  switch(memory: Reserve, vcBits: number): { make(site: MachineSite, terminals: Terminals): PacketSwitch }
  terminals(memory: Reserve): { make(site: MachineSite): Terminals }
}

export interface MachineSpec {
  readonly graph: Graph
  readonly seed: number
  readonly vcs: number
  readonly scratch: number
  readonly candidates: number
  /** [slot] -> capacity in chunks; the slots of channels come first, then one slot for each entry */
  capacity(slots: number, vcBits: number): Uint16Array
  readonly chunkFlits: number
  readonly flitBytes: number
  /** maximum number of chunks in flight */
  readonly records: number
  /**
   * ps before the present for which an endpoint may query its credits, because its next transmission may have started
   * that long ago
   */
  readonly lookBack: number
  /** an endpoint belongs to the LP of its router; otherwise it is a separate LP */
  readonly merged: boolean
  readonly shift: number
  readonly slots: number
  /** ranks of parallel programs */
  readonly ranks?: RankLayer | undefined
  /** Receives rows of delivery records: RECORD.words words each. */
  drain(rows: Int32Array, count: number): void
}

/** A chunk in flight; times are in ps since the start. */
export interface ChunkNow {
  /** its record; the record is reused after delivery */
  readonly id: number
  readonly uid: number
  readonly from: number
  readonly to: number
  readonly stream: number
  readonly bytes: number
  readonly createdAt: number
  readonly sent: number
  readonly hops: number
  /** ps that it was stalled for credits, without a stall that has not ended yet */
  readonly waited: number
  /**
   * slot (channel and VC) whose queue holds it, and whether it waits there for credits; otherwise -1, and `into` and
   * `arrives` show its next arrival
   */
  readonly slot: number
  readonly waits: boolean
  /** the slot that it came through; it occupies the buffer there until it gets a credit of the next slot */
  readonly up: number
  /** next input port and arrival time; -1 while it is in a queue or at its endpoint */
  readonly into: number
  readonly arrives: number
}

export type VisitChunk = (chunk: ChunkNow) => void

export interface Machine extends Loop {
  readonly graph: Graph
  /** Visits every chunk that has left its source and has not arrived. Call it only at a common time. */
  chunks(visit: VisitChunk): void
  /** Returns one of them, without its queue. */
  chunk(id: number): ChunkNow | undefined
  /** Passes the delivery records that are certain to `drain`. */
  flush(): void
  /**
   * Simulates the whole network in this thread until `until` ps or for this many events, then restores the state. Only
   * delivery records remain. Call it before start() or restore() (jit-warmup.ts).
   */
  warmUp(until: number, events: number): void
  /** Schedules the first events of the endpoints (of this worker). */
  start(): void
  /** words of memory */
  readonly words: number
  /** Returns true if a chunk or a message that was created before `t` ps has not arrived. */
  open(t: number): boolean
  /**
   * Returns the bytes that the first `streams` streams of this worker's endpoints created before `t` ps, the present.
   */
  created(t: number, streams: number): number
  /** flits sent so far on a channel that this worker owns */
  sent(chan: number): number
  /** rows of WAIT: chunks at this worker's routers that are stalled for credits */
  waits(): Int32Array
  /**
   * ranks of this worker that have finished; `summaries` writes the report words of all its ranks, at rank * summary
   * words
   */
  finished(): number
  summaries(into: Int32Array): void
  /** the synchronisation interface of this worker; present if there are several workers or the mode is optimistic */
  readonly worker: WorkerLoop<unknown> | undefined
  /** Sizes and offsets of the columns, by name. A saved state fits a machine with the same layout. */
  readonly layout: Readonly<Record<string, number>>
  /**
   * Returns the complete state from which the simulation continues; call it at a common time, after flush(). `restore`
   * replaces start().
   */
  save(): PartState
  restore(state: PartState): void
}

/** maximum number of extra records of an optimistic worker, for events that may be undone */
const MOST_KEPT = 1 << 16

/** Computes the offsets of all columns without allocating memory, so that `machineWords` can estimate the size. */
function layMachine(spec: MachineSpec, parts: Parts, optimistic: boolean) {
  const { graph } = spec
  const vcBits = bitsFor(spec.vcs)
  const entrySlots = graph.chans << vcBits
  const entries = graph.ends * graph.rails
  const slots = entrySlots + entries
  const scratch = Math.max(1, spec.scratch)
  const stride = Math.max(spec.ranks === undefined ? COLD_WORDS : OWN_WORDS, 1 << bitsFor(SCRATCH + scratch))
  const memory = new Memory()
  // Records for undoable events are added to those for chunks in flight. A shortage of records then limits optimism and
  // does not stop the run.
  const pool = spec.records + (optimistic ? Math.min(spec.records, MOST_KEPT) : 0)
  const column = (pool + 1) * stride
  memory.reserve(column)
  const cold = memory.reserve(column)
  // A separate column because few chunks stall: untouched pages cost nothing.
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

/**
 * Returns the words of a machine's memory, and how many of them are chunk records. Only the records that are used touch
 * memory, so this part grows with the number of chunks in flight.
 */
export function machineWords(spec: MachineSpec, parts: Parts): { readonly words: number; readonly records: number } {
  const { memory, records } = layMachine(spec, parts, false)
  return { words: memory.size, records }
}

/**
 * Builds a machine. With `side`, it is one worker of a parallel run; an optimistic worker has `side.logWords`.
 * The order is fixed: layout, memory, kernel, credits, view, rank adapter, terminals, switch. The kernel comes first
 * because each part copies its functions into constants, which lets V8 inline them.
 */
export function makeMachine(spec: MachineSpec, parts: Parts, side?: Side): Machine {
  const { graph } = spec
  const optimistic = side?.logWords !== undefined
  const laid = layMachine(spec, parts, optimistic)
  const {
    vcBits,
    entrySlots,
    entries,
    scratch,
    stride,
    memory,
    cold,
    waited,
    capacity,
    most,
    rings,
    lists,
    switchPart,
    terminalPart,
  } = laid
  const { column, own, rankPart, opened } = laid
  const least = capacity.reduce((a, b) => Math.min(a, b), most)
  const mem = memory.allocate()

  const records = makeDeliveryRecords(spec.drain, optimistic)
  // The LP that owns each entry. A merged endpoint shares the LP of the router that its first rail enters.
  const { batch } = records
  const endLp = new Int32Array(entries)
  for (let i = 0; i < entries; i++) {
    endLp[i] = spec.merged ? graph.routerOf[graph.entry[i]] : graph.routers + Math.floor(i / graph.rails)
  }
  const { routerOf } = graph
  const lpOfSlot = (slot: number): number => (slot < entrySlots ? routerOf[slot >> vcBits] : endLp[slot - entrySlots])

  const halves = own === 0 ? [0, cold, waited] : [0, cold, waited, own]
  const rest = halves[halves.length - 1] + column
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

  /** Creates the credits of this mode. `remote` sends a credit to the worker that owns the slot. */
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

  /** Builds the model on the kernel. It is called once, by makeLoop or makeWorker. */
  function build(
    kernel: Kernel,
    remote?: Remote,
  ): Handler & {
    terminals: Terminals
    routers: PacketSwitch
    ranks: Ranks | undefined
    rankAdapter: PacketRankAdapter | undefined
  } {
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
    // An optimistic worker keeps the row of an uncertain delivery until the commit; a rollback frees it.
    function deliver(c: number, t: number): void {
      if (!optimistic || !remote!.keeps()) {
        writeRecord(batch, records.next() * RECORD.words, mem, c, cold, waited, mem[c + DST], t, epoch())
        return
      }
      const row = records.row()
      writeRecord(records.rows(), row * RECORD.words, mem, c, cold, waited, mem[c + DST], t, epoch())
      remote!.record(row)
    }
    const layer = spec.ranks
    const rankAdapter =
      layer === undefined
        ? undefined
        : makePacketRankAdapter(kernel, {
            own,
            cold,
            opened,
            place: layer.place,
            stream: layer.stream,
            merged: spec.merged,
          })
    const ranks = rankAdapter === undefined ? undefined : rankPart!.make(rankAdapter.host)
    const site: MachineSite = {
      kernel,
      credits,
      view,
      candidates: new Candidates(spec.candidates),
      cold,
      waited,
      vcBits,
      deliver,
      rankAdapter,
    }
    const terminals = terminalPart.make(site)
    const routers = switchPart.make(site, terminals)
    const { arrive, send, wake } = routers
    const { woken } = credits
    const rails = graph.rails

    // ARRIVE is by far the most frequent class, so it is dispatched without the table.
    function handle(e: number, t: number, key: number): void {
      if (classOf(key) === ARRIVE) arrive(e, t, key & NUMBER)
      else others[key >>> 28](e, t, key & NUMBER)
    }

    // A wake-up may be outdated, because an earlier credit has ended the stall: `woken` checks that.
    function wakeEvent(e: number, t: number, slot: number): void {
      release(e)
      if (!woken(slot, t)) return
      if (slot < entrySlots) wake(slot, t)
      else terminals.wake(slot - entrySlots, t)
    }

    /**
     * [class >>> 28] -> handler. The last two do nothing and exist for the JIT warm-up. A table keeps the call
     * polymorphic: a class that occurs late in a run does not deoptimise `handle`.
     */
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
    // Events far in the future are relayed in steps (rank-adapter.ts), because times are 32-bit offsets.
    function rankEvent(e: number, t: number, kind: number, n: number): void {
      if (rankAdapter!.early(e, t, kind | n)) return
      if (kind === HAND) terminals.handed(e, t, n)
      else {
        const whole = rankAdapter!.complete(e, n)
        if (whole !== 0) ranks!.event(whole, n, rankAdapter!.now(t))
      }
    }

    // Returns the LP that must execute an event; the kernel sorts and routes events by it.
    function lpOf(key: number): number {
      const n = key & NUMBER
      const kind = classOf(key)
      if (kind === ARRIVE || kind === SEND) return routerOf[n]
      if (kind === WAKE) return n < entrySlots ? routerOf[n >> vcBits] : endLp[n - entrySlots]
      if (kind === RANK) return endLp[layer!.place[n] * rails]
      return endLp[kind === INJECT ? n : n * rails]
    }
    /**
     * Runs each branch once with values that have no effect, so that V8 does not specialise on the first ones it sees.
     */
    function goAllWays(): void {
      handle(0, 0, 8 << 28)
      handle(0, 0, 9 << 28)
      lpOf(WAKE)
      lpOf(WAKE | entrySlots)
      lpOf(ARRIVE)
      lpOf(INJECT)
      lpOf(ISSUE)
      mem[STATE] = WAITED
      writeRecord(batch, 0, mem, 0, cold, waited, 0, 0, 0)
      mem[STATE] = 0
    }
    warmUpJit(goAllWays)
    return { handle, lpOf, terminals, routers, ranks, rankAdapter }
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
            rollbackCheck: {
              halves,
              rest,
              tidy: () => listed!.tidy(),
              settle: (copy) => listed!.settle(copy),
            },
            voidRecord: records.free,
            commitRecord: records.commit,
          },
          side,
          build,
        )
  const loop = worker ?? makeLoop(plan, build)

  // Each mode has exactly one of the two credit implementations.
  const kept = () => (ringed ?? listed)!
  /**
   * memory that may be non-zero: each column up to the last record that was ever used, and everything after the records
   */
  const ranges = (): Range[] => [...halves.map((half): Range => [half, half + loop.recordsTo()]), [rest, mem.length]]

  const mine = (e: number) => side === undefined || side.owner[endLp[e * graph.rails]] === side.me

  const isChunk = (e: number): boolean => mem[e + KEY] !== -1 && classOf(mem[e + KEY]) === ARRIVE

  /** Describes the chunk of record e. `list`: the queue that holds it, if known. */
  function chunkAt(e: number, list: { readonly slot: number; readonly waits: boolean } | undefined): ChunkNow {
    const k = e + cold
    const state = mem[e + STATE]
    return {
      ...{
        id: e,
        uid: mem[e + UID],
        from: mem[k + SRC],
        to: mem[e + DST],
        stream: mem[k + STREAM],
        bytes: mem[k + BYTES],
      },
      createdAt: (mem[k + EPOCHS] >>> 16) * EPOCH + mem[k + CREATED],
      sent: (mem[k + EPOCHS] & 0xffff) * EPOCH + mem[k + SENT],
      hops: state & HOPS,
      waited: (state & WAITED) === 0 ? 0 : mem[e + waited],
      ...{ slot: list?.slot ?? -1, waits: list?.waits ?? false, up: mem[e + UP] },
      into: list === undefined ? mem[e + KEY] & NUMBER : -1,
      arrives: list === undefined ? loop.base() + mem[e + TIME] : -1,
    }
  }

  /**
   * Schedules the first events of the selected endpoints and of their ranks, and forgets the log that this produced.
   */
  function begin(theirs: (e: number) => boolean): void {
    for (let e = 0; e < graph.ends; e++) if (theirs(e)) loop.model.terminals.start(e)
    if (spec.ranks !== undefined)
      for (let r = 0; r < spec.ranks.ranks; r++) if (theirs(spec.ranks.place[r])) loop.model.ranks!.start(r)
    loop.history?.reset()
  }

  function save(): PartState {
    return joined({ loop: loop.save(), credits: kept().save(), memory: packWords(mem, ranges()) })
  }

  // The ranges are taken before the loop is restored, so that words of the present state are cleared as well.
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
      for (let r = 0; r < (spec.ranks?.ranks ?? 0); r++)
        if (mine(spec.ranks!.place[r]) && loop.model.ranks!.finished(r)) n++
      return n
    },
    summaries(into) {
      for (let r = 0; r < (spec.ranks?.ranks ?? 0); r++)
        if (mine(spec.ranks!.place[r])) loop.model.ranks!.summary(r, into, r * spec.ranks!.summary)
    },
    sent: loop.model.routers.sent,
    waits: loop.model.routers.waits,
    chunks(visit) {
      const lists = new Map<number, { slot: number; waits: boolean }>()
      loop.model.routers.queues((chunk, slot, waits) => lists.set(chunk, { slot, waits }))
      for (let e = stride; e < loop.recordsTo(); e += stride) if (isChunk(e)) visit(chunkAt(e, lists.get(e)))
    },
    chunk: (e) => (e < loop.recordsTo() && isChunk(e) ? chunkAt(e, undefined) : undefined),
    // A chunk is open if its record or a message at its endpoint is older than t. Creation times are pairs of epoch and
    // offset.
    open(t) {
      const epoch = Math.floor(t / EPOCH)
      const rest = t - epoch * EPOCH
      for (let e = stride; e < loop.recordsTo(); e += stride) {
        const kind = classOf(mem[e + KEY])
        if (mem[e + KEY] === -1 || (kind !== ARRIVE && kind !== INJECT)) continue
        const createdAt = mem[e + cold + EPOCHS] >>> 16
        if (createdAt < epoch || (createdAt === epoch && mem[e + cold + CREATED] < rest)) return true
      }
      for (let e = 0; e < graph.ends; e++) if (mine(e) && loop.model.terminals.behind(e, epoch, rest)) return true
      return false
    },
    created(t, streams) {
      let sum = 0
      for (let e = 0; e < graph.ends; e++) if (mine(e)) sum += loop.model.terminals.created(e, t, streams)
      return sum
    },
    words: memory.size,
    flush: records.flush,
    layout: {
      ...layoutOf(laid),
      records: spec.records,
      lps: plan.lps,
      shift: plan.shift,
      slots: plan.slots,
      optimistic: optimistic ? 1 : 0,
      worker: side?.me ?? 0,
      workers: side?.channels.workers ?? 1,
    },
    save,
    restore,
    start: () => begin(mine),
    warmUp(until, events) {
      // The warm-up touches the columns of all channels and endpoints. It is skipped where that would cost each worker
      // much memory.
      if (worker === undefined || 4 * (mem.length - rest) > MOST_WARM) return
      const state = save()
      warmUp(worker, () => begin(() => true), until, events)
      records.flush()
      restore(state)
    },
  }
}

/** Returns the numbers that a saved state must have in common with the machine that restores it. */
function layoutOf(laid: ReturnType<typeof layMachine>): Record<string, number> {
  const { vcBits, entries, scratch, stride, memory, cold, waited, own, most, entrySlots } = laid
  return { own, vcBits, entries, entrySlots, scratch, stride, cold, waited, most, words: memory.size }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}
