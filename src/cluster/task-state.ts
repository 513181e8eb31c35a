// Files in the folder of a task. The task writes them; the follower only reads. The folder is a results folder
// (lock.json, journal/, runs/, checkpoints/) with a heartbeat every 15 s. In addition, begun.txt lists the hashes of
// the runs that were started. failed/HASH describes a run that ended without a result. notes.txt has messages for the
// user. ended.json is the final record, however the task ended.
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { type Complaint, complain } from "../core/complaint.ts"
import type { StopReason } from "../model/experiment.ts"
import { disk } from "../results/calls.ts"
import { entries, makeFolder, textOf, writeAtomic } from "../results/disk.ts"
import { parsed } from "../results/folder/folder.ts"
import { JOURNAL, UNFINISHED } from "../results/folder/journal.ts"
import { MANIFEST } from "../results/folder/manifest.ts"
import { isMap } from "../results/json.ts"
import { writerOf } from "../results/lock.ts"
import { readManifest } from "../results/manifest.ts"

export interface Ended {
  /**
   * done: every run was stored or failed; left: it was requested to end and saved active runs; refused: it cannot run
   * here; trouble: its results could not be stored
   */
  readonly why: "done" | "left" | "refused" | "trouble"
  readonly seconds: number
  readonly says: readonly Complaint[]
}

export interface FailedRun {
  readonly hash: string
  readonly why: StopReason
  readonly explains: string
}

export interface TaskFiles {
  /** it has locked its folder */
  readonly begun: boolean
  readonly ended?: Ended
  readonly writer: "none" | "alive" | "gone"
  /** seconds since its last heartbeat */
  readonly silent: number
  readonly stored: number
  readonly failed: number
}

const reasons = ["done", "left", "refused", "trouble"] as const satisfies readonly Ended["why"][]
const MOST = 2 ** 24
const none: TaskFiles = { begun: false, writer: "none", silent: Infinity, stored: 0, failed: 0 }

/** Returns the state of a task from its files. */
export function taskFilesIn(dir: string): TaskFiles {
  if (disk.kind(join(dir, MANIFEST)) !== "file") return none
  const ended = endedIn(dir)
  const { state, silent } = writerOf(dir)
  return {
    ...(ended === undefined ? {} : { ended }),
    begun: true,
    writer: state,
    silent,
    stored: storedIn(dir),
    failed: entries(join(dir, "failed")).filter((f) => !f.endsWith(UNFINISHED)).length,
  }
}

/** Returns the final record of a task, if it is there and valid. */
export function endedIn(dir: string): Ended | undefined {
  const raw = parsed(textOf(join(dir, "ended.json"), MOST) ?? "")
  if (!isMap(raw) || !Array.isArray(raw["says"])) return undefined
  const why = reasons.find((r) => r === raw["why"])
  const says = raw["says"].filter(isMap).map((c) => complain(String(c["path"]), String(c["says"]), String(c["fix"])))
  return why === undefined ? undefined : { why, seconds: Number(raw["seconds"]), says }
}

/** Returns the number of finished runs. It may be too high for a moment, while the journal becomes a shard. */
function storedIn(dir: string): number {
  const journal = entries(join(dir, JOURNAL)).filter((f) => !f.endsWith(UNFINISHED)).length
  const manifest = readManifest(dir)
  const shards = "ok" in manifest && typeof manifest.ok !== "string" ? manifest.ok.shards : []
  return journal + shards.reduce((sum, s) => sum + s.runs, 0)
}

export function failedIn(dir: string): FailedRun[] {
  return entries(join(dir, "failed"))
    .filter((f) => !f.endsWith(UNFINISHED))
    .map((f) => parsed(textOf(join(dir, "failed", f), MOST) ?? ""))
    .filter(isMap)
    .map(
      (raw): FailedRun => ({
        hash: String(raw["hash"]),
        why: raw["why"] as StopReason,
        explains: String(raw["explains"]),
      }),
    )
}

/** Returns the hashes of the runs that were started. */
export function begunIn(dir: string): ReadonlySet<string> {
  return new Set((textOf(join(dir, "begun.txt"), MOST) ?? "").split("\n").filter((line) => line !== ""))
}

/** Returns the complete notes. A note ends with a NUL character, because it may have several lines. */
export function notesIn(dir: string): readonly string[] {
  const text = textOf(join(dir, "notes.txt"), MOST) ?? ""
  return text.split("\u0000\n").slice(0, -1)
}

/** Writes the files of a task, in addition to its results. */
export class Diary {
  private readonly dir: string
  constructor(dir: string) {
    this.dir = dir
    makeFolder(dir)
    // A scheduler may start a task again in the same folder.
    disk.remove(join(dir, "ended.json"))
  }
  begun(hash: string): void {
    appendFileSync(join(this.dir, "begun.txt"), `${hash}\n`)
  }
  note(text: string): void {
    appendFileSync(join(this.dir, "notes.txt"), `${text}\u0000\n`)
  }
  failed(run: FailedRun): void {
    writeAtomic(join(this.dir, "failed", run.hash), `${JSON.stringify(run)}\n`)
  }
  ended(end: Ended): void {
    writeAtomic(join(this.dir, "ended.json"), `${JSON.stringify(end)}\n`)
  }
}
