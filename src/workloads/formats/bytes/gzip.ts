// Decompresses gzip (RFC 1952) with DecompressionStream, which browsers and Node share.
import { BadTrace } from "./bad.ts"

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8
}

/** Yields the bytes of a compressed file in pieces. */
export async function* inflated(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream("gzip")
  const writer = stream.writable.getWriter()
  let broken: unknown
  const fed = (async () => {
    try {
      // Copy the chunk, because the stream may keep it, and the source reuses its buffer for the next one.
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
    // An error of the source (a disk, an outer archive) is not the fault of these bytes, so it is passed on unchanged.
    if (broken instanceof BadTrace) throw broken
    if (broken instanceof Error && "code" in broken && "syscall" in broken) throw broken
    throw new BadTrace(
      name,
      `the gzip data are damaged or cut off (${e instanceof Error ? e.message : String(e)})`,
      "get the file again",
    )
  } finally {
    await reader.cancel().catch(() => {})
    await fed
  }
}
