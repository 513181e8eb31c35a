// Parallel programs on a clocked network: their messages are cut into packets of the longest kind that its switches take.
import { type Checked, complain } from "../../core/complaint.ts"
import { quantity, type Scale } from "../../core/units.ts"
import type { RankWish } from "../../engines/flit/transfers/rank-columns.ts"
import { workloads } from "../../library.ts"
import type { JobSpec, RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import type { Stream } from "../../model/stream.ts"
import { jobStream, planJobs } from "../jobs/jobs.ts"
import type { Network } from "../network.ts"

export interface ClockedJobs {
  /** those of traffic, backgrounds, and what ranks send */
  readonly streams: readonly Stream[]
  /** absent: all jobs are backgrounds */
  readonly ranks: (RankWish & { readonly layer: workloads.MpiLayer }) | undefined
}

export function jobsOn(spec: RunSpec, network: Network, traffic: readonly Stream[], host: Host): Checked<ClockedJobs> {
  const { switch: sw, topology, scale, vcsPerClass } = network
  const most = sw.moves === "packets" ? sw.maxPacket : mostFlits(sw, network.routing.room === undefined ? 1 : 2)
  const asked = packetOf(spec.jobs!, most, scale)
  if ("bad" in asked) return asked
  const packet = asked.ok
  const measures = { cycle: scale.cycle, flit: scale.flit, byteTime: scale.cycle / scale.flit, packet }
  const planned = planJobs(spec.jobs!, { topology, seed: spec.seed, scale, host, measures })
  if ("bad" in planned) return planned
  const { plans, place, streams } = planned.ok
  const all = [...traffic, ...streams].map((s) => (s.vcCount === 0 ? { ...s, vcCount: vcsPerClass } : s))
  if (plans.length === 0) return { ok: { streams: all, ranks: undefined } }
  const layer = workloads.mpiLayer(plans, place, all.length)
  if ("bad" in layer) return layer
  // messages of any length: the last packet may be a flit
  const sizes = { mean: 1, max: packet, size: () => packet }
  return {
    ok: {
      streams: [...all, { ...jobStream, packet: sizes, vcCount: vcsPerClass }],
      ranks: { layer: layer.ok, cycle: scale.cycle, packet },
    },
  }
}

/** Where the switch knows no longest packet: what a buffer of a VC holds, with so many packets in it. */
function mostFlits({ buffer, timing }: Extract<Network["switch"], { moves: "flits" }>, packets: number): number {
  const room = timing.retention > 0 ? Math.min(buffer.depth, timing.retention) : buffer.depth
  return Math.max(1, Math.floor(room / packets))
}

/** Flits of packets: those that a job names, at most so many; one number for all jobs. */
function packetOf(jobs: readonly JobSpec[], most: number, scale: Scale): Checked<number> {
  const given = jobs.flatMap((j, i) =>
    j.packet === undefined ? [] : [{ path: `jobs.${i}.packet`, flits: quantity(j.packet, "flits", scale) }],
  )
  for (const { path, flits } of given) {
    if (typeof flits === "string" || flits < 1 || !Number.isInteger(flits))
      return { bad: [complain(path, typeof flits === "string" ? flits : `${flits} flits`, "write whole flits, such as 16flits")] }
    if (flits > most)
      return { bad: [complain(path, `${flits} flits, the longest packet of the switch has ${most}`, `set it to at most ${most}flits`)] }
    if (flits !== given[0]!.flits)
      return {
        bad: [complain(path, `${flits} flits, and ${given[0]!.path} has ${given[0]!.flits}`, "give all jobs packets of one length")],
      }
  }
  return { ok: given.length === 0 ? most : Number(given[0]!.flits) }
}
