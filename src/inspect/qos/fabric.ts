// The configuration of a fabric as `lacewing qos --mix` needs it, whatever file it comes from: the rules of the links
// of each kind of port, the VL of each service level, and names of service levels.
import type { TableEntry } from "../../model/scheduler.ts"
import { classRules, type TrafficClass } from "./class-rules.ts"
import { type LinkRules, tableRules } from "./link-rules.ts"
import type { OpenSm } from "./opensm.ts"
import type { VlTables } from "./vl-bounds.ts"

/** VL15 carries management packets; a service level that is mapped to it is dropped. */
export const DROP = 15

export interface PortRules {
  /** kind of port: all, ca (adapters), swe (external ports of switches), rtr (routers) */
  readonly ports: string
  /** [SL] -> VL; DROP: its packets are dropped */
  readonly sl2vl: readonly number[]
  readonly rules: LinkRules
}

/** A kind of port with the arbitration tables of an options file of OpenSM. */
export type PortTables = Omit<PortRules, "rules"> & VlTables

export interface QosFabric {
  readonly switch: "infiniband" | "omni-path"
  readonly ports: readonly PortRules[]
  /** virtual fabrics, traffic classes, protocols by name -> SL */
  readonly names: Readonly<Record<string, number>>
  readonly notes: readonly string[]
  /** [SL] -> share that goals require */
  readonly required?: Readonly<Record<number, number>>
  /** [SL] -> wait at a link in nanoseconds that goals allow */
  readonly waits?: Readonly<Record<number, number>>
  /** [VL] -> upper limit of the load of an adapter, as a fraction of its link */
  readonly most?: Readonly<Record<number, number>>
}

const SLS = 16
/** What OpenSM takes if the file has no such line. */
const NO_LIMIT = 255
const usual: readonly TableEntry[] = Array.from({ length: 8 }, (_, queue) => ({ queue, weight: 4 }))

export function fabricOfOpenSm(all: readonly OpenSm[]): QosFabric {
  const skipped = all.some((o) => o.ports === "sw0")
  return {
    switch: "infiniband",
    ports: tablesOfOpenSm(all).map((t) => ({ ports: t.ports, sl2vl: t.sl2vl, rules: tableRules(t) })),
    names: {},
    notes: skipped ? ["qos_sw0_ configures the management ports of switches, which carry no data"] : [],
  }
}

/** Returns the tables of adapters, external ports of switches and routers; lines without a kind apply to all. */
export function tablesOfOpenSm(all: readonly OpenSm[]): PortTables[] {
  const base = all.find((o) => o.ports === "")
  const kinds = ["ca", "swe", "rtr"].filter((kind) => all.some((o) => o.ports === kind))
  const tables = (ports: string, o: OpenSm): PortTables => {
    const [high = [], low = []] = [o.high ?? base?.high, o.low ?? base?.low]
    const none = high.length + low.length === 0
    return {
      ports,
      high,
      low: none ? usual : low,
      limit: o.highLimit ?? base?.highLimit ?? 0,
      sl2vl: o.sl2vl ?? base?.sl2vl ?? Array.from({ length: SLS }, (_, sl) => Math.min(sl, DROP - 1)),
    }
  }
  const own = kinds.map((kind) => tables(kind, all.find((o) => o.ports === kind)!))
  // Ports of a kind without lines of its own have those of all ports.
  const others = base !== undefined && !(kinds.includes("ca") && kinds.includes("swe")) ? [tables("all", base)] : []
  return own.length + others.length > 0 ? [...others, ...own] : [tables("all", { ports: "" })]
}

/** A class of traffic with a strict priority, or with a share of what these leave. */
export interface WeightedClass {
  readonly name: string
  readonly sl: number
  /** undefined: strict priority */
  readonly share: number | undefined
}

const MOST_WEIGHT = 255

/**
 * Returns tables that give shares: classes of strict priority are in the table of high priority, without a limit, and
 * the others in the other table.
 */
function tablesOfShares(classes: readonly WeightedClass[]): VlTables {
  const strict = classes.filter((c) => c.share === undefined)
  const shared = classes.filter((c) => c.share !== undefined)
  const largest = Math.max(0, ...shared.map((c) => c.share!))
  const weight = (share: number) => Math.max(1, Math.round((MOST_WEIGHT * share) / largest))
  return {
    high: strict.map((c) => ({ queue: c.sl, weight: MOST_WEIGHT })),
    low: shared.map((c) => ({ queue: c.sl, weight: weight(c.share!) })),
    limit: NO_LIMIT,
  }
}

/** Returns the fabric of such classes, each with the VL of its number. */
export function fabricOfShares(
  sw: QosFabric["switch"],
  classes: readonly WeightedClass[],
  names: Readonly<Record<string, number>>,
  notes: readonly string[],
): QosFabric {
  const sl2vl = Array.from({ length: SLS }, (_, sl) => (classes.some((c) => c.sl === sl) ? sl : DROP))
  return { switch: sw, ports: [{ ports: "all", sl2vl, rules: tableRules(tablesOfShares(classes)) }], names, notes }
}

/** Returns the fabric of traffic classes. `sl2vl`: [SL] -> VL of its class; other levels are dropped. */
export function fabricOfClasses(
  classes: readonly TrafficClass[],
  sl2vl: Readonly<Record<number, number>>,
  names: Readonly<Record<string, number>>,
  notes: readonly string[],
): QosFabric {
  const limited = classes.flatMap(({ vl, most }) => (most === undefined ? [] : [[vl, most]]))
  return {
    switch: "infiniband",
    ports: [
      {
        ports: "all",
        sl2vl: Array.from({ length: SLS }, (_, sl) => sl2vl[sl] ?? DROP),
        rules: classRules(classes),
      },
    ],
    names,
    notes,
    most: Object.fromEntries(limited),
  }
}
