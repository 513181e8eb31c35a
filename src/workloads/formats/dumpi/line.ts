// Formats a record as a line of JSON: [call, thread, [cpu times], [wall times], [arguments]]. The digest over all lines
// proves that every field was read.
import { AT_ROOT, type Call, Code, calls } from "./calls.ts"
import type { CallRecord } from "./record.ts"

const text = new TextDecoder("utf-8")

/** Returns the line. `cpu` and `wall` are the seconds that the file adds to all times. */
export function lineOf(r: CallRecord, bytes: Uint8Array, cpu: number, wall: number): string {
  const times = (on: boolean, t: Float64Array, offset: number) =>
    on ? `[${t[0] + offset},${t[1]},${t[2] + offset},${t[3]}]` : "null"
  const thread = r.thread < 0 ? "null" : r.thread
  const both = `${times(r.hasCpu, r.cpu, cpu)},${times(r.hasWall, r.wall, wall)}`
  return `[${r.fn},${thread},${both},[${argumentsOf(r, bytes).join(",")}]]`
}

/** Returns each argument as JSON. */
export function argumentsOf(r: CallRecord, bytes: Uint8Array): string[] {
  const { ints } = r
  const call = calls[r.fn] as Call
  const made: string[] = []
  let n = 0
  const texts = (count: number): string => {
    const list: string[] = []
    for (let i = 0; i < count; i++, n += 2) list.push(textAt(ints[n], ints[n + 1]))
    return `[${list.join(",")}]`
  }
  const textAt = (at: number, length: number) => JSON.stringify(text.decode(bytes.subarray(at, at + length)))
  for (const raw of call.codes) {
    let code: number = raw
    if ((code & AT_ROOT) !== 0) {
      if (ints[call.self] !== ints[call.root]) continue
      code &= ~AT_ROOT
    }
    if (code <= Code.U8) made.push(String(ints[n++]))
    else if (code === Code.I64) {
      made.push(String((BigInt(ints[n] >>> 0) << 32n) | BigInt(ints[n + 1] >>> 0)))
      n += 2
    } else if (code === Code.TEXT) {
      made.push(textAt(ints[n], ints[n + 1]))
      n += 2
    } else if (code === Code.STATUS) {
      const count = ints[n++]
      if (count < 0) made.push("null")
      else made.push(`[${Array.from({ length: count }, () => `[${ints.subarray(n, (n += 5)).join(",")}]`).join(",")}]`)
    } else if (code === Code.ARGC_TEXTS) made.push(texts(ints[0]))
    else if (code === Code.TEXTS) made.push(texts(ints[n++]))
    else if (code === Code.TEXT_ROWS)
      made.push(`[${Array.from({ length: ints[n++] }, () => texts(ints[n++])).join(",")}]`)
    else if (code === Code.I32_ROWS)
      made.push(
        `[${Array.from({ length: ints[n++] }, () => {
          const count = ints[n++]
          return `[${ints.subarray(n, (n += count)).join(",")}]`
        }).join(",")}]`,
      )
    else {
      const count = ints[n++]
      made.push(`[${ints.subarray(n, (n += count)).join(",")}]`)
    }
  }
  return made
}
