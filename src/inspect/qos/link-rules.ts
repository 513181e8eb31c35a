// How a link serves virtual lanes, whatever file says it: which VLs it serves, what it guarantees to them, and the
// scheduler that simulates it.
import { tableText } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"
import { type LanePackets, type VlGuarantee, type VlTables, vlGuarantees } from "./vl-bounds.ts"

/** The VLs of a simulation, which has only those that send: its VL n is number vls[n] of the configuration. */
export interface SimulatedVls {
  readonly vls: readonly number[]
  /** VL of each service level of the simulation: "0,0,1" */
  readonly sl2vl: string
}

export interface LinkRules {
  /** Returns whether packets of a VL are ever sent. */
  serves(vl: number): boolean
  /** Returns the guarantees of the VLs in `packets`: those that send. */
  guarantees(packets: ReadonlyMap<number, LanePackets>): VlGuarantee[]
  /** Returns network.qos of an experiment. `adapters`: rules of the links of adapters, if these have their own. */
  scheduler(simulated: SimulatedVls, adapters?: LinkRules): Readonly<Record<string, unknown>>
  /** present if these rules are arbitration tables of InfiniBand */
  readonly tables?: VlTables
}

/** VL arbitration with two tables. */
export function tableRules(tables: VlTables): LinkRules {
  return {
    tables,
    serves: (vl) => [...tables.high, ...tables.low].some((e) => e.queue === vl && e.weight > 0),
    guarantees: (packets) => vlGuarantees(tables, packets),
    scheduler({ vls, sl2vl }, adapters) {
      const own = (t: readonly TableEntry[]) =>
        t.filter((e) => e.weight > 0 && vls.includes(e.queue)).map((e) => ({ ...e, queue: vls.indexOf(e.queue) }))
      const [high, low] = [own(tables.high), own(tables.low)]
      const theirs = adapters?.tables
      return {
        name: "vl-arbitration",
        // A table that is alone needs no priority.
        ...(low.length === 0 ? { low: tableText(high) } : { high: tableText(high), low: tableText(low) }),
        limit: tables.limit,
        sl2vl,
        ...(theirs === undefined
          ? {}
          : {
              endpointHigh: tableText(own(theirs.high)),
              endpointLow: tableText(own(theirs.low)),
              endpointLimit: theirs.limit,
            }),
      }
    },
  }
}
