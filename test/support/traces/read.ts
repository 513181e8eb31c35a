// Reads traces that are bytes in memory, in chunks of any size.
import { type Look, lookAt } from "../../../src/inspect/trace/summary.ts"
import { readTrace } from "../../../src/workloads/formats/read.ts"
import type { ReadOptions, Trace } from "../../../src/workloads/formats/trace.ts"

export type Files = ReadonlyMap<string, Uint8Array | string>

export function sources(files: Files, chunk = 2 ** 16) {
  return async function* () {
    for (const [name, content] of files)
      yield { name, chunks: chunks(typeof content === "string" ? new TextEncoder().encode(content) : content, chunk) }
  }
}
async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function traceIn(files: Files, options: ReadOptions = {}, chunk?: number): Promise<Trace> {
  const { trace, bad } = await readTrace("t", sources(files, chunk), options)
  if (trace === undefined) throw new Error(`no trace: ${JSON.stringify(bad)}`)
  return trace
}
export async function lookIn(files: Files, options: ReadOptions = {}): Promise<Look> {
  return lookAt("t", await traceIn(files, options))
}
