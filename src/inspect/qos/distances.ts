// Distances from goals for waits: distances, powers of two, with which no level waits longer than it may. The wait of a
// level depends on the weights of all others, and these on all distances. Distances therefore shrink in rounds from the
// whole table until each level keeps its goal. If a level already has every second entry, the level with the heaviest
// entry gets more and lighter ones. Only levels with a wait change.
import { type Checked, complain } from "../../core/complaint.ts"
import { MOST_WEIGHT, WEIGHT_BYTES } from "../../model/arbitration.ts"
import { type Goals, wrongTogether } from "./goals.ts"
import { configure } from "./search.ts"
import { place } from "./table-layout.ts"
import { worstWaits } from "./waits.ts"

const GIGA = 1e9

interface Outcome {
  /** [level] -> its longest wait in nanoseconds, its heaviest entry */
  readonly waits: readonly number[]
  readonly heaviest: readonly number[]
}

/** Returns what these goals lead to; undefined if there is no table. */
function outcomeOf({ levels, entries, link, ...more }: Goals): Outcome | undefined {
  const found = configure({ levels, entries, link, ...more })
  if (found === undefined || link === undefined) return undefined
  const table = place(found.levels, entries, (l) => l.level.vl)
  const largest = new Array<number>(Math.max(...levels.map((l) => l.vl)) + 1).fill(0)
  for (const l of levels) largest[l.vl] = l.mtu * WEIGHT_BYTES
  const waits = worstWaits(table, largest, WEIGHT_BYTES)
  return {
    waits: levels.map((l) => (GIGA * waits[l.vl]) / link),
    heaviest: found.levels.map((l) => Math.max(...l.weights)),
  }
}

/** Returns the goals with a distance for each level that has a wait. */
export function withDistances(given: Goals): Checked<Goals> {
  let goals = given
  const free = given.levels.map((l) => l.waitNs !== undefined)
  while (free.includes(true)) {
    const now = outcomeOf(goals)
    if (now === undefined) break
    const { waits, heaviest } = now
    const { levels, entries } = goals
    const late = levels.findIndex((l, i) => free[i] && waits[i] > l.waitNs!)
    const overweight = levels.findIndex((_, i) => free[i] && heaviest[i] > MOST_WEIGHT)
    if (late < 0 && overweight < 0) break
    const used = levels.reduce((sum, l) => sum + entries / l.distance, 0)
    const canShrink = (i: number) =>
      free[i] === true && levels[i].distance > 2 && used + entries / levels[i].distance <= entries
    const byWeight = levels.map((_, i) => i).sort((a, b) => heaviest[b] - heaviest[a])
    const shrunk = [...(overweight >= 0 ? [overweight] : [late]), ...byWeight].find(canShrink)
    if (shrunk === undefined) return late < 0 ? { ok: goals } : { bad: [tooShort(goals, late, waits[late])] }
    goals = { ...goals, levels: levels.map((l, i) => (i === shrunk ? { ...l, distance: l.distance / 2 } : l)) }
  }
  const bad = wrongTogether(goals.levels, goals.entries)
  return bad.length > 0 ? { bad } : { ok: goals }
}

function tooShort({ levels }: Goals, i: number, waitNs: number) {
  const { name, waitNs: goal, distance } = levels[i]
  const whole = (ns: number) => Math.round(ns).toLocaleString("en")
  return complain(
    `levels.${name}.wait`,
    `${whole(goal!)} ns is too short: with a distance of ${distance} it waits for up to ${whole(waitNs)} ns, and no ` +
      "shorter distances fit the table",
    "allow a longer wait, give other levels a wait, a smaller share or a smaller MTU, or use a faster link",
  )
}
