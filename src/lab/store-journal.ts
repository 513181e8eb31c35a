// The journal: one small JSON file for each finished run, from the moment it ends until a shard holds it.
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { RunRecord } from "./record.ts"
import { codeOf, entries, UNFINISHED, writeAtomic } from "./store-disk.ts"
import { recordOf, recordText } from "./store-json.ts"

export const JOURNAL = "journal"

export function journalPath(dir: string, hash: string): string {
  return join(dir, JOURNAL, `${encodeURIComponent(hash)}.json`)
}

/** Returns the size of what was written. */
export function writeJournal(dir: string, record: RunRecord): number {
  const text = recordText(record)
  writeAtomic(journalPath(dir, record.hash), text)
  return text.length
}

export function removeJournal(dir: string, hash: string): void {
  rmSync(journalPath(dir, hash), { force: true })
}

export type Journal = { readonly records: readonly RunRecord[]; readonly damaged: readonly string[]; readonly size: number }

/** All runs of the journal; `damaged` are paths that hold no run. */
export function readJournal(dir: string): Journal {
  const records: RunRecord[] = []
  const damaged: string[] = []
  let size = 0
  for (const name of entries(join(dir, JOURNAL))) {
    if (name.endsWith(UNFINISHED)) continue
    const path = join(dir, JOURNAL, name)
    const text = readIfThere(path)
    if (text === undefined) continue
    const record = recordOf(text)
    if (record === undefined) damaged.push(path)
    else records.push(record)
    size += text.length
  }
  return { records, damaged, size }
}

/** A writer may move a run from the journal to a shard while we look. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}
