// Connects the ranks of parallel programs to the clocked engines. Events of ranks are stored in a timing wheel of
// cycles. Messages that ranks send are queued at their endpoint, and the arrival of a message's last packet is an event
// of the receiving rank. All state is in one column: the records of each partition, then the words of the ranks. A
// message record belongs to the partition of its sender and returns there, as packet records do (records.ts). Both
// clocked loops use it.
//
// Events of the same cycle are sorted by receiver, origin and count, so the result does not depend on partitions.
import type { Layout } from "../../../fabric/layout.ts"
import {
  COUNT,
  FROM,
  LEFT,
  LINK,
  OWN_EVENT,
  OWN_WORDS,
  originOf,
  type RankHost,
  type Ranks,
  TELL,
  TO,
  WHAT,
} from "../../../model/workload.ts"
import type { Outbox } from "../outbox.ts"
import { RANK_RECORD, type RankColumns, type RankPlan, WHEEL } from "./rank-columns.ts"

/** Words of a record before those of ranks; word 2 is LINK. */
const TIME = 0
/** rank of the event, or ~endpoint that receives the message for sending */
const WHOM = 1
const ORIGIN = 3
const FLITS = 4
/** packets of the message that have not arrived */
const OPEN = 5
const OWN = 6

export interface RankAdapter {
  enter(part: number): void
  collect(part: number, parity: number): void
  /** Starts the ranks of a partition. */
  start(part: number): void
  /** Executes the events of ranks in cycle t. */
  due(t: number): void
  /** Removes the next message from the queue of endpoint e and returns it; 0: none. */
  next(e: number): number
  waits(e: number): boolean
  flits(m: number): number
  /** Returns the network's number of the endpoint that message m goes to. */
  target(m: number): number
  /**
   * `cut`: sets the number of packets of message m. `arrived`: one of them has arrived. `left`: the last one will have
   * left in cycle t.
   */
  cut(m: number, packets: number): void
  arrived(m: number, t: number): void
  left(m: number, t: number): void
  readonly ranks: Ranks
}

export function makeRankAdapter(
  spec: { readonly layout: Layout },
  plan: RankPlan,
  columns: RankColumns,
  { boxTo }: Pick<Outbox, "boxTo">,
  hand: (e: number) => void,
): RankAdapter {
  const { parts, outerEnd } = spec.layout
  const { mem, wheel, free, fresh, homeHead, homeTail, pending, headOf, tailOf } = columns
  const { cycle, flitBytes, capacity: CAPACITY, place } = plan
  const MASK = WHEEL - 1
  const STRIDE = RANK_RECORD
  const ONE = parts === 1
  const endOf = innerEnds(outerEnd, spec.layout.graph.ends)
  let me = 0
  let slots = 0
  let now = 0

  function enter(part: number): void {
    me = part
    slots = part * WHEEL
  }

  function alloc(): number {
    const e = free[me]
    if (e !== 0) {
      free[me] = mem[e + LINK]
      return e
    }
    const n = fresh[me] + 1
    if (n >= CAPACITY)
      throw new RangeError(`allocation of a record: more than ${CAPACITY} operations and messages of ranks at once`)
    fresh[me] = n
    return (me * CAPACITY + n) * STRIDE
  }

  function release(e: number): void {
    const home = ONE ? 0 : Math.floor(e / (STRIDE * CAPACITY))
    if (home === me) {
      mem[e + LINK] = free[me]
      free[me] = e
      return
    }
    const box = boxTo(home)
    mem[e + LINK] = homeHead[box]
    if (homeHead[box] === 0) homeTail[box] = e
    homeHead[box] = e
  }

  function collect(part: number, parity: number): void {
    for (let from = 0; from < parts; from++) {
      const box = (parity * parts + from) * parts + part
      const home = homeHead[box]
      if (home === 0) continue
      mem[homeTail[box] + LINK] = free[part]
      free[part] = home
      homeHead[box] = 0
    }
  }

  /**
   * psOf returns the start of a cycle in ps; cycleOf returns the first cycle that does not start before a time in ps.
   */
  function psOf(t: number): number {
    return Math.round(t * cycle)
  }
  function cycleOf(ps: number): number {
    return Math.ceil((ps - 0.5) / cycle)
  }

  // Events beyond the wheel stay in their slot for further laps.
  function schedule(e: number, t: number, whom: number, origin: number): void {
    mem[e + TIME] = t
    mem[e + WHOM] = whom
    mem[e + ORIGIN] = origin
    const slot = slots + (t & MASK)
    mem[e + LINK] = wheel[slot]
    wheel[slot] = e
    pending[me]++
  }

  const host: RankHost = {
    mem,
    own: OWN,
    alloc,
    release,
    undo: false,
    note() {},
    noteRange() {},
    ready: (_, t) => t,
    wake(e, rank, t) {
      schedule(e, cycleOf(t), rank, OWN_EVENT)
    },
    // A message that is due now is queued at once, otherwise when its cycle comes.
    send(e, bytes, t) {
      mem[e + FLITS] = Math.ceil(bytes / flitBytes)
      const at = cycleOf(t)
      const end = endOf[place[mem[e + OWN + FROM]]]
      if (at > now) schedule(e, at, ~end, originOf(mem, e + OWN))
      else queue(e, end)
    },
  }
  const ranks = plan.make(host)

  /** Appends message m to the queue of its endpoint. */
  function queue(m: number, end: number): void {
    mem[m + LINK] = 0
    if (headOf[end] === 0) headOf[end] = m
    else mem[tailOf[end] + LINK] = m
    tailOf[end] = m
    hand(end)
  }

  /** Returns true if event a precedes b of the same cycle: by receiver, then by origin, then by count. */
  function before(a: number, b: number): boolean {
    const whom = mem[a + WHOM] - mem[b + WHOM]
    if (whom !== 0) return whom < 0
    const origin = mem[a + ORIGIN] - mem[b + ORIGIN]
    if (origin !== 0) return origin < 0
    return mem[a + OWN + COUNT] < mem[b + OWN + COUNT]
  }

  /** Merges two sorted lists. */
  function merged(first: number, second: number): number {
    let a = first
    let b = second
    let head = 0
    let last = 0
    while (a !== 0 && b !== 0) {
      let e = b
      if (before(a, b)) {
        e = a
        a = mem[a + LINK]
      } else b = mem[b + LINK]
      if (last === 0) head = e
      else mem[last + LINK] = e
      last = e
    }
    const rest = a !== 0 ? a : b
    if (last === 0) return rest
    mem[last + LINK] = rest
    return head
  }

  /** [k] -> a sorted list of 2^k events */
  const runs = new Int32Array(32)

  /** Sorts a list by bottom-up merge sort, without memory besides `runs`. */
  function sorted(list: number): number {
    for (let e = list; e !== 0; ) {
      const next = mem[e + LINK]
      mem[e + LINK] = 0
      let k = 0
      let run = e
      for (; runs[k] !== 0; k++) {
        run = merged(runs[k], run)
        runs[k] = 0
      }
      runs[k] = run
      e = next
    }
    let all = 0
    for (let k = 0; k < 32; k++) {
      if (runs[k] === 0) continue
      all = merged(runs[k], all)
      runs[k] = 0
    }
    return all
  }

  /** Removes the events of cycle t from their slot. Events of later laps stay there. */
  function taken(t: number): number {
    const slot = slots + (t & MASK)
    let due = 0
    let later = 0
    for (let e = wheel[slot]; e !== 0; ) {
      const next = mem[e + LINK]
      if (mem[e + TIME] === t) {
        mem[e + LINK] = due
        due = e
        pending[me]--
      } else {
        mem[e + LINK] = later
        later = e
      }
      e = next
    }
    wheel[slot] = later
    return due
  }

  function due(t: number): void {
    now = t
    if (wheel[slots + (t & MASK)] !== 0) play(t)
  }

  // An event may schedule others for the same cycle, so this repeats until the slot is empty.
  function play(t: number): void {
    for (let list = taken(t); list !== 0; list = taken(t)) {
      for (let e = sorted(list); e !== 0; ) {
        const next = mem[e + LINK]
        const whom = mem[e + WHOM]
        if (whom < 0) queue(e, ~whom)
        else ranks.event(e, whom, psOf(t))
        e = next
      }
    }
  }

  return {
    enter,
    collect,
    due,
    ranks,
    start(part) {
      enter(part)
      now = -1
      const { firstEnd } = spec.layout
      for (let r = 0; r < place.length; r++) {
        const end = endOf[place[r]]
        if (firstEnd[part] <= end && end < firstEnd[part + 1]) ranks.start(r)
      }
    },
    next(e) {
      const m = headOf[e]
      if (m !== 0) headOf[e] = mem[m + LINK]
      return m
    },
    waits: (e) => headOf[e] !== 0,
    flits: (m) => mem[m + FLITS],
    target: (m) => place[mem[m + OWN + TO]],
    cut(m, packets) {
      mem[m + OPEN] = packets
    },
    arrived(m, t) {
      const open = mem[m + OPEN] - 1
      mem[m + OPEN] = open
      if (open === 0) schedule(m, t, mem[m + OWN + TO], originOf(mem, m + OWN))
    },
    left(m, t) {
      if ((mem[m + OWN + WHAT] & TELL) === 0) return
      const news = alloc()
      for (let i = 0; i < OWN_WORDS; i++) mem[news + OWN + i] = mem[m + OWN + i]
      mem[news + OWN + WHAT] = (mem[m + OWN + WHAT] & ~TELL) | LEFT
      schedule(news, t, mem[m + OWN + FROM], originOf(mem, news + OWN))
    },
  }
}

/** Returns [endpoint of the network] -> its number in the layout. */
function innerEnds(outerEnd: ArrayLike<number>, ends: number): Int32Array {
  const inner = new Int32Array(ends)
  for (let e = 0; e < outerEnd.length; e++) if (outerEnd[e] >= 0) inner[outerEnd[e]] = e
  return inner
}
