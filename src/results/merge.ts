// Several results folders (shards of one sweep, run on several machines) into one.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { Store, type StoreOptions } from "./store.ts"
import { attempt } from "./disk.ts"
import { readPlan } from "./plan.ts"
import type { Results } from "./folder/read.ts"
import { meetings } from "./origin.ts"
import { readResults } from "./read.ts"

export type Merged = {
  readonly added: number
  /** runs that were there already with the same fingerprint */
  readonly known: number
  /** one complaint for each run whose results differ between folders: the first is kept */
  readonly conflicts: readonly Complaint[]
  readonly said: readonly Complaint[]
}

/** Reads all of `from` before anything is written, then adds what `into` lacks. */
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
  const met = meetings([{ name: store.dir, records: all.ok }, ...sources.map(({ dir, records }) => ({ name: dir, records }))])
  const plans = [{ dir: store.dir, records: all.ok }, ...sources].map(
    ({ dir, records }) => readPlan(dir, unread) ?? records.map((r) => r.hash),
  )
  const merged = await addAll(store, sources)
  if ("bad" in merged) return merged
  const hashes = new Set(plans.flatMap((plan) => [...plan]))
  const points = new Map(sources.flatMap((s) => s.records).map((r) => [r.hash, r.point]))
  const bad = await store.plan([...hashes].map((hash) => ({ hash, point: points.get(hash) ?? store.get(hash)?.point ?? {} })))
  return bad.length > 0 ? { bad } : { ok: { ...merged.ok, said: [...store.said, ...unread, ...merged.ok.said, ...together(store.dir, met)] } }
}

function together(dir: string, met: readonly string[]): Complaint[] {
  const fix = "report and compare keep saying so; run the experiment again with one version to replace the others"
  return met.length === 0 ? [] : [complain(dir, `holds runs of several builds or revisions now: ${met.join("; ")}`, fix)]
}

/** Adds what `store` lacks; complaints about runs whose results differ. */
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
        const says = `${record.hash} has fingerprint ${record.result.fingerprint} here and ${there.result.fingerprint} elsewhere`
        conflicts.push(complain(dir, says, `the first was kept; \`lacewing reproduce ${record.hash.slice(0, 12)}\` tells which is right`))
      }
    }
  }
  return { ok: { added, known, conflicts, said: sources.flatMap((s) => s.said) } }
}
