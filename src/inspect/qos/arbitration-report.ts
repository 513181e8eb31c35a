// The guarantees of an OpenSM file: shares, distances and waits of its arbitration tables. They are interpreted as
// deficit tables whose messages are at most as large as the smallest entry of their VL.
import { WEIGHT_BYTES } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"
import { type OpenSm, writeOpenSm } from "./opensm.ts"
import { worstWaits } from "./waits.ts"

export interface LaneReport {
  readonly vl: number
  readonly sls: readonly number[]
  readonly share: number
  readonly entries: number
  /** longest distance from one of its entries to the next */
  readonly distance: number
  readonly total: number
  readonly waitBytes: number
}

export interface ArbitrationReport {
  readonly ports: string
  readonly highLimit: number | null
  readonly tables: readonly {
    readonly name: "high" | "low"
    readonly table: readonly TableEntry[]
    readonly lanes: readonly LaneReport[]
  }[]
  readonly sl2vl: readonly number[] | null
  readonly notes: readonly string[]
  readonly opensm: string
}

/** Returns shares and waits of both tables, and notes about VLs without service and possible starvation. */
export function arbitrationReport(o: OpenSm): ArbitrationReport {
  const named = [
    { name: "high" as const, table: o.high ?? [] },
    { name: "low" as const, table: o.low ?? [] },
  ].filter((t) => t.table.some((e) => e.weight > 0))
  const served = new Set(named.flatMap((t) => t.table.filter((e) => e.weight > 0).map((e) => e.queue)))
  const lost = (o.sl2vl ?? []).flatMap((vl, sl) =>
    vl === 15
      ? [`SL ${sl} is mapped to VL15: its packets are dropped`]
      : served.has(vl)
        ? []
        : [`SL ${sl} goes to VL ${vl}, which no table serves`],
  )
  const starving = named.length === 2 && o.highLimit === 255
  return {
    ports: o.ports,
    highLimit: o.highLimit ?? null,
    tables: named.map((t) => ({ ...t, lanes: lanes(t.table, o.sl2vl) })),
    sl2vl: o.sl2vl ?? null,
    notes: [...lost, ...(starving ? ["limit 255 is none: low priority may starve"] : [])],
    opensm: writeOpenSm(o),
  }
}

/** Returns the guarantees of each VL. The largest message is assumed to be the smallest entry of the VL. */
function lanes(table: readonly TableEntry[], sl2vl: readonly number[] | undefined): LaneReport[] {
  const vls = [...new Set(table.filter((e) => e.weight > 0).map((e) => e.queue))].sort((a, b) => a - b)
  const all = table.reduce((s, e) => s + e.weight, 0)
  const largest = new Array<number>(vls.at(-1)! + 1).fill(0)
  for (const vl of vls)
    largest[vl] = WEIGHT_BYTES * Math.min(...table.filter((e) => e.queue === vl && e.weight > 0).map((e) => e.weight))
  const waits = worstWaits(table, largest, WEIGHT_BYTES)
  return vls.map((vl) => {
    const own = table.flatMap((e, i) => (e.queue === vl && e.weight > 0 ? [i] : []))
    const total = own.reduce((s, i) => s + table[i].weight, 0)
    return {
      vl,
      sls: (sl2vl ?? []).flatMap((to, sl) => (to === vl ? [sl] : [])),
      share: total / all,
      entries: own.length,
      distance: Math.max(...own.map((e, i) => (own[i + 1] ?? own[0] + table.length) - e)),
      total,
      waitBytes: waits[vl],
    }
  })
}
