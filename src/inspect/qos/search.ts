// Computes an arbitration table from requirements, with the method of "QoS Provision in Hierarchical and
// non-Hierarchical Switch Architectures" (J. Cano-Cano et al.), section 4.4. There are N entries, a pool of N * GMTU *
// k credits and entries of at most GMTU * w. A level with n entries can then have shares between n * MTU / pool and n *
// w / (N * k). k grows from 0.1 in steps of 0.1 until every minimum share is below the requirement. Then w grows from k
// until every maximum share is above it.
//
// The paper corrects deviations by a system that it does not describe. The rules of `divide` and `configure` reproduce
// its Table 4 exactly. First, every level takes whole credits in each of its entries, rounded up. Second, the pool
// grows until the level that was rounded up the most has no more than its required share. Third, the pool is divided by
// largest remainders, and each level's part is spread evenly over its entries. Finally, w grows until the largest entry
// fits.
import type { Goals, Level } from "./goals.ts"

export interface Configured {
  readonly level: Level
  /** number of entries */
  readonly n: number
  /** shares that k and w allow */
  readonly least: number
  readonly most: number
  /** credits of all its entries, and of each */
  readonly total: number
  readonly weights: readonly number[]
}

export interface Configuration {
  /** ten times k and w, because tenths are exact as integers */
  readonly k10: number
  readonly w10: number
  /** w from the ranges of shares only, and the levels that determine k and w */
  readonly search: { readonly w10: number; readonly binds: Level; readonly widens: Level | undefined }
  /** the level that was rounded up the most: the pool grew because of it */
  readonly grows: Level
  /** credits: N * GMTU * k, and the sum of the table */
  readonly pool: number
  readonly total: number
  readonly levels: readonly Configured[]
}

/** Limit of k10 and w10: a share of one in a hundred thousand. */
const MOST = 1_000_000
const EPSILON = 1e-12

/** Returns the configuration; undefined if a share is too small for any k. */
export function configure(goals: Goals): Configuration | undefined {
  const { levels, entries: N, gmtu } = goals
  const n = levels.map((l) => N / l.distance)
  // k: 10 * n * MTU < share * N * GMTU * k10 for every level. The level with the largest requirement determines k.
  const needs = levels.map((l, i) => (10 * n[i] * l.mtu) / (l.share * N * gmtu))
  const binds = needs.indexOf(Math.max(...needs))
  const k10 = above(needs[binds])
  if (k10 > MOST) return undefined
  // w: share < n * w10 / (N * k10). The largest requirement determines w.
  const wants = levels.map((l, i) => (l.share * N * k10) / n[i])
  const widest = wants.indexOf(Math.max(...wants))
  const searched = Math.max(k10, above(wants[widest]))
  const pool = (N * gmtu * k10) / 10
  const { total, parts, grows } = divide(levels, n, pool)
  const weights = parts.map((t, i) => spread(t, n[i]))
  const heaviest = Math.max(...weights.flat())
  const w10 = Math.max(searched, Math.ceil((10 * heaviest) / gmtu - EPSILON))
  return {
    k10,
    w10,
    search: { w10: searched, binds: levels[binds], widens: searched > k10 ? levels[widest] : undefined },
    grows,
    pool,
    total,
    levels: levels.map((level, i) => ({
      level,
      n: n[i],
      least: (n[i] * level.mtu) / pool,
      most: (n[i] * w10) / (N * k10),
      total: parts[i],
      weights: weights[i],
    })),
  }
}

/** Returns the smallest integer above x. */
function above(x: number): number {
  return Math.max(1, Math.floor(x + EPSILON) + 1)
}

/**
 * Divides the pool among the levels, in whole credits. A required share that equals the minimum share, rounded to its
 * written digits, is taken as the minimum share.
 */
function divide(
  levels: readonly Level[],
  n: readonly number[],
  pool: number,
): { total: number; parts: number[]; grows: Level } {
  const whole = levels.map((l, i) => {
    const least = (n[i] * l.mtu) / pool
    const exact = l.digits !== undefined && least.toFixed(l.digits) === l.share.toFixed(l.digits) ? least : l.share
    return n[i] * Math.ceil((exact * pool) / n[i] - 1e-9)
  })
  const sum = levels.reduce((s, l) => s + l.share, 0)
  // Pool size with which each rounded level would have exactly its required share.
  const pools = whole.map((t, i) => t / levels[i].share)
  const most = Math.max(...pools)
  for (let grown = Math.floor(most + 1e-9); ; grown++) {
    const total = Math.round(grown * sum)
    const parts = largestRemainders(
      levels.map((l) => l.share * grown),
      total,
    )
    // Integer division may leave an entry below its MTU: then the pool grows further.
    if (parts.every((t, i) => t >= n[i] * levels[i].mtu)) return { total, parts, grows: levels[pools.indexOf(most)] }
  }
}

/** Rounds so that the parts add up to `total`: the largest fractional parts are rounded up, ties in order. */
function largestRemainders(wanted: readonly number[], total: number): number[] {
  const parts = wanted.map((x) => Math.floor(x + 1e-9))
  const order = wanted.map((x, i) => ({ i, rest: x - parts[i] })).sort((a, b) => b.rest - a.rest || a.i - b.i)
  const left = total - parts.reduce((s, p) => s + p, 0)
  for (let j = 0; j < left; j++) parts[order[j % order.length].i]++
  return parts
}

/** Splits the credits as evenly as integers allow. */
function spread(total: number, n: number): number[] {
  return Array.from({ length: n }, (_, j) => Math.floor(((j + 1) * total) / n) - Math.floor((j * total) / n))
}
