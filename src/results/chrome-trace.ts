// The time line of ranks in the Trace Event Format of Chrome, which Perfetto (https://ui.perfetto.dev) opens: "Trace
// Event Format", D. Sinclair and others, Google, 2016. Each job of each run is a process, each rank one or more
// threads. The slices of a thread do not overlap: an operation that overlaps with the earlier ones of its rank takes
// the next thread. Only runs with the probe `timeline` have operations. The critical path of each job is a thread of
// its process.
import { quantity } from "../core/units.ts"
import type { Table } from "../model/experiment.ts"
import { writeAtomic } from "./disk.ts"
import type { RunRecord } from "./record.ts"

/** An event: M names a process or a thread, X is a slice. Times are µs. */
export type TraceEvent =
  | {
      readonly ph: "M"
      readonly name: "process_name" | "thread_name" | "thread_sort_index"
      readonly pid: number
      readonly tid?: number
      readonly args: { readonly name: string } | { readonly sort_index: number }
    }
  | {
      readonly ph: "X"
      readonly name: string
      readonly cat: string
      readonly pid: number
      readonly tid: number
      readonly ts: number
      readonly dur: number
      readonly args: Readonly<Record<string, string | number>>
    }

/** A slice of a rank before it has a thread; times in cycles. */
interface Slice {
  readonly from: number
  readonly until: number
  readonly name: string
  readonly cat: string
  readonly args: Readonly<Record<string, string | number>>
}

/** Returns the events of all runs that stored operations. */
export function traceEventsOf(records: readonly RunRecord[]): TraceEvent[] {
  const events: TraceEvent[] = []
  let pid = 0
  for (const record of records) {
    const stored = record.result.tables["jobs-operations"]
    if (stored === undefined) continue
    const us = microseconds(record)
    const at = [...Object.entries(record.point).map(([k, v]) => `${k}=${v}`), `seed=${record.seed}`].join(" ")
    for (const [job, ranks] of byRank(stored)) {
      pid++
      events.push({ ph: "M", name: "process_name", pid, args: { name: `${job} (${at})` } })
      let tid = 0
      const thread = (name: string, slices: readonly Slice[]) => {
        tid++
        events.push({ ph: "M", name: "thread_name", pid, tid, args: { name } })
        events.push({ ph: "M", name: "thread_sort_index", pid, tid, args: { sort_index: tid } })
        for (const { from, until, ...rest } of slices)
          events.push({ ph: "X", pid, tid, ts: us(from), dur: Math.round((us(until) - us(from)) * 1e6) / 1e6, ...rest })
      }
      const path = criticalPath(record.result.tables["jobs-path"], job)
      if (path.length > 0) thread("critical path", path)
      for (const [rank, slices] of ranks)
        for (const [i, lane] of lanesOf(slices).entries()) thread(i === 0 ? `rank ${rank}` : `rank ${rank}, ${i}`, lane)
    }
  }
  return events
}

/** Writes the events as JSON. Returns the number of slices. */
export function writeChromeTrace(file: string, records: readonly RunRecord[]): number {
  const events = traceEventsOf(records)
  const lines = events.map((e) => JSON.stringify(e)).join(",\n")
  writeAtomic(file, `{"displayTimeUnit":"ns","traceEvents":[\n${lines}\n]}\n`)
  return events.filter((e) => e.ph === "X").length
}

/** Returns a function from cycles to µs. Times of ranks are whole ps, so a time is a number of ps over 10^6. */
function microseconds({ spec }: RunRecord): (cycles: number) => number {
  const ps = quantity(spec.network.cycle, "time")
  if (typeof ps === "string") throw new Error(`network.cycle of a stored run: ${ps}`)
  return (cycles) => Math.round(cycles * ps) / 1e6
}

/** [job][rank] -> its operations in order of their starts; of equal starts, those that occupy the rank come first. */
function byRank(table: Table): Map<string, Map<number, Slice[]>> {
  const jobs = new Map<string, Map<number, Slice[]>>()
  const column = (name: string) => table[name] ?? []
  const [from, until, peer, bytes] = [column("from"), column("until"), column("peer"), column("bytes")]
  for (const [i, name] of column("job").entries()) {
    const job = String(name)
    const ranks = jobs.get(job) ?? new Map<number, Slice[]>()
    jobs.set(job, ranks)
    const rank = Number(column("rank")[i])
    const slices = ranks.get(rank) ?? []
    ranks.set(rank, slices)
    const [call, cat] = [String(column("call")[i]), String(column("state")[i])]
    slices.push({
      from: Number(from[i]),
      until: Number(until[i]),
      name: call,
      cat,
      args: {
        state: cat,
        ...(Number(bytes[i]) > 0 ? { bytes: Number(bytes[i]) } : {}),
        ...(typeof peer[i] === "number" && Number.isFinite(peer[i]) ? { peer: Number(peer[i]) } : {}),
      },
    })
  }
  for (const ranks of jobs.values())
    for (const slices of ranks.values())
      slices.sort((a, b) => a.from - b.from || Number(a.cat === "progress") - Number(b.cat === "progress"))
  return jobs
}

/** Divides slices into as few lists without overlap as a greedy assignment needs. */
function lanesOf(slices: readonly Slice[]): Slice[][] {
  const lanes: Slice[][] = []
  const ends: number[] = []
  for (const slice of slices) {
    const free = ends.findIndex((end) => end <= slice.from)
    const lane = free < 0 ? lanes.length : free
    if (free < 0) lanes.push([])
    lanes[lane].push(slice)
    ends[lane] = slice.until
  }
  return lanes
}

/** Returns the steps of the critical path: time of a rank, and of the network between two ranks. */
function criticalPath(table: Table | undefined, job: string): Slice[] {
  if (table === undefined) return []
  const number = (name: string, i: number) => {
    const cell = table[name]?.[i]
    return typeof cell === "number" ? cell : Number.NaN
  }
  return (table["job"] ?? []).flatMap((name, i) => {
    if (name !== job) return []
    const [rank, from, sent, came, until] = ["rank", "from", "sent", "came", "until"].map((c) => number(c, i))
    const network = { from: sent, until: came, name: `network ${from} to ${rank}`, cat: "critical path", args: {} }
    const own = { from: came, until, name: `rank ${rank}`, cat: "critical path", args: {} }
    return [network, own].filter((s) => s.until > s.from)
  })
}
