// Pending events of one worker: a timing wheel of singly linked lists over event records, and a 4-ary heap for events
// beyond the horizon of the wheel. A record has `stride` words of `mem`; word 0 is its time, word 2 the link. Records
// start at 1 * stride, so 0 means "none". kernel.ts is the only user.
//
// The wheel is exact only to one bucket (2^shift ps); kernel.ts sorts the events of a bucket. Scheduling and removing
// cost O(1) within the horizon, which covers nearly all events of a network. Buckets are as short as the shortest delay
// of a network, so few events may lie thousands of buckets apart. A mark for each group of buckets lets the search skip
// groups without events.
import { warmUpJit } from "../../core/jit-warmup.ts"
import { NEXT } from "../../model/events.ts"
import { EPOCH } from "./memory.ts"
import { columnOf, numberOf, type PartState, putBack } from "./state.ts"

export interface Wheel {
  /** Files record `e` with time `t`, whose bucket lies after the open one. */
  link(e: number, t: number): void
  /** Opens the next non-empty bucket below `limit`. Returns its list, or 0 if there is none. */
  open(limit: number): number
  /** Reports that the caller has taken a list of `count` records. */
  took(count: number): void
  /** number of the open bucket */
  current(): number
  /** records that are filed and not yet taken */
  pending(): number
  /** Sets the open bucket back (optimistic mode, after a rollback). */
  back(bucket: number): void
  /** Moves all times and bucket numbers back by one epoch. */
  rebase(): void
  /** number of events filed beyond the horizon so far */
  overflowed(): number
  /** Removes a filed record (optimistic mode). Returns false if it is neither in its bucket nor in the heap. */
  unlink(e: number, t: number): boolean
  /** Returns a lower bound on the time of all filed records, at most `limit`. */
  earliest(limit: number): number
  /** Return and restore everything except the records. */
  save(): PartState
  restore(state: PartState): void
}

/** log2 of the buckets of a group. The wheel reaches at least two groups ahead. */
const GROUP = 6
const INSIDE = (1 << GROUP) - 1

/**
 * `shift`: log2 of the bucket width in ps; `slots`: a power of two; `reach`: number of buckets ahead that the wheel
 * holds, fewer than `slots` if the clock may be set back.
 */
export function makeWheel(mem: Int32Array, shift: number, slots: number, reach = slots): Wheel {
  const mask = slots - 1
  const head = new Int32Array(slots)
  /** 1 if a group may have events. A group that is found empty loses its mark. */
  const marked = new Uint8Array(slots >> GROUP)
  let cur = -1
  let filed = 0
  // The heap holds pairs (time since the epoch, record), in two arrays.
  let far = new Int32Array(16384)
  let farTime = new Int32Array(16384)
  let n = 0
  let overflow = 0

  // A bucket number is unique within `reach` of the open one, so a list never mixes two laps of the wheel.
  function link(e: number, t: number): void {
    const b = t >> shift
    if (b - cur >= reach) {
      defer(e, t)
      return
    }
    filed++
    mem[e + NEXT] = head[b & mask]
    head[b & mask] = e
    marked[(b & mask) >> GROUP] = 1
  }

  /** Returns true if the group that begins with bucket `b` has no events. */
  function isEmpty(b: number): boolean {
    const first = b & mask
    if (marked[first >> GROUP] === 0) return true
    for (let i = first; i <= first + INSIDE; i++) if (head[i] !== 0) return false
    marked[first >> GROUP] = 0
    return true
  }

  /** Inserts a record into the heap. */
  function defer(e: number, t: number): void {
    overflow++
    if (n === far.length) {
      far = doubled(far)
      farTime = doubled(farTime)
    }
    let i = n++
    while (i > 0) {
      const parent = (i - 1) >> 2
      if (t >= farTime[parent]) break
      farTime[i] = farTime[parent]
      far[i] = far[parent]
      i = parent
    }
    farTime[i] = t
    far[i] = e
  }

  /** Removes entry `i` from the heap: the last entry takes its place and moves up or down. */
  function drop(i: number): void {
    n--
    const t = farTime[n]
    const e = far[n]
    while (i > 0 && farTime[(i - 1) >> 2] > t) {
      const parent = (i - 1) >> 2
      farTime[i] = farTime[parent]
      far[i] = far[parent]
      i = parent
    }
    for (;;) {
      const first = i * 4 + 1
      if (first >= n) break
      let best = first
      const last = first + 4 < n ? first + 4 : n
      for (let j = first + 1; j < last; j++) if (farTime[j] < farTime[best]) best = j
      if (t <= farTime[best]) break
      farTime[i] = farTime[best]
      far[i] = far[best]
      i = best
    }
    farTime[i] = t
    far[i] = e
  }

  function open(limit: number): number {
    while (cur + 1 < limit) {
      if (filed === 0) {
        // The wheel is empty: jump to the first event of the heap, or to the limit.
        const next = n > 0 ? (farTime[0] >> shift) - 1 : limit - 1
        if (next > cur) cur = next < limit - 1 ? next : limit - 1
        if (cur + 1 >= limit) return 0
        cur++
      } else if (((cur + 1) & INSIDE) === 0 && isEmpty(cur + 1)) {
        // To the last bucket of the group. Events of the heap lie further ahead.
        cur = cur + 1 + INSIDE < limit ? cur + 1 + INSIDE : limit - 1
      } else cur++
      // Move the heap's events that are now within reach onto the wheel.
      while (n > 0 && (farTime[0] >> shift) - cur < reach) {
        const e = far[0]
        const t = farTime[0]
        drop(0)
        link(e, t)
      }
      const e = head[cur & mask]
      if (e !== 0) {
        head[cur & mask] = 0
        return e
      }
    }
    return 0
  }

  /** JIT warm-up: record 0 passes through the heap and back. */
  function goFar(): void {
    for (let i = 0; i < 6; i++) link(0, (reach + ((i * 5) % 7)) << shift)
    cur = reach
    open(reach + 9)
    cur = -1
    filed = 0
    overflow = 0
  }
  warmUpJit(goFar)

  return {
    link,
    open,
    took(count) {
      filed -= count
    },
    current: () => cur,
    pending: () => filed + n,
    back(bucket) {
      cur = bucket
    },
    rebase() {
      cur -= EPOCH >> shift
      for (let i = 0; i < n; i++) farTime[i] = farTime[i] - EPOCH
    },
    overflowed: () => overflow,
    // A linear search: lists are short, and records are seldom removed.
    unlink(e, t) {
      const slot = (t >> shift) & mask
      let before = 0
      for (let x = head[slot]; x !== 0; x = mem[x + NEXT]) {
        if (x === e) {
          if (before === 0) head[slot] = mem[e + NEXT]
          else mem[before + NEXT] = mem[e + NEXT]
          filed--
          return true
        }
        before = x
      }
      for (let i = 0; i < n; i++) {
        if (far[i] === e) {
          drop(i)
          return true
        }
      }
      return false
    },
    earliest(limit) {
      // After the clock was set back, the heap may hold an event that precedes all events on the wheel.
      const before = n > 0 && farTime[0] < limit ? farTime[0] : limit
      if (filed > 0) {
        for (let b = cur + 1; b << shift < before; b++) {
          if ((b & INSIDE) === 0 && isEmpty(b)) b += INSIDE
          else if (head[b & mask] !== 0) return b << shift
        }
      }
      return before
    },
    save: () => ({
      numbers: { cur, filed, overflow },
      columns: { head: head.slice(), far: far.slice(0, n), farTime: farTime.slice(0, n) },
    }),
    restore(state) {
      putBack(head, state, "head")
      marked.fill(1)
      cur = numberOf(state, "cur")
      filed = numberOf(state, "filed")
      overflow = numberOf(state, "overflow")
      n = columnOf(state, "far").length
      while (far.length < n) {
        far = doubled(far)
        farTime = doubled(farTime)
      }
      far.set(columnOf(state, "far"))
      farTime.set(columnOf(state, "farTime"))
    },
  }
}

function doubled(a: Int32Array): Int32Array<ArrayBuffer> {
  const b = new Int32Array(a.length * 2)
  b.set(a)
  return b
}
