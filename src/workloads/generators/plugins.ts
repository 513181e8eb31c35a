// Workloads by name, as `jobs` of an experiment ask for them.

import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, choice, int, schema, text, time } from "../../core/schema.ts"
import { Kind, kindNames } from "../program.ts"
import { written } from "../writer.ts"
import { halo } from "./halo.ts"
import { ring } from "./ring.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const ringParams = schema({
  ranks: int({ about: "ranks in the ring", min: 2, max: 1 << 20, default: 8 }),
  bytes: bytes({ about: "size of the token", default: "1KiB" }),
  laps: int({ about: "how often it goes round", min: 1, default: 3 }),
})
type RingParams = ReturnType<typeof ringParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const ringWorkload: WorkloadPlugin<RingParams> = {
  kind: "workload",
  name: "ring",
  about: "A token goes round a ring of ranks: one message after the other.",
  params: ringParams,
  make: (p) => ring(p),
}

const haloParams = schema({
  grid: text({ about: "ranks in three directions, such as 3x3x3", default: "3x3x3" }),
  bytes: bytes({ about: "of each message to a neighbour", default: "4KiB" }),
  turns: int({ about: "exchanges", min: 1, default: 5 }),
  compute: time({ about: "computing before each exchange", default: "20us" }),
})
type HaloParams = ReturnType<typeof haloParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

function gridOf(written: string): readonly [number, number, number] | undefined {
  const m = /^(\d+)x(\d+)x(\d+)$/.exec(written)
  const grid = m === null ? undefined : ([Number(m[1]), Number(m[2]), Number(m[3])] as const)
  return grid === undefined || grid.some((n) => n < 1) || grid[0] * grid[1] * grid[2] > 1 << 20 ? undefined : grid
}

export const haloWorkload: WorkloadPlugin<HaloParams> = {
  kind: "workload",
  name: "halo",
  about: "A stencil on a periodic grid of ranks: computing and an exchange with six neighbours, several times, then an all-reduce.",
  params: haloParams,
  check: (p): Complaint[] =>
    gridOf(p.grid) !== undefined ? [] : [complain("grid", `"${p.grid}" is no grid of ranks`, "write three numbers such as 3x3x3")],
  make: (p) => halo({ ...p, grid: gridOf(p.grid)! }),
}

const collectives = kindNames.slice(Kind.BARRIER, Kind.GATHERV) as readonly string[]
const collectiveParams = schema({
  ranks: int({ about: "ranks that take part", min: 1, max: 1 << 20, default: 16 }),
  call: choice(["barrier", "bcast", "reduce", "allreduce", "scan", "gather", "scatter", "allgather", "reduce-scatter", "alltoall"], {
    about: "which collective",
    default: "allreduce",
  }),
  bytes: bytes({ about: "the vector, or one block where ranks exchange blocks", default: "1MiB" }),
  turns: int({ about: "calls, one after the other", min: 1, default: 1 }),
})
type CollectiveParams = ReturnType<typeof collectiveParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const collectiveWorkload: WorkloadPlugin<CollectiveParams> = {
  kind: "workload",
  name: "collective",
  about: "One collective over all ranks, several times.",
  params: collectiveParams,
  make(p) {
    const kind = (Kind.BARRIER + collectives.indexOf(p.call)) as Kind
    return written(p.ranks, (_, w) => w.loop(p.turns, () => w.collective(kind, p.bytes, { peer: 0 })))
  },
}
