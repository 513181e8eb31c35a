// `lacewing bench workloads`: the cost of parallel programs on one core, in CPU seconds.
//   `dumpi`   Reading DUMPI from bytes in memory to operations of ranks.
//   `replay`  Chunks that ranks send, compared with the same messages as plain traffic, between the same endpoints in
//             the same time. It reports the CPU time of a chunk-hop as medians of pairs.
//   `amg`     A cycle of AMG on 1,728 ranks of the Fit Fly of 3,042 endpoints.
//   `simai`   A step of SimAI's list of layers on the ideal network.
// Each run has a separate process, because a second closure of one factory runs slower
// (docs/architecture/performance.md), which would distort the comparison.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { plainMeasure, plainStream } from "../../../compile/plain-run.ts"
import { workloads } from "../../../library.ts"
import type { JobSpec, NetworkSpec, RunSpec } from "../../../model/experiment.ts"
import { compileHere } from "../../../run/compile-here.ts"

export interface WorkloadsRow {
  readonly name: string
  /** what was measured, in words */
  readonly text: string
  readonly value: number
  /** the bound of `value`; absent: it is only reported */
  readonly goal?: { readonly least?: number; readonly most?: number }
  readonly pass: boolean | "unchecked"
}

/** What a child prints. */
export interface Cost {
  readonly cpu: number
  /** MiB at most */
  readonly memory: number
  /** chunk-hops, bytes, or ranks */
  readonly work: number
  /** seconds simulated */
  readonly simulated: number
}

const chunk = {
  name: "chunk",
  vcs: 4,
  chunk: "4KiB",
  buffer: "64KiB",
  bandwidth: "12.5GiB/s",
  delay: "90ns",
  credit: "90ns",
}
const until = plainMeasure({ until: "jobs", limit: "20ms" })

function job(workload: JobSpec["workload"], more: Partial<JobSpec> = {}): JobSpec {
  return { name: "job", workload, start: "0ns", placement: "random", each: 1, mpi: {}, ...more }
}

function dragonfly(more: Partial<RunSpec>): RunSpec {
  const network: NetworkSpec = {
    topology: { name: "dragonfly", p: 4, a: 8, h: 4 },
    routing: { name: "dragonfly.minimal" },
    switch: chunk,
    endpoint: { name: "rails" },
    links: {},
    cycle: "1ns",
    flit: "64B",
  }
  return { network, engine: { name: "packet" }, traffic: [], measure: until, probes: [], seed: 1, ...more }
}

const GRID = [11, 12, 8] as const
const TURNS = 4
const MESSAGE = 65536

/** [rank] -> endpoint: far from their neighbours, the same in both runs. */
const endOf = (rank: number): number => (rank * 461) % 1056

/** [direction][endpoint] -> endpoint: the neighbours of the stencil. */
function pairs(): number[][] {
  const to: number[][] = Array.from({ length: 6 }, () => [])
  for (let r = 0; r < 1056; r++)
    for (const [d, near] of workloads.neighbours(GRID, r).entries()) to[d][endOf(r)] = endOf(near)
  return to
}

/** Files of the runs: where ranks sit. */
export const files: Readonly<Record<string, () => string>> = {
  places: () => Array.from({ length: 1056 }, (_, r) => endOf(r)).join("\n"),
}

/**
 * Runs of 1,056 endpoints: messages of 64 KiB of a stencil, and the same between the same endpoints as plain traffic in
 * this many seconds.
 */
export const specs: Readonly<Record<string, (seconds: number) => RunSpec>> = {
  ranks: () =>
    dragonfly({
      jobs: [
        job(
          { name: "halo", grid: GRID.join("x"), bytes: `${MESSAGE}B`, iterations: TURNS, compute: "0us" },
          { placement: "file", file: "places", mpi: { eager: "1MiB" } },
        ),
      ],
    }),
  plain: (seconds) => {
    const time = `${Math.round(seconds * 1e9)}ns`
    return dragonfly({
      // as the stencil does: all at once, once in a turn
      traffic: pairs().map((to, d) =>
        plainStream({
          name: `direction ${d}`,
          pattern: { name: "fixed", to },
          arrivals: { name: "periodic", phase: "none" },
          packet: { name: "fixed", size: "4KiB" },
          message: { name: "fixed", size: `${MESSAGE / 4096}packets` },
          load: (TURNS * MESSAGE) / (12.5 * 2 ** 30 * seconds),
        }),
      ),
      measure: plainMeasure({ warmup: "0us", window: time, limit: time, drain: "none" }),
    })
  },
  amg: () =>
    dragonfly({
      network: {
        topology: { name: "fitfly", q: 13, p: 9, rails: 2 },
        routing: { name: "slimfly.ugal-l" },
        switch: chunk,
        endpoint: { name: "rails", select: "congestion" },
        links: { end: "0ns", local: "0ns", global: "0ns" },
        cycle: "1ns",
        flit: "64B",
      },
      jobs: [
        job(
          { name: "amg", iterations: 1 },
          {
            mpi: {
              eager: "8192B",
              limit: "below",
              copy: "0.55ns",
              software: "2500ns",
              nic: "1000ns",
              sends: "left",
              compute: 0,
            },
          },
        ),
      ],
    }),
}

/** One step of a list of layers: 400 Gbit/s and a microsecond, algorithms of few rounds. */
export function simaiSpec(file: string): RunSpec {
  return {
    network: {
      topology: { name: "hyperx", sides: "128", p: 128 },
      routing: { name: "hyperx.minimal" },
      switch: { name: "chunk", vcs: 2 },
      endpoint: { name: "rails" },
      links: {},
      cycle: "1us",
      flit: "64B",
    },
    engine: { name: "ideal", L: "1us", g: "0ns", G: "20ps", S: "1TiB" },
    traffic: [],
    jobs: [job({ name: "trace", file }, { placement: "contiguous", mpi: { algorithms: simaiAlgorithms } })],
    measure: plainMeasure({ until: "jobs", limit: "600s" }),
    probes: [],
    seed: 1,
  }
}

export const simaiAlgorithms = {
  allreduce: "halving-doubling",
  allgather: "bruck",
  "reduce-scatter": "bruck",
  alltoall: "bruck",
}

function cost(...args: readonly string[]): Cost {
  const child = fileURLToPath(new URL("./workloads-child.js", import.meta.url))
  const got = spawnSync(process.execPath, [...compileHere, child, ...args], { encoding: "utf8", maxBuffer: 2 ** 26 })
  if (got.status !== 0) throw new Error(got.stderr)
  return JSON.parse(got.stdout) as Cost
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]

function judged(name: string, text: string, value: number, goal?: { least?: number; most?: number }): WorkloadsRow {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = goal ?? {}
  return {
    name,
    text,
    value,
    ...(goal === undefined ? {} : { goal }),
    pass: goal === undefined ? "unchecked" : value >= least && value <= most,
  }
}

export interface WorkloadsOptions {
  readonly match?: RegExp
  /** pairs of replay and plain traffic */
  readonly tries?: number
  /** SimAI's list of layers */
  readonly simai?: string
  onRow?(row: WorkloadsRow): void
}

export function benchWorkloads(o: WorkloadsOptions): WorkloadsRow[] {
  const rows: WorkloadsRow[] = []
  const suites: Readonly<Record<string, () => WorkloadsRow>> = {
    dumpi: () => {
      const { cpu, work, memory } = cost("dumpi", "64")
      const rate = work / 1e6 / cpu
      return judged(
        "dumpi",
        `${(work / 1e6).toFixed(0)} MB in ${cpu.toFixed(2)} CPU s: ${rate.toFixed(0)} MB/s, ${memory} MiB`,
        rate,
        {
          least: 50,
        },
      )
    },
    replay: () => {
      const each = ({ cpu, work }: Cost) => (cpu * 1e9) / work
      const pairs = Array.from({ length: o.tries ?? 3 }, () => {
        const ranks = cost("run", "ranks")
        return [each(ranks), each(cost("run", "plain", String(ranks.simulated)))] as const
      })
      const ratio = median(pairs.map(([a, b]) => a / b))
      const [ranks, plain] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))]
      return judged(
        "replay",
        `${ranks.toFixed(0)} ns of CPU a chunk-hop, as plain traffic ${plain.toFixed(0)}: ${ratio.toFixed(2)} times`,
        ratio,
        { most: 1.3 },
      )
    },
    amg: () => {
      const { cpu, work, memory, simulated } = cost("run", "amg")
      return judged(
        "amg",
        `1,728 ranks, one cycle: ${cpu.toFixed(1)} CPU s, ` +
          `${(simulated * 1e6).toFixed(0)} us simulated, ${work} chunk-hops, ${memory} ` +
          "MiB",
        cpu,
      )
    },
    simai: () => {
      if (o.simai === undefined)
        return { name: "simai", text: "no list of layers: name one with --simai", value: Number.NaN, pass: "unchecked" }
      const { cpu, work, memory, simulated } = cost("simai", o.simai)
      return judged(
        "simai",
        `${work} ranks, one step: ${simulated.toFixed(3)} s simulated, ${cpu.toFixed(1)} CPU s, ${memory} MiB`,
        memory,
        { most: 2048 },
      )
    },
  }
  for (const [name, run] of Object.entries(suites)) {
    if (o.match !== undefined && !o.match.test(name)) continue
    const row = run()
    rows.push(row)
    o.onRow?.(row)
  }
  return rows
}
