// The VC classes of a run, those of its streams and of its congestion protocol: the plan, and the routing of each
// class.
import { Draws } from "../core/rng.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Stream } from "../model/stream.ts"
import { planVcs, type VcPlan } from "../model/vc-plan.ts"
import type { Network } from "./network.ts"

/** Returns the plan of VC classes. The priority of a data class is that of its first stream. */
export function planOf(network: Network, streams: readonly Stream[]): VcPlan {
  const { classes, vcsPerClass, congestion } = network
  const priorities = Array.from(
    { length: classes },
    (_, c) => streams.find((s) => s.vcFirst === c * vcsPerClass)?.priority ?? 0,
  )
  return planVcs(priorities, vcsPerClass, congestion.classes)
}

/**
 * Returns the routing function of each class, built for its number of VCs. Packets of a direct class with another size
 * use all of its VCs (VcPlan.wholeOf).
 */
export function routingsOf(
  { routing, boundRouting, vcsPerClass }: Network,
  plan: VcPlan,
  seed: number,
): RoutingFunction[] {
  return plan.classes.map(({ count, direct }) => {
    if (direct || count === vcsPerClass) return routing
    return boundRouting.make({ vcs: count, rng: new Draws(seed ^ 0x7075) })
  })
}
