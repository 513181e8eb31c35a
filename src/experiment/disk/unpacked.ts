// The compressed part of a published package (dist/pages.br): the manual, the studio and the recorded results of
// papers. They are 1,700 files and 12 MB of text, and most users open few of them. The first command that needs one
// unpacks all of them into the folder of the package. If that folder is read-only, they go to a cache folder of the
// user, together with the other files that the pages link to. A checkout has no such file, because it has the folders.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { packageVersion } from "../identity/version.ts"
import { packageFolder } from "../places.ts"

const archive = "dist/pages.br"
/** Folders and files of the package to which pages of the manual link. */
const linked = ["docs", "experiments", "changes", "papers", "test", "CONTRIBUTING.md", "LICENSE"]
/** The last file that is written. It marks a complete folder. */
const mark = "dist/unpacked"

/** Returns the folder that holds this file of the package, and unpacks the archive if the file is in it. */
export function folderOf(file: string): string {
  if (existsSync(join(packageFolder, file)) || !existsSync(join(packageFolder, archive))) return packageFolder
  if (existsSync(join(packageFolder, mark))) return packageFolder
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "lacewing", packageVersion)
  if (existsSync(join(cache, mark))) return cache
  try {
    unpack(packageFolder)
    return packageFolder
  } catch {
    unpackAll(cache)
    return cache
  }
}

/** Returns the folder of papers that has this file (`fitfly/table4.recorded.json`): here, or else in the package. */
export function papersFolder(file: string): string {
  return existsSync(join("papers", file)) ? "papers" : join(folderOf(`papers/${file}`), "papers")
}

/** Writes a copy of all static pages to a folder, with the files that they link to. Any web server can serve it. */
export function unpackAll(folder: string): void {
  for (const name of linked)
    if (existsSync(join(packageFolder, name)))
      cpSync(join(packageFolder, name), join(folder, name), { recursive: true, dereference: true })
  if (existsSync(join(packageFolder, archive))) unpack(folder)
  else
    for (const name of ["dist/manual", "dist/studio"])
      cpSync(join(packageFolder, name), join(folder, name), { recursive: true })
}

/** Writes the missing files of the archive. Several processes may do so at the same time, because each file is renamed. */
function unpack(folder: string): void {
  const files: Record<string, string> = JSON.parse(
    brotliDecompressSync(readFileSync(join(packageFolder, archive))).toString(),
  )
  for (const [name, text] of [...Object.entries(files), [mark, `${packageVersion}\n`] as const]) {
    const path = join(folder, name)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, text)
    renameSync(`${path}.${process.pid}`, path)
  }
}
