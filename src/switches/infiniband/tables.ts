// The table SL to VL: the same at every input and output of every switch and endpoint.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { unfitVls } from "../parts/sense.ts"
import type { InfinibandParams } from "./params.ts"

/** [SL] -> VL; undefined: each level has VLs of its own. */
export function vlsOf(p: InfinibandParams): readonly number[] | undefined {
  return p.sl2vl.length === 0 ? undefined : p.sl2vl
}

export function unfitTables(p: InfinibandParams, plan: VcPlan): Complaint[] {
  if (p.sl2vl.length === 0) return []
  const missing = p.sl2vl.length
  if (missing < plan.data) return [complain("sl2vl", `SL ${missing} has no VL`, `give ${plan.data} VLs, one for each class of traffic`)]
  return unfitVls("sl2vl", p.sl2vl.slice(0, plan.data), plan)
}
