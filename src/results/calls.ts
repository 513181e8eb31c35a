// Every call of the file system that a results folder makes, in one place. The crash tests replace it by a version that
// fails or exits at the n-th call.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"

export type Kind = "file" | "folder" | "link" | "other"

export interface Calls {
  /** number of the process, part of the names of unfinished files */
  readonly pid: number
  /** what lies at a path, links not followed; undefined when nothing does */
  kind(path: string): Kind | undefined
  isFolder(path: string): boolean
  list(folder: string): string[]
  /** only a plain file of at most this many bytes, because a device or a pipe may never end */
  read(path: string, most: number): Uint8Array
  /** milliseconds since 1970 of its last change */
  changed(path: string): number
  mkdir(path: string): void
  /** opens a new file for writing; fails when the name is taken, by a link as well */
  create(path: string): number
  write(fd: number, data: string | Uint8Array): void
  sync(fd: number): void
  close(fd: number): void
  syncFolder(path: string): void
  rename(from: string, to: string): void
  link(from: string, to: string): void
  /** no error when it is not there */
  remove(path: string): void
  touch(path: string): void
}

/** Codes of lacewing, in addition to those of the system. */
export const NOT_A_FILE = "NOT_A_FILE"
export const TOO_LARGE = "TOO_LARGE"

export function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}

const system: Calls = {
  pid: process.pid,
  kind(path) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other"
  },
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  list: (folder) => readdirSync(folder),
  read(path, most) {
    // without O_NONBLOCK the opening of a pipe waits for a writer
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = fstatSync(fd)
      if (!found.isFile()) throw failure(found.isDirectory() ? "EISDIR" : NOT_A_FILE, path)
      if (found.size > most) throw failure(TOO_LARGE, path)
      return readFileSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  changed: (path) => statSync(path).mtimeMs,
  mkdir: (path) => mkdirSync(path),
  create: (path) => openSync(path, "wx"),
  write: (fd, data) => writeFileSync(fd, data),
  sync: fsyncSync,
  close: closeSync,
  syncFolder(path) {
    const fd = openSync(path, "r")
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  rename: renameSync,
  link: linkSync,
  remove: (path) => rmSync(path, { force: true }),
  touch: (path) => utimesSync(path, new Date(), new Date()),
}

/** What the store works on: the file system, unless a test has put something else in its place. */
export let disk: Calls = system

/** Replaces the file system; without an argument the real one comes back. */
export function replaceDisk(by: Calls = system): void {
  disk = by
}
