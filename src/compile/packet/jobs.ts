// Parallel programs on a network of the packet engine.
import type { Checked } from "../../core/complaint.ts"
import type { Scale } from "../../core/units.ts"
import { workloads } from "../../library.ts"
import type { JobSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { jobStream, planJobs, withoutPackets } from "../jobs/jobs.ts"
import { byteTime } from "./byte-time.ts"
import type { PacketNetwork } from "./machine.ts"

export type WithJobs = PacketNetwork & { readonly ranks: workloads.MpiLayer }

/** `place`: [rank of all jobs] -> endpoint. `rows`: operations that are stored for each rank. */
export function withJobs(
  n: PacketNetwork,
  plans: readonly workloads.JobPlan[],
  place: Int32Array,
  rows = 0,
): Checked<WithJobs> {
  const layer = workloads.mpiLayer(plans, place, n.streams.length, rows)
  if ("bad" in layer) return layer
  return { ok: { ...n, streams: [...n.streams, jobStream], ranks: layer.ok } }
}

/**
 * Compiles the jobs of a specification. Endpoints divide the messages of backgrounds themselves, so their packets are
 * single flits.
 */
export function jobsOn(
  n: PacketNetwork,
  jobs: readonly JobSpec[],
  seed: number,
  scale: Scale,
  host: Host,
  rows = 0,
): Checked<Omit<PacketNetwork, "ranks"> & { readonly ranks: workloads.MpiLayer | undefined }> {
  const packets = withoutPackets(jobs, "set network.switch.chunk")
  if (packets.length > 0) return { bad: packets }
  const measures = { cycle: n.cycle, flit: n.flit, byteTime: byteTime(n), packet: 1 }
  const planned = planJobs(jobs, { topology: n.topology, seed, scale, host, measures })
  if ("bad" in planned) return planned
  const { plans, place, streams } = planned.ok
  const with_ = { ...n, streams: [...n.streams, ...streams] }
  return plans.length === 0 ? { ok: { ...with_, ranks: undefined } } : withJobs(with_, plans, place, rows)
}
