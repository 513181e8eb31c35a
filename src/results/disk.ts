// File system helpers of the results folder. Files appear whole or not at all, because they are written to a temporary
// name and renamed. System errors become complaints.
import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { codeOf, pathOf, toldOf } from "../experiment/disk/system-error.ts"
import { disk, NOT_A_FILE, TOO_LARGE } from "./calls.ts"
import type { Digest, Folder } from "./folder/folder.ts"
import { JOURNAL, UNFINISHED } from "./folder/journal.ts"

export { codeOf } from "../experiment/disk/system-error.ts"

/** SHA-256 by the library of the system: ten times as fast as the plain one. */
export const nodeDigest: Digest = (...parts) => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex")
}

const ours: readonly string[] = [JOURNAL, "tables"]

/** A results folder on disk, for the readers. */
export function onDisk(dir: string): Folder {
  return {
    name: dir,
    shown: (path) => join(dir, path),
    read: (path, most) => readPlain(join(dir, path), most),
    // a stray file next to the folders of the tables is ignored; one in place of such a folder is reported
    list: (path) => (ours.includes(path) || disk.isFolder(join(dir, path)) ? entries(join(dir, path)) : []),
    digest: nodeDigest,
  }
}

/** A folder with all that lead to it. Node's own recursive mkdir says "does not exist" where the file system is
 *  read-only. */
export function makeFolder(path: string): void {
  if (disk.isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    disk.mkdir(path)
  } catch (error) {
    // another process was quicker
    if (codeOf(error) !== "EEXIST" || !disk.isFolder(path)) throw error
  }
}

/** The bytes of a plain file; "odd": a folder, a device, a pipe, or larger than anything that is written there. */
export function readPlain(path: string, most: number): Uint8Array | "absent" | "odd" {
  try {
    return disk.read(path, most)
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOENT") return "absent"
    if (code === "EISDIR" || code === NOT_A_FILE || code === TOO_LARGE) return "odd"
    throw error
  }
}

/** The text of a small file as it is; undefined where there is none, "" where it cannot be read as text. */
export function textOf(path: string, most: number): string | undefined {
  const bytes = readPlain(path, most)
  if (bytes === "absent") return undefined
  return bytes === "odd" ? "" : new TextDecoder().decode(bytes)
}

/** A new file, complete and on the disk, or none. What a killed process of the same number left under the name goes
 *  first. */
export function writeNew(path: string, data: string | Uint8Array): void {
  disk.remove(path)
  try {
    const fd = disk.create(path)
    try {
      disk.write(fd, data)
      disk.sync(fd)
    } finally {
      disk.close(fd)
    }
  } catch (error) {
    quietly(() => disk.remove(path))
    throw error
  }
}

/** Temporary file, fsync, rename, fsync of the folder: a kill at any instant leaves the old file or the new one. */
export function writeAtomic(path: string, data: string | Uint8Array): void {
  makeFolder(dirname(path))
  const temporary = `${path}.${disk.pid}${UNFINISHED}`
  writeNew(temporary, data)
  try {
    disk.rename(temporary, path)
  } catch (error) {
    quietly(() => disk.remove(temporary))
    throw error
  }
  syncFolder(dirname(path))
}

/** A rename is durable only when its folder is; file systems that cannot sync a folder do not need it. */
function syncFolder(folder: string): void {
  try {
    disk.syncFolder(folder)
  } catch (error) {
    if (!["EPERM", "EISDIR", "EINVAL", "EACCES"].includes(codeOf(error) ?? "")) throw error
  }
}

/** Cleans up after an error. If that fails as well, only the first error is reported. */
export function quietly(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

/** Names of the entries of a folder in order; none when it is absent. */
export function entries(folder: string): string[] {
  try {
    return disk.list(folder).sort()
  } catch (error) {
    if (codeOf(error) === "ENOENT") return []
    throw error
  }
}

/** Moves `path` under `to`, adding a number rather than overwriting what lies there. Returns the new place. */
export function setAside(path: string, to: string): string {
  makeFolder(to)
  const taken = new Set(entries(to))
  let name = basename(path)
  for (let n = 2; taken.has(name); n++) name = `${basename(path)}.${n}`
  disk.rename(path, join(to, name))
  return join(to, name)
}

/** The complaint for an error of the operating system; anything else is a bug and is thrown on. */
export function complaintOf(error: unknown, path: string): Complaint {
  const says = toldOf(error)
  if (says === undefined) throw error
  return complain(pathOf(error, path).replace(new RegExp(`\\.\\d+\\${UNFINISHED}$`), ""), says[0], says[1])
}

/** Runs `act`; an error of the operating system becomes a complaint. */
export async function attempt<T>(path: string, act: () => T | Promise<T>): Promise<Checked<T>> {
  try {
    return { ok: await act() }
  } catch (error) {
    return { bad: [complaintOf(error, path)] }
  }
}
