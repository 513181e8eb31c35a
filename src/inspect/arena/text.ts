// The standings of the arena as text: an overview of all scenarios, then one table for each.
import { type Paint, plainPaint } from "../../terminal/paint.ts"
import { short, table } from "../../terminal/table.ts"
import { type Score, scores } from "./scores.ts"
import { isMissingScore, references, type Scored, type Standing, type Standings } from "./standings.ts"

/** A scenario after its runs. */
export interface Contest {
  readonly name: string
  readonly title: string
  readonly runs: number
  readonly seconds: number
  readonly standings: Standings
  /** participants that do not take part in this scenario, and why */
  readonly left: readonly { readonly name: string; readonly says: string }[]
}

export interface Arena {
  readonly contests: readonly Contest[]
  readonly seeds: readonly number[]
  /** where the constants of the participants come from, in a sentence */
  readonly constants: string
  readonly version: string
}

/** Returns the scores that some participant of a scenario has. */
export function scoresOf({ standings }: Standings): Score[] {
  return scores.filter((score) => standings.some((s) => !isMissingScore(s.scores[score.name])))
}

/** Returns mean and half width; "–" for a missing value. */
export function cellOf(scored: Scored | undefined): string {
  if (scored === undefined || isMissingScore(scored)) return "–"
  const { mean, half } = scored
  // Means have four digits, so a smaller interval says nothing.
  if (half === undefined || half <= 1e-4 * Math.abs(mean)) return short(mean)
  return `${short(mean)} ±${Number(half.toPrecision(2))}`
}

export const labelOf = (participant: string): string =>
  references.includes(participant) ? `${participant} (reference)` : participant

export const markOf = ({ front }: Standing): string => (front === true ? "◆" : "")

/** Returns the reasons of missing values, each with the participants and scores that it concerns. */
export function gapsOf({ standings }: Standings): string[] {
  /** reason -> [participant] -> heads of its scores */
  const gaps = new Map<string, Map<string, string[]>>()
  for (const { participant, scores: own } of standings)
    for (const score of scores) {
      const scored = own[score.name]
      if (scored === undefined || !isMissingScore(scored) || general.has(scored.missing)) continue
      const where = gaps.get(scored.missing) ?? new Map<string, string[]>()
      gaps.set(scored.missing, where.set(participant, [...(where.get(participant) ?? []), score.head]))
    }
  return [...gaps].map(([reason, where]) => {
    const named = [...where].map(([participant, heads]) =>
      heads.length === scores.length ? participant : `${participant} (${heads.join(", ")})`,
    )
    return `${reason}: ${named.join(", ")}`
  })
}

/** Reasons that hold for the whole scenario, whose columns are left out or explain themselves. */
const general = new Set([
  "no hot flows",
  "no flows",
  "one flow",
  "no victims",
  "no onset",
  "no ideal isolation",
  "no jobs",
])

/** The score that stands for a scenario in the overview. */
export function headline({ standings }: Standings): Score {
  const has = (name: string) => standings.some((s) => !isMissingScore(s.scores[name]))
  return scores.find((s) => s.name === (has("time") ? "time" : "tail"))!
}

/** Returns the participants of all scenarios in their order. */
export function participantsOf({ contests }: Arena): string[] {
  return [...new Set(contests.flatMap((c) => c.standings.standings.map((s) => s.participant)))]
}

export function arenaText(arena: Arena, paint: Paint = plainPaint, width = Infinity): string {
  const parts = arena.contests.map((c) => contestText(c, paint, width))
  const overview = arena.contests.length > 1 ? [overviewText(arena, paint, width)] : []
  return [...parts, ...overview, paint.dim(arena.constants)].join("\n\n")
}

function contestText({ title, standings, left }: Contest, paint: Paint, width: number): string {
  const shown = scoresOf(standings)
  const heads = [
    { head: "" },
    { head: "participant" },
    ...shown.map((s) => ({ head: s.unit === "ratio" ? s.head : `${s.head} (${s.unit})`, align: "right" as const })),
  ]
  const rows = standings.standings.map((s) => [
    markOf(s),
    labelOf(s.participant),
    ...shown.map((score) => cellOf(s.scores[score.name])),
  ])
  const criteria = shown.filter((s) => standings.criteria.includes(s.name)).map((s) => s.head)
  const notes = [
    `◆ Pareto front: ${criteria.join(", ")}`,
    ...gapsOf(standings).map((line) => `–  ${line}`),
    ...left.map(({ name, says }) => `${name} does not take part: ${says}`),
  ]
  return [paint.bold(title), table(heads, rows, paint, width), ...notes.map((n) => paint.dim(n))].join("\n")
}

function overviewText(arena: Arena, paint: Paint, width: number): string {
  const heads = [
    { head: "participant" },
    ...arena.contests.map((c) => ({ head: c.name, align: "right" as const })),
    { head: "fronts", align: "right" as const },
  ]
  const rows = participantsOf(arena).map((name) => {
    const cells = arena.contests.map(({ standings }) => {
      const found = standings.standings.find((s) => s.participant === name)
      if (found === undefined) return ""
      const scored = found.scores[headline(standings).name]
      const text = scored === undefined || isMissingScore(scored) ? "–" : short(scored.mean)
      return found.front === true ? `◆ ${text}` : text
    })
    const fronts = cells.filter((c) => c.startsWith("◆")).length
    return [labelOf(name), ...cells, references.includes(name) ? "" : String(fronts)]
  })
  const says = "p99 slowdown of the victims, or time of the jobs; ◆ on the Pareto front of the scenario"
  return [paint.bold("All scenarios"), table(heads, rows, paint, width), paint.dim(says)].join("\n")
}
