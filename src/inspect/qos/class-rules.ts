// Links that serve traffic classes by priority, and by shares among classes of the same priority: scheduler `ets`
// (src/qos/ets.ts). docs/model/qos-schedulers.md derives the bound.
import { WEIGHT_BYTES } from "../../model/arbitration.ts"
import type { LinkRules } from "./link-rules.ts"
import type { LanePackets, VlGuarantee } from "./vl-bounds.ts"

export interface TrafficClass {
  readonly name: string
  readonly vl: number
  /** a higher one goes first */
  readonly priority: number
  /** share of what higher priorities leave, compared with the other classes of this priority; 0: of the others' rest */
  readonly share: number
  /** upper limit of its adapters, as a fraction of the link */
  readonly most?: number | undefined
}

const MOST_QUANTUM = 65_535
const PERCENT = 100

/** Returns [class] -> quantum in credits: its percent, or finer if shares are no whole percent. */
export function quantaOf(classes: readonly TrafficClass[]): number[] {
  const whole = classes.every((c) => Math.abs(PERCENT * c.share - Math.round(PERCENT * c.share)) < 1e-9)
  const factor = whole ? PERCENT : 10 * PERCENT
  return classes.map((c) => Math.min(MOST_QUANTUM, Math.max(1, Math.round(factor * c.share))))
}

export function classRules(classes: readonly TrafficClass[]): LinkRules {
  const quanta = quantaOf(classes)
  const of = (vl: number) => classes.findIndex((c) => c.vl === vl)
  return {
    serves: (vl) => of(vl) >= 0,
    guarantees: (packets) =>
      [...packets.keys()].sort((a, b) => a - b).map((vl) => guaranteeOf(classes, quanta, packets, vl)),
    scheduler: ({ vls, sl2vl }) => ({
      name: "ets",
      quanta: vls.map((vl) => quanta[of(vl)]),
      priority: vls.map((vl) => classes[of(vl)]?.priority ?? 0),
      sl2vl,
    }),
  }
}

/** A class waits for higher ones without bound, and for the visits of the others of its priority. */
function guaranteeOf(
  classes: readonly TrafficClass[],
  quanta: readonly number[],
  packets: ReadonlyMap<number, LanePackets>,
  vl: number,
): VlGuarantee {
  const own = classes.findIndex((c) => c.vl === vl)
  const starved = { vl, share: 0, waitBytes: Number.POSITIVE_INFINITY }
  if (own < 0) return starved
  const most = (c: TrafficClass) => roundUp(packets.get(c.vl)!.most)
  const others = classes.map((c, i) => ({ c, i })).filter(({ c, i }) => i !== own && packets.has(c.vl))
  const { priority } = classes[own]
  if (others.some(({ c }) => c.priority > priority)) return starved
  const same = others.filter(({ c }) => c.priority === priority)
  const lower = others.filter(({ c }) => c.priority < priority)
  // Its first packet needs this many visits, and each other class is visited as often. A class that is visited begins
  // with a deficit of less than a packet.
  const visits = Math.ceil(most(classes[own]) / (quanta[own] * WEIGHT_BYTES))
  return {
    vl,
    share: quanta[own] / same.reduce((sum, { i }) => sum + quanta[i], quanta[own]),
    waitBytes:
      same.reduce((sum, { c, i }) => sum + visits * quanta[i] * WEIGHT_BYTES + most(c) - WEIGHT_BYTES, 0) +
      Math.max(0, ...lower.map(({ c }) => most(c))),
  }
}

function roundUp(bytes: number): number {
  return WEIGHT_BYTES * Math.max(1, Math.ceil(bytes / WEIGHT_BYTES))
}
