// The classes of VCs of a run: those of its streams, then those of its congestion protocol.
import { planVcs, type VcPlan } from "../model/vc-plan.ts"
import type { Compiled } from "./compile.ts"

export function planOf({ network, streams }: Pick<Compiled, "network" | "streams">): VcPlan {
  const { classes, vcsPerClass, congestion, routingPlugin, routingParams, topology } = network
  const priorities = Array.from({ length: classes }, (_, c) => streams.find((s) => s.vcFirst === c * vcsPerClass)?.priority ?? 0)
  return planVcs(priorities, vcsPerClass, congestion.classes, routingPlugin.vcs(routingParams as never, topology as never))
}
