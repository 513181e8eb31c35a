// Selects the algorithm of a collective call, by its kind and size, as MPICH or SST/Macro do. The experiment can name
// one instead (`jobs.mpi.algorithms`, see mpi/job.ts).
import { Kind } from "../program.ts"
import * as allgather from "./allgather.ts"
import * as allreduce from "./allreduce.ts"
import * as alltoall from "./alltoall.ts"
import { dissemination } from "./barrier.ts"
import * as bcast from "./bcast.ts"
import * as gather from "./gather.ts"
import * as reduce from "./reduce.ts"
import * as reduceScatter from "./reduce-scatter.ts"
import { type Algorithm, blocks, type Call, isPower } from "./schedule.ts"

/** The algorithms of each kind of collective. The first one is the default where a family below has no rule. */
export const algorithms: ReadonlyMap<number, readonly Algorithm[]> = new Map<number, readonly Algorithm[]>([
  [Kind.BARRIER, [dissemination]],
  [Kind.BCAST, [bcast.binomial, bcast.scatterRing, bcast.scatterDoubling]],
  [Kind.REDUCE, [reduce.binomial]],
  [
    Kind.ALLREDUCE,
    [
      allreduce.doubling,
      allreduce.halvingDoubling,
      allreduce.ring,
      allreduce.ringChannels,
      allreduce.tree,
      allreduce.hierarchical,
    ],
  ],
  [Kind.SCAN, [reduce.scanDoubling]],
  [Kind.GATHER, [gather.binomialGather, gather.linearGather]],
  [Kind.SCATTER, [gather.binomialScatter, gather.linearScatter]],
  [Kind.ALLGATHER, [allgather.bruck, allgather.doubling, allgather.ring]],
  [Kind.REDUCE_SCATTER, [reduceScatter.halving, reduceScatter.bruck, reduceScatter.ring, reduceScatter.pairwise]],
  [Kind.ALLTOALL, [alltoall.bruck, alltoall.pairwise, alltoall.direct]],
  [Kind.GATHERV, [gather.linearGather]],
  [Kind.SCATTERV, [gather.linearScatter]],
  [Kind.ALLGATHERV, [allgather.bruck, allgather.ring]],
  [Kind.ALLTOALLV, [alltoall.pairwise, alltoall.direct]],
])

export type Family = "mpich" | "sst"

const KiB = 1024

/** Applies MPICH's thresholds (R. Thakur et al., 2005): short vectors use few rounds, long vectors move few bytes. */
function mpich(kind: number, c: Call): Algorithm {
  const { p, bytes } = c
  if (kind === Kind.BCAST) {
    if (bytes <= 12 * KiB || p < 8) return bcast.binomial
    return bytes < 512 * KiB && isPower(p) ? bcast.scatterDoubling : bcast.scatterRing
  }
  if (kind === Kind.ALLREDUCE) return bytes <= 2 * KiB ? allreduce.doubling : allreduce.halvingDoubling
  if (kind === Kind.ALLGATHER || kind === Kind.ALLGATHERV) {
    const all = blocks(c, 0, p)
    if (kind === Kind.ALLGATHER && isPower(p) && all < 512 * KiB) return allgather.doubling
    return all < 80 * KiB ? allgather.bruck : allgather.ring
  }
  if (kind === Kind.REDUCE_SCATTER) return blocks(c, 0, p) < 512 * KiB ? reduceScatter.halving : reduceScatter.pairwise
  if (kind === Kind.ALLTOALL) return bytes <= 256 && p >= 8 ? alltoall.bruck : alltoall.pairwise
  return algorithms.get(kind)![0]
}

/** Applies SST/Macro's defaults, which do not depend on the size. */
function sst(kind: number): Algorithm {
  if (kind === Kind.ALLREDUCE) return allreduce.halvingDoubling
  if (kind === Kind.ALLTOALLV) return alltoall.direct
  return algorithms.get(kind)![0]
}

/**
 * Returns the algorithm of a call. All ranks of a call must select the same one, so the result may depend only on
 * parameters that are equal on all of them.
 */
export function choose(kind: number, c: Call, family: Family): Algorithm {
  return family === "sst" ? sst(kind) : mpich(kind, c)
}
