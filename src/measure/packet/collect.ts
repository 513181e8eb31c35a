// Collectors turn the delivery records of a packet simulation into sums by stream, histograms, a time series and a
// hash. Each worker has one, over shared memory that worker 0 reads. All numbers are sums of integers, so the result is
// the same for any number of workers and any order of deliveries. The engine calls `collect` with committed deliveries
// only.
//
// CollectMemory has the columns. A record counts for throughput by its arrival time, and for latency by its creation
// time.
import { BINS, bin } from "../../core/histogram.ts"
import { type ChunkTimes, endsTime, type Flows, linksOf, linkTime } from "../../engines/packet/attribution.ts"
import { arrivalOf, creationTime, hashOf, RECORD, sentAt } from "../../engines/packet/delivery-records.ts"
import { joined, type PartState, packWords, partOf, unpackWords } from "../../engines/packet/state.ts"
import { shared } from "../../model/graph.ts"

/**
 * Indices of the sums of one stream. They are integers (times in ps; `rounded` and `squared` in cycles), so that their
 * order does not matter.
 */
export const SUM = {
  delivered: 0,
  bytes: 1,
  measured: 2,
  latency: 3,
  squared: 4,
  network: 5,
  hops: 6,
  min: 7,
  max: 8,
  messages: 9,
  messageLatency: 10,
  hopsAll: 11,
  rounded: 12,
  /**
   * of measured chunks: `own` to their own endpoint; `ends`, `links` ps at endpoints and on links beyond those of full
   * chunks (attribution.ts); 16 units of propagation delay; `waited` ps of waiting; `short` chunks that are not full
   */
  own: 13,
  ends: 14,
  links: 15,
  wires: 16,
  waited: 17,
  short: 18,
  width: 19,
} as const

export interface CollectSpec {
  readonly streams: number
  readonly ends: number
  /** ps per cycle and per interval of the series; number of intervals */
  readonly cycle: number
  readonly interval: number
  readonly intervals: number
  readonly times: ChunkTimes
  /**
   * if paths are counted by pairs of routers: [endpoint] -> the router that it sends to, and the router that it
   * receives from, which may differ
   */
  readonly entries?: Int32Array
  readonly homes?: Int32Array
  readonly routers: number
}

/** Returns the begin and end of the window whose packets are measured, in ps; shared by all workers. */
export function shareWindow(): Float64Array {
  return shared(Float64Array, 2).fill(Number.POSITIVE_INFINITY)
}

export interface CollectMemory {
  readonly sums: Float64Array
  readonly histogram: Uint32Array
  /** [(stream * intervals + i) * 3] -> packets, bytes and latency of arrivals in interval i */
  readonly series: Float64Array
  /** [end * streams + stream] -> bytes that arrived in the window */
  readonly accepted: Float64Array
  readonly hash: Int32Array
  /** [source router * routers + destination router] -> measured chunks; empty if pairs are not counted */
  readonly flows: Flows
}

/** Allocates the columns of a collector in shared memory, because worker 0 reads those of all threads. */
export function shareCollector(s: CollectSpec): CollectMemory {
  return {
    sums: shared(Float64Array, s.streams * SUM.width),
    histogram: shared(Uint32Array, s.streams * BINS),
    series: shared(Float64Array, s.streams * s.intervals * 3),
    accepted: shared(Float64Array, s.ends * s.streams),
    hash: shared(Int32Array, 2),
    flows: {
      full: shared(Uint32Array, s.homes === undefined ? 0 : s.routers ** 2),
      short: shared(Float64Array, s.homes === undefined ? 0 : 2 * s.routers ** 2),
    },
  }
}

/** Returns all sums as words. Runs of zeros are compressed, because most pairs of routers have no traffic. */
export function saveSums(m: CollectMemory): PartState {
  return joined(Object.fromEntries(sumColumns(m).map(([name, words]) => [name, packWords(words, [[0, words.length]])])))
}

export function restoreSums(m: CollectMemory, state: PartState): void {
  for (const [name, words] of sumColumns(m)) unpackWords(words, [[0, words.length]], partOf(state, name))
}

/** Returns all columns as views of 32-bit words. */
function sumColumns(m: CollectMemory): [name: string, words: Int32Array][] {
  const { flows, ...rest } = m
  const all = { ...rest, ...flows }
  return Object.entries(all).map(([name, a]) => [name, new Int32Array(a.buffer, a.byteOffset, a.byteLength / 4)])
}

export interface Collector {
  collect(rows: Int32Array, count: number): void
  /**
   * Returns messages of which only some chunks came to this worker: rows of OPEN. Rails of one endpoint may belong to
   * different workers.
   */
  open(): Float64Array
  /** Continues to count the chunks of these messages, and forgets all others. */
  reopen(rows: Float64Array): void
}

/**
 * A message that is not complete: its source and number, chunks that arrived and that it has, the arrival time of the
 * last one and its creation time in ps, and its stream.
 */
const OPEN = { name: 0, came: 1, chunks: 2, latest: 3, createdAt: 4, stream: 5, words: 6 } as const

/** Returns a collector that adds to `m`. */
export function makeCollector(s: CollectSpec, m: CollectMemory, window: Float64Array): Collector {
  const { sums, histogram, series, accepted, hash } = m
  const { full, short } = m.flows
  const { times, entries, homes, routers } = s
  const { chunk } = times
  const fullLink = linkTime(times, chunk)
  const fullEnds = endsTime(times, chunk)
  const messages = new OpenMessages()

  /**
   * Counts a message when its last chunk has arrived. The name combines source and number: a source has < 2^26
   * messages.
   */
  function message(rows: Int32Array, at: number, o: number, t: number, createdAt: number): void {
    const chunks = rows[at + RECORD.chunks]
    const latest =
      chunks === 1
        ? t
        : messages.add(
            rows[at + RECORD.src] * 2 ** 26 + rows[at + RECORD.message],
            1,
            chunks,
            t,
            createdAt,
            rows[at + RECORD.stream],
          )
    if (latest < 0) return
    sums[o + SUM.messages]++
    sums[o + SUM.messageLatency] += latest - createdAt
  }

  /**
   * Adds the parts of the time of a measured chunk (attribution). Full chunks only need counters, because their times
   * are constant.
   */
  function way(rows: Int32Array, at: number, o: number, network: number): void {
    const hops = rows[at + RECORD.hops]
    if (hops === 0) {
      // The chunk went from an endpoint to itself: it was copied at the rate of its link.
      sums[o + SUM.own]++
      sums[o + SUM.ends] += network
      return
    }
    const wires = rows[at + RECORD.wires]
    const waited = rows[at + RECORD.waited]
    if (wires !== 0) sums[o + SUM.wires] += wires
    if (waited !== 0) sums[o + SUM.waited] += waited
    // index of the pair of routers
    const k = homes === undefined ? 0 : entries![rows[at + RECORD.src]] * routers + homes[rows[at + RECORD.dst]]
    const bytes = rows[at + RECORD.bytes]
    if (bytes === chunk) {
      if (homes !== undefined) full[k]++
      return
    }
    const link = linkTime(times, bytes)
    sums[o + SUM.short]++
    sums[o + SUM.ends] += endsTime(times, bytes) - fullEnds
    sums[o + SUM.links] += linksOf(times, hops) * (link - fullLink)
    if (homes === undefined) return
    short[2 * k]++
    short[2 * k + 1] += link
  }

  /** Adds `count` delivery records. */
  function collect(rows: Int32Array, count: number): void {
    const from = window[0]
    const to = window[1]
    for (let i = 0, at = 0; i < count; i++, at += RECORD.words) {
      const stream = rows[at + RECORD.stream]
      const o = stream * SUM.width
      const t = arrivalOf(rows, at)
      const createdAt = creationTime(rows, at)
      const bytes = rows[at + RECORD.bytes]
      const latency = t - createdAt
      const cycles = Math.round(latency / s.cycle)
      hash[0] = (hash[0] + hashOf(rows, at)) | 0
      sums[o + SUM.delivered]++
      sums[o + SUM.bytes] += bytes
      sums[o + SUM.hopsAll] += rows[at + RECORD.hops]
      // The series counts by arrival, inside and outside the window.
      const slot = Math.floor(t / s.interval)
      if (slot < s.intervals) {
        const k = (stream * s.intervals + slot) * 3
        series[k]++
        series[k + 1] += bytes
        series[k + 2] += latency
      }
      if (t >= from && t < to) accepted[rows[at + RECORD.dst] * s.streams + stream] += bytes
      // Only packets that were created in the window are measured.
      if (createdAt < from || createdAt >= to) continue
      sums[o + SUM.measured]++
      sums[o + SUM.latency] += latency
      sums[o + SUM.rounded] += cycles
      sums[o + SUM.squared] += cycles * cycles
      const network = t - sentAt(rows, at)
      sums[o + SUM.network] += network
      sums[o + SUM.hops] += rows[at + RECORD.hops]
      if (sums[o + SUM.measured] === 1 || latency < sums[o + SUM.min]) sums[o + SUM.min] = latency
      if (latency > sums[o + SUM.max]) sums[o + SUM.max] = latency
      histogram[stream * BINS + bin(Math.min(2147483647, cycles))]++
      way(rows, at, o, network)
      message(rows, at, o, t, createdAt)
    }
  }

  return { collect, open: () => messages.rows(), reopen: (rows) => messages.reopen(rows) }
}

/** Counts the chunks of messages by name. Rows of finished messages are used again. */
class OpenMessages {
  private readonly at = new Map<number, number>()
  private readonly free: number[] = []
  private words = new Float64Array(64 * OPEN.words)
  private used = 0

  /**
   * Adds `came` chunks of a message, the last of them at t. Returns the arrival time of its last chunk, or -1 while
   * some are missing.
   */
  add(name: number, came: number, chunks: number, t: number, createdAt: number, stream: number): number {
    const { words } = this
    const i = this.at.get(name) ?? -1
    if (i < 0) {
      if (came < chunks) this.begin([name, came, chunks, t, createdAt, stream])
      return came < chunks ? -1 : t
    }
    words[i + OPEN.came] += came
    if (t > words[i + OPEN.latest]) words[i + OPEN.latest] = t
    if (words[i + OPEN.came] < chunks) return -1
    this.at.delete(name)
    this.free.push(i)
    return words[i + OPEN.latest]
  }

  /** Starts a row, and doubles the array if it is full. */
  private begin(row: readonly number[]): void {
    const i = this.free.pop() ?? this.used++ * OPEN.words
    if (i === this.words.length) {
      const more = new Float64Array(2 * i)
      more.set(this.words)
      this.words = more
    }
    this.words.set(row, i)
    this.at.set(row[OPEN.name], i)
  }

  /** Replaces all messages by these. */
  reopen(rows: Float64Array): void {
    this.at.clear()
    this.free.length = 0
    this.used = 0
    for (let i = 0; i < rows.length; i += OPEN.words) this.begin(Array.from(rows.subarray(i, i + OPEN.words)))
  }

  rows(): Float64Array {
    const all = new Float64Array(this.at.size * OPEN.words)
    let n = 0
    for (const i of this.at.values()) all.set(this.words.subarray(i, i + OPEN.words), OPEN.words * n++)
    return all
  }
}

/** Completes messages whose chunks came to several workers, and counts them in `sums`. */
export function joinMessages(open: readonly Float64Array[], sums: Float64Array): void {
  const messages = new OpenMessages()
  for (const rows of open)
    for (let i = 0; i < rows.length; i += OPEN.words) {
      const of = (word: number) => rows[i + word]
      const [createdAt, stream] = [of(OPEN.createdAt), of(OPEN.stream)]
      const latest = messages.add(of(OPEN.name), of(OPEN.came), of(OPEN.chunks), of(OPEN.latest), createdAt, stream)
      if (latest < 0) continue
      sums[stream * SUM.width + SUM.messages]++
      sums[stream * SUM.width + SUM.messageLatency] += latest - createdAt
    }
}

/** Returns one sum over workers and streams (-1: all). */
export function total(of: readonly CollectMemory[], which: number, stream: number, streams: number): number {
  let sum = 0
  for (const m of of)
    for (let s = 0; s < streams; s++) if (stream < 0 || s === stream) sum += m.sums[s * SUM.width + which]
  return sum
}

/** Returns the minimum or maximum over workers and streams. Streams without measured packets have no value. */
export function extreme(
  of: readonly CollectMemory[],
  which: number,
  stream: number,
  streams: number,
  choose: (a: number, b: number) => number,
): number {
  let got = Number.NaN
  for (const m of of)
    for (let s = 0; s < streams; s++) {
      if ((stream >= 0 && s !== stream) || m.sums[s * SUM.width + SUM.measured] === 0) continue
      const v = m.sums[s * SUM.width + which]
      got = Number.isNaN(got) ? v : choose(got, v)
    }
  return got
}
