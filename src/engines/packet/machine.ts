// Assembles one packet simulation, or one worker's part of a parallel one. `makeMachine` lays out the memory
// (machine-layout.ts), creates the event loop (kernel.ts) and the credits, and builds the switch and the endpoints on
// them. compile/packet/machine.ts supplies these models; run/ drives the result.
//
// A logical process (LP) is a router together with its endpoints (`merged`), or a router or an endpoint alone.
// Conservative modes use the credits of credits.ts. The optimistic mode uses those of credit-lists.ts.
import { warmUpJit } from "../../core/jit-warmup.ts"
import {
  ARRIVE,
  BYTES,
  COLD_WORDS,
  CREATED,
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
import { Candidates } from "../../model/routing.ts"
import { OWN_WORDS, type Ranks } from "../../model/workload.ts"
import { type ListedCredits, makeLists } from "./credit-lists.ts"
import { makeRings, type RingCredits, type WakingCredits } from "./credits.ts"
import { makeDeliveryRecords, RECORD, writeRecord } from "./delivery-records.ts"
import { MOST_WARM, warmUp } from "./jit-warmup.ts"
import { makeLoop } from "./kernel.ts"
import { layMachine, MOST_KEPT } from "./machine-layout.ts"
import type { ChunkNow, Machine, MachineSite, MachineSpec, Parts } from "./machine-types.ts"
import { EPOCH } from "./memory.ts"
import { makePacketRankAdapter, type PacketRankAdapter } from "./rank-adapter.ts"
import { joined, type PartState, packWords, partOf, type Range, unpackWords } from "./state.ts"
import { PacketView } from "./view.ts"
import { makeWorker, type Remote, type Side } from "./worker.ts"

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
    // One literal without parts: an observer requests all chunks of the network in each cycle.
    return {
      id: e,
      uid: mem[e + UID],
      from: mem[k + SRC],
      to: mem[e + DST],
      stream: mem[k + STREAM],
      bytes: mem[k + BYTES],
      createdAt: (mem[k + EPOCHS] >>> 16) * EPOCH + mem[k + CREATED],
      sent: (mem[k + EPOCHS] & 0xffff) * EPOCH + mem[k + SENT],
      hops: state & HOPS,
      waited: (state & WAITED) === 0 ? 0 : mem[e + waited],
      slot: list?.slot ?? -1,
      waits: list?.waits ?? false,
      up: mem[e + UP],
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
