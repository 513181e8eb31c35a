// Communication between partitions of different workers: entries (cycle, id, value) that stay in an outbox until the
// barrier. There are two parities, so that one window is written while the other is read. The partitions of a worker
// are consecutive, in memory as well, so that workers share few cache lines. Both loops use it (loop.ts,
// transfers/loop.ts).
import { APART, type Columns, type Marks, scratch } from "../../fabric/columns.ts"
import { type Layout, NOWHERE } from "../../fabric/layout.ts"

/** Returns [partition] -> the worker that executes it. */
export function workersOf(parts: number, workers: number): Uint8Array {
  return Uint8Array.from({ length: parts }, (_, p) => Math.floor((p * workers) / parts))
}

/** Returns the first partition of a worker; for worker `workers`, one past the last partition. */
export function firstPart(worker: number, parts: number, workers: number): number {
  return Math.ceil((worker * parts) / workers)
}

/**
 * Returns the number of outboxes of one worker and parity: one per worker, and unused ones that keep the counters of
 * two workers in separate cache lines.
 */
export function boxesOf(workers: number): number {
  return workers === 1 ? 1 : Math.ceil((workers + APART / 2) / APART) * APART
}

export interface Outbox {
  /** Selects the worker, and with its first cycle the parity. */
  enter(worker: number, t: number): void
  /** Returns its outbox for worker `to`. */
  boxTo(to: number): number
  post(to: number, at: number, id: number, value: number): void
  /** Passes the entries that others sent to this worker in the window of this parity to `take`. */
  collect(worker: number, parity: number): void
}

export interface OutboxSpec {
  readonly constants: { readonly window: number }
  readonly columns: { readonly outbox: Int32Array; readonly outCount: Int32Array }
  /** [(parity * workers + from) * row + to] -> first entry of that outbox; the last element is the end */
  readonly boxFirst: Int32Array
}

/** `row`: number of outboxes of one worker and parity, used or not. */
export function makeOutbox(
  spec: OutboxSpec,
  workers: number,
  row: number,
  take: (at: number, id: number, value: number) => void,
): Outbox {
  const { boxFirst } = spec
  const { window } = spec.constants
  const { outbox, outCount } = spec.columns
  let own = 0

  function enter(worker: number, t: number): void {
    own = ((Math.floor(t / window) & 1) * workers + worker) * row
  }

  function boxTo(to: number): number {
    return own + to
  }

  function post(to: number, at: number, id: number, value: number): void {
    const n = outCount[own + to]
    const i = boxFirst[own + to] + 3 * n
    if (i >= boxFirst[own + to + 1]) full(to, n)
    outbox[i] = at
    outbox[i + 1] = id
    outbox[i + 2] = value
    outCount[own + to] = n + 1
  }

  /** Throws, because an entry beyond the end would be read as part of the next outbox. */
  function full(to: number, n: number): void {
    throw new Error(
      `Outbox overflow (${n} entries for worker ${to} in a window of ${window} cycles). ` +
        "This is a bug in lacewing; please report it with the experiment file.",
    )
  }

  function collect(worker: number, parity: number): void {
    for (let from = 0; from < workers; from++) {
      const box = (parity * workers + from) * row + worker
      const end = boxFirst[box] + 3 * outCount[box]
      for (let i = boxFirst[box]; i < end; i += 3) take(outbox[i], outbox[i + 1], outbox[i + 2])
      outCount[box] = 0
    }
  }

  return { enter, boxTo, post, collect }
}

/** Returns the used part of the outboxes. */
export function outboxMarks(boxFirst: Int32Array, { outCount }: Columns): Marks {
  return { outbox: { capacity: boxFirst, used: Array.from(outCount!, (n) => 3 * n) } }
}

/** window in cycles if no channel crosses; any number is correct, and it equals the length of the wheels */
const ALONE = 64

/**
 * Returns the look-ahead: the shortest time between a cause in one partition and its effect in another, which is a
 * channel's latency plus `more`.
 */
export function lookahead(l: Layout, more: number): number {
  let least = Number.POSITIVE_INFINITY
  eachCrossing(l, (port) => {
    least = Math.min(least, l.latency[port] + more)
  })
  return least === Number.POSITIVE_INFINITY ? ALONE : least
}

/**
 * Computes the start of each outbox. It has space for `ofChannel` entries of each channel between two workers in both
 * directions, and for `ofEnd` entries of each endpoint that receives from the sender. (In networks with stages, an
 * endpoint sends elsewhere.)
 */
export function outboxes(
  l: Layout,
  workers: number,
  row: number,
  ofChannel: number,
  ofEnd: number,
): { first: Int32Array; total: number } {
  const crossing = new Float64Array(workers * workers)
  const of = workersOf(l.parts, workers)
  eachCrossing(l, (_, own, far) => {
    crossing[of[own] * workers + of[far]] += ofChannel
    crossing[of[far] * workers + of[own]] += ofChannel
  })
  const ends = new Float64Array(workers)
  for (let port = 0; port < l.routers * l.PS; port++)
    if (l.down[port] < 0 && l.down[port] !== NOWHERE) ends[of[l.part[Math.floor(port / l.PS)]]]++
  const boxes = 2 * workers * row
  const first = scratch(boxes + 1)
  let at = 0
  for (let box = 0; box < boxes; box++) {
    const from = Math.floor(box / row) % workers
    const to = box % row
    first[box] = at
    if (to < workers && from !== to) at += 3 * (crossing[from * workers + to] + ends[from] * ofEnd)
  }
  first[boxes] = at
  return { first, total: at }
}

/** Visits each output port whose channel leads to another partition. */
function eachCrossing(l: Layout, visit: (port: number, own: number, far: number) => void): void {
  for (let port = 0; port < l.routers * l.PS; port++) {
    const own = l.part[Math.floor(port / l.PS)]
    const far = l.downPart[port]
    if (l.down[port] >= 0 && far !== own) visit(port, own, far)
  }
}
