// The journal: one small JSON file for each finished run, from the moment it ends until a shard holds it.
import { join } from "node:path"
import type { RunRecord } from "./record.ts"
import { disk } from "./calls.ts"
import { entries, textOf, UNFINISHED, writeAtomic } from "./disk.ts"
import { recordOf, recordText } from "./json.ts"
import { fileName } from "../experiment/disk/safe-names.ts"
import { openText, sealText } from "./seal.ts"

export const JOURNAL = "journal"
/** The longest text that a run can be written as. */
const MOST = 2 ** 29

export function journalPath(dir: string, hash: string): string {
  return join(dir, JOURNAL, `${fileName(hash)}.json`)
}

/** Returns the size of what was written. */
export function writeJournal(dir: string, record: RunRecord): number {
  const text = sealText(recordText(record))
  writeAtomic(journalPath(dir, record.hash), text)
  return text.length
}

export function removeJournal(dir: string, hash: string): void {
  disk.remove(journalPath(dir, hash))
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
    const text = textOf(path, MOST)
    // a writer may move a run from the journal to a shard while we look
    if (text === undefined) continue
    const inside = openText(text)
    const record = inside === undefined ? undefined : recordOf(inside)
    if (record === undefined) damaged.push(path)
    else records.push(record)
    size += text.length
  }
  return { records, damaged, size }
}
