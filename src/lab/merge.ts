// Several results folders (shards of one sweep, run on several machines) into one.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { Store, type StoreOptions } from "./store.ts"
import { readPlan } from "./store-plan.ts"
import { type Results, readResults } from "./store-read.ts"

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
  const merged = await addAll(store.ok, sources)
  const told = "bad" in merged ? [] : await joinPlans(store.ok, sources)
  const closed = [...told, ...(await store.ok.close())]
  if ("bad" in merged) return merged
  return closed.length > 0 ? { bad: closed } : merged
}

/** The merged folder shows what any of the folders shows; one without a plan shows all it has. */
async function joinPlans(store: Store, sources: readonly Results[]): Promise<readonly Complaint[]> {
  const before = readPlan(store.dir) ?? []
  const plans = sources.map(({ dir, records }) => readPlan(dir) ?? records.map((r) => r.hash))
  const hashes = new Set([...before, ...plans.flatMap((plan) => [...plan])])
  const points = new Map(sources.flatMap((s) => s.records).map((r) => [r.hash, r.point]))
  return store.plan([...hashes].map((hash) => ({ hash, point: points.get(hash) ?? store.get(hash)?.point ?? {} })))
}

async function addAll(store: Store, sources: readonly Results[]): Promise<Checked<Merged>> {
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
