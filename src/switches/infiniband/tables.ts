// The SL-to-VL table: one for all ports and endpoints, and rows that override it by port.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { unfitVls } from "../parts/parameter-checks.ts"
import { portTable } from "../parts/port-tables.ts"
import type { InfinibandParams } from "./params.ts"

/** Returns [SL] -> VL; undefined if each level has separate VLs. */
export function vlsOf(p: InfinibandParams): readonly number[] | undefined {
  return p.sl2vl.length === 0 ? undefined : p.sl2vl
}

/** Returns [(input * radix + output) * levels + SL] -> VL; undefined if `vlsOf` applies to all ports. */
export function portVlsOf(p: InfinibandParams, radix: number): Uint8Array | undefined {
  return portTable(p.sl2vlPorts, p.sl2vl, radix)
}

/** Checks the tables against the VC plan: a VL for each class of traffic, and no VL that does not exist. */
export function unfitTables(p: InfinibandParams, plan: VcPlan): Complaint[] {
  if (p.sl2vl.length === 0)
    return p.sl2vlPorts.length === 0
      ? []
      : [complain("sl2vlPorts", "the ports without a row have no table", "give sl2vl, the table of all other ports")]
  const short = (key: string, vls: readonly number[]) =>
    vls.length < plan.data
      ? [complain(key, `SL ${vls.length} has no VL`, `give ${plan.data} VLs, one for each traffic class`)]
      : []
  const missing = [...short("sl2vl", p.sl2vl), ...p.sl2vlPorts.flatMap((row, i) => short(`sl2vlPorts.${i}.to`, row.to))]
  if (missing.length > 0) return missing
  return [
    ...unfitVls("sl2vl", p.sl2vl.slice(0, plan.data), plan),
    ...p.sl2vlPorts.flatMap((row, i) => unfitVls(`sl2vlPorts.${i}.to`, row.to.slice(0, plan.data), plan)),
  ]
}
