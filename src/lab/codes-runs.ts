// Runs of the CODES table, each in a process of its own, several at a time.
import { execFile } from "node:child_process"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { type CodesResult, type CodesRun, type Quirk, runCodes } from "./reference/codes.ts"

export interface CodesOrder {
  readonly run: CodesRun
  readonly seed: number
  readonly off?: ReadonlySet<Quirk>
  /** ns; CODES' own when left out */
  readonly end?: number
}

export type TimedResult = CodesResult & { readonly rss: number }

/** Seen from its sources there is no program to start: then it runs here. */
function inProcess(): boolean {
  return import.meta.url.endsWith(".ts")
}

export async function runOrder(o: CodesOrder): Promise<TimedResult> {
  if (inProcess()) return { ...runCodes(o.run, o.seed, o.off, o.end ?? o.run.end), rss: process.resourceUsage().maxRSS / 1024 }
  const child = fileURLToPath(new URL("./codes-child.js", import.meta.url))
  const args = [child, o.run.id, String(o.seed), String(o.end ?? 0), [...(o.off ?? [])].join(",")]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, out) => {
      if (error !== null) reject(error)
      else resolve(JSON.parse(out) as TimedResult)
    })
  })
}

/** All of them, `workers` at a time, results in the order of the orders. */
export async function runOrders(
  orders: readonly CodesOrder[],
  workers = inProcess() ? 1 : availableParallelism(),
  onDone?: (done: number) => void,
): Promise<TimedResult[]> {
  const results = new Array<TimedResult>(orders.length)
  let next = 0
  let done = 0
  const lane = async () => {
    while (next < orders.length) {
      const i = next++
      results[i] = await runOrder(orders[i]!)
      onDone?.(++done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, orders.length) }, lane))
  return results
}
