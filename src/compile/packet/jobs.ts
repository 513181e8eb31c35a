// Parallel programs on a packet network: their messages are a stream of their own, which creates nothing by itself.
import type { Checked } from "../../core/complaint.ts"
import { workloads } from "../../library.ts"
import type { Stream } from "../../model/stream.ts"
import type { Sizes } from "../../model/traffic.ts"
import type { PacketNetwork } from "./machine.ts"

const one: Sizes = { mean: 1, max: 1, fixed: 1, size: () => 1 }
const never = { first: () => Number.POSITIVE_INFINITY, next: () => Number.POSITIVE_INFINITY }

export const jobStream: Stream = {
  name: "jobs",
  pattern: { dest: () => -1 },
  arrivals: never,
  packet: one,
  message: one,
  start: 0,
  stop: Number.POSITIVE_INFINITY,
  priority: 0,
  vcFirst: 0,
  vcCount: 0,
  reply: 0,
  replyStream: -1,
}

export type WithJobs = PacketNetwork & { readonly ranks: workloads.MpiLayer }

/** `place`: [rank of all jobs] -> endpoint. */
export function withJobs(n: PacketNetwork, plans: readonly workloads.JobPlan[], place: Int32Array): Checked<WithJobs> {
  const layer = workloads.mpiLayer(plans, place, n.streams.length)
  if ("bad" in layer) return layer
  return { ok: { ...n, streams: [...n.streams, jobStream], ranks: layer.ok } }
}
