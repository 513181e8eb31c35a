// The recorded result of a paper's figure: rows, our curve as data, the runs by hash and fingerprint, provenance. Written by `lacewing paper --record` alone.
import { existsSync, readFileSync } from "node:fs"
import { cpus, type } from "node:os"
import { join } from "node:path"
import type { Figure } from "./figure.ts"
import type { Mode, PaperFigure, PaperResult, Pass, Row } from "./paper.ts"
import { writeAtomic } from "./store-disk.ts"
import { isMap } from "./store-json.ts"

export type Recorded = {
  readonly rows: readonly Row[]
  readonly pass: Pass
  readonly figures: readonly Figure[]
  readonly runs: readonly { readonly experiment: string; readonly hash: string; readonly fingerprint: string; readonly why: string }[]
  readonly provenance: {
    readonly version: string
    readonly node: string
    readonly machine: string
    readonly finished: string
    readonly seconds: number
  }
}
export type RecordedFile = { readonly id: string; readonly quick?: Recorded; readonly full?: Recorded }

export function recordedPath(papers: string, id: string): string {
  return join(papers, `${id}.recorded.json`)
}

/** What is recorded; an empty record when nothing is. */
export function readRecorded(papers: string, id: string): RecordedFile {
  const path = recordedPath(papers, id)
  if (!existsSync(path)) return { id }
  const raw: unknown = JSON.parse(readFileSync(path, "utf8"), (_k, v: unknown) =>
    isMap(v) && typeof v["$number"] === "string" ? Number(v["$number"]) : v,
  )
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
    records.map((r) => ({ experiment, hash: r.hash, fingerprint: r.result.fingerprint, why: r.result.why })),
  )
  const machine = `${type()} ${process.arch}, ${cpus()[0]?.model.trim() || "unknown processor"}`
  const provenance = { version, node: process.version, machine, finished: new Date().toISOString(), seconds: result.seconds }
  const made: Recorded = { rows: result.rows, pass: result.pass, figures: result.figures, runs, provenance }
  const path = recordedPath(papers, result.id)
  const file = { ...readRecorded(papers, result.id), [result.mode]: made }
  const text = JSON.stringify(file, (_k, v: unknown) => (typeof v === "number" && !Number.isFinite(v) ? { $number: String(v) } : v), 1)
  writeAtomic(path, `${text}\n`)
  return path
}

/** "full: agrees", "quick: 2 of 5 rows fail", … for lists and the gallery; undefined when nothing is recorded. */
export function standing(file: RecordedFile): { readonly mode: Mode; readonly recorded: Recorded; readonly says: string } | undefined {
  const mode = file.full !== undefined ? "full" : "quick"
  const recorded = file[mode]
  if (recorded === undefined) return undefined
  const failed = recorded.rows.filter((r) => r.pass === false).length
  const passed = recorded.rows.filter((r) => r.pass === true).length
  const says =
    failed > 0
      ? `${failed} of ${recorded.rows.length} rows fail`
      : passed === recorded.rows.length
        ? "agrees"
        : `${passed} of ${recorded.rows.length} rows checked, all agree`
  return { mode, recorded, says: passed === 0 && failed === 0 ? "unchecked" : says }
}

/** The figures of one paper, or all, or one, by id; undefined when the id names none. */
export function papersNamed(all: readonly PaperFigure[], id: string): readonly PaperFigure[] | undefined {
  const found = id === "all" ? all : all.filter((p) => p.id === id || p.id.startsWith(`${id}/`))
  return found.length === 0 ? undefined : found
}
