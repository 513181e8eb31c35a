// Reading a results folder without touching it, even while another process writes.
import { join } from "node:path"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import type { RunRecord } from "./record.ts"
import { disk } from "./calls.ts"
import { contentsOf, damagedShard, leftOut } from "./contents.ts"
import { attempt, textOf } from "./disk.ts"
import { readJournal } from "./journal.ts"
import { type About, MANIFEST } from "./manifest.ts"
import { bare } from "./open.ts"
import { sortRecords } from "./order.ts"
import { planned } from "./plan.ts"
import { readShard } from "./shard.ts"

export type Results = {
  readonly dir: string
  readonly about: About
  /** version of lacewing that wrote last */
  readonly version: string
  /** in the order of their points */
  readonly records: readonly RunRecord[]
  /** what could not be read, is missing or was left out */
  readonly said: readonly Complaint[]
}

export type ReadOptions = {
  /** with the tables of probes; true when absent */
  readonly tables?: boolean
  /** every run of the folder, not only those that the experiment asks for now */
  readonly everything?: boolean
}

/** The runs of a folder that its experiment asks for. */
export function readResults(dir: string, options: ReadOptions = {}): Promise<Checked<Results>> {
  return steadily(dir, () => readOnce(dir, options))
}

/** Looks into a folder. A writer may have moved runs to another shard meanwhile: then looks again. */
export async function steadily<T>(dir: string, look: () => Promise<Checked<T>>): Promise<Checked<T>> {
  const read = await attempt(dir, async () => {
    if (!disk.isFolder(dir)) {
      const there = disk.kind(dir) !== undefined
      return { bad: [complain(dir, there ? "is a file" : "does not exist", "give the folder that a run wrote")] }
    }
    for (let tries = 0; ; tries++) {
      const before = manifestText(dir)
      const results = await look()
      if (tries === 2 || before === manifestText(dir)) return results
    }
  })
  return "bad" in read ? read : read.ok
}

function manifestText(dir: string): string | undefined {
  return textOf(join(dir, MANIFEST), 2 ** 28)
}

/** The journal first: runs only ever move from there to shards. A run in both is newer in the journal. */
async function readOnce(dir: string, { tables = true, everything = false }: ReadOptions): Promise<Checked<Results>> {
  const journal = readJournal(dir)
  const contents = contentsOf(dir)
  if ("bad" in contents) return contents
  const { about, version, shards, manifest } = contents.ok
  const said: Complaint[] = [...contents.ok.said, ...journal.damaged.map((path) => complain(path, "is not a whole run", leftOut))]
  if (!manifest && shards.length === 0 && journal.records.length === 0) {
    return { bad: [...said, complain(dir, "holds no results", "give the folder that `lacewing run FILE --out DIR` wrote")] }
  }
  const byHash = new Map<string, RunRecord>()
  for (const shard of shards) {
    const runs = await readShard(dir, shard, tables)
    if (typeof runs === "string") said.push(damagedShard(dir, shard.number, runs))
    else for (const run of runs) byHash.set(run.hash, run)
  }
  for (const run of journal.records) byHash.set(run.hash, tables ? run : bare(run))
  const all = [...byHash.values()]
  const asked = everything ? { records: all, said: [] } : planned(dir, all)
  return { ok: { dir, about, version, records: sortRecords(asked.records), said: [...said, ...asked.said] } }
}
