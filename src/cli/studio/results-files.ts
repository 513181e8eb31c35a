// The files of a results folder. A run that still computes adds files, so the page requests the list again.
import { readdirSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"

/** Maximum number of files of a results folder. */
const MOST_FILES = 20_000

/** Returns the paths relative to the folder. */
export function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile() && !f.name.endsWith(".html"))
    .slice(0, MOST_FILES)
    .map((f) => relative(path, join(f.parentPath, f.name)).split(sep).join("/"))
}

/** Returns a text for each file that differs after a change. A file may be removed meanwhile. */
export function stampsOf(path: string, files: readonly string[]): Record<string, string> {
  const stamps = files.flatMap((file) => {
    const stat = statSync(join(path, file), { throwIfNoEntry: false })
    return stat === undefined ? [] : [[file, `${stat.size} ${stat.mtimeMs}`]]
  })
  return Object.fromEntries(stamps)
}
