// The journal: one small JSON file for each finished run, from the moment it ends until a shard holds it.

import { openText } from "../checksum.ts"
import { recordOf } from "../json.ts"
import type { RunRecord } from "../record.ts"
import { type Folder, textIn } from "./folder.ts"

export const JOURNAL = "journal"
/** Ends the name of a file that is still being written. */
export const UNFINISHED = ".tmp"
/** The longest text that a run can be written as. */
const MOST = 2 ** 29

export type Journal = {
  readonly records: readonly RunRecord[]
  readonly damaged: readonly string[]
  readonly size: number
}

/** All runs of the journal; `damaged` are paths that hold no run. */
export function journalIn(folder: Folder): Journal {
  const records: RunRecord[] = []
  const damaged: string[] = []
  let size = 0
  for (const name of folder.list(JOURNAL)) {
    if (name.endsWith(UNFINISHED)) continue
    const path = `${JOURNAL}/${name}`
    const text = textIn(folder, path, MOST)
    // a writer may move a run from the journal to a shard while we look
    if (text === undefined) continue
    const inside = openText(text, folder.digest)
    const record = inside === undefined ? undefined : recordOf(inside)
    if (record === undefined) damaged.push(folder.shown(path))
    else records.push(record)
    size += text.length
  }
  return { records, damaged, size }
}
