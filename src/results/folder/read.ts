// Reads the runs of a results folder without changing it. Reports, comparisons and the studio use it.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { sortRecords } from "../order.ts"
import { bare, type RunRecord } from "../record.ts"
import { contentsOf, damagedShard, leftOut } from "./contents.ts"
import type { Folder } from "./folder.ts"
import { journalIn } from "./journal.ts"
import type { About } from "./manifest.ts"
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
  /** every run of the folder, not only those that the experiment contains now */
  readonly everything?: boolean
}

/** The journal first: runs only ever move from there to shards. A run in both is newer in the journal. */
export async function readFolder(
  folder: Folder,
  { tables = true, everything = false }: ReadOptions = {},
): Promise<Checked<Results>> {
  const journal = journalIn(folder)
  const contents = contentsOf(folder)
  if ("bad" in contents) return contents
  const { about, version, shards, manifest } = contents.ok
  const said: Complaint[] = [
    ...contents.ok.said,
    ...journal.damaged.map((path) => complain(path, "This file is not a complete run.", leftOut)),
  ]
  if (!manifest && shards.length === 0 && journal.records.length === 0) {
    return {
      bad: [
        ...said,
        complain(
          folder.name,
          "This folder contains no results.",
          "name a folder that `lacewing run EXPERIMENT --out FOLDER` wrote",
        ),
      ],
    }
  }
  const byHash = new Map<string, RunRecord>()
  for (const shard of shards) {
    const runs = await readShard(folder, shard, tables)
    if (typeof runs === "string") said.push(damagedShard(folder.name, shard.number, runs))
    else for (const run of runs) byHash.set(run.hash, run)
  }
  for (const run of journal.records) byHash.set(run.hash, tables ? run : bare(run))
  const all = [...byHash.values()]
  const asked = everything ? { records: all, said: [] } : planned(folder, all)
  return {
    ok: { dir: folder.name, about, version, records: sortRecords(asked.records), said: [...said, ...asked.said] },
  }
}
