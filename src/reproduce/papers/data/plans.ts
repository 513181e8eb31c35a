// The experiments of a figure file in its full and its quick form. `base` holds the keys that all experiments share;
// `quick` lists what is different there. Maps are merged, everything else is replaced, and null removes a key.
import { type Complaint, complain } from "../../../core/complaint.ts"
import { isMap } from "../../../experiment/fields.ts"
import type { Source } from "../../../experiment/source.ts"
import type { PaperPlan } from "../paper.ts"
import { Keys } from "./keys.ts"

/** Reads an experiment that is a file of its own. */
export type ReadYaml = (path: string) => { ok: Source } | { bad: readonly Complaint[] }

export interface Plans {
  readonly quick?: PaperPlan
  readonly full?: PaperPlan
}

export function changed(base: unknown, by: unknown): unknown {
  if (by === undefined) return base
  if (!isMap(base) || !isMap(by)) return by
  const kept = Object.entries(base).filter(([key]) => by[key] !== null)
  const added = Object.entries(by).filter(([key, value]) => value !== null && !Object.hasOwn(base, key))
  return Object.fromEntries([...kept.map(([key, value]) => [key, changed(value, by[key])]), ...added])
}

/** Returns the plans; none if the figure needs no runs. */
export function plansOf(figure: Keys, read: ReadYaml, bad: Complaint[]): Plans {
  const raw = figure.map("experiments")
  if (Object.keys(raw).length === 0) return {}
  const base = figure.map("base")
  const experiments: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(raw)) {
    const got = typeof given === "string" ? read(given) : { ok: { value: given } }
    if ("bad" in got)
      bad.push(...got.bad.map((c) => complain(`experiments.${name}`, `${String(given)} ${c.says}`, c.fix)))
    else if (!isMap(got.ok.value))
      bad.push(complain(`experiments.${name}`, "expected an experiment or the name of its file", "write its keys"))
    else experiments[name] = changed(base, got.ok.value)
  }
  const full = { experiments }
  if (figure.get("quick") === undefined) return { full }
  const quick = quickOf(figure)
  const changes = quick.map("experiments")
  for (const name of Object.keys(changes).filter((n) => !Object.hasOwn(experiments, n)))
    quick.refuse(
      `experiments.${name}`,
      "is not an experiment of the figure",
      `known: ${Object.keys(experiments).join(", ")}`,
    )
  const scaled = quick.text("scaled")
  const all = quick.map("all")
  const smaller = Object.entries(experiments)
    .filter(([name]) => changes[name] !== null)
    .map(([name, experiment]) => [name, changed(changed(experiment, all), changes[name])])
  return { full, quick: { experiments: Object.fromEntries(smaller), ...(scaled === undefined ? {} : { scaled }) } }
}

/** The changes of the quick form: `all` for every experiment, `experiments` for single ones, `let` for names. */
export function quickOf(figure: Keys): Keys {
  return new Keys(figure.get("quick") ?? {}, "quick", [], ["scaled", "all", "experiments", "let"])
}
