// The tables SL to SC, SC to SL and SC to VL: those of all ports and endpoints, and rows of SL to SC that differ by
// port. Packets carry only the SC, so SC to SL must be a function: an SC belongs to one service level at all ports.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { unfitVls } from "../parts/parameter-checks.ts"
import { portTable } from "../parts/port-tables.ts"
import type { OmniPathParams } from "./params.ts"

/** SC 15 is reserved for management. */
const MANAGEMENT = 15

const scOf = (p: OmniPathParams, sl: number): number => (p.sl2sc.length === 0 ? sl : p.sl2sc[sl])
const vlOf = (p: OmniPathParams, sc: number): number => (p.sc2vl.length === 0 ? sc : (p.sc2vl[sc] ?? -1))

/** Returns [SL] -> VL; undefined if each level has separate VLs. */
export function vlsOf(p: OmniPathParams): readonly number[] | undefined {
  if (p.sl2sc.length === 0 && p.sc2vl.length === 0) return undefined
  const levels = p.sl2sc.length === 0 ? p.sc2vl.length : p.sl2sc.length
  return Array.from({ length: levels }, (_, sl) => vlOf(p, scOf(p, sl)))
}

/** Returns [(input * radix + output) * levels + SL] -> VL; undefined if `vlsOf` applies to all ports. */
export function portVlsOf(p: OmniPathParams, radix: number): Uint8Array | undefined {
  const rows = p.sl2scPorts.map((row) => ({ ...row, to: row.to.map((sc) => vlOf(p, sc)) }))
  return portTable(rows, vlsOf(p) ?? [], radix)
}

/** Returns [key, SCs of the levels] of each SL-to-SC table. */
function channels(p: OmniPathParams, levels: number): [string, readonly number[]][] {
  const base = Array.from({ length: levels }, (_, sl) => scOf(p, sl))
  return [
    ["sl2sc", base],
    ...p.sl2scPorts.map((row, i): [string, readonly number[]] => [`sl2scPorts.${i}.to`, row.to.slice(0, levels)]),
  ]
}

/** Returns [SC] -> its service level, -1 = none. */
export function sc2slOf(p: OmniPathParams, levels: number): readonly number[] {
  const table = Array.from({ length: 32 }, () => -1)
  for (const [, scs] of channels(p, levels)) for (const [sl, sc] of scs.entries()) table[sc] = sl
  return table
}

/** Checks the tables against the VC plan. */
export function unfitTables(p: OmniPathParams, plan: VcPlan): Complaint[] {
  if (p.sl2scPorts.length > 0 && p.sl2sc.length === 0)
    return [complain("sl2scPorts", "the ports without a row have no table", "give sl2sc, the table of all other ports")]
  const vls = vlsOf(p)
  if (vls === undefined) return []
  const short = (key: string, scs: readonly number[]) =>
    scs.length > 0 && scs.length < plan.data
      ? [complain(key, `SL ${scs.length} has no SC`, `give ${plan.data} SCs, one for each traffic class`)]
      : []
  const missing = [...short("sl2sc", p.sl2sc), ...p.sl2scPorts.flatMap((row, i) => short(`sl2scPorts.${i}.to`, row.to))]
  if (missing.length > 0) return missing
  const owner = new Map<number, number>()
  const bad = channels(p, plan.data).flatMap(([key, scs]) =>
    scs.flatMap((sc, sl) => unfitChannel(p, `${key}.${sl}`, sc, sl, owner)),
  )
  if (bad.length > 0) return bad
  const key = p.sc2vl.length > 0 ? "sc2vl" : "sl2sc"
  return [
    ...unfitVls(key, vls.slice(0, plan.data), plan),
    ...p.sl2scPorts.flatMap((row, i) => {
      const to = row.to.slice(0, plan.data).map((sc) => vlOf(p, sc))
      return unfitVls(p.sc2vl.length > 0 ? key : `sl2scPorts.${i}.to`, to, plan)
    }),
  ]
}

/** Checks the SC of one level. `owner` is [SC] -> the level that used it first. */
function unfitChannel(
  p: OmniPathParams,
  path: string,
  sc: number,
  sl: number,
  owner: Map<number, number>,
): Complaint[] {
  if (sc === MANAGEMENT) return [complain(path, "SC 15 is for management and carries no data", "choose another one")]
  const other = owner.get(sc) ?? sl
  owner.set(sc, other)
  if (other !== sl)
    return [
      complain(
        path,
        `SC ${sc} is that of SL ${other}: packets carry only the SC`,
        "choose another one, and join them in sc2vl",
      ),
    ]
  if (p.sc2vl.length > 0 && sc >= p.sc2vl.length)
    return [complain("sc2vl", `SC ${sc} of SL ${sl} has no VL`, `give ${sc + 1} VLs`)]
  return []
}
