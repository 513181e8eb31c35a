// Traces on disk: a file, an archive, a folder, or the .meta file of a DUMPI trace, which stands for the files of its
// ranks.
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { type FileHandle, open, readdir, readFile, realpath, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { NotReadable } from "../../model/host.ts"
import { unreadable } from "./system-error.ts"

const chunkBytes = 2 ** 18
/** limits of the files of one folder, and of the nesting of folders */
const mostFiles = 2 ** 20
const deepest = 8

export interface TracePart {
  /** path relative to the folder of the trace */
  readonly name: string
  readonly path: string
}

/** Returns the files of a path, sorted by name. */
export async function partsOf(path: string): Promise<readonly TracePart[]> {
  const found = await stat(path)
  if (found.isDirectory()) {
    const parts: TracePart[] = []
    await collect(path, "", 0, parts)
    return parts
  }
  if (!found.isFile())
    throw new NotReadable(
      `is ${found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device"}, not a file or a folder`,
    )
  const prefix = path.endsWith(".meta") ? await prefixOf(path, found.size) : undefined
  if (prefix === undefined) return [{ name: basename(path), path }]
  const folder = join(dirname(path), dirname(prefix))
  return [{ name: basename(path), path }, ...ranksOf(await readdir(folder), prefix, folder)]
}

/** Returns the files of the ranks of a DUMPI trace. */
export function ranksOf(files: readonly string[], prefix: string, folder: string): TracePart[] {
  const start = `${basename(prefix)}-`
  const ranks = files.filter((f) => f.startsWith(start) && /^\d+\.bin(\.gz)?$/.test(f.slice(start.length)))
  return ranks.sort(byNumber).map((f) => ({ name: f, path: join(folder, f) }))
}

async function prefixOf(path: string, size: number): Promise<string | undefined> {
  if (size > 2 ** 16) return undefined
  return /^fileprefix=([^\0\n\r]+)\r?$/m.exec(await readFile(path, "utf8"))?.[1]
}

async function collect(folder: string, within: string, depth: number, to: TracePart[]): Promise<void> {
  if (depth > deepest) throw new NotReadable(`has more than ${deepest} folders inside each other`)
  const entries = await readdir(folder, { withFileTypes: true })
  for (const e of entries.sort((a, b) => byNumber(a.name, b.name))) {
    if (e.name.startsWith(".")) continue
    const path = join(folder, e.name)
    const name = within === "" ? e.name : `${within}/${e.name}`
    const found = e.isSymbolicLink() ? await stat(path) : e
    if (found.isDirectory()) await collect(path, name, depth + 1, to)
    else if (found.isFile()) to.push({ name, path })
    if (to.length > mostFiles) throw new NotReadable(`has more than ${mostFiles} files`)
  }
}

/** Compares names by their numbers: trace2 before trace10. */
export function byNumber(a: string, b: string): number {
  const pieces = (s: string) => s.split(/(\d+)/)
  const [x, y] = [pieces(a), pieces(b)]
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] === y[i]) continue
    if (i % 2 === 1 && Number(x[i]) !== Number(y[i])) return Number(x[i]) - Number(y[i])
    return x[i] < y[i] ? -1 : 1
  }
  return x.length - y.length
}

/** Returns the bytes of one file in chunks; each chunk is overwritten by the next. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (e) {
    throw new NotReadable(`${path} ${unreadable(e)}`)
  }
  try {
    if (!(await file.stat()).isFile()) throw new NotReadable(`${path} is not a file`)
    const buffer = new Uint8Array(chunkBytes)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Returns the files in the form that readers of traces take. */
export function sourcesOf(
  parts: readonly TracePart[],
): () => AsyncGenerator<{ name: string; chunks: AsyncIterable<Uint8Array> }> {
  return async function* () {
    for (const p of parts) yield { name: p.name, chunks: chunksOf(p.path) }
  }
}

/** Hashes of files by path, valid while size and time are unchanged. */
const known = new Map<string, { readonly size: number; readonly time: number; readonly hash: string }>()

/**
 * Returns the hash of a trace by content: of a file its own, of a folder that of all names and hashes. It reads in
 * pieces, and reads a file again only if its size or time changed.
 */
export async function hashOfTrace(
  path: string,
  read: (path: string) => AsyncIterable<Uint8Array> = chunksOf,
): Promise<string> {
  const parts = await partsOf(path)
  const all = createHash("sha256")
  for (const part of parts) {
    const hash = await hashOfFile(part.path, read)
    if (parts.length === 1 && !(await stat(path)).isDirectory()) return hash
    all.update(`${hash} ${part.name}\n`)
  }
  return all.digest("hex")
}

async function hashOfFile(path: string, read: (path: string) => AsyncIterable<Uint8Array>): Promise<string> {
  const real = await realpath(path)
  const { size, mtimeMs: time } = await stat(real)
  const have = known.get(real)
  if (have !== undefined && have.size === size && have.time === time) return have.hash
  const sum = createHash("sha256")
  for await (const chunk of read(real)) sum.update(chunk)
  const hash = sum.digest("hex")
  known.set(real, { size, time, hash })
  return hash
}
