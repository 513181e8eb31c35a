// Reads files that a user names. It checks the kind and the size of a file before it reads the first byte, because
// reading a pipe would wait for ever and a device has no end.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs"
import { resolve } from "node:path"
import { NotReadable } from "../../model/host.ts"
import { codeOf, toldOf, unreadable } from "./system-error.ts"

/** limit in bytes for edge lists, routing tables and traffic matrices */
export const mostData = 256 * 2 ** 20

/** Reads a whole file of at most `most` bytes. */
export function readBytes(path: string, most = mostData): Uint8Array {
  refuseOdd(statSync(path))
  // The path may have been replaced since the first check. A pipe must not block, and the opened file is checked again.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(fd)
    refuseOdd(found)
    if (found.size > most)
      throw new NotReadable(`is too large: ${megabytes(found.size)} MB, at most ${megabytes(most)} MB are read`)
    return readAll(fd, found.size, most)
  } finally {
    closeSync(fd)
  }
}

export function readText(path: string, most = mostData): string {
  return new TextDecoder("utf-8").decode(readBytes(path, most))
}

/** Returns a reader for plug-ins; paths are relative to the folder of the experiment. */
export function readIn(folder: string): (path: string) => string {
  return (path) => readText(resolve(folder, path))
}

/** Reads to the end or to the limit. Files of /proc report size 0, and others may grow. */
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
  return told === undefined || codeOf(e) === "ENOENT" || codeOf(e) === "EACCES"
    ? unreadable(e).replace(/\bread\b/, "written")
    : told[0]
}
