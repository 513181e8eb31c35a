// The one way in which files that a user names are read: what kind of thing a path leads to, and how large it is, is looked at before the first byte.
// A pipe would be waited for without end, and a device has no end.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs"
import { resolve } from "node:path"
import { NotReadable } from "../../model/host.ts"
import { codeOf, toldOf, unreadable } from "./system-error.ts"

/** Edge lists, routing tables, traffic matrices. */
export const mostData = 256 * 2 ** 20

export function readBytes(path: string, most = mostData): Uint8Array {
  refuseOdd(statSync(path))
  // between the two looks the path may have become something else: a pipe is not waited for, and what was opened is looked at
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(fd)
    refuseOdd(found)
    if (found.size > most) throw new NotReadable(`is too large: ${megabytes(found.size)} MB, at most ${megabytes(most)} MB are read`)
    return readAll(fd, found.size, most)
  } finally {
    closeSync(fd)
  }
}

export function readText(path: string, most = mostData): string {
  return new TextDecoder("utf-8").decode(readBytes(path, most))
}

/** For plug-ins that read a file; paths are relative to the folder of the experiment. */
export function readIn(folder: string): (path: string) => string {
  return (path) => readText(resolve(folder, path))
}

/** Files of /proc say that they have no bytes, others may grow: it is read until its end, or until it is too much. */
function readAll(fd: number, size: number, most: number): Uint8Array {
  let data = new Uint8Array(size + 1)
  let at = 0
  for (;;) {
    const got = readSync(fd, data, at, data.length - at, null)
    if (got === 0) return data.subarray(0, at)
    at += got
    if (at > most) throw new NotReadable(`is too large: at most ${megabytes(most)} MB are read`)
    if (at < data.length) continue
    const more = new Uint8Array(Math.min(most + 1, 2 * data.length + 4096))
    more.set(data)
    data = more
  }
}

function refuseOdd(found: Stats): void {
  if (found.isFile()) return
  if (found.isDirectory()) throw new NotReadable("is a folder, not a file")
  const kind = found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device"
  throw new NotReadable(`is ${kind}, not a file`)
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / 2 ** 20).toLocaleString("en")
}

export function unwritable(e: unknown): string {
  const told = toldOf(e)
  return told === undefined || codeOf(e) === "ENOENT" || codeOf(e) === "EACCES" ? unreadable(e).replace(/\bread\b/, "written") : told[0]
}
