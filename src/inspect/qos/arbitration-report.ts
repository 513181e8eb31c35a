// The report of `lacewing qos` for the OpenSM options of a fabric: both arbitration tables of each kind of port, and
// what each VL is guaranteed with both of them, for packets of one length.
import { tableText, WEIGHT_BYTES } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"
import { DROP, type PortTables, tablesOfOpenSm } from "./fabric.ts"
import { type OpenSm, writeOpenSm } from "./opensm.ts"
import { vlGuarantees } from "./vl-bounds.ts"

export interface LaneReport {
  readonly vl: number
  readonly sls: readonly number[]
  /** sums of its weights in both tables */
  readonly high: number
  readonly low: number
  /** share of the link while all VLs are backlogged; 0: it may starve */
  readonly share: number
  /** bytes that other VLs send at most before its head packet; null: without bound */
  readonly waitBytes: number | null
}

export interface ArbitrationReport {
  readonly ports: string
  readonly highLimit: number
  /** bytes of the packets of all VLs, for which the guarantees hold */
  readonly packetBytes: number
  readonly tables: readonly { readonly name: "high" | "low"; readonly table: readonly TableEntry[] }[]
  readonly lanes: readonly LaneReport[]
  readonly sl2vl: readonly number[]
  readonly notes: readonly string[]
  readonly opensm: string
}

const NO_LIMIT = 255

/** Returns a report for each kind of port of a file. */
export function arbitrationReports(all: readonly OpenSm[], packetBytes: number): ArbitrationReport[] {
  return tablesOfOpenSm(all).map((tables) => {
    const written = all.find((o) => o.ports === (tables.ports === "all" ? "" : tables.ports))
    return reportOf(tables, packetBytes, written === undefined ? "" : writeOpenSm(written))
  })
}

function reportOf(tables: PortTables, packetBytes: number, opensm: string): ArbitrationReport {
  const { ports, high, low, limit, sl2vl } = tables
  const named = [
    { name: "high" as const, table: high },
    { name: "low" as const, table: low },
  ].filter((t) => t.table.some((e) => e.weight > 0))
  const served = new Set([...high, ...low].filter((e) => e.weight > 0).map((e) => e.queue))
  const packets = new Map([...served].map((vl) => [vl, { least: packetBytes, most: packetBytes }]))
  const weightIn = (table: readonly TableEntry[], vl: number) =>
    table.reduce((sum, e) => sum + (e.queue === vl ? e.weight : 0), 0)
  const lanes = vlGuarantees(tables, packets).map(
    ({ vl, share, waitBytes }): LaneReport => ({
      vl,
      sls: sl2vl.flatMap((to, sl) => (to === vl ? [sl] : [])),
      high: weightIn(high, vl),
      low: weightIn(low, vl),
      share,
      waitBytes: Number.isFinite(waitBytes) ? waitBytes : null,
    }),
  )
  const small = [...high, ...low].filter((e) => e.weight > 0 && e.weight * WEIGHT_BYTES < packetBytes)
  return {
    ports: ports === "all" ? "" : ports,
    highLimit: limit,
    packetBytes,
    tables: named,
    lanes,
    sl2vl,
    notes: [
      ...sl2vl.flatMap((vl, sl) => lost(sl, vl, served)),
      ...(limit === NO_LIMIT && named.length === 2 ? ["limit 255 is none: low priority may starve"] : []),
      ...(small.length === 0
        ? []
        : [`entries with less weight than a packet send a whole packet: ${tableText(unique(small))}`]),
    ],
    opensm,
  }
}

function lost(sl: number, vl: number, served: ReadonlySet<number>): string[] {
  if (vl === DROP) return [`SL ${sl} is mapped to VL15: its packets are dropped`]
  return served.has(vl) ? [] : [`SL ${sl} goes to VL ${vl}, which no table serves`]
}

function unique(entries: readonly TableEntry[]): TableEntry[] {
  return entries.filter((e, i) => entries.findIndex((x) => x.queue === e.queue && x.weight === e.weight) === i)
}
