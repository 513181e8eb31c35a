// The table SL to VL: that of all ports and endpoints, and rows that differ from port to port.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { portTable } from "../parts/port-tables.ts"
import { unfitVls } from "../parts/sense.ts"
import type { InfinibandParams } from "./params.ts"

/** [SL] -> VL; undefined: each level has VLs of its own. */
export function vlsOf(p: InfinibandParams): readonly number[] | undefined {
  return p.sl2vl.length === 0 ? undefined : p.sl2vl
}

/** [(input * radix + output) * levels + SL] -> VL; undefined: as `vlsOf` at all ports. */
export function portVlsOf(p: InfinibandParams, radix: number): Uint8Array | undefined {
  return portTable(p.sl2vlPorts, p.sl2vl, radix)
}

export function unfitTables(p: InfinibandParams, plan: VcPlan): Complaint[] {
  if (p.sl2vl.length === 0)
    return p.sl2vlPorts.length === 0
      ? []
      : [complain("sl2vlPorts", "the other ports have no table", "give sl2vl, the table of all other ports")]
  const short = (key: string, vls: readonly number[]) =>
    vls.length < plan.data ? [complain(key, `SL ${vls.length} has no VL`, `give ${plan.data} VLs, one for each class of traffic`)] : []
  const missing = [...short("sl2vl", p.sl2vl), ...p.sl2vlPorts.flatMap((row, i) => short(`sl2vlPorts.${i}.to`, row.to))]
  if (missing.length > 0) return missing
  return [
    ...unfitVls("sl2vl", p.sl2vl.slice(0, plan.data), plan),
    ...p.sl2vlPorts.flatMap((row, i) => unfitVls(`sl2vlPorts.${i}.to`, row.to.slice(0, plan.data), plan)),
  ]
}
