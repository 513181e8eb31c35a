// The recorded result of a paper's figure: rows, our curve as data, the runs by hash and fingerprint, provenance.
// Written by `lacewing paper --record` alone.
import { existsSync, readFileSync } from "node:fs"
import { cpus, type } from "node:os"
import { join } from "node:path"
import type { Figure } from "../../draw/figure/figure.ts"
import { revisionsIn } from "../../experiment/identity/revisions.ts"
import { newReason } from "../../model/renamed.ts"
import { writeAtomic } from "../../results/disk.ts"
import { isMap } from "../../results/json.ts"
import type { RunRecord } from "../../results/record.ts"
import type { Facts, PaperFigure, PaperResult, Pass, Row } from "./paper.ts"
import { recordedText, spotsFrom } from "./text.ts"

export type Recorded = {
  readonly rows: readonly Row[]
  readonly pass: Pass
  readonly figures: readonly Figure[]
  /** what was read off the model, by name */
  readonly facts?: Facts
  readonly runs: readonly RecordedRun[]
  readonly provenance: {
    readonly version: string
    /** of what its runs use (experiment/identity/revisions.ts) */
    readonly revisions?: string
    /** of records from before there were revisions: the version of the whole model; 1 and 2 do not say it */
    readonly model?: number
    readonly node: string
    readonly machine: string
    readonly finished: string
    /** of the recording itself where runs have no seconds: see secondsOf() */
    readonly seconds: number
  }
}
export type RecordedRun = {
  readonly experiment: string
  readonly hash: string
  readonly fingerprint: string
  readonly why: string
  /** of the run, as its store has it */
  readonly seconds?: number
}
export type RecordedFile = { readonly id: string; readonly quick?: Recorded; readonly full?: Recorded }

export function recordedPath(papers: string, id: string): string {
  return join(papers, `${id}.recorded.json`)
}

/** What is recorded; an empty record when nothing is. */
export function readRecorded(papers: string, id: string): RecordedFile {
  const path = recordedPath(papers, id)
  if (!existsSync(path)) return { id }
  const raw: unknown = JSON.parse(readFileSync(path, "utf8"), (key, v: unknown) => {
    if (key === "why" && typeof v === "string") return newReason(v)
    if (!isMap(v)) return v
    if (typeof v["$number"] === "string") return Number(v["$number"])
    return Array.isArray(v["$spots"]) ? spotsFrom(v["$spots"]) : v
  })
  return isRecorded(raw) ? raw : { id }
}

function isRecorded(raw: unknown): raw is RecordedFile {
  const good = (r: unknown): boolean =>
    r === undefined || (isMap(r) && Array.isArray(r["rows"]) && Array.isArray(r["figures"]) && isMap(r["provenance"]))
  return isMap(raw) && typeof raw["id"] === "string" && good(raw["quick"]) && good(raw["full"])
}

/** Replaces the record of this mode and keeps that of the other; returns the path. */
export function record(papers: string, result: PaperResult, version: string): string {
  const runs = Object.entries(result.runs).flatMap(([experiment, records]) =>
    records.map((r) => ({
      experiment,
      hash: r.hash,
      fingerprint: r.result.fingerprint,
      why: r.result.why,
      seconds: r.provenance.seconds,
    })),
  )
  const machine = `${type()} ${process.arch}, ${cpus()[0]?.model.trim() || "unknown processor"}`
  const provenance = {
    version,
    ...(runs.length === 0 ? {} : { revisions: together(Object.values(result.runs).flat()) }),
    node: process.version,
    machine,
    finished: new Date().toISOString(),
    seconds: result.seconds,
  }
  const made: Recorded = {
    rows: result.rows,
    pass: result.pass,
    figures: result.figures,
    ...(Object.keys(result.facts).length === 0 ? {} : { facts: result.facts }),
    runs,
    provenance,
  }
  return write(papers, { ...readRecorded(papers, result.id), [result.mode]: made })
}

/** Writes what is recorded again, in the form of today and with the same values; undefined when nothing is. */
export function rewrite(papers: string, id: string): string | undefined {
  return existsSync(recordedPath(papers, id)) ? write(papers, readRecorded(papers, id)) : undefined
}

function write(papers: string, file: RecordedFile): string {
  const path = recordedPath(papers, file.id)
  writeAtomic(path, recordedText(file))
  return path
}

/** The last version of the whole model: what revision 1 of each part stands for. */
const lastModel = 3

/**
 * The components whose bits have changed since the runs were recorded, with both revisions. `now`: the revisions of the
 * runs that the figure needs now. A figure without runs does not age.
 */
export function changedSince({ runs, provenance }: Recorded, now: ReadonlyMap<string, number>): string[] {
  if (runs.length === 0) return []
  const { revisions, model = 0 } = provenance
  if (revisions === undefined && model < lastModel)
    return [`model ${model === 0 ? "1 or 2" : model} (now revisions of each part)`]
  const then = revisionsIn(revisions ?? "")
  const before = (what: string): number => then.get(what) ?? (revisions === undefined ? 1 : Infinity)
  return [...now]
    .filter(([what, n]) => before(what) < n)
    .map(([what, n]) => `${what} revision ${before(what)} (now ${n})`)
}

/** The revisions of several runs as one text. */
function together(records: readonly RunRecord[]): string {
  const all = new Set(records.flatMap((r) => (r.provenance.revisions ?? "").split(", ")))
  return [...all]
    .filter((part) => part !== "")
    .sort()
    .join(", ")
}

/** Seconds of all runs together; undefined when the record has none of its own: what it gives then is the time of
 *  reading known runs. */
export function secondsOf({ runs, provenance }: Recorded): number | undefined {
  if (runs.length === 0) return provenance.seconds
  return runs.reduce<number | undefined>(
    (sum, r) => (sum === undefined || r.seconds === undefined ? undefined : sum + r.seconds),
    0,
  )
}

/** The figures of one paper, or all, or one, by id; undefined when the id names none. */
export function papersNamed(all: readonly PaperFigure[], id: string): readonly PaperFigure[] | undefined {
  const found = id === "all" ? all : all.filter((p) => p.id === id || p.id.startsWith(`${id}/`))
  return found.length === 0 ? undefined : found
}
