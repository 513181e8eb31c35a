// `lacewing bench parallel`: runs networks of both engines on 1 worker up to the available cores, the packet engine
// under every synchronisation. It reports wall and CPU time, the components of each worker's time, the rolled-back
// work, and whether the fingerprint is the same. Each run has a separate process, because a second run in one process
// would find other compiled code. A speed-up counts only if CPU time over wall time is near the number of workers,
// because only then the cores were free.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { compileHere } from "../../../run/compile-here.ts"
import { cores } from "../../../run/cores.ts"
import type { GroupTimes } from "../../../run/times.ts"
import { type ParallelNetwork, parallelNetworks } from "./parallel-networks.ts"

export interface ParallelRow {
  readonly network: string
  /** sequential; windows, null messages, optimistic; clocked: the windows of the clocked engines */
  readonly mode: string
  readonly workers: number
  /** seconds of the run without building it; seconds until all threads had built it, too; CPU seconds of all threads in
   *  the process */
  readonly seconds: number
  readonly gather: number
  readonly cpuSeconds: number
  /** wall time of one worker over this one's */
  readonly speedUp: number
  readonly fingerprint: string
  /** the same as the first run's of this network */
  readonly same: boolean
  /** [worker] -> seconds of its own work, of messages and of waiting; absent for one worker */
  readonly times?: GroupTimes["workers"]
  /** committed share of events, rollbacks, anti-messages; conservative: barriers or steps of a clock */
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

/** What a process of its own answers. */
export interface ParallelAnswer {
  readonly fingerprint: string
  readonly values: Readonly<Record<string, number>>
  readonly seconds: number
  readonly cpu: number
  readonly times?: GroupTimes
}

function measured(
  network: string,
  engine: Readonly<Record<string, unknown>>,
  workers: number,
  us: number,
  credit: string,
): ParallelAnswer {
  const child = fileURLToPath(new URL("./parallel-child.js", import.meta.url))
  const order = [JSON.stringify(engine), String(us), credit, network, String(workers)]
  const got = spawnSync(process.execPath, [...compileHere, child, ...order], { encoding: "utf8" })
  if (got.status !== 0) throw new Error(got.stderr)
  return JSON.parse(got.stdout) as ParallelAnswer
}

export interface ParallelOptions {
  /** simulated microseconds, instead of each network's own */
  readonly us?: number
  readonly credit?: string
  /** how far optimistic workers run ahead */
  readonly optimism?: string
  readonly most?: number
  /** only rows whose network and mode match, with one worker of that network; large networks only so */
  readonly match?: RegExp
  onNetwork?(network: ParallelNetwork, us: number): void
  onRow?(row: ParallelRow): void
}

/** [mode, its settings of the engine] of one network. */
function modesOf(
  n: ParallelNetwork,
  credit: string,
  optimism: string,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  if (n.spec(n.us, credit).engine.name !== "packet") return [["clocked", {}]]
  return Object.entries(parallelModes).map(([name, engine]) => [
    name,
    name === "optimistic" ? { ...engine, optimism } : engine,
  ])
}

export function benchParallel(o: ParallelOptions): ParallelRow[] {
  const credit = o.credit ?? "90ns"
  const most = o.most ?? cores
  const rows: ParallelRow[] = []
  for (const n of parallelNetworks) {
    const chosen = modesOf(n, credit, o.optimism ?? "100ns").filter(
      ([mode]) => o.match?.test(`${n.name} ${mode}`) ?? n.large !== true,
    )
    if (chosen.length === 0) continue
    const us = o.us ?? n.us
    o.onNetwork?.(n, us)
    let first: ParallelRow | undefined
    const put = (mode: string, workers: number, engine: Readonly<Record<string, unknown>>) => {
      const row = rowOf(n.name, mode, workers, measured(n.name, engine, workers, us, credit), first)
      first ??= row
      rows.push(row)
      o.onRow?.(row)
    }
    const packet = chosen[0][0] !== "clocked"
    put(packet ? "sequential" : "clocked", 1, packet ? { sync: "sequential" } : {})
    for (const [mode, engine] of chosen)
      for (let workers = mode === "optimistic" ? 1 : 2; workers <= most; workers *= 2) put(mode, workers, engine)
  }
  return rows
}

function rowOf(
  network: string,
  mode: string,
  workers: number,
  a: ParallelAnswer,
  first: ParallelRow | undefined,
): ParallelRow {
  const gather = a.times?.gather ?? 0
  const seconds = a.seconds - gather
  const value = (key: string, as: string) => (a.values[key] === undefined ? {} : { [as]: a.values[key] })
  return {
    ...{ network, mode, workers, seconds, gather, cpuSeconds: a.cpu, fingerprint: a.fingerprint },
    speedUp: (first?.seconds ?? seconds) / seconds,
    same: a.fingerprint === (first?.fingerprint ?? a.fingerprint),
    ...(a.times === undefined ? {} : { times: a.times.workers }),
    ...value("engine.efficiency", "efficiency"),
    ...value("engine.rollbacks", "rollbacks"),
    ...value("engine.anti-messages", "antiMessages"),
    ...value("engine.rounds", "rounds"),
    ...value("engine.cut", "cut"),
  }
}
