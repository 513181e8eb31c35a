// Reading a results folder without touching it, even while another process writes.
import { join } from "node:path"
import { type Checked, complain } from "../core/complaint.ts"
import { disk } from "./calls.ts"
import { attempt, onDisk, textOf } from "./disk.ts"
import { MANIFEST } from "./folder/manifest.ts"
import { type ReadOptions, type Results, readFolder } from "./folder/read.ts"

/** The runs of a folder that its experiment contains. */
export function readResults(dir: string, options: ReadOptions = {}): Promise<Checked<Results>> {
  return steadily(dir, () => readFolder(onDisk(dir), options))
}

/** Looks into a folder. A writer may have moved runs to another shard meanwhile: then looks again. */
export async function steadily<T>(dir: string, look: () => Promise<Checked<T>>): Promise<Checked<T>> {
  const read = await attempt(dir, async () => {
    if (!disk.isFolder(dir)) {
      const there = disk.kind(dir) !== undefined
      return { bad: [complain(dir, there ? "is a file" : "does not exist", "name a folder that `lacewing run` wrote")] }
    }
    for (let tries = 0; ; tries++) {
      const before = manifestText(dir)
      const results = await look()
      if (tries === 2 || before === manifestText(dir)) return results
    }
  })
  return "bad" in read ? read : read.ok
}

function manifestText(dir: string): string | undefined {
  return textOf(join(dir, MANIFEST), 2 ** 28)
}
