// `lacewing bench parallel`: the Slim Fly of 3,042 endpoints under every synchronisation, with 1 worker up to the cores at hand, beside the sequential
// engine: wall time, what the workers waited, what optimism undid, and whether the fingerprint is the same. Each run has a process of its own, since
// a second run in one process would find other code. A speed-up counts only where CPU time over wall time comes near the number of workers: then the
// cores were free.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { plainMeasure, plainStream } from "../../compile/plain-run.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { compileHere } from "../../run/compile-here.ts"
import { cores } from "../../run/cores.ts"

export interface ParallelRow {
  readonly name: string
  readonly workers: number
  /** seconds of the run without building it; seconds until all threads had built it, too; CPU seconds of all threads in the process */
  readonly seconds: number
  readonly gather: number
  readonly cpuSeconds: number
  /** wall time of the sequential engine over this one's */
  readonly speedUp: number
  readonly fingerprint: string
  /** share of events that counted, rollbacks, anti-messages; conservative: meetings or promises */
  readonly efficiency?: number
  readonly rollbacks?: number
  readonly antiMessages?: number
  readonly rounds?: number
  readonly cut?: number
}

export const parallelModes = {
  windows: { sync: "conservative", protocol: "windows" },
  "null messages": { sync: "conservative", protocol: "null-messages" },
  optimistic: { sync: "optimistic" },
} as const

export function specOf(engine: Readonly<Record<string, unknown>>, us: number, credit: string): RunSpec {
  return {
    network: {
      topology: { name: "slimfly", q: 13, p: 9 },
      routing: { name: "slimfly.ugal-l" },
      switch: { name: "chunk", bandwidth: "12.5GiB/s", credit },
      endpoint: { name: "rails" },
      links: { end: "0ns", local: "0ns", global: "0ns" },
      cycle: "1ns",
      flit: "64B",
    },
    engine: { name: "packet", ...engine },
    traffic: [plainStream({ arrivals: { name: "poisson" }, packet: { name: "fixed", size: "4KiB" }, load: 0.5 })],
    measure: plainMeasure({ warmup: "10us", window: `${us - 10}us`, limit: `${us}us` }),
    probes: [],
    seed: 1,
  }
}

interface Told {
  readonly fingerprint: string
  readonly values: Readonly<Record<string, number>>
  readonly cpu: number
}

function measured(engine: Readonly<Record<string, unknown>>, us: number, credit: string): Told {
  const child = fileURLToPath(new URL("./parallel-child.js", import.meta.url))
  const got = spawnSync(process.execPath, [...compileHere, child, JSON.stringify(engine), String(us), credit], { encoding: "utf8" })
  if (got.status !== 0) throw new Error(got.stderr)
  return JSON.parse(got.stdout) as Told
}

export function benchParallel(o: {
  readonly us?: number
  readonly credit?: string
  /** how far optimistic workers run ahead */
  readonly optimism?: string
  readonly most?: number
  onRow?(row: ParallelRow): void
}): ParallelRow[] {
  const us = o.us ?? 200
  const credit = o.credit ?? "90ns"
  const rows: ParallelRow[] = []
  let base = Number.NaN
  const put = (name: string, workers: number, engine: Readonly<Record<string, unknown>>) => {
    const { fingerprint, values, cpu } = measured(engine, us, credit)
    const gather = values["engine.gather"] ?? 0
    const seconds = values["seconds"]! - gather
    if (Number.isNaN(base)) base = seconds
    const value = (key: string, as: string) => (values[key] === undefined ? {} : { [as]: values[key] })
    const row: ParallelRow = {
      name,
      workers,
      seconds,
      gather,
      cpuSeconds: cpu,
      speedUp: base / seconds,
      fingerprint,
      ...value("engine.efficiency", "efficiency"),
      ...value("engine.rollbacks", "rollbacks"),
      ...value("engine.anti-messages", "antiMessages"),
      ...value("engine.rounds", "rounds"),
      ...value("engine.cut", "cut"),
    }
    rows.push(row)
    o.onRow?.(row)
  }
  put("sequential", 1, { sync: "sequential" })
  const most = o.most ?? cores
  for (const [name, engine] of Object.entries(parallelModes))
    for (let workers = name === "optimistic" ? 1 : 2; workers <= most; workers *= 2) {
      const optimism = name === "optimistic" ? { optimism: o.optimism ?? "100ns" } : {}
      put(name, workers, { ...engine, ...optimism, workers })
    }
  return rows
}
