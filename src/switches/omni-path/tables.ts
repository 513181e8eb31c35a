// The tables SL to SC and SC to VL: the same in every device. Packets carry the SC alone, so SC to SL must be a function.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { unfitVls } from "../parts/sense.ts"
import type { OmniPathParams } from "./params.ts"

/** SC 15 carries management. */
const MANAGEMENT = 15

const scOf = (p: OmniPathParams, sl: number): number => (p.sl2sc.length === 0 ? sl : p.sl2sc[sl]!)

/** [SL] -> VL; undefined: each level has VLs of its own. */
export function vlsOf(p: OmniPathParams): readonly number[] | undefined {
  if (p.sl2sc.length === 0 && p.sc2vl.length === 0) return undefined
  const levels = p.sl2sc.length === 0 ? p.sc2vl.length : p.sl2sc.length
  return Array.from({ length: levels }, (_, sl) => (p.sc2vl.length === 0 ? scOf(p, sl) : (p.sc2vl[scOf(p, sl)] ?? -1)))
}

export function unfitTables(p: OmniPathParams, plan: VcPlan): Complaint[] {
  const vls = vlsOf(p)
  if (vls === undefined) return []
  const levels = Array.from({ length: plan.data }, (_, sl) => sl)
  if (p.sl2sc.length > 0 && p.sl2sc.length < plan.data)
    return [complain("sl2sc", `SL ${p.sl2sc.length} has no SC`, `give ${plan.data} SCs, one for each class of traffic`)]
  const bad = levels.flatMap((sl) => {
    const sc = scOf(p, sl)
    const other = levels.findIndex((o) => scOf(p, o) === sc)
    if (sc === MANAGEMENT) return [complain(`sl2sc.${sl}`, "SC 15 is for management and carries no data", "choose another one")]
    if (other < sl)
      return [
        complain(
          `sl2sc.${sl}`,
          `SC ${sc} is that of SL ${other}: packets carry the SC alone`,
          "choose another one, and join them in sc2vl",
        ),
      ]
    if (p.sc2vl.length > 0 && sc >= p.sc2vl.length) return [complain("sc2vl", `SC ${sc} of SL ${sl} has no VL`, `give ${sc + 1} VLs`)]
    return []
  })
  return bad.length > 0 ? bad : unfitVls(p.sc2vl.length > 0 ? "sc2vl" : "sl2sc", vls.slice(0, plan.data), plan)
}
