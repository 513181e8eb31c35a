// gzip (RFC 1952) by the decoder of the platform, which browsers and Node share.
import { BadTrace } from "./bad.ts"

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8
}

/** The bytes of a compressed file, piece by piece. */
export async function* inflated(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream("gzip")
  const writer = stream.writable.getWriter()
  let broken: unknown
  const fed = (async () => {
    try {
      // a copy: the platform may keep what it is given, and a chunk is its maker's again with the next
      for await (const chunk of chunks) await writer.write(chunk.slice())
      await writer.close()
    } catch (e) {
      broken = e
      await writer.abort(e).catch(() => {})
    }
  })()
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
  } catch (e) {
    await fed
    // what the source threw (a disk, an outer archive) is not the fault of these bytes
    if (broken instanceof BadTrace) throw broken
    if (broken instanceof Error && "code" in broken && "syscall" in broken) throw broken
    throw new BadTrace(name, `the gzip data are damaged or cut off (${e instanceof Error ? e.message : String(e)})`, "get the file again")
  } finally {
    await reader.cancel().catch(() => {})
    await fed
  }
}
