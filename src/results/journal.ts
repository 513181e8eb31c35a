// Writing and reading the journal of a folder on disk.
import { join } from "node:path"
import { fileName } from "../experiment/disk/safe-names.ts"
import { disk } from "./calls.ts"
import { checksumText } from "./checksum.ts"
import { nodeDigest, onDisk, writeAtomic } from "./disk.ts"
import { JOURNAL, type Journal, journalIn } from "./folder/journal.ts"
import { recordText } from "./json.ts"
import type { RunRecord } from "./record.ts"

export function journalPath(dir: string, hash: string): string {
  return join(dir, JOURNAL, `${fileName(hash)}.json`)
}

/** Returns the size of what was written. */
export function writeJournal(dir: string, record: RunRecord): number {
  const text = checksumText(recordText(record), nodeDigest)
  writeAtomic(journalPath(dir, record.hash), text)
  return text.length
}

export function removeJournal(dir: string, hash: string): void {
  disk.remove(journalPath(dir, hash))
}

/** All runs of the journal of a folder on disk. */
export function readJournal(dir: string): Journal {
  return journalIn(onDisk(dir))
}
