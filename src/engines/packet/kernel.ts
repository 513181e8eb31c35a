// The event loop of all modes.
//
// Total order: (time, class, destination, source, sequence). Class and destination are the key (word 1 of a record); records with the
// same time and key are told apart by words 3 and 4. Logical processes (LPs: a router with what hangs on it) meet only through events
// that lie at least one bucket ahead, so inside a bucket only the order of each LP's own events matters: the bucket is dealt out to its
// LPs and each LP runs its own, sorted. An LP with one event, the usual case, compares nothing.
//
// The optimistic mode is the same loop with a history (history.ts): `undo` is a constant, so the other modes pay nothing for it. Within a bucket
// nothing can be rolled back but what lies in later buckets, so messages of other workers are taken between buckets.
import { seenBeforehand } from "../../core/beforehand.ts"
import { type Handler, KEY, type Kernel, NEXT, TIME } from "../../model/events.ts"
import { type History, makeHistory } from "./history.ts"
import { EPOCH, moveBack } from "./memory.ts"
import { makeRehearsal, type RehearsalPlan } from "./rehearsal.ts"
import { joined, numberOf, type PartState, partOf } from "./state.ts"
import { makeWheel } from "./wheel.ts"

/** records that are sorted beforehand */
const FEW = 16

export interface KernelPlan {
  readonly mem: Int32Array
  /** words of one record */
  readonly stride: number
  /** records start at word `stride` and end before this word */
  readonly recordsEnd: number
  /** optimistic: records in use above which only what is certain is run; three quarters of all if left out */
  readonly enough?: number
  readonly lps: number
  /** log2 of the bucket width in ps: at most the shortest delay between two LPs */
  readonly shift: number
  readonly slots: number
  /** Moves the model's own times back by one epoch. */
  rebase(): void
  /** [lp] -> worker, when there is more than one */
  readonly owner?: Uint8Array
  readonly me?: number
  /** Hands an event over to the worker that owns its LP; the record stays with the caller. Answers the number of the message. */
  post?(to: number, e: number, t: number, key: number): number
  /** optimistic: words of the log to begin with, and what else must be taken back */
  readonly warp?: WarpPlan
}

export interface WarpPlan {
  readonly logWords: number
  /** debug: every event is run, undone and run again, and memory is compared */
  readonly rehearse?: RehearsalPlan
  cancel(to: number, n: number, t: number): void
  dropCredit(slot: number, t: number): void
  voidFact(row: number): void
  commitFact(row: number): void
}

export interface Loop extends Kernel {
  /** log2 of the bucket width; ps that the clock may be set back */
  readonly shift: number
  readonly reach: number
  /** Runs every event before time `until` (since the epoch; a multiple of the bucket width); optimistic: at most `most` buckets, and whether all of
   *  them are certain, so that nothing of them need be kept. */
  run(until: number, most?: number, certain?: boolean): void
  /** ps of the epochs passed */
  base(): number
  /** events executed */
  events(): number
  pending(): number
  overflowed(): number
  /** no event is pending before it; `limit` if none before that */
  earliest(limit: number): number
  /** Schedules a record that comes from outside the loop. */
  file(e: number, t: number, key: number): void
  /** Moves the epoch; allowed between two runs, when the clock has passed it. */
  rebase(): void
  readonly history: History | undefined
  /** optimistic: the running event may have to be undone */
  keeps(): boolean
  /** Room for records runs low: what is certain should be found out, so that they can be used again. */
  scarce(): boolean
  /** records in use: chunks on their way and events that wait */
  inUse(): number
  /** one past the last record that was ever used; the key of a free one is -1 */
  recordsTo(): number
  /** What the loop knows besides memory, at a common time (nothing runs, nothing can be undone); the same put back. */
  save(): PartState
  restore(state: PartState): void
}

/** `build` makes the model on the kernel; one loop and one model for each isolate, so that V8 takes their constants for constants. */
export function makeLoop<M extends Handler>(plan: KernelPlan, build: (kernel: Kernel) => M): Loop & { readonly model: M } {
  const { mem, stride, recordsEnd, shift, owner, post, warp } = plan
  const me = plan.me ?? 0
  const alone = owner === undefined
  const undo = warp !== undefined
  const wheel = makeWheel(mem, shift, plan.slots, undo ? plan.slots >> 1 : plan.slots)
  const { link, open, took, current } = wheel
  const first = new Int32Array(plan.lps)
  const order = new Int32Array(plan.lps)
  let chain = 0
  let lpNow = -1
  /** time and key of the running event */
  let now = 0
  let keyNow = 0
  let free = 0
  let fresh = stride
  let events = 0
  let epoch = 0
  let used = 0
  /** what is done now may have to be undone */
  let keeps = false
  const enough = plan.enough ?? Math.floor((0.75 * recordsEnd) / stride)

  function alloc(): number {
    const e = free
    if (e !== 0) free = mem[e + NEXT]!
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

  function push(e: number, t: number, key: number): void {
    if (!alone) {
      const lp = lpOf(key)
      const w = owner[lp]!
      // what a process tells itself stays here, whoever owns it: a worker that warms up runs all of them
      if (w !== me && lp !== lpNow) {
        if (t >> shift <= current()) throw tooSoon(e, t, key)
        const n = post!(w, e, t, key)
        if (undo && keeps) history!.sent(w, n)
        release(e)
        return
      }
    }
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

  /** From outside, or into a process that may be ahead of it: what that process did too early is undone first. */
  function file(e: number, t: number, key: number): void {
    if (!undo && t >> shift <= current()) throw tooSoon(e, t, key)
    if (undo) {
      const lp = lpOf(key)
      if (history!.isPast(lp, t, key)) history!.rollback(lp, t, key)
    }
    mem[e + TIME] = t
    mem[e + KEY] = key
    if (t >> shift <= current()) wheel.back((t >> shift) - 1)
    link(e, t)
  }

  /** Into the open bucket: only an LP's own, behind what it has already run. */
  function insert(e: number, key: number): void {
    const t = mem[e + TIME]!
    if (lpOf(key) !== lpNow || t < now || (t === now && key < keyNow)) throw tooSoon(e, t, key)
    if (chain === 0 || before(e, chain)) {
      mem[e + NEXT] = chain
      chain = e
    } else sortInto(chain, e)
  }

  function tooSoon(e: number, t: number, key: number): Error {
    const what = `record ${e} of key ${key} is scheduled for LP ${lpOf(key)} at ${t} ps`
    return lpNow < 0
      ? new Error(`${what}, where the clock is past ${current() << shift} ps`)
      : new Error(`${what} by LP ${lpNow} at ${now} ps (key ${keyNow}): no earlier event, and none of another LP within ${1 << shift} ps`)
  }

  function before(a: number, b: number): boolean {
    const t = mem[a]! - mem[b]!
    if (t !== 0) return t < 0
    const k = mem[a + 1]! - mem[b + 1]!
    if (k !== 0) return k < 0
    const s = mem[a + 3]! - mem[b + 3]!
    return s !== 0 ? s < 0 : mem[a + 4]! < mem[b + 4]!
  }

  /** Puts `e` behind `at`, which comes before it. */
  function sortInto(at: number, e: number): void {
    for (;;) {
      const next = mem[at + NEXT]!
      if (next === 0 || before(e, next)) {
        mem[e + NEXT] = next
        mem[at + NEXT] = e
        return
      }
      at = next
    }
  }

  function unchain(e: number): boolean {
    let before = 0
    for (let x = chain; x !== 0 && x !== e; x = mem[x + NEXT]!) before = x
    if ((before === 0 ? chain : mem[before + NEXT]) !== e) return false
    if (before === 0) chain = mem[e + NEXT]!
    else mem[before + NEXT] = mem[e + NEXT]!
    return true
  }

  /** Deals the list out to its LPs, sorted; answers how many LPs there are. */
  function deal(list: number): number {
    let n = 0
    let count = 0
    for (let e = list; e !== 0; ) {
      const next = mem[e + NEXT]!
      const lp = lpOf(mem[e + KEY]!)
      const f = first[lp]!
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

  /** The events of one LP in this bucket, with those that it adds to it. */
  function runChain(): void {
    do {
      const e = chain
      chain = mem[e + NEXT]!
      events++
      const t = mem[e + TIME]!
      const key = mem[e + KEY]!
      now = t
      keyNow = key
      if (undo && rehearse !== undefined) rehearse(e, t, key, lpNow)
      if (undo && keeps) history!.begin(e, t, key, lpNow)
      handle(e, t, key)
      if (undo) {
        if (keeps) history!.finish()
        else history!.passed()
      }
    } while (chain !== 0)
  }

  function run(until: number, most = 0x7fffffff, certain = false): void {
    const limit = until >> shift
    keeps = undo && (!certain || rehearse !== undefined)
    for (let buckets = 0; !undo || buckets < most; buckets++) {
      if (undo && keeps && buckets > 0 && used > enough) break
      const list = open(limit)
      if (list === 0) break
      const n = deal(list)
      for (let i = 0; i < n; i++) {
        const lp = order[i]!
        lpNow = lp
        chain = first[lp]!
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
    warp === undefined ? undefined : makeHistory(mem, wheel, shift, plan.lps, warp.logWords, { ...warp, lpOf, free: freeNow, unchain })
  const rehearse = warp?.rehearse === undefined ? undefined : makeRehearsal(mem, stride, () => fresh, warp.rehearse, handle, history!)

  /** Records that differ in one word each, dealt out and forgotten. */
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
    for (let i = 0; i < n; i++) first[order[i]!] = 0
    took(-FEW)
    mem.fill(0, stride, (FEW + 1) * stride)
  }
  if ((FEW + 1) * stride <= recordsEnd) seenBeforehand(sortSome)

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

/** Lack of memory: more events than the pool was given room for. */
export class OutOfRecords extends RangeError {
  constructor() {
    super("allocation of a record: more chunks are under way than there is room for")
  }
}
