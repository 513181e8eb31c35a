// What partitions of different workers send to each other: entries (cycle, id, value) that lie in an outbox for the other worker until all have met. Two
// parities, so that one window is written while the other is read. Partitions of one worker lie
// beside each other, in memory as well, so that workers meet in few lines of their caches.
import { APART, type Columns, type Marks, scratch } from "../../fabric/columns.ts"
import { type Layout, NOWHERE } from "../../fabric/layout.ts"

/** [partition] -> the worker that runs it */
export function workersOf(parts: number, workers: number): Uint8Array {
  return Uint8Array.from({ length: parts }, (_, p) => Math.floor((p * workers) / parts))
}

/** The first partition of a worker; that of worker `workers` is one past the last. */
export function firstPart(worker: number, parts: number, workers: number): number {
  return Math.ceil((worker * parts) / workers)
}

/** Outboxes of one worker and parity: one for each other worker, and empty ones, so that two workers' counts lie apart. */
export function boxesOf(workers: number): number {
  return workers === 1 ? 1 : Math.ceil((workers + APART / 2) / APART) * APART
}

export interface Outbox {
  /** the worker that runs from now on, and the first cycle that it runs */
  enter(worker: number, t: number): void
  /** its outbox for worker `to` */
  boxTo(to: number): number
  post(to: number, at: number, id: number, value: number): void
  /** hands over what others have sent to this worker in the window of this parity */
  collect(worker: number, parity: number): void
}

export interface OutboxSpec {
  readonly constants: { readonly window: number }
  readonly columns: { readonly outbox: Int32Array; readonly outCount: Int32Array }
  /** [(parity * workers + from) * row + to] -> first entry of that outbox; where the last one ends */
  readonly boxFirst: Int32Array
}

/** `row`: outboxes of one worker and parity, used or not. */
export function makeOutbox(spec: OutboxSpec, workers: number, row: number, take: (at: number, id: number, value: number) => void): Outbox {
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
    const n = outCount[own + to]!
    const i = boxFirst[own + to]! + 3 * n
    if (i >= boxFirst[own + to + 1]!) full(to, n)
    outbox[i] = at
    outbox[i + 1] = id
    outbox[i + 2] = value
    outCount[own + to] = n + 1
  }

  /** What went on behind the end would be read as what somebody else sends. */
  function full(to: number, n: number): void {
    throw new Error(`${n} things are sent to worker ${to} in a window of ${window} cycles, and an outbox has room for no more`)
  }

  function collect(worker: number, parity: number): void {
    for (let from = 0; from < workers; from++) {
      const box = (parity * workers + from) * row + worker
      const end = boxFirst[box]! + 3 * outCount[box]!
      for (let i = boxFirst[box]!; i < end; i += 3) take(outbox[i]!, outbox[i + 1]!, outbox[i + 2]!)
      outCount[box] = 0
    }
  }

  return { enter, boxTo, post, collect }
}

/** What lies in the outboxes. */
export function outboxMarks(boxFirst: Int32Array, { outCount }: Columns): Marks {
  return { outbox: { room: boxFirst, used: Array.from(outCount!, (n) => 3 * n) } }
}

/** cycles of a window where nothing crosses: any number would do, and the wheels are as long */
const ALONE = 64

/** The shortest time between a cause in one partition and its effect in another, a channel's latency and `more`: how long they may run apart. */
export function lookahead(l: Layout, more: number): number {
  let least = Number.POSITIVE_INFINITY
  eachCrossing(l, (port) => {
    least = Math.min(least, l.latency[port]! + more)
  })
  return least === Number.POSITIVE_INFINITY ? ALONE : least
}

/** Where outboxes begin that have room for so many entries of each channel between two workers, either way, and of each endpoint that receives from the
 *  sender (in networks with stages it sends elsewhere). */
export function outboxes(l: Layout, workers: number, row: number, ofChannel: number, ofEnd: number): { first: Int32Array; total: number } {
  const crossing = new Float64Array(workers * workers)
  const of = workersOf(l.parts, workers)
  eachCrossing(l, (_, own, far) => {
    crossing[of[own]! * workers + of[far]!]! += ofChannel
    crossing[of[far]! * workers + of[own]!]! += ofChannel
  })
  const ends = new Float64Array(workers)
  for (let port = 0; port < l.routers * l.PS; port++)
    if (l.down[port]! < 0 && l.down[port] !== NOWHERE) ends[of[l.part[Math.floor(port / l.PS)]!]!]!++
  const boxes = 2 * workers * row
  const first = scratch(boxes + 1)
  let at = 0
  for (let box = 0; box < boxes; box++) {
    const from = Math.floor(box / row) % workers
    const to = box % row
    first[box] = at
    if (to < workers && from !== to) at += 3 * (crossing[from * workers + to]! + ends[from]! * ofEnd)
  }
  first[boxes] = at
  return { first, total: at }
}

function eachCrossing(l: Layout, visit: (port: number, own: number, far: number) => void): void {
  for (let port = 0; port < l.routers * l.PS; port++) {
    const own = l.part[Math.floor(port / l.PS)]!
    const far = l.downPart[port]!
    if (l.down[port]! >= 0 && far !== own) visit(port, own, far)
  }
}
