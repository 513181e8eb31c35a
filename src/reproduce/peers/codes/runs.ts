// Runs of the CODES table, each in a process of its own, several at a time.
import { execFile } from "node:child_process"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { compileHere } from "../../../run/compile-here.ts"
import { type CodesResult, type CodesRun, runCodes } from "./experiments.ts"
import type { Quirk } from "./network.ts"

export interface CodesOrder {
  readonly run: CodesRun
  readonly seeds: readonly number[]
  readonly off?: ReadonlySet<Quirk>
  /** ns; CODES' own when left out */
  readonly end?: number
  /** messages are this many times farther apart */
  readonly spread?: number
}

export type TimedResult = CodesResult & { readonly rss: number }

/** Seen from its sources there is no program to start: then it runs here. */
function inProcess(): boolean {
  return import.meta.url.endsWith(".ts")
}

/** One result for each seed. */
export async function runOrder(o: CodesOrder): Promise<TimedResult[]> {
  if (inProcess()) {
    const run = { ...o.run, load: o.run.load / (o.spread ?? 1) }
    return o.seeds.map((seed) => ({
      ...runCodes(run, seed, o.off, o.end ?? run.end),
      rss: process.resourceUsage().maxRSS / 1024,
    }))
  }
  const child = fileURLToPath(new URL("./codes-child.js", import.meta.url))
  const args = [
    child,
    o.run.id,
    o.seeds.join(","),
    String(o.end ?? 0),
    [...(o.off ?? [])].join(","),
    String(o.spread ?? 1),
  ]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...compileHere, ...args], (error, out) => {
      if (error !== null) reject(error)
      else resolve(JSON.parse(out) as TimedResult[])
    })
  })
}

/** All of them, `workers` at a time, results in the order of the orders. */
export async function runOrders(
  orders: readonly CodesOrder[],
  workers = inProcess() ? 1 : availableParallelism(),
  onDone?: (index: number, results: readonly TimedResult[]) => void,
): Promise<TimedResult[][]> {
  const results = new Array<TimedResult[]>(orders.length)
  let next = 0
  const lane = async () => {
    while (next < orders.length) {
      const i = next++
      results[i] = await runOrder(orders[i])
      onDone?.(i, results[i])
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, orders.length) }, lane))
  return results
}

const measured = ["latency", "accepted", "hops", "detours", "messageLatency"] as const

/** Means over seeds, and how far one seed lies from them: the standard deviation between seeds, 0 for a single one. */
export function average(of: readonly CodesResult[]): { readonly mean: CodesResult; readonly spread: CodesResult } {
  const mean = { ...of[0] }
  const spread = { ...of[0] }
  for (const key of measured) {
    mean[key] = of.reduce((sum, r) => sum + r[key], 0) / of.length
    spread[key] =
      of.length < 2 ? 0 : Math.sqrt(of.reduce((sum, r) => sum + (r[key] - mean[key]) ** 2, 0) / (of.length - 1))
  }
  return { mean, spread }
}
