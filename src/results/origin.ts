// The origin of a run: the build and the revisions that are recorded with it. Runs of several builds or revisions are
// never shown together without a warning.
import { type Complaint, complain } from "../core/complaint.ts"
import type { Catalog } from "../experiment/catalog.ts"
import { revisionsIn, revisionsOf } from "../experiment/identity/revisions.ts"
import { buildIn, buildVersion } from "../experiment/identity/version.ts"
import type { RunRecord } from "./record.ts"

export interface NamedRuns {
  readonly name: string
  readonly records: readonly RunRecord[]
}

/** Which builds and revisions meet in these sets of runs, a line for each part that is not the same in all of them. */
export function buildsAndRevisions(sets: readonly NamedRuns[]): string[] {
  const made: string[] = []
  const all = sets.flatMap((s) => s.records)
  const differ = <T>(of: (r: RunRecord) => T) => new Set(all.map(of)).size > 1
  const listed = (words: (records: readonly RunRecord[]) => string) =>
    sets.flatMap(({ name, records }) => (records.length === 0 ? [] : [`${words(records)} in ${name}`])).join(", ")
  if (differ((r) => buildIn(r.provenance.version)))
    made.push(`builds: ${listed((records) => joined(records.map((r) => r.provenance.version)))}`)
  if (differ((r) => r.provenance.revisions === undefined))
    made.push(
      "revisions: " +
        `${listed(
          (records) =>
            "recorded for " +
            `${records.filter((r) => r.provenance.revisions !== undefined).length} ` +
            `of ${records.length} runs`,
        )}`,
    )
  const parts = new Map<string, Set<number>>()
  for (const { provenance } of all)
    for (const [what, n] of revisionsIn(provenance.revisions ?? ""))
      parts.set(what, (parts.get(what) ?? new Set()).add(n))
  for (const [what, found] of parts) {
    if (found.size < 2) continue
    const those = ({ records }: NamedRuns) => records.filter((r) => revisionsIn(r.provenance.revisions ?? "").has(what))
    const words = sets.flatMap((s) => {
      const mine = those(s).map((r) => String(revisionsIn(r.provenance.revisions!).get(what)))
      return mine.length === 0 ? [] : [`revision ${joined(mine)} in ${s.name}`]
    })
    made.push(`${what}: ${words.join(", ")}`)
  }
  return made
}

function joined(words: readonly string[]): string {
  return [...new Set(words)].sort().join(" and ")
}

/** Why a run is not one of this program; undefined when it is. */
export function whyOther(
  { spec, provenance: { version, revisions } }: RunRecord,
  catalog: Catalog,
): string | undefined {
  if (revisions === undefined) return "of a version that recorded no revisions"
  const then = revisionsIn(revisions)
  // A part that the record does not name was counted as another one then.
  const changed = [...revisionsIn(revisionsOf(spec, catalog))].filter(([what, n]) => then.get(what) !== n)
  if (changed.length > 0)
    return `of other revisions: ${changed.map(([what, n]) => `${what} ${then.get(what) ?? "none"} (now ${n})`).join(", ")}`
  return buildIn(version) === buildIn(buildVersion)
    ? undefined
    : `of another build (${version}; this is ${buildVersion})`
}

/** A complaint for each reason why runs are not those of this program. */
export function othersAmong(dir: string, records: readonly RunRecord[], catalog: Catalog, fix: string): Complaint[] {
  const reasons = new Map<string, number>()
  for (const r of records) {
    const why = whyOther(r, catalog)
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  const count = (n: number) => `${n} of ${records.length} ${records.length === 1 ? "run is" : "runs are"}`
  return [...reasons].map(([why, n]) => complain(dir, `${count(n)} ${why}`, fix))
}
