// Runs that measured something made up, for tests of the rows of papers. A value depends on its name, on the point and
// the seed of its run, and on the number of the made-up world, and on nothing else: two forms of a figure that ask for
// the same measurements get the same answers, in whatever order they ask.
import { canonical } from "../../src/core/canonical.ts"
import { quantity } from "../../src/core/units.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { type PlannedRun, plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import type { Mode, PaperFigure, PaperRuns } from "../../src/reproduce/papers/paper.ts"

/** Intervals of each table. */
const intervals = 90

export function plannedRuns(name: string, experiment: unknown, folder = "."): readonly PlannedRun[] {
  const planned = plan({ source: plainSource(name, experiment), host: hostAt(folder), name })
  if ("bad" in planned) throw new Error(planned.bad.map((c) => `${name}: ${c.path}: ${c.says}`).join("; "))
  return planned.ok.runs
}

/** Returns a number between 0.5 and 1.5 that depends on the text alone (FNV-1a, mixed once more). */
function unitOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return 0.5 + ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** An object that answers every name. */
function answering<T>(made: (name: string) => T): Record<string, T> {
  return new Proxy<Record<string, T>>({}, { get: (_, name) => made(String(name)) })
}

function cyclesOf(limit: string): number {
  const n = quantity(limit, "cycles")
  return typeof n === "number" ? n : Number.NaN
}

/** Returns the runs of a figure in the made-up world of this number. */
export function madeUp(figure: PaperFigure, mode: Mode, world: number): PaperRuns {
  return Object.fromEntries(
    Object.entries(figure[mode]?.experiments ?? {}).map(([name, experiment]) => [
      name,
      plannedRuns(name, experiment, figure.folder).map(({ hash, spec, point, seed }) => {
        const of = (what: string) => unitOf(`${world} ${name} ${canonical(point)} ${seed} ${what}`)
        const offered = spec.traffic.reduce((sum, t) => sum + t.load, 0)
        const step = cyclesOf(spec.measure.limit) / intervals
        const column = (table: string) => (name_: string) =>
          Array.from({ length: intervals }, (_, i) =>
            name_ === "time" ? step * (i + 1) : of(`${table} ${name_} ${i}`),
          )
        return {
          hash,
          spec,
          point,
          seed,
          provenance: { version: "", node: "", host: "", started: "", seconds: 1 },
          result: {
            why: "limit" as const,
            explains: "",
            fingerprint: "",
            values: answering((value) => (value === "offered" ? offered : of(value))),
            tables: answering((table) => answering(column(table))),
          },
        }
      }),
    ]),
  )
}
