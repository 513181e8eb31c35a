// The registry of simple workloads (`jobs.workload` of an experiment): ring, halo and collective. Each plug-in has a
// schema and a function that returns a Program.

import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, choice, int, schema, text, time } from "../../core/schema.ts"
import { Kind, kindNames } from "../program.ts"
import { written } from "../writer.ts"
import { halo } from "./halo.ts"
import { ring } from "./ring.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const ringParams = schema({
  ranks: int({ about: "Number of ranks in the ring", min: 2, max: 1 << 20, default: 8 }),
  bytes: bytes({ about: "Size of the token", default: "1KiB" }),
  iterations: int({ aliases: ["laps"], about: "Number of rounds of the token", min: 1, default: 3 }),
})
type RingParams = ReturnType<typeof ringParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const ringWorkload: WorkloadPlugin<RingParams> = {
  kind: "workload",
  name: "ring",
  about: "A token travels round a ring of ranks: strictly sequential messages.",
  params: ringParams,
  make: (p) => ring(p),
}

const haloParams = schema({
  grid: text({ about: "Number of ranks in each of three dimensions, such as 3x3x3", default: "3x3x3" }),
  bytes: bytes({ about: "Size of each message to a neighbour", default: "4KiB" }),
  iterations: int({ aliases: ["turns"], about: "Number of exchanges", min: 1, default: 5 }),
  compute: time({ about: "Computing time before each exchange", default: "20us" }),
})
type HaloParams = ReturnType<typeof haloParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

/** Returns the sides of a grid such as 3x3x3, or undefined. 2^20 ranks is the limit of all generators. */
function gridOf(written: string): readonly [number, number, number] | undefined {
  const m = /^(\d+)x(\d+)x(\d+)$/.exec(written)
  const grid = m === null ? undefined : ([Number(m[1]), Number(m[2]), Number(m[3])] as const)
  return grid === undefined || grid.some((n) => n < 1) || grid[0] * grid[1] * grid[2] > 1 << 20 ? undefined : grid
}

export const haloWorkload: WorkloadPlugin<HaloParams> = {
  kind: "workload",
  name: "halo",
  about:
    "A stencil on a periodic grid of ranks: iterations of computing and an exchange with six neighbours, then an " +
    "all-reduce.",
  params: haloParams,
  check: (p): Complaint[] =>
    gridOf(p.grid) !== undefined
      ? []
      : [complain("grid", `"${p.grid}" is no grid of ranks`, "write three numbers such as 3x3x3")],
  make: (p) => halo({ ...p, grid: gridOf(p.grid)! }),
}

const collectives = kindNames.slice(Kind.BARRIER, Kind.GATHERV) as readonly string[]
const collectiveParams = schema({
  ranks: int({ about: "Number of ranks", min: 1, max: 1 << 20, default: 16 }),
  call: choice(
    ["barrier", "bcast", "reduce", "allreduce", "scan", "gather", "scatter", "allgather", "reduce-scatter", "alltoall"],
    {
      about: "Collective operation",
      default: "allreduce",
    },
  ),
  bytes: bytes({ about: "Size of the vector, or of one block for collectives that exchange blocks", default: "1MiB" }),
  iterations: int({ aliases: ["turns"], about: "Number of consecutive calls", min: 1, default: 1 }),
})
type CollectiveParams =
  ReturnType<typeof collectiveParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const collectiveWorkload: WorkloadPlugin<CollectiveParams> = {
  kind: "workload",
  name: "collective",
  about: "Repeats one collective over all ranks.",
  params: collectiveParams,
  make(p) {
    const kind = (Kind.BARRIER + collectives.indexOf(p.call)) as Kind
    return written(p.ranks, (_, w) => w.loop(p.iterations, () => w.collective(kind, p.bytes, { peer: 0 })))
  },
}
