// The registry of simple workloads (`jobs.workload` of an experiment): ring, halo and collective. Each plug-in has a
// schema and a function that returns a Program.

import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, choice, int, real, schema, text, time } from "../../core/schema.ts"
import { BLOCKS, Kind, kindNames, type Volume } from "../program.ts"
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
  skew: real({
    about:
      "Unequal blocks of an all-to-all, as tokens choose experts: the block for rank j is proportional to " +
      "1 / (j + 1)^skew, with the same sum; 0: equal blocks",
    min: 0,
    max: 16,
    default: 0,
  }),
})
type CollectiveParams =
  ReturnType<typeof collectiveParams.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const collectiveWorkload: WorkloadPlugin<CollectiveParams> = {
  kind: "workload",
  name: "collective",
  about: "Repeats one collective over all ranks.",
  params: collectiveParams,
  check: (p): Complaint[] =>
    p.skew > 0 && p.call !== "alltoall"
      ? [complain("skew", `a ${p.call} has no unequal blocks`, "leave it out, or set call: alltoall")]
      : [],
  make(p) {
    const kind = (Kind.BARRIER + collectives.indexOf(p.call)) as Kind
    const program = written(p.ranks, (r, w) =>
      w.loop(p.iterations, () =>
        p.skew === 0
          ? w.collective(kind, p.bytes, { peer: 0 })
          : w.op(Kind.ALLTOALLV, { flags: BLOCKS, values: unequalBlocks(p, r) }),
      ),
    )
    return { ...program, volume: volumeOf(p) }
  },
}

/** Returns the bytes that a rank sends to each rank, then those that it receives from each. */
function unequalBlocks({ ranks, bytes, skew }: CollectiveParams, rank: number): number[] {
  const weights = Array.from({ length: ranks }, (_, j) => 1 / (j + 1) ** skew)
  const sum = weights.reduce((a, b) => a + b, 0)
  const blocks = weights.map((weight) => Math.round((weight / sum) * bytes * ranks))
  return [...blocks, ...blocks.map(() => blocks[rank])]
}

/** Collectives whose bytes are those of a block, of which there is one for each rank. */
const ofBlocks = ["gather", "scatter", "allgather", "reduce-scatter", "alltoall"]

/** Bytes and factor as nccl-tests define them: the factor makes the bandwidth that of the links, whatever the ranks. */
function volumeOf({ call, ranks, bytes, iterations }: CollectiveParams): Volume {
  const others = (ranks - 1) / ranks
  const bus = call === "allreduce" ? 2 * others : ofBlocks.includes(call) ? others : 1
  return { bytes: iterations * bytes * (ofBlocks.includes(call) ? ranks : 1), bus }
}
