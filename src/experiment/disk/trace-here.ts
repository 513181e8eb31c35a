// Synchronous reading of traces on disk: the files of a path, their bytes in pieces, and a hash of all of them. The
// reader of workloads needs it because plug-ins are made synchronously; trace-files.ts is the asynchronous version.
import { createHash } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { NotReadable } from "../../model/host.ts"
import { byNumber, ranksOf, type TracePart } from "./trace-files.ts"

const pieceBytes = 2 ** 18
const mostFiles = 2 ** 20
const deepest = 8

/** Returns the files of a path: those of a folder, or those of the ranks that a DUMPI .meta file names by a prefix. */
export function partsHere(path: string): readonly TracePart[] {
  const found = statSync(path)
  if (found.isDirectory()) {
    const parts: TracePart[] = []
    collect(path, "", 0, parts)
    return parts
  }
  if (!found.isFile()) throw new NotReadable("is not a file or a folder")
  const prefix =
    path.endsWith(".meta") && found.size <= 2 ** 16
      ? /^fileprefix=([^\0\n\r]+)\r?$/m.exec(readFileSync(path, "utf8"))?.[1]
      : undefined
  if (prefix === undefined) return [{ name: basename(path), path }]
  const folder = join(dirname(path), dirname(prefix))
  return [{ name: basename(path), path }, ...ranksOf(readdirSync(folder), prefix, folder)]
}

function collect(folder: string, within: string, depth: number, to: TracePart[]): void {
  if (depth > deepest) throw new NotReadable(`has more than ${deepest} folders inside each other`)
  for (const e of readdirSync(folder, { withFileTypes: true }).sort((a, b) => byNumber(a.name, b.name))) {
    if (e.name.startsWith(".")) continue
    const path = join(folder, e.name)
    const name = within === "" ? e.name : `${within}/${e.name}`
    const found = e.isSymbolicLink() ? statSync(path) : e
    if (found.isDirectory()) collect(path, name, depth + 1, to)
    else if (found.isFile()) to.push({ name, path })
    if (to.length > mostFiles) throw new NotReadable(`has more than ${mostFiles} files`)
  }
}

/** Returns the bytes of a file in pieces; each piece is overwritten by the next. */
export function* piecesOf(path: string): Iterable<Uint8Array> {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!fstatSync(file).isFile()) throw new NotReadable("is not a file")
    const piece = new Uint8Array(pieceBytes)
    for (let got = readSync(file, piece); got > 0; got = readSync(file, piece)) yield piece.subarray(0, got)
  } finally {
    closeSync(file)
  }
}

/** Hashes of files by path, valid while size and time are unchanged. */
const known = new Map<string, { readonly size: number; readonly time: number; readonly hash: string }>()

/** Returns the hash of a file, or the hash of all names and hashes of several files. */
export function digestHere(path: string): string {
  const parts = partsHere(path)
  if (parts.length === 1 && !statSync(path).isDirectory()) return hashOf(path)
  const all = createHash("sha256")
  for (const p of parts) all.update(`${hashOf(p.path)} ${p.name}\n`)
  return all.digest("hex")
}

function hashOf(path: string): string {
  const real = realpathSync(path)
  const { size, mtimeMs: time } = statSync(real)
  const have = known.get(real)
  if (have !== undefined && have.size === size && have.time === time) return have.hash
  const sum = createHash("sha256")
  for (const piece of piecesOf(real)) sum.update(piece)
  const hash = sum.digest("hex")
  known.set(real, { size, time, hash })
  return hash
}
