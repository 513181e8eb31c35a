// The report of `lacewing qos` for requirements: the table, the share and the worst wait of each level, and why a
// requirement cannot be met.
import { type Complaint, complain } from "../../core/complaint.ts"
import { MOST_WEIGHT, WEIGHT_BYTES } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"
import type { Goals, Level } from "./goals.ts"
import { type OpenSm, writeOpenSm } from "./opensm.ts"
import { type Configuration, type Configured, configure } from "./search.ts"
import { place } from "./table-layout.ts"
import { worstWaits } from "./waits.ts"

export interface LevelReport {
  readonly name: string
  readonly sl: number
  readonly vl: number
  readonly share: number
  /** share that the table gives; `least` and `most`: shares that k and w allow */
  readonly got: number
  readonly least: number
  readonly most: number
  readonly distance: number
  readonly mtuBytes: number
  readonly entries: number
  readonly weights: readonly number[]
  readonly total: number
  /** bytes that other levels may send before its head packet, with all of them backlogged */
  readonly waitBytes: number
  readonly waitNs: number | null
}

export interface QosReport {
  readonly ok: boolean
  readonly title: string
  readonly k: number
  readonly w: number
  readonly pool: number
  readonly total: number
  readonly why: readonly string[]
  readonly levels: readonly LevelReport[]
  /** entries with the VL as queue; weight 0 marks an unused entry */
  readonly table: readonly TableEntry[]
  readonly opensm: string
  readonly complaints: readonly Complaint[]
}

/** Computes the table and its guarantees. Returns complaints instead if no table exists. */
export function qosReport(goals: Goals): QosReport | { bad: Complaint[] } {
  const c = configure(goals)
  if (c === undefined) {
    const least = goals.levels.reduce((a, b) => (b.share < a.share ? b : a))
    return {
      bad: [
        complain(`levels.${least.name}.share`, `${least.share} is too small for any table`, "write at least 0.00001"),
      ],
    }
  }
  const table = place(c.levels, goals.entries, (l) => l.level.vl)
  const largest = new Array<number>(Math.max(...goals.levels.map((l) => l.vl)) + 1).fill(0)
  for (const l of goals.levels) largest[l.vl] = l.mtu * WEIGHT_BYTES
  const waits = worstWaits(table, largest, WEIGHT_BYTES)
  const complaints = tooHeavy(goals, c)
  return {
    ok: complaints.length === 0,
    title: goals.title,
    k: c.k10 / 10,
    w: c.w10 / 10,
    pool: c.pool,
    total: c.total,
    why: reasons(goals, c),
    levels: c.levels.map((l) => ({
      name: l.level.name,
      sl: l.level.sl,
      vl: l.level.vl,
      share: l.level.share,
      got: l.total / c.total,
      least: l.least,
      most: l.most,
      distance: l.level.distance,
      mtuBytes: l.level.mtu * WEIGHT_BYTES,
      entries: l.n,
      weights: l.weights,
      total: l.total,
      waitBytes: waits[l.level.vl],
      waitNs: goals.link === undefined ? null : (waits[l.level.vl] / goals.link) * 1e9,
    })),
    table,
    opensm: complaints.length > 0 ? "" : writeOpenSm(linesOf(goals, table)),
    complaints,
  }
}

/**
 * Returns the OpenSM lines. The deficit table becomes the high-priority table without a limit; an unused level shares
 * the VL of the last one.
 */
function linesOf(goals: Goals, table: readonly TableEntry[]): OpenSm {
  const last = goals.levels.at(-1)!
  return {
    ports: "",
    maxVls: Math.max(...goals.levels.map((l) => l.vl)) + 1,
    highLimit: 255,
    high: table,
    low: [{ queue: 0, weight: 0 }],
    sl2vl: Array.from({ length: 16 }, (_, sl) => goals.levels.find((l) => l.sl === sl)?.vl ?? last.vl),
  }
}

/** Explains how k, w and the pool follow from the requirements. */
function reasons(goals: Goals, c: Configuration): string[] {
  const of = (level: Level): Configured => c.levels.find((l) => l.level === level)!
  const { binds, widens, w10 } = c.search
  const { n } = of(binds)
  const heaviest = Math.max(...c.levels.flatMap((l) => l.weights))
  const bound = (n * binds.mtu) / (binds.share * goals.entries * goals.gmtu)
  const why = [
    `k = ${c.k10 / 10}: ${binds.name} has ${n} entries of at least ${binds.mtu} credits (its MTU), ` +
      `${n * binds.mtu} in all, which must be less than its share, ${percent(binds.share)}, of the pool of ` +
      `${goals.entries} * ${goals.gmtu} * k credits: k > ${round(bound)}`,
  ]
  if (widens !== undefined)
    why.push(
      `w = ${w10 / 10} is the least with which the ${of(widens).n} entries of ` +
        `${widens.name} can have more than ${percent(widens.share)} of the pool`,
    )
  if (c.w10 > w10)
    why.push(
      `w = ${c.w10 / 10}: whole credits make an entry of ${heaviest}, and ${goals.gmtu} * ` +
        `${w10 / 10} = ${round((goals.gmtu * w10) / 10)} is too small`,
    )
  if (c.total > c.pool) {
    const g = of(c.grows)
    why.push(
      `${c.total} credits instead of ${c.pool}: entries of ${g.level.name} are rounded up to whole ` +
        "credits, and all others grow with them, so that no service level loses bandwidth",
    )
  }
  return why
}

/** Returns complaints about entries that do not fit into eight bits, with the nearest requirements that would. */
function tooHeavy(goals: Goals, c: Configuration): Complaint[] {
  return c.levels.flatMap((l) => {
    const weight = Math.max(...l.weights)
    if (weight <= MOST_WEIGHT) return []
    return [
      complain(
        `levels.${l.level.name}.share`,
        `needs an entry of ${weight} credits, and an entry has eight bits ` +
          `(${MOST_WEIGHT}): k = ${c.k10 / 10} because of ${c.search.binds.name}`,
        relief(goals, c.search.binds, l.level),
      ),
    ]
  })
}

/** Returns true if all entries fit into eight bits. */
const fits = (goals: Goals): boolean => {
  const c = configure(goals)
  return c?.levels.every((l) => l.weights.every((w) => w <= MOST_WEIGHT)) === true
}

/**
 * Returns the smallest changes of single requirements with which all entries fit into eight bits: a larger share or a
 * longer distance of the level that determines k, or a shorter distance of the heavy level.
 */
function relief(goals: Goals, binds: Level, heavy: Level): string {
  const change = (level: Level, to: Partial<Level>): Goals => ({
    ...goals,
    levels: goals.levels.map((l) => (l === level ? { ...l, ...to } : l)),
  })
  const ways: string[] = []
  for (let thousandths = Math.ceil(binds.share * 1000); thousandths < 1000; thousandths++) {
    if (!fits(change(binds, { share: thousandths / 1000, digits: 3 }))) continue
    ways.push(`give ${binds.name} a share of ${thousandths / 1000} at least`)
    break
  }
  for (let distance = 2 * binds.distance; distance <= goals.entries; distance *= 2) {
    if (!fits(change(binds, { distance }))) continue
    ways.push(`give ${binds.name} a distance of ${distance}`)
    break
  }
  const used = goals.levels.reduce((s, l) => s + goals.entries / l.distance, 0)
  for (let distance = heavy.distance / 2; distance >= 1; distance /= 2) {
    if (used + goals.entries / distance - goals.entries / heavy.distance > goals.entries) break
    if (!fits(change(heavy, { distance }))) continue
    ways.push(`give ${heavy.name} a distance of ${distance}`)
    break
  }
  return ways.length > 0
    ? ways.join(", or ")
    : "choose shares closer to the fractions of the table that the distances imply"
}

export function percent(part: number): string {
  return `${Number((100 * part).toFixed(2))} %`
}

function round(value: number): number {
  return Number(value.toFixed(4))
}
