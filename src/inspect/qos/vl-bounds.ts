// The guarantees of VL arbitration with both tables: the share of each VL, and the worst-case wait of its head packet.
// docs/model/qos-schedulers.md derives the formulas. They hold for one link whose packets have credits, while all other
// VLs are backlogged in the most unfavourable order.
import { WEIGHT_BYTES } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"

/** The packets of a VL: bytes of the shortest and of the longest one. */
export interface LanePackets {
  readonly least: number
  readonly most: number
}

export interface VlTables {
  readonly high: readonly TableEntry[]
  readonly low: readonly TableEntry[]
  /** 0 to 255, in units of 4096 bytes */
  readonly limit: number
}

export interface VlGuarantee {
  readonly vl: number
  /** fraction of the link while all VLs are backlogged; 0 if it may starve */
  readonly share: number
  /** bytes that other VLs send at most before its head packet; Infinity if it may starve */
  readonly waitBytes: number
}

const LIMIT_BYTES = 4096
const NO_LIMIT = 255

/** What one visit of an entry sends. */
interface Visit {
  readonly least: number
  readonly most: number
  /** largest number of packets */
  readonly packets: number
}

/** One link: the tables without entries of weight 0 and of VLs that never send. */
interface Link {
  readonly high: readonly TableEntry[]
  readonly low: readonly TableEntry[]
  readonly limit: number
  readonly packets: ReadonlyMap<number, LanePackets>
}

/** Returns the guarantees of the VLs in `packets`: those that send. Lengths are rounded up to 64 bytes. */
export function vlGuarantees(tables: VlTables, packets: ReadonlyMap<number, LanePackets>): VlGuarantee[] {
  const up = (bytes: number) => WEIGHT_BYTES * Math.max(1, Math.ceil(bytes / WEIGHT_BYTES))
  const whole = new Map([...packets].map(([vl, p]) => [vl, { least: up(p.least), most: up(p.most) }]))
  const sent = (t: readonly TableEntry[]) => t.filter((e) => e.weight > 0 && whole.has(e.queue))
  const link = { high: sent(tables.high), low: sent(tables.low), limit: tables.limit, packets: whole }
  return [...whole.keys()]
    .sort((a, b) => a - b)
    .map((vl) => ({
      vl,
      share: highShare(link, vl) + lowShare(link, vl),
      waitBytes: Math.min(highWait(link, vl), lowWait(link, vl)),
    }))
}

/** A packet may start while any weight is left, so the last one may exceed the weight. */
function visitOf({ queue, weight }: TableEntry, { packets }: Link): Visit {
  const { least, most } = packets.get(queue)!
  const count = Math.ceil((weight * WEIGHT_BYTES) / least)
  if (least === most) return { least: count * most, most: count * most, packets: count }
  return { least: weight * WEIGHT_BYTES, most: (weight - 1) * WEIGHT_BYTES + most, packets: count }
}

/** Sums of the visits of entries: bytes at least and at most, packets at most. */
function visits(entries: readonly TableEntry[], link: Link): Visit {
  let [least, most, packets] = [0, 0, 0]
  for (const e of entries) {
    const v = visitOf(e, link)
    least += v.least
    most += v.most
    packets += v.packets
  }
  return { least, most, packets }
}

/** The largest sums between two entries of a VL; undefined if it has no entry. */
function worstGap(table: readonly TableEntry[], vl: number, link: Link): Visit | undefined {
  const own = table.flatMap((e, i) => (e.queue === vl ? [i] : []))
  if (own.length === 0) return undefined
  const gaps = own.map((first, i) => {
    const next = own[i + 1] ?? own[0] + table.length
    const between = Array.from({ length: next - first - 1 }, (_, k) => table[(first + 1 + k) % table.length])
    return visits(between, link)
  })
  return {
    least: 0,
    most: Math.max(...gaps.map((g) => g.most)),
    packets: Math.max(...gaps.map((g) => g.packets)),
  }
}

const largest = (table: readonly TableEntry[], { packets }: Link) =>
  table.reduce((most, e) => Math.max(most, packets.get(e.queue)!.most), 0)

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

/** Granularity of the bytes that the high-priority table can have sent. */
function stepOf({ high, packets }: Link): number {
  const lengths = high.map((e) => packets.get(e.queue)!)
  return lengths.every((p) => p.least === p.most) ? lengths.reduce((g, p) => gcd(p.most, g), 0) : WEIGHT_BYTES
}

/** Fewest bytes of high priority between two opportunities of the low-priority table. */
function fewest(link: Link): number {
  const step = stepOf(link)
  return step === 0 ? 0 : step * Math.ceil((link.limit * LIMIT_BYTES) / step)
}

/** Most bytes of high priority between two packets of low priority. */
function mostBetween(link: Link): number {
  const longest = largest(link.high, link)
  if (link.high.length === 0 || link.limit === 0) return longest
  if (link.limit === NO_LIMIT) return Number.POSITIVE_INFINITY
  const step = stepOf(link)
  return step * Math.floor((link.limit * LIMIT_BYTES - 1) / step) + longest
}

/** A VL of the high-priority table waits for the entries between two of its own, and for low-priority packets. */
function highWait(link: Link, vl: number): number {
  const gap = worstGap(link.high, vl, link)
  if (gap === undefined) return Number.POSITIVE_INFINITY
  const others = link.low.filter((e) => e.queue !== vl)
  if (others.length === 0 || link.limit === NO_LIMIT) return gap.most + oneOnTheLink(link, vl)
  const all = gap.packets + 1
  const opportunities = link.limit === 0 ? all : Math.min(all, Math.floor(gap.most / fewest(link)) + 1)
  return gap.most + opportunities * largest(others, link)
}

/** Without opportunities, a packet of low priority can only be on the link already. */
function oneOnTheLink(link: Link, vl: number): number {
  return largest(
    link.low.filter((e) => e.queue !== vl),
    link,
  )
}

/** A VL of the low-priority table: before each of its packets, the other table sends up to its limit. */
function lowWait(link: Link, vl: number): number {
  const gap = worstGap(link.low, vl, link)
  if (gap === undefined) return Number.POSITIVE_INFINITY
  const between = mostBetween(link)
  return between === 0 ? gap.most : (gap.packets + 1) * between + gap.most
}

function highShare(link: Link, vl: number): number {
  const own = visits(
    link.high.filter((e) => e.queue === vl),
    link,
  )
  if (own.least === 0) return 0
  const others = visits(
    link.high.filter((e) => e.queue !== vl),
    link,
  )
  const bytes = own.least + others.most
  const longest = link.limit === NO_LIMIT ? 0 : largest(link.low, link)
  const low = link.limit === 0 ? (own.packets + others.packets) * longest : (bytes / fewest(link)) * longest
  return own.least / (bytes + low)
}

function lowShare(link: Link, vl: number): number {
  const own = visits(
    link.low.filter((e) => e.queue === vl),
    link,
  )
  if (own.least === 0) return 0
  const others = visits(
    link.low.filter((e) => e.queue !== vl),
    link,
  )
  return own.least / (own.least + others.most + (own.packets + others.packets) * mostBetween(link))
}
