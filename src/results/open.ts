// Opens a results folder for writing. It first repairs what an interruption left unfinished; damaged files are set
// aside and reported.
import { join } from "node:path"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { disk } from "./calls.ts"
import { CHECKPOINTS } from "./checkpoints.ts"
import { entries, onDisk, setAside } from "./disk.ts"
import { JOURNAL, UNFINISHED } from "./folder/journal.ts"
import { type About, emptyManifest, FORMAT, MANIFEST, type Manifest, type Shard } from "./folder/manifest.ts"
import { filesNumbered, findShards, readShard } from "./folder/shard.ts"
import { readJournal } from "./journal.ts"
import { readManifest, writeManifest } from "./manifest.ts"
import { bare, type RunRecord } from "./record.ts"
import { SET_ASIDE, setShardAside } from "./shard.ts"

export type Opened = {
  readonly manifest: Manifest
  /** runs without their tables, and the shard that holds each; 0 = the journal */
  readonly known: Map<string, { run: RunRecord; shard: number }>
  readonly said: readonly Complaint[]
  readonly journalSize: number
}

/** The caller holds the lock. */
export async function openFolder(dir: string, version: string, about: About): Promise<Checked<Opened>> {
  const read = readManifest(dir)
  if ("bad" in read) return read
  const linked = innerLinks(dir)
  if (linked.length > 0) return { bad: linked }
  const said: Complaint[] = []
  const manifest = typeof read.ok === "string" ? recovered(dir, version, read.ok, said) : read.ok
  if (typeof read.ok !== "string") removeUnnamed(dir, manifest)
  removeUnfinished(dir)
  const known: Opened["known"] = new Map()
  const whole = await wholeShards(dir, manifest, known, said)
  const journal = readJournal(dir)
  for (const path of journal.damaged) {
    setAside(path, join(dir, SET_ASIDE))
    said.push(
      complain(
        path,
        "This file is not a complete run.",
        `nothing: lacewing moved it to ${join(dir, SET_ASIDE)} and repeats the run`,
      ),
    )
  }
  for (const run of journal.records) known.set(run.hash, { run: bare(run), shard: 0 })
  const now: Manifest = {
    ...manifest,
    format: FORMAT,
    about: { ...manifest.about, ...about },
    shards: whole,
    retired: [],
  }
  if (JSON.stringify(now) !== JSON.stringify(read.ok)) writeManifest(dir, now)
  return { ok: { manifest: now, known, said, journalSize: journal.size } }
}

async function wholeShards(
  dir: string,
  manifest: Manifest,
  known: Opened["known"],
  said: Complaint[],
): Promise<Shard[]> {
  const whole: Shard[] = []
  for (const shard of manifest.shards) {
    const runs = await readShard(onDisk(dir), shard, false)
    if (typeof runs === "string") {
      setShardAside(dir, shard.number)
      const again = `nothing: lacewing moved it to ${join(dir, SET_ASIDE)} and repeats its ${shard.runs} runs`
      said.push(complain(dir, `shard ${shard.number} is damaged: ${runs}`, again))
      continue
    }
    whole.push(shard)
    for (const run of runs) known.set(run.hash, { run, shard: shard.number })
  }
  return whole
}

/** A new folder, or one whose manifest was lost: the shards themselves say what they hold. */
function recovered(dir: string, version: string, state: "absent" | "damaged", said: Complaint[]): Manifest {
  if (state === "damaged") setAside(join(dir, MANIFEST), join(dir, SET_ASIDE))
  const { shards, damaged } = findShards(onDisk(dir))
  if (state === "damaged" || shards.length + damaged.length > 0) {
    said.push(
      complain(
        dir,
        `${MANIFEST} is ${state}`,
        `nothing: lacewing rebuilt it from the ${shards.length} shards of the folder`,
      ),
    )
  }
  for (const { number, says } of damaged) {
    setShardAside(dir, number)
    said.push(
      complain(
        dir,
        `shard ${number} is damaged: ${says}`,
        `nothing: lacewing moved it to ${join(dir, SET_ASIDE)} and repeats its runs`,
      ),
    )
  }
  const next = Math.max(0, ...shards.map((s) => s.number), ...damaged.map((d) => d.number)) + 1
  return { ...emptyManifest(version, {}), next, shards }
}

/** A folder inside that is a link leads out of the results folder, and files would be moved and removed there. */
function innerLinks(dir: string): Complaint[] {
  const folders = [
    "runs",
    "tables",
    JOURNAL,
    CHECKPOINTS,
    SET_ASIDE,
    ...entries(join(dir, "tables")).map((t) => `tables/${t}`),
  ]
  const links = folders.filter((f) => disk.kind(join(dir, f)) === "link")
  return links.map((f) =>
    complain(
      join(dir, f),
      "This is a symbolic link, but lacewing writes only inside the results folder.",
      "replace the link by the folder itself",
    ),
  )
}

/** What a killed process left: shards that no manifest named, shards that were rewritten. */
function removeUnnamed(dir: string, manifest: Manifest): void {
  const never = (n: number): boolean => n >= manifest.next || manifest.retired.includes(n)
  for (const path of filesNumbered(onDisk(dir), never)) disk.remove(join(dir, path))
}

/** Files that were being written. */
function removeUnfinished(dir: string): void {
  const folders = [".", "runs", JOURNAL, CHECKPOINTS, ...entries(join(dir, "tables")).map((t) => `tables/${t}`)]
  for (const folder of folders) {
    for (const name of entries(join(dir, folder))) if (name.endsWith(UNFINISHED)) disk.remove(join(dir, folder, name))
  }
}
