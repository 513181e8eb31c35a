// Opens the sources of a trace: gzip and tar are unpacked in any sensible nesting, and each plain file goes to its
// reader.
import type { Complaints } from "./bad.ts"
import { BadTrace } from "./bad.ts"
import { inflated, isGzip } from "./gzip.ts"
import type { Sink, Source } from "./sink.ts"
import { entriesOf, isTar } from "./tar.ts"

/** Bytes at the start of a file by which its format is detected. */
export const headBytes = 4096
const deepest = 4

/**
 * Feeds each plain file to the sink that `open` returns for its name and first bytes (undefined: skip it). An error in
 * one file is recorded, and the next file is read.
 */
export async function walk(
  sources: AsyncIterable<Source>,
  open: (name: string, head: Uint8Array) => Sink | undefined,
  bad: Complaints,
): Promise<void> {
  for await (const source of sources) await visit(source, 0)

  async function visit(source: Source, depth: number): Promise<void> {
    const base = source.name.slice(source.name.lastIndexOf("/") + 1)
    // Metadata files that macOS adds to archives.
    if (base.startsWith("._") || base === ".DS_Store") return
    const { head, chunks, close } = await peeked(source)
    try {
      if (isGzip(head) || isTar(head)) {
        if (depth === deepest)
          throw new BadTrace(
            source.name,
            `more than ${deepest} archives inside each other`,
            "unpack it, and name what is inside",
          )
        if (isGzip(head))
          await visit(
            { name: source.name.replace(/\.gz$/, "").replace(/\.tgz$/, ".tar"), chunks: inflated(source.name, chunks) },
            depth + 1,
          )
        else for await (const entry of entriesOf(source.name, chunks)) await visit(entry, depth + 1)
        return
      }
      const sink = open(source.name, head)
      if (sink === undefined) return
      for await (const chunk of chunks) sink.feed(chunk)
      sink.end()
    } catch (e) {
      if (!(e instanceof BadTrace)) throw e
      bad.take(e.complaint)
    } finally {
      await close()
    }
  }
}

/** Returns the first bytes, and a stream of all bytes from the start. */
async function peeked(
  source: Source,
): Promise<{ head: Uint8Array; chunks: AsyncIterable<Uint8Array>; close(): Promise<unknown> }> {
  const from = source.chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let have = 0
  while (have < headBytes) {
    const next = await from.next()
    if (next.done === true) break
    if (next.value.length === 0) continue
    first.push(next.value.slice())
    have += next.value.length
  }
  const head = new Uint8Array(Math.min(have, headBytes))
  let at = 0
  for (const f of first) {
    head.set(f.subarray(0, headBytes - at), at)
    at = Math.min(headBytes, at + f.length)
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* first
    for (let next = await from.next(); next.done !== true; next = await from.next()) yield next.value
  }
  return { head, chunks: all(), close: async () => from.return?.() }
}
