// The event loop of the sequential and the conservative mode.
//
// Total order: (time, class, destination, source, sequence). Class and destination are the key (word 1 of a record); records with the
// same time and key are told apart by words 3 and 4. Logical processes (LPs: a router with what hangs on it) meet only through events
// that lie at least one bucket ahead, so inside a bucket only the order of each LP's own events matters: the bucket is dealt out to its
// LPs and each LP runs its own, sorted. An LP with one event, the usual case, compares nothing.
import { type Handler, KEY, type Kernel, NEXT, TIME } from "../../model/events.ts"
import { EPOCH, moveBack } from "./memory.ts"
import { makeWheel } from "./wheel.ts"

export interface KernelPlan {
  readonly mem: Int32Array
  /** words of one record */
  readonly stride: number
  /** records start at word `stride` and end before this word */
  readonly recordsEnd: number
  readonly lps: number
  /** log2 of the bucket width in ps: at most the shortest delay between two LPs */
  readonly shift: number
  readonly slots: number
  /** Moves the model's own times back by one epoch. */
  rebase(): void
  /** [lp] -> worker, when there is more than one */
  readonly owner?: Uint8Array
  readonly me?: number
  /** Hands a record over to the worker that owns its LP; the record stays with the caller. */
  post?(to: number, e: number, t: number, key: number): void
}

export interface Loop extends Kernel {
  /** Runs every event before time `until` (since the epoch; a multiple of the bucket width). */
  run(until: number): void
  /** times of epochs passed, in ps */
  base(): number
  /** events executed */
  events(): number
  pending(): number
  overflowed(): number
  earliest(limit: number): number
  /** Moves the epoch; allowed between two runs, when the clock has passed it. */
  rebase(): void
}

/** `build` makes the model on the kernel; one loop and one model for each isolate, so that V8 takes their constants for constants. */
export function makeLoop<M extends Handler>(plan: KernelPlan, build: (kernel: Kernel) => M): Loop & { readonly model: M } {
  const { mem, stride, recordsEnd, shift, owner, post } = plan
  const me = plan.me ?? 0
  const alone = owner === undefined
  const wheel = makeWheel(mem, shift, plan.slots)
  const { link, open, took } = wheel
  const first = new Int32Array(plan.lps)
  const order = new Int32Array(plan.lps)
  let cur = -1
  let chain = 0
  let lpNow = -1
  let free = 0
  let fresh = stride
  let events = 0
  let epoch = 0

  function alloc(): number {
    const e = free
    if (e !== 0) {
      free = mem[e + NEXT]!
      return e
    }
    const f = fresh
    if (f + stride > recordsEnd) throw new OutOfRecords()
    fresh = f + stride
    return f
  }

  function release(e: number): void {
    mem[e + NEXT] = free
    free = e
  }

  function push(e: number, t: number, key: number): void {
    if (!alone) {
      const w = owner[lpOf(key)]!
      if (w !== me) {
        post!(w, e, t, key)
        release(e)
        return
      }
    }
    mem[e + TIME] = t
    mem[e + KEY] = key
    if (t >> shift > cur) link(e, t)
    else insert(e, key)
  }

  /** Into the open bucket: only an LP's own, behind what it has already run. */
  function insert(e: number, key: number): void {
    if (lpOf(key) !== lpNow) throw new Error(`an event of LP ${lpNow} reaches LP ${lpOf(key)} within one bucket of ${1 << shift} ps`)
    if (chain === 0 || before(e, chain)) {
      mem[e + NEXT] = chain
      chain = e
    } else sortInto(chain, e)
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

  function runLp(lp: number): void {
    lpNow = lp
    chain = first[lp]!
    first[lp] = 0
    do {
      const e = chain
      chain = mem[e + NEXT]!
      events++
      handle(e, mem[e + TIME]!, mem[e + KEY]!)
    } while (chain !== 0)
  }

  function run(until: number): void {
    const limit = until >> shift
    for (;;) {
      const list = open(limit)
      cur = wheel.current()
      if (list === 0) return
      const n = deal(list)
      for (let i = 0; i < n; i++) runLp(order[i]!)
    }
  }

  const kernel: Kernel = { mem, alloc, release, push, epoch: () => epoch, undo: false, note: () => {} }
  const model = build(kernel)
  const { handle, lpOf } = model

  return {
    ...kernel,
    model,
    run,
    base: () => epoch * EPOCH,
    events: () => events,
    pending: wheel.pending,
    overflowed: wheel.overflowed,
    earliest: wheel.earliest,
    rebase() {
      moveBack(mem, stride + TIME, fresh, stride)
      wheel.rebase()
      cur = wheel.current()
      plan.rebase()
      epoch++
    },
  }
}

/** More events than the pool was given room for. */
export class OutOfRecords extends Error {}
