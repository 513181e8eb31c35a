// Figures of parallel programs: when ranks waited for other ranks, which calls took their time, and the latency of
// messages of each size. choose.ts adds them to a report whose runs have jobs.
import type { Table } from "../../model/experiment.ts"
import type { RunRecord } from "../../results/record.ts"
import type { CellsFigure, LinesFigure, StackFigure } from "./figure.ts"

const numbers = (table: Table, name: string): number[] => (table[name] ?? []).map(Number)
const words = (table: Table, name: string): string[] => (table[name] ?? []).map(String)

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
