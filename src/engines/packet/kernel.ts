// The event loop of the packet engine, shared by all synchronisation modes. It stores pending events in a timing wheel
// (wheel.ts), executes them bucket by bucket, and passes events for other workers to channels.ts. machine.ts and
// phold.ts build their models on the `Kernel` that `makeLoop` creates.
//
// Order of events. The total order is (time, class, destination, source, sequence). Class and destination form the key,
// word 1 of a record. Words 3 and 4 order records with equal time and key. Results therefore do not depend on the
// number of workers or on the order of messages.
//
// Buckets. A logical process (LP) is a router with its endpoints. LPs affect one another only through events that lie
// at least one bucket ahead. Inside a bucket, only the order within each LP matters. `deal` splits a bucket into one
// sorted list for each LP, and `runChain` executes these lists one after the other. Most lists have one event and need
// no comparison.
//
// Optimistic mode. The same loop records undo information in history.ts. `undo` is a constant, so the other modes pay
// nothing. A rollback can only affect events of later buckets, so messages of other workers are accepted between
// buckets.
import { warmUpJit } from "../../core/jit-warmup.ts"
import { type Handler, KEY, type Kernel, NEXT, TIME } from "../../model/events.ts"
import { type History, makeHistory } from "./history.ts"
import { EPOCH, moveBack } from "./memory.ts"
import { makeRollbackCheck, type RollbackCheckPlan } from "./rollback-check.ts"
import { joined, numberOf, type PartState, partOf } from "./state.ts"
import { makeWheel } from "./wheel.ts"

/** records that the JIT warm-up sorts */
const FEW = 16

export interface KernelPlan {
  readonly mem: Int32Array
  /** words of one record */
  readonly stride: number
  /** records start at word `stride` and end before this word */
  readonly recordsEnd: number
  /**
   * optimistic: number of records in use above which only certain events are executed (default: three quarters of all)
   */
  readonly enough?: number
  readonly lps: number
  /** log2 of the bucket width in ps: at most the shortest delay between two LPs */
  readonly shift: number
  readonly slots: number
  /** Moves the times in the model's columns back by one epoch. */
  rebase(): void
  /** [lp] -> worker; only if there is more than one worker */
  readonly owner?: Uint8Array
  readonly me?: number
  /**
   * Sends an event to the worker that owns its LP. The record remains with the caller. Returns the number of the
   * message.
   */
  post?(to: number, e: number, t: number, key: number): number
  /** optimistic: initial size of the log and the hooks that undo external effects */
  readonly warp?: WarpPlan
}

export interface WarpPlan {
  readonly logWords: number
  /** debug: each event is executed, undone and executed again, and memory is compared */
  readonly rollbackCheck?: RollbackCheckPlan
  cancel(to: number, n: number, t: number): void
  dropCredit(slot: number, t: number): void
  voidRecord(row: number): void
  commitRecord(row: number): void
}

export interface Loop extends Kernel {
  /** log2 of the bucket width; maximum number of ps by which the clock can be set back */
  readonly shift: number
  readonly reach: number
  /**
   * Executes every event before time `until` (since the epoch; a multiple of the bucket width). Optimistic: executes at
   * most `most` buckets. `certain` declares that no rollback can reach them, so no undo information is stored.
   */
  run(until: number, most?: number, certain?: boolean): void
  /** ps of all epochs that have ended */
  base(): number
  /** events executed */
  events(): number
  pending(): number
  overflowed(): number
  /** Returns a lower bound on the time of all pending events, at most `limit`. */
  earliest(limit: number): number
  /** Schedules a record that comes from another worker. */
  file(e: number, t: number, key: number): void
  /** Moves the epoch. Call it between two runs, after the clock has passed the epoch. */
  rebase(): void
  readonly history: History | undefined
  /** optimistic: the running event may be undone later */
  keeps(): boolean
  /** Returns true if few records are free. The caller should then compute a new common time, which frees records. */
  scarce(): boolean
  /** records in use: chunks in flight and pending events */
  inUse(): number
  /** offset after the last record that was ever used; a free record has key -1 */
  recordsTo(): number
  /** Returns the state outside `mem`. Call it at a common time: nothing is running and nothing can be undone. */
  save(): PartState
  restore(state: PartState): void
}

/**
 * Creates the loop; `build` creates the model on its kernel. An isolate has one loop and one model, so that V8 treats
 * their captured variables as constants.
 */
export function makeLoop<M extends Handler>(
  plan: KernelPlan,
  build: (kernel: Kernel) => M,
): Loop & { readonly model: M } {
  const { mem, stride, recordsEnd, shift, owner, post, warp } = plan
  const me = plan.me ?? 0
  // first[lp] is the head of the LP's list in the open bucket (0: empty). order[] lists the LPs that have one.
  const alone = owner === undefined
  const undo = warp !== undefined
  const wheel = makeWheel(mem, shift, plan.slots, undo ? plan.slots >> 1 : plan.slots)
  const { link, open, took, current } = wheel
  const first = new Int32Array(plan.lps)
  const order = new Int32Array(plan.lps)
  let chain = 0
  let lpNow = -1
  /** time and key of the running event; a lower bound for events that are inserted into its LP's list */
  let now = 0
  let keyNow = 0
  let free = 0
  let fresh = stride
  let events = 0
  let epoch = 0
  let used = 0
  /** the running event may be undone, so its effects are logged */
  let keeps = false
  const enough = plan.enough ?? Math.floor((0.75 * recordsEnd) / stride)
  /** Allocates a record: a free one, otherwise the next that was never used. */

  function alloc(): number {
    const e = free
    if (e !== 0) free = mem[e + NEXT]
    const f = e !== 0 ? e : take()
    used++
    if (undo && keeps) history!.allocated(f)
    return f
  }

  function take(): number {
    const f = fresh
    if (f + stride > recordsEnd) throw new OutOfRecords()
    fresh = f + stride
    return f
  }

  // A record that is released by an undoable event stays allocated until the commit, because a rollback restores it.
  function release(e: number): void {
    if (undo && keeps) history!.released(e)
    else freeNow(e)
  }

  function freeNow(e: number): void {
    used--
    mem[e + KEY] = -1
    mem[e + NEXT] = free
    free = e
  }

  /** Schedules record e. It goes to another worker, to a later bucket, or into the list of the running LP. */
  function push(e: number, t: number, key: number): void {
    if (!alone) {
      const lp = lpOf(key)
      const w = owner[lp]
      // An LP's events to itself stay here even if another worker owns the LP, because a warming-up worker runs all
      // LPs.
      if (w !== me && lp !== lpNow) {
        if (t >> shift <= current()) throw tooSoon(e, t, key)
        const n = post!(w, e, t, key)
        if (undo && keeps) history!.sent(w, n)
        release(e)
        return
      }
    }
    // Start-up code (lpNow < 0) is not undone. An event for a later bucket may precede what its LP has already
    // executed, so `file` checks that.
    if (undo) {
      if (lpNow < 0) {
        file(e, t, key)
        return
      }
      if (keeps) history!.pushed(e, t, key)
      if (t >> shift > current()) {
        file(e, t, key)
        return
      }
    }
    mem[e + TIME] = t
    mem[e + KEY] = key
    if (t >> shift > current()) link(e, t)
    else insert(e, key)
  }

  /**
   * Schedules an event from outside the running LP. Its LP may be ahead of t; then the later events are undone first.
   */
  function file(e: number, t: number, key: number): void {
    if (!undo && t >> shift <= current()) throw tooSoon(e, t, key)
    if (undo) {
      const lp = lpOf(key)
      if (history!.isPast(lp, t, key)) history!.rollback(lp, t, key)
    }
    mem[e + TIME] = t
    mem[e + KEY] = key
    // Bucket numbers below `current` are reopened: the clock moves back to just before this event.
    if (t >> shift <= current()) wheel.back((t >> shift) - 1)
    link(e, t)
  }

  /**
   * Inserts a record into the list of the running LP. It must not precede the running event or belong to another LP.
   */
  function insert(e: number, key: number): void {
    const t = mem[e + TIME]
    if (lpOf(key) !== lpNow || t < now || (t === now && key < keyNow)) throw tooSoon(e, t, key)
    if (chain === 0 || before(e, chain)) {
      mem[e + NEXT] = chain
      chain = e
    } else sortInto(chain, e)
  }

  /** Returns the error for a violation of the look-ahead: an event is too early for the total order to hold. */
  function tooSoon(e: number, t: number, key: number): Error {
    const what = `record ${e} of key ${key} is scheduled for LP ${lpOf(key)} at ${t} ps`
    return lpNow < 0
      ? new Error(`${what}, where the clock is past ${current() << shift} ps`)
      : new Error(
          `${what} by LP ${lpNow} at ${now} ps (key ${keyNow}): no earlier event, ` +
            `and none of another LP within ${1 << shift} ps`,
        )
  }

  /** The total order of events within an LP: time, key, source, sequence. */
  function before(a: number, b: number): boolean {
    const t = mem[a] - mem[b]
    if (t !== 0) return t < 0
    const k = mem[a + 1] - mem[b + 1]
    if (k !== 0) return k < 0
    const s = mem[a + 3] - mem[b + 3]
    return s !== 0 ? s < 0 : mem[a + 4] < mem[b + 4]
  }

  /** Inserts `e` into the sorted list after `at`, which precedes it. */
  function sortInto(at: number, e: number): void {
    for (;;) {
      const next = mem[at + NEXT]
      if (next === 0 || before(e, next)) {
        mem[e + NEXT] = next
        mem[at + NEXT] = e
        return
      }
      at = next
    }
  }

  /**
   * Removes a record from the list of the running LP; the rollback check undoes an event before its bucket has ended.
   */
  function unchain(e: number): boolean {
    let before = 0
    for (let x = chain; x !== 0 && x !== e; x = mem[x + NEXT]) before = x
    if ((before === 0 ? chain : mem[before + NEXT]) !== e) return false
    if (before === 0) chain = mem[e + NEXT]
    else mem[before + NEXT] = mem[e + NEXT]
    return true
  }

  /** Distributes the records of a bucket to the sorted lists of their LPs. Returns the number of LPs. */
  function deal(list: number): number {
    let n = 0
    let count = 0
    for (let e = list; e !== 0; ) {
      const next = mem[e + NEXT]
      const lp = lpOf(mem[e + KEY])
      const f = first[lp]
      count++
      if (f === 0) {
        mem[e + NEXT] = 0
        first[lp] = e
        order[n++] = lp
      } else if (before(e, f)) {
        mem[e + NEXT] = f
        first[lp] = e
      } else sortInto(f, e)
      e = next
    }
    took(count)
    return n
  }

  /** Executes the events of one LP in this bucket, including those that it adds meanwhile. */
  function runChain(): void {
    do {
      const e = chain
      chain = mem[e + NEXT]
      events++
      const t = mem[e + TIME]
      const key = mem[e + KEY]
      now = t
      keyNow = key
      if (undo && rollbackCheck !== undefined) rollbackCheck(e, t, key, lpNow)
      if (undo && keeps) history!.begin(e, t, key, lpNow)
      handle(e, t, key)
      if (undo) {
        if (keeps) history!.finish()
        else history!.passed()
      }
    } while (chain !== 0)
  }

  // `until` is exclusive. An optimistic worker returns after `most` buckets to read its messages, and stops early if
  // records become scarce. At least one bucket is executed, so each call makes progress.
  function run(until: number, most = 0x7fffffff, certain = false): void {
    const limit = until >> shift
    keeps = undo && (!certain || rollbackCheck !== undefined)
    for (let buckets = 0; !undo || buckets < most; buckets++) {
      if (undo && keeps && buckets > 0 && used > enough) break
      const list = open(limit)
      if (list === 0) break
      const n = deal(list)
      for (let i = 0; i < n; i++) {
        const lp = order[i]
        lpNow = lp
        chain = first[lp]
        first[lp] = 0
        runChain()
      }
    }
    lpNow = -1
    keeps = false
  }

  const kernel: Kernel = {
    mem,
    alloc,
    release,
    push,
    epoch: () => epoch,
    since: () => current() << shift,
    undo,
    note: (i) => {
      if (undo && keeps) history!.note(i)
    },
    noteRange: (i, count) => {
      if (undo && keeps) history!.noteRange(i, count)
    },
  }
  const model = build(kernel)
  const { handle, lpOf } = model
  const history =
    warp === undefined
      ? undefined
      : makeHistory(mem, wheel, shift, plan.lps, warp.logWords, { ...warp, lpOf, free: freeNow, unchain })
  const rollbackCheck =
    warp?.rollbackCheck === undefined
      ? undefined
      : makeRollbackCheck(mem, stride, () => fresh, warp.rollbackCheck, handle, history!)

  /** Sorts records that differ in one word each, then clears them. This compiles every branch of `before`. */
  function sortSome(): void {
    let list = 0
    for (let i = 1; i <= FEW; i++) {
      const e = i * stride
      const x = (i * 5) % FEW
      mem[e + TIME] = x >> 3
      mem[e + KEY] = (x >> 2) & 1
      mem[e + 3] = (x >> 1) & 1
      mem[e + 4] = x & 1
      mem[e + NEXT] = list
      list = e
    }
    const n = deal(list)
    for (let i = 0; i < n; i++) first[order[i]] = 0
    took(-FEW)
    mem.fill(0, stride, (FEW + 1) * stride)
  }
  if ((FEW + 1) * stride <= recordsEnd) warmUpJit(sortSome)

  return {
    ...kernel,
    model,
    shift,
    reach: undo ? (plan.slots >> 1) << shift : 0,
    keeps: () => keeps,
    history,
    run,
    file,
    base: () => epoch * EPOCH,
    events: () => events,
    pending: wheel.pending,
    overflowed: wheel.overflowed,
    earliest: wheel.earliest,
    inUse: () => used,
    scarce: () => used > enough,
    recordsTo: () => fresh,
    // Free records keep the key -1; moving their time word as well is harmless.
    rebase() {
      moveBack(mem, stride + TIME, fresh, stride)
      wheel.rebase()
      plan.rebase()
      epoch++
    },
    save() {
      const own = { numbers: { free, fresh, events, epoch, used }, columns: {} }
      return joined({ loop: own, wheel: wheel.save(), ...(history === undefined ? {} : { history: history.save() }) })
    },
    restore(state) {
      const own = partOf(state, "loop")
      free = numberOf(own, "free")
      fresh = numberOf(own, "fresh")
      events = numberOf(own, "events")
      epoch = numberOf(own, "epoch")
      used = numberOf(own, "used")
      wheel.restore(partOf(state, "wheel"))
      history?.restore(partOf(state, "history"))
    },
  }
}

/** More chunks are in flight than the pool of records can hold. */
export class OutOfRecords extends RangeError {
  constructor() {
    super("allocation of a record: more chunks are in flight than the pool of records can hold")
  }
}
