// Files that are there whole or not at all, and system errors told as complaints.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { codeOf, pathOf, toldOf } from "./system-error.ts"

export { codeOf } from "./system-error.ts"

/** Ends the name of a file that is still being written. */
export const UNFINISHED = ".tmp"

/** A folder with all that lead to it. Node's own recursive mkdir says "does not exist" where the file system is read-only. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // somebody else was quicker
    if (codeOf(error) !== "EEXIST" || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Temporary file, fsync, rename, fsync of the folder: a kill at any instant leaves the old file or the new one. */
export function writeAtomic(path: string, data: string | Uint8Array): void {
  makeFolder(dirname(path))
  const temporary = `${path}.${process.pid}${UNFINISHED}`
  try {
    const fd = openSync(temporary, "w")
    try {
      writeFileSync(fd, data)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** A rename is durable only when its folder is; file systems that cannot sync a folder do not need it. */
function syncFolder(folder: string): void {
  let fd: number | undefined
  try {
    fd = openSync(folder, "r")
    fsyncSync(fd)
  } catch (error) {
    if (!["EPERM", "EISDIR", "EINVAL", "EACCES"].includes(codeOf(error) ?? "")) throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Names of the entries of a folder in order; none when it is absent. */
export function entries(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
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
  renameSync(path, join(to, name))
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
