// Parallel programs on a clocked network: their messages are divided into packets of the maximum length that the
// switches accept.
import { type Checked, complain } from "../../core/complaint.ts"
import { quantity, type Scale } from "../../core/units.ts"
import type { RankRequest } from "../../engines/flit/transfers/rank-columns.ts"
import type { FlitSwitchModel } from "../../fabric/switch.ts"
import { workloads } from "../../library.ts"
import type { JobSpec, RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import type { Stream } from "../../model/stream.ts"
import { jobStream, planJobs } from "../jobs/jobs.ts"
import type { ClockedNetwork } from "../network.ts"
import { operationRows, probesIn } from "../probes.ts"

export interface ClockedJobs {
  /** streams of traffic, of background jobs, and of ranks */
  readonly streams: readonly Stream[]
  /** absent: all jobs are backgrounds */
  readonly ranks: (RankRequest & { readonly layer: workloads.MpiLayer }) | undefined
}

/**
 * Plans the jobs and appends their streams. The stream of ranks comes last, so that numbers of other streams do not
 * change.
 */
export function jobsOn(
  spec: RunSpec,
  network: ClockedNetwork,
  traffic: readonly Stream[],
  host: Host,
): Checked<ClockedJobs> {
  const { switch: sw, topology, scale, vcsPerClass } = network
  const most = sw.moves === "packets" ? sw.layout.maxPacket : mostFlits(sw, network.routing.room === undefined ? 1 : 2)
  const asked = packetOf(spec.jobs!, most, scale)
  if ("bad" in asked) return asked
  const packet = asked.ok
  const measures = { cycle: scale.cycle, flit: scale.flit, byteTime: scale.cycle / scale.flit, packet }
  const planned = planJobs(spec.jobs!, { topology, seed: spec.seed, scale, host, measures })
  if ("bad" in planned) return planned
  const { plans, place, streams } = planned.ok
  const all = [...traffic, ...streams].map((s) => (s.vcCount === 0 ? { ...s, vcCount: vcsPerClass } : s))
  if (plans.length === 0) return { ok: { streams: all, ranks: undefined } }
  const layer = workloads.mpiLayer(plans, place, all.length, operationRows(probesIn(spec, scale)))
  if ("bad" in layer) return layer
  // Messages have any length, so the last packet may be one flit.
  const sizes = { mean: 1, max: packet, size: () => packet }
  return {
    ok: {
      streams: [...all, { ...jobStream, packet: sizes, vcCount: vcsPerClass }],
      ranks: { layer: layer.ok, cycle: scale.cycle, packet },
    },
  }
}

/**
 * Returns the longest packet if the switch does not limit it: the buffer of a VC divided by the number of packets it
 * must hold.
 */
function mostFlits({ buffer, timing }: FlitSwitchModel, packets: number): number {
  const credits = timing.retention > 0 ? Math.min(buffer.depth, timing.retention) : buffer.depth
  return Math.max(1, Math.floor(credits / packets))
}

/** Returns the flits of packets, common to all jobs: the given number, at most `most`. */
function packetOf(jobs: readonly JobSpec[], most: number, scale: Scale): Checked<number> {
  const given = jobs.flatMap((j, i) =>
    j.packet === undefined ? [] : [{ path: `jobs.${i}.packet`, flits: quantity(j.packet, "flits", scale) }],
  )
  for (const { path, flits } of given) {
    if (typeof flits === "string" || flits < 1 || !Number.isInteger(flits))
      return {
        bad: [
          complain(path, typeof flits === "string" ? flits : `${flits} flits`, "write whole flits, such as 16flits"),
        ],
      }
    if (flits > most)
      return {
        bad: [
          complain(
            path,
            `is ${flits} flits, but the switch accepts packets of at most ${most}`,
            `set it to at most ${most}flits`,
          ),
        ],
      }
    if (flits !== given[0].flits)
      return {
        bad: [
          complain(
            path,
            `is ${flits} flits, but ${given[0].path} is ${given[0].flits}`,
            "give all jobs packets of one length",
          ),
        ],
      }
  }
  return { ok: given.length === 0 ? most : Number(given[0].flits) }
}
