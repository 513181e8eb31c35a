// What the folder of a task says about it. A task writes; whoever follows it only reads:
//   lock.json, journal/, runs/, checkpoints/   the task's results folder, with a sign of life every 15 s
//   begun.txt     hashes of the runs that were begun, one a line
//   failed/HASH   runs that ended without a result, and why
//   notes.txt     what a person should know
//   ended.json    the last word, however it ended
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { type Complaint, complain } from "../../core/complaint.ts"
import type { StopReason } from "../../model/experiment.ts"
import { disk } from "../../results/calls.ts"
import { entries, makeFolder, textOf, writeAtomic } from "../../results/disk.ts"
import { parsed } from "../../results/folder/folder.ts"
import { JOURNAL, UNFINISHED } from "../../results/folder/journal.ts"
import { MANIFEST } from "../../results/folder/manifest.ts"
import { isMap } from "../../results/json.ts"
import { writerOf } from "../../results/lock.ts"
import { readManifest } from "../../results/manifest.ts"

export interface Ended {
  /** done: every run of it was stored or failed; left: it was told to end and wrote down what was running; refused: it cannot run here; trouble: its results could not be kept */
  readonly why: "done" | "left" | "refused" | "trouble"
  readonly seconds: number
  readonly says: readonly Complaint[]
}

export interface FailedRun {
  readonly hash: string
  readonly why: StopReason
  readonly explains: string
}

export interface Evidence {
  /** it has taken its folder */
  readonly begun: boolean
  readonly ended?: Ended
  readonly writer: "none" | "alive" | "gone"
  /** seconds since its last sign of life */
  readonly silent: number
  readonly stored: number
  readonly failed: number
}

const reasons = ["done", "left", "refused", "trouble"] as const satisfies readonly Ended["why"][]
const MOST = 2 ** 24
const none: Evidence = { begun: false, writer: "none", silent: Infinity, stored: 0, failed: 0 }

/** How a task stands, from its files alone. */
export function evidenceIn(dir: string): Evidence {
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

export function endedIn(dir: string): Ended | undefined {
  const raw = parsed(textOf(join(dir, "ended.json"), MOST) ?? "")
  if (!isMap(raw) || !Array.isArray(raw["says"])) return undefined
  const why = reasons.find((r) => r === raw["why"])
  const says = raw["says"].filter(isMap).map((c) => complain(String(c["path"]), String(c["says"]), String(c["fix"])))
  return why === undefined ? undefined : { why, seconds: Number(raw["seconds"]), says }
}

/** Finished runs; for a moment too many while the journal becomes a shard. */
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
    .map((raw): FailedRun => ({ hash: String(raw["hash"]), why: raw["why"] as StopReason, explains: String(raw["explains"]) }))
}

export function begunIn(dir: string): ReadonlySet<string> {
  return new Set((textOf(join(dir, "begun.txt"), MOST) ?? "").split("\n").filter((line) => line !== ""))
}

export function notesIn(dir: string): readonly string[] {
  const text = textOf(join(dir, "notes.txt"), MOST) ?? ""
  return text.split("\u0000\n").slice(0, -1)
}

/** What a task writes beside its results. */
export class Diary {
  private readonly dir: string
  constructor(dir: string) {
    this.dir = dir
    makeFolder(dir)
    // it may have been here before: a scheduler can start a task again
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
