// Merges several results folders, such as the shards of one sweep that ran on several machines, into one.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { attempt } from "./disk.ts"
import type { Results } from "./folder/read.ts"
import { buildsAndRevisions } from "./origin.ts"
import { readPlan } from "./plan.ts"
import { readResults } from "./read.ts"
import { Store, type StoreOptions } from "./store.ts"

export type Merged = {
  readonly added: number
  /** runs that were there already with the same fingerprint */
  readonly known: number
  /** one complaint for each run whose results differ between folders: the first is kept */
  readonly conflicts: readonly Complaint[]
  readonly said: readonly Complaint[]
}

/** Reads all of `from` before it writes anything, then adds the runs that `into` does not have. */
export async function merge(into: string, from: readonly string[], options: StoreOptions): Promise<Checked<Merged>> {
  const sources: Results[] = []
  const bad: Complaint[] = []
  for (const dir of from) {
    const read = await readResults(dir, { everything: true })
    if ("bad" in read) bad.push(...read.bad)
    else sources.push(read.ok)
  }
  if (bad.length > 0) return { bad }
  const about = sources.find((s) => s.about.title !== undefined)?.about ?? {}
  const store = await Store.open(into, { ...options, about })
  if ("bad" in store) return store
  let closed: readonly Complaint[] = []
  const merged = await (async () => {
    try {
      return await attempt(into, () => mergeInto(store.ok, sources))
    } finally {
      closed = await store.ok.close()
    }
  })()
  if ("bad" in merged) return merged
  return "ok" in merged.ok && closed.length > 0 ? { bad: closed } : merged.ok
}

/** The merged folder shows what any of the folders shows; one without a plan shows all it has. */
async function mergeInto(store: Store, sources: readonly Results[]): Promise<Checked<Merged>> {
  const unread: Complaint[] = []
  const all = await store.records(false)
  if ("bad" in all) return all
  const met = buildsAndRevisions([
    { name: store.dir, records: all.ok },
    ...sources.map(({ dir, records }) => ({ name: dir, records })),
  ])
  const plans = [{ dir: store.dir, records: all.ok }, ...sources].map(
    ({ dir, records }) => readPlan(dir, unread) ?? records.map((r) => r.hash),
  )
  const merged = await addAll(store, sources)
  if ("bad" in merged) return merged
  const hashes = new Set(plans.flatMap((plan) => [...plan]))
  const points = new Map(sources.flatMap((s) => s.records).map((r) => [r.hash, r.point]))
  const bad = await store.plan(
    [...hashes].map((hash) => ({ hash, point: points.get(hash) ?? store.get(hash)?.point ?? {} })),
  )
  return bad.length > 0
    ? { bad }
    : { ok: { ...merged.ok, said: [...store.said, ...unread, ...merged.ok.said, ...together(store.dir, met)] } }
}

function together(dir: string, met: readonly string[]): Complaint[] {
  const fix = "run the experiment again with one version to replace the others; report and compare warn until then"
  return met.length === 0
    ? []
    : [complain(dir, `The folder now contains runs of several builds or revisions: ${met.join("; ")}.`, fix)]
}

/** Adds the runs that `store` does not have. Returns complaints about runs whose results differ. */
export async function addAll(store: Store, sources: readonly Results[]): Promise<Checked<Merged>> {
  let added = 0
  let known = 0
  const conflicts: Complaint[] = []
  for (const { dir, records } of sources) {
    for (const record of records) {
      const there = store.get(record.hash)
      if (there === undefined) {
        const bad = await store.add(record)
        if (bad.length > 0) return { bad }
        added++
      } else if (there.result.fingerprint === record.result.fingerprint) known++
      else {
        const says =
          `Run ${record.hash} has fingerprint ${record.result.fingerprint} here and ` +
          `${there.result.fingerprint} in another folder.`
        conflicts.push(
          complain(
            dir,
            says,
            `lacewing stored the first; run \`lacewing reproduce ` +
              `${record.hash.slice(0, 12)}\` to see which one is right`,
          ),
        )
      }
    }
  }
  return { ok: { added, known, conflicts, said: sources.flatMap((s) => s.said) } }
}
