// Figures of parallel programs: the operations of ranks, when ranks waited for other ranks, which calls took their
// time, and the latency of messages of each size. choose.ts adds them to a report whose runs have jobs.
import type { Table } from "../../model/experiment.ts"
import type { RunRecord } from "../../results/record.ts"
import type { CellsFigure, LinesFigure, SpansFigure, StackFigure } from "./figure.ts"

const numbers = (table: Table, name: string): number[] => (table[name] ?? []).map(Number)
const words = (table: Table, name: string): string[] => (table[name] ?? []).map(String)

/** More ranks, and more operations, than these are not drawn: a box must stay visible. */
const RANKS = 64
const SPANS = 4000
/** One colour each; rarer calls share the last one. */
const PARTS = 8

/** One row for each rank: computing and the calls that blocked it. Operations in progress overlap and are left out. */
export function operationSpans(table: Table, id: string, title: string): SpansFigure | undefined {
  const [job, call, state] = [words(table, "job"), words(table, "call"), words(table, "state")]
  const [rank, from, until, bytes] = ["rank", "from", "until", "bytes"].map((name) => numbers(table, name))
  const several = new Set(job).size > 1
  const named = (i: number) => (several ? `${job[i]} ${rank[i]}` : `${rank[i]}`)
  const busy = [...job.keys()].filter((i) => state[i] !== "progress" && until[i] > from[i])
  const ranks = new Set(busy.map(named))
  const drawn = new Set([...ranks].slice(0, RANKS))
  const wanted = busy.filter((i) => drawn.has(named(i)))
  const list = wanted
    .slice()
    .sort((a, b) => from[a] - from[b])
    .slice(0, SPANS)
  if (list.length === 0) return undefined
  const partOf = (i: number) => (state[i] === "computing" ? "computing" : call[i])
  const spent = new Map<string, number>()
  for (const i of list) spent.set(partOf(i), (spent.get(partOf(i)) ?? 0) + until[i] - from[i])
  const calls = [...spent.keys()].sort((a, b) => spent.get(b)! - spent.get(a)!)
  const parts = calls.length > PARTS ? [...calls.slice(0, PARTS - 1), "other calls"] : calls
  const rows = new Map([...drawn].map((name) => [name, [] as SpansFigure["rows"][number]["spans"][number][]]))
  for (const i of list) {
    const part = parts.indexOf(partOf(i))
    rows.get(named(i))!.push({
      from: from[i],
      until: until[i],
      part: part < 0 ? PARTS - 1 : part,
      facts: [
        ["call", partOf(i)],
        ["from", from[i]],
        ["until", until[i]],
        ...(bytes[i] > 0 ? [["bytes", bytes[i]] as const] : []),
      ],
    })
  }
  const cut = [
    ...(ranks.size > RANKS ? [`The first ${RANKS} of ${ranks.size} ranks are shown.`] : []),
    ...(wanted.length > SPANS ? [`The first ${SPANS} of ${wanted.length} operations are shown.`] : []),
    "`lacewing run --timeline` writes all of them for Perfetto.",
  ]
  return {
    kind: "spans",
    id,
    title,
    caption: `Computing, and the calls that blocked each rank. ${cut.join(" ")}`,
    x: {
      label: "Time (cycles)",
      min: Math.min(...list.map((i) => from[i])),
      max: Math.max(...list.map((i) => until[i])),
    },
    parts,
    rows: [...rows].map(([name, spans]) => ({ name: several ? name : `rank ${name}`, spans })),
  }
}

/** Ranks from top to bottom, job by job, time from left to right. */
export function timelineCells(table: Table, id: string, title: string): CellsFigure | undefined {
  const job = words(table, "job")
  if (job.length === 0) return undefined
  const [rank, time, held, computing] = ["rank", "time", "held", "computing"].map((name) => numbers(table, name)) as [
    number[],
    number[],
    number[],
    number[],
  ]
  const step = time.reduce((least, t) => (t > 0 ? Math.min(least, t) : least), Number.POSITIVE_INFINITY)
  const rows = new Map<string, number>()
  for (const [i, name] of job.entries()) {
    const key = `${name} ${rank[i]}`
    if (!rows.has(key)) rows.set(key, rows.size)
  }
  const names = [...new Set(job)]
  const several = names.length > 1
  return {
    kind: "cells",
    id,
    title,
    caption: "Fraction of each interval in which a rank (or the ranks up to the next label) was blocked in a call.",
    x: { label: "Time (cycles)", min: 0, step: Number.isFinite(step) ? step : 1 },
    y: {
      label: several ? "Jobs, ranks from top to bottom" : "Rank",
      step: Math.max(1, ...rank.filter((r) => r > 0).slice(0, 1)),
    },
    columns: Math.round(Math.max(...time) / (Number.isFinite(step) ? step : 1)) + 1,
    rows: rows.size,
    unit: "share",
    max: 1,
    tall: true,
    ...(several
      ? { bands: names.map((name) => ({ row: rows.get(`${name} ${rank[job.indexOf(name)]}`)!, name })) }
      : {}),
    cells: job.map((name, i) => ({
      x: Number.isFinite(step) ? Math.round(time[i] / step) : 0,
      y: rows.get(`${name} ${rank[i]}`)!,
      value: held[i],
      facts: [
        ["job", name],
        ["rank", rank[i]],
        ["time", time[i]],
        ["blocked", held[i]],
        ["computing", computing[i]],
      ],
    })),
  }
}

/** One bar for each job: what a rank on average spent in each call, and computing. */
export function callsStack({ result }: RunRecord, id: string, title: string): StackFigure | undefined {
  const [jobs, calls] = [result.tables["jobs"], result.tables["jobs-calls"]]
  if (jobs === undefined || calls === undefined) return undefined
  const [job, call, mean] = [words(calls, "job"), words(calls, "call"), numbers(calls, "mean")]
  const parts = [...new Set(call.filter((_, i) => mean[i] > 0))]
  if (parts.length === 0) return undefined
  const spent = (name: string, part: string) =>
    mean.reduce((sum, m, i) => (job[i] === name && call[i] === part ? sum + m : sum), 0)
  return {
    kind: "stack",
    id,
    title,
    caption: "Cycles for which a rank of each job was blocked in each call, mean over its ranks.",
    x: { label: "Cycles" },
    parts,
    rows: words(jobs, "job").map((name) => ({ name, values: parts.map((part) => spent(name, part)) })),
  }
}

/** Mean and longest of each size, a line for each job. */
export function sizesLines(table: Table, id: string, title: string): LinesFigure | undefined {
  const [job, bytes] = [words(table, "job"), numbers(table, "bytes")]
  if (job.length === 0) return undefined
  const lines = [...new Set(job)].flatMap((name) =>
    ["mean", "max"].map((column) => {
      const values = numbers(table, column)
      return {
        name: `${name}, ${column === "mean" ? "mean" : "longest"}`,
        spots: job.flatMap((of, i) => (of === name ? [{ x: Math.max(1, bytes[i]), y: values[i] }] : [])),
      }
    }),
  )
  return {
    kind: "lines",
    id,
    title,
    caption:
      "Time from the interface of the sender to complete arrival at the receiver. Each size class " +
      "contains messages of more than half of its size, up to its size.",
    x: { label: "Message size up to (bytes)", log: true },
    y: { label: "Latency (cycles)" },
    lines,
    markers: true,
  }
}
