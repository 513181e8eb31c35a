// The recorded results of the scenes (recorded.json) against those of today. The rule: a run that has the same name has
// the same results.
import { revisionsIn } from "../../src/experiment/identity/revisions.ts"

export interface Scene {
  /** hash of the specification and of the files that it names, without revisions and build */
  readonly asks: string
  /** of what the scene uses, as experiment/identity/revisions.ts writes them */
  readonly revisions: string
  /** hash of the results: final state, values, tables, and how the run ended */
  readonly print: string
}
/** By the name of the scene. */
export type Scenes = Readonly<Record<string, Scene>>

export interface Compared {
  /** mistakes: the file must not be written */
  readonly wrong: readonly string[]
  /** what `npm run revisions` would write anew */
  readonly stale: readonly string[]
}

export function compare(recorded: Scenes, now: Scenes): Compared {
  const [then, today] = [revisionsOf(recorded), revisionsOf(now)]
  const both = Object.keys(now).filter((name) => recorded[name] !== undefined)
  const differs = (key: keyof Scene) => (name: string) => recorded[name][key] !== now[name][key]
  const forgotten = both.filter(
    (name) => differs("print")(name) && !differs("asks")(name) && !differs("revisions")(name),
  )
  const evident = new Set([
    ...both.filter(differs("print")),
    ...Object.keys(now).filter((name) => recorded[name] === undefined),
  ])
  const moved = [...today].filter(([what, n]) => then.has(what) && then.get(what) !== n)
  const wrong = [
    ...forgotten.map(
      (name) =>
        `scene "${name}": its results changed, but none of its revisions did (${now[name].revisions}). ` +
        "If you meant the change, raise the revision of the part that you changed, " +
        "and run npm run revisions. If not, repair it.",
    ),
    ...moved.flatMap(([what, n]) => {
      const was = then.get(what)!
      if (n < was)
        return [
          `${what}: its revision went from ${was} to ${n}. Results of revision ` +
            `${was} may exist, so set it to ${was} or higher.`,
        ]
      const shown = [...evident].some((name) => revisionsIn(now[name].revisions).has(what))
      const advice = "Lower it again, or add a scene that shows the change to test/revisions/scenes.ts."
      return shown
        ? []
        : [`${what}: its revision was raised from ${was} to ${n}, but no scene that uses it changed. ${advice}`]
    }),
  ]
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])]
  return { wrong, stale: names.filter((name) => JSON.stringify(recorded[name]) !== JSON.stringify(now[name])) }
}

/** The revision of each part that any scene uses. */
export function revisionsOf(scenes: Scenes): ReadonlyMap<string, number> {
  return new Map(Object.values(scenes).flatMap((s) => [...revisionsIn(s.revisions)]))
}
