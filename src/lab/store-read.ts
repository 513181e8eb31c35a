// Reading a results folder without touching it, even while another process writes.
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import type { RunRecord } from "./record.ts"
import { attempt } from "./store-disk.ts"
import { readJournal } from "./store-journal.ts"
import { type About, emptyManifest, readManifest } from "./store-manifest.ts"
import { bare } from "./store-open.ts"
import { sortRecords } from "./store-order.ts"
import { planned } from "./store-plan.ts"
import { findShards, readShard } from "./store-shard.ts"

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
export async function readResults(dir: string, options: ReadOptions = {}): Promise<Checked<Results>> {
  const read = await attempt(dir, async () => {
    if (!statSync(dir).isDirectory()) return { bad: [complain(dir, "is a file", "give the folder that a run wrote")] }
    for (let tries = 0; ; tries++) {
      const before = manifestText(dir)
      const results = await readOnce(dir, options)
      // a writer may have moved runs to another shard while we looked: then look again
      if (tries === 2 || before === manifestText(dir)) return results
    }
  })
  return "bad" in read ? read : read.ok
}

function manifestText(dir: string): string {
  try {
    return readFileSync(join(dir, "manifest.json"), "utf8")
  } catch {
    return ""
  }
}

/** The journal first: runs only ever move from there to shards. A run in both is newer in the journal. */
async function readOnce(dir: string, { tables = true, everything = false }: ReadOptions): Promise<Checked<Results>> {
  const journal = readJournal(dir)
  const manifest = readManifest(dir)
  if ("bad" in manifest) return manifest
  const { about, version, shards } =
    typeof manifest.ok === "string" ? { ...emptyManifest("unknown", {}), shards: findShards(dir) } : manifest.ok
  if (typeof manifest.ok === "string" && shards.length === 0 && journal.records.length === 0) {
    return { bad: [complain(dir, "holds no results", "give the folder that `lacewing run FILE --out DIR` wrote")] }
  }
  const fix = "it is left out here; the same `lacewing run` sets it aside and runs its points again"
  const said: Complaint[] = journal.damaged.map((path) => complain(path, "is not a whole run", fix))
  const byHash = new Map<string, RunRecord>()
  for (const shard of shards) {
    const runs = await readShard(dir, shard, tables)
    if (typeof runs === "string") said.push(complain(dir, `shard ${shard.number} is damaged: ${runs}`, fix))
    else for (const run of runs) byHash.set(run.hash, run)
  }
  for (const run of journal.records) byHash.set(run.hash, tables ? run : bare(run))
  const all = [...byHash.values()]
  const asked = everything ? { records: all, said: [] } : planned(dir, all)
  return { ok: { dir, about, version, records: sortRecords(asked.records), said: [...said, ...asked.said] } }
}
