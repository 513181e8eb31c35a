// Messages that wait at an endpoint: in one queue or in one for each destination, and separately for each data class.
// The non-empty queues form a ring that is served round-robin. An endpoint that is behind its sources stores only some
// of their messages; the next one is computed when there is space for it. injection.ts calls these functions.
import { lowest } from "../../../core/bitset.ts"
import { CONTROL as CONTROLS } from "../../../fabric/flit.ts"
import { END as END_WORDS, MESSAGE as MESSAGE_WORDS, RING as RING_WORDS } from "../../../fabric/packets.ts"
import type { EndpointProtocol } from "../../../model/protocol.ts"
import type { Counting } from "../counting.ts"
import type { Generation } from "../generation.ts"
import { entryRouters } from "./entry.ts"
import type { RankAdapter } from "./rank-adapter.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Messages {
  /** Stores due messages, up to `most`; `ring` = endpoint * data classes + class. */
  fill(e: number, ring: number, t: number, most: number): void
  toRing(ring: number, i: number): void
  leaveRing(ring: number, i: number): void
  /**
   * Moves queues at the front of the ring whose VL has no space for their next packet to its end. Returns true if no
   * queue has space.
   */
  skipFull(e: number, ring: number): boolean
  advanceQueue(e: number, ring: number, i: number): void
}

/** placeholder if there are no ranks */
const NONE = new Int32Array(32)

export function makeMessages(
  spec: TransferLoopSpec,
  { schedule }: Generation,
  { created }: Counting,
  protocol: EndpointProtocol | undefined,
  rankAdapter: RankAdapter | undefined,
): Messages {
  const low = lowest
  // Imported constants cost a load at each access; local copies do not.
  const END = END_WORDS
  const RING = RING_WORDS
  const MESSAGE = MESSAGE_WORDS
  const CONTROL = CONTROLS
  const { ends: N, outerEnd } = spec.layout
  const { ends, rings, messages, queueTail, creationTime, made, messageLeft, control, laneHeld, passed } = spec.columns
  const { streams: STREAMS, backlog: BACKLOG, queues: QUEUES, dataClasses: DATA } = spec.constants
  const { create, nextCreation, length } = spec.sources
  const { streamClass, capOf, stopOf } = spec
  const { lanes } = spec
  const LANES = (lanes?.count ?? 1) > 1
  const COUNT = lanes?.count ?? 0
  const FULL = lanes?.flits ?? 0
  const { maxLength: LONGEST } = spec.constants
  // A full VL blocks many queues. A run of blocked queues is stored, and the next search skips it as one step while its
  // VLs stay full.
  const PASSES = LANES && COUNT <= 32
  const routerOf = entryRouters(spec.layout)
  const CAPPED = capOf.some((n) => n > 0)
  const CAPACITY = BACKLOG * DATA + 1
  const ONE = DATA === 1
  const GENERATED = protocol?.generated !== undefined
  const { scheduler } = spec
  const HEARS = scheduler?.hears === true
  // Ranks of parallel programs: their stream, its class, flits of their packets.
  const JOBS = spec.ranks?.stream ?? -1
  const JOB_CLASS = JOBS < 0 ? -1 : streamClass[JOBS]
  const JOB_PACKET = spec.ranks?.packet ?? 1
  const jobOf = spec.ranks?.columns.jobOf ?? NONE
  const lastOf = spec.ranks?.columns.lastOf ?? NONE

  /** Moves due messages of a class to the endpoint's queues, oldest first, until these hold `most`. */
  function fill(e: number, ring: number, t: number, most: number): void {
    const at = ring * RING.size
    if (JOBS >= 0 && ring - e * DATA === JOB_CLASS && takeJobs(e, ring, t, most)) return
    for (;;) {
      const source = oldest(e, ring - e * DATA, t)
      rings[at + RING.behind] = source < 0 ? 0 : 1
      if (source < 0 || rings[at + RING.stored] >= most) return
      if (CAPPED && !goesOn(source, rings[at + RING.stored], t)) {
        if (creationTime[source] < Number.POSITIVE_INFINITY) return
        continue
      }
      newMessage(e, ring, (source / N) | 0, source, t)
      if (creationTime[source] >= t + 1 && creationTime[source] < Number.POSITIVE_INFINITY)
        schedule(source, Math.floor(creationTime[source]))
    }
  }

  /**
   * Returns true if a source may create its message now. A source with a cap pauses at the cap; its next message is
   * created when it resumes, if the stream has not ended.
   */
  function goesOn(source: number, stored: number, t: number): boolean {
    const stream = (source / N) | 0
    const cap = capOf[stream]
    if (cap === 0) return true
    if (stored >= cap) return false
    if (Math.floor(creationTime[source]) >= t) return true
    creationTime[source] = t < stopOf[stream] ? t : Number.POSITIVE_INFINITY
    return t < stopOf[stream]
  }

  /** Returns the source of a class at an endpoint with the oldest due message; negative if none is due. */
  function oldest(e: number, c: number, t: number): number {
    let found = -1
    let least = t + 1 < control[CONTROL.quiet] ? t + 1 : control[CONTROL.quiet]
    for (let source = e, stream = 0; source < STREAMS * N; source += N, stream++) {
      if (creationTime[source] >= least || (!ONE && streamClass[stream] !== c)) continue
      least = creationTime[source]
      found = source
    }
    return found
  }

  /** Stores the messages of ranks, which precede those of streams. Returns true if some must wait. */
  function takeJobs(e: number, ring: number, t: number, most: number): boolean {
    while (rankAdapter!.waits(e)) {
      if (rings[ring * RING.size + RING.stored] >= most) {
        rings[ring * RING.size + RING.behind] = 1
        return true
      }
      const m = rankAdapter!.next(e)
      const flits = rankAdapter!.flits(m)
      const size = Math.ceil(flits / JOB_PACKET)
      const source = JOBS * N + e
      const count = made[source]
      made[source] = count + size
      rankAdapter!.cut(m, size)
      const i = store(e, ring, JOBS, rankAdapter!.target(m), t, count, size)
      jobOf[i / MESSAGE.size] = m
      lastOf[i / MESSAGE.size] = flits - (size - 1) * JOB_PACKET
      if (HEARS)
        for (let n = 1; n <= size; n++)
          scheduler!.arrived(e, JOB_CLASS, n < size ? JOB_PACKET : lastOf[i / MESSAGE.size], t)
      if (GENERATED) protocol!.generated!(e, rankAdapter!.target(m), flits, t)
    }
    return false
  }

  function newMessage(e: number, ring: number, stream: number, source: number, t: number): void {
    const from = outerEnd[e]
    const count = made[source]
    const createdAt = creationTime[source]
    const to = create(stream, from, count, source)
    creationTime[source] = nextCreation(stream, from, createdAt, count, source)
    if (to < 0) {
      creationTime[source] = Number.POSITIVE_INFINITY
      return
    }
    const size = messageLeft[source] + 1
    messageLeft[source] = 0
    made[source] = count + size
    store(e, ring, stream, to, Math.floor(createdAt), count, size)
    if (HEARS) arrived(e, ring - e * DATA, stream, from, count, size, t)
    if (GENERATED) generated(e, to, stream, from, count, size, t)
  }

  /** Appends a message of `size` packets, the first with number `count`, to its queue. Returns its record. */
  function store(
    e: number,
    ring: number,
    stream: number,
    to: number,
    createdAt: number,
    count: number,
    size: number,
  ): number {
    const at = e * END.size
    let i = ends[at + END.free]
    if (i !== 0) ends[at + END.free] = messages[i + MESSAGE.next]
    else i = (e * CAPACITY + ++ends[at + END.fresh]) * MESSAGE.size
    rings[ring * RING.size + RING.stored]++
    messages[i + MESSAGE.next] = 0
    messages[i + MESSAGE.left] = size
    messages[i + MESSAGE.stream] = stream
    messages[i + MESSAGE.to] = to
    messages[i + MESSAGE.createdAt] = createdAt
    messages[i + MESSAGE.count] = count
    if (LANES) messages[i + MESSAGE.lane] = lanes!.of(routerOf[e], to)
    const q = QUEUES === 1 ? ring : ring * QUEUES + to
    const first = e * CAPACITY * MESSAGE.size
    const last = queueTail[q]
    queueTail[q] = (i - first) / MESSAGE.size
    if (last !== 0) messages[first + last * MESSAGE.size + MESSAGE.next] = i
    else {
      toRing(ring, i)
      rings[ring * RING.size + RING.stuck] = 0
    }
    created(stream, createdAt, size)
    return i
  }

  /** Informs the endpoint's scheduler of each packet. */
  function arrived(e: number, c: number, stream: number, from: number, count: number, size: number, t: number): void {
    for (let n = 0; n < size; n++) scheduler!.arrived(e, c, length(stream, from, count + n), t)
  }

  function generated(
    e: number,
    to: number,
    stream: number,
    from: number,
    count: number,
    size: number,
    t: number,
  ): void {
    let flits = 0
    for (let n = 0; n < size; n++) flits += length(stream, from, count + n)
    protocol!.generated!(e, to, flits, t)
  }

  function toRing(ring: number, i: number): void {
    const at = ring * RING.size
    messages[i + MESSAGE.ring] = 0
    if (rings[at + RING.count] === 0) rings[at + RING.head] = i
    else messages[rings[at + RING.tail] + MESSAGE.ring] = i
    rings[at + RING.tail] = i
    rings[at + RING.count]++
  }

  function leaveRing(ring: number, i: number): void {
    const at = ring * RING.size
    rings[at + RING.head] = messages[i + MESSAGE.ring]
    rings[at + RING.count]--
  }

  /** One packet of message i is sent: the queue moves to the end of the ring, or leaves it. */
  function advanceQueue(e: number, ring: number, i: number): void {
    const left = messages[i + MESSAGE.left] - 1
    messages[i + MESSAGE.left] = left
    if (left > 0) {
      toRing(ring, i)
      return
    }
    const next = messages[i + MESSAGE.next]
    if (next !== 0) toRing(ring, next)
    else queueTail[QUEUES === 1 ? ring : ring * QUEUES + messages[i + MESSAGE.to]] = 0
    const at = e * END.size
    messages[i + MESSAGE.next] = ends[at + END.free]
    ends[at + END.free] = i
    rings[ring * RING.size + RING.stored]--
  }

  // passed: first and last queue of the stored run of blocked queues, and the mask of their VLs.
  function skipFull(e: number, ring: number): boolean {
    const at = ring * RING.size
    const row = PASSES ? 3 * ring : 0
    const head = rings[at + RING.head]
    let before = 0
    let lanesOf = 0
    // The stored run has not been met yet, so it is not part of the run that this search passes.
    let apart = PASSES && passed[row] !== 0
    let i = head
    while (i !== 0) {
      if (PASSES && i === passed[row]) {
        apart = false
        if (allFull(e, passed[row + 2])) {
          lanesOf |= passed[row + 2]
          before = passed[row + 1]
          i = messages[before + MESSAGE.ring]
          continue
        }
      }
      const lane = messages[i + MESSAGE.lane]
      if (hasSpace(i, e, laneHeld[e * COUNT + lane])) break
      lanesOf |= 1 << lane
      before = i
      i = messages[i + MESSAGE.ring]
    }
    if (PASSES && !apart) {
      passed[row] = before === 0 ? 0 : head
      passed[row + 1] = before
      passed[row + 2] = lanesOf
    }
    if (i === 0) return true
    if (before === 0) return false
    messages[rings[at + RING.tail] + MESSAGE.ring] = head
    messages[before + MESSAGE.ring] = 0
    rings[at + RING.head] = i
    rings[at + RING.tail] = before
    return false
  }

  /** Returns true if a VL that holds `held` flits has space for the next packet of message i. */
  function hasSpace(i: number, e: number, held: number): boolean {
    if (held + LONGEST <= FULL) return true
    if (held >= FULL) return false
    const stream = messages[i + MESSAGE.stream]
    const f = stream === JOBS ? jobFlits(i) : length(stream, outerEnd[e], messages[i + MESSAGE.count])
    return held + f <= FULL
  }

  function jobFlits(i: number): number {
    return messages[i + MESSAGE.left] === 1 ? lastOf[i / MESSAGE.size] : JOB_PACKET
  }

  function allFull(e: number, lanesOf: number): boolean {
    for (let m = lanesOf; m !== 0; m &= m - 1) if (laneHeld[e * COUNT + low(m)] < FULL) return false
    return true
  }

  return { fill, toRing, leaveRing, skipFull, advanceQueue }
}
