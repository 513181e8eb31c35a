// The synchronous counterpart of walk.ts: plain files, and gzip if the host can decompress it. Archives of several
// files are rejected, because unpacking them is asynchronous.
import type { Complaints } from "./bad.ts"
import { BadTrace } from "./bad.ts"
import { isGzip } from "./gzip.ts"
import type { Sink } from "./sink.ts"
import { isTar } from "./tar.ts"
import { headBytes } from "./walk.ts"

export interface HereSource {
  readonly name: string
  /** The bytes in pieces; each piece overwrites the previous one. */
  readonly pieces: Iterable<Uint8Array>
}

const chunkBytes = 2 ** 18

export function walkHere(
  sources: Iterable<HereSource>,
  open: (name: string, head: Uint8Array) => Sink | undefined,
  bad: Complaints,
  inflate?: (bytes: Uint8Array) => Uint8Array,
): void {
  for (const source of sources) {
    try {
      visit(source, open, inflate)
    } catch (e) {
      if (!(e instanceof BadTrace)) throw e
      bad.take(e.complaint)
    }
  }
}

function visit(
  { name, pieces }: HereSource,
  open: (name: string, head: Uint8Array) => Sink | undefined,
  inflate?: (bytes: Uint8Array) => Uint8Array,
): void {
  const from = pieces[Symbol.iterator]()
  const first: Uint8Array[] = []
  let have = 0
  for (let next = from.next(); next.done !== true; next = from.next()) {
    first.push(next.value.slice())
    have += next.value.length
    if (have >= headBytes) break
  }
  const start = joined(first, have)
  const head = start.subarray(0, headBytes)
  if (isTar(head)) throw new BadTrace(name, "is an archive of several files", "unpack it, and name the folder")
  if (isGzip(head)) {
    if (inflate === undefined)
      throw new BadTrace(name, "is compressed, which cannot be opened here", "unpack it, and name what is inside")
    for (let next = from.next(); next.done !== true; next = from.next()) first.push(next.value.slice())
    const whole = first.reduce((n, p) => n + p.length, 0)
    visit(
      {
        name: name.replace(/\.gz$/, "").replace(/\.tgz$/, ".tar"),
        pieces: cut(opened(name, joined(first, whole), inflate)),
      },
      open,
      undefined,
    )
    return
  }
  const sink = open(name, head)
  if (sink === undefined) return
  sink.feed(start)
  for (let next = from.next(); next.done !== true; next = from.next()) sink.feed(next.value)
  sink.end()
}

function opened(name: string, bytes: Uint8Array, inflate: (bytes: Uint8Array) => Uint8Array): Uint8Array {
  try {
    return inflate(bytes)
  } catch (e) {
    throw new BadTrace(
      name,
      `the gzip data are damaged or cut off (${e instanceof Error ? e.message : String(e)})`,
      "get the file again",
    )
  }
}

function* cut(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

export function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const p of parts) {
    all.set(p, at)
    at += p.length
  }
  return all
}
