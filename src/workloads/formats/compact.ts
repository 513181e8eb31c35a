// The compact trace format of lacewing: the operations of all ranks as they are in memory, little-endian. It is smaller
// and faster to read than the source trace. `lacewing trace convert` writes it.
//   Header: 8 bytes "LWTRACE1", u32 ranks, u32 bytes of a JSON list of call names, then that list.
//   Each rank: u32 operations, u32 ints of the side list, then both arrays.

import { complain } from "../../core/complaint.ts"
import {
  inMemory,
  JUMP,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  type Program,
  type RankSource,
  VALUES,
  type Window,
  WORDS,
} from "../program.ts"
import { BadTrace } from "./bytes/bad.ts"
import { Kept, type Sink } from "./bytes/sink.ts"
import { mostRanks, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

const magic = new TextEncoder().encode("LWTRACE1")
const mostNames = 2 ** 20
/** Maximum number of ints of one rank, so that a damaged length does not exhaust the memory. */
const mostInts = 2 ** 28
const little = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Yields the bytes of a program in pieces. */
export function* compactOf(program: Program): Generator<Uint8Array> {
  const names = new TextEncoder().encode(JSON.stringify(program.calls))
  yield magic
  yield words([program.ranks, names.length])
  yield names
  for (let r = 0; r < program.ranks; r++) {
    const source = program.rank(r)
    const windows: Window[] = []
    for (let w = source.at(0); w !== undefined; w = source.at(w.first + w.count)) windows.push(w)
    const lists = windows.reduce((sum, w) => sum + w.list.length, 0)
    yield words([windows.reduce((sum, w) => sum + w.count, 0), lists])
    let before = 0
    for (const w of windows) {
      const ops = w.ops.slice(0, w.count * WORDS)
      for (let row = 0; row < ops.length; row += WORDS) ops[row + LIST] += before
      before += w.list.length
      yield words(ops)
    }
    for (const w of windows) yield words(w.list)
  }
}

function words(list: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 * list.length)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < list.length; i++) view.setInt32(4 * i, list[i], true)
  return bytes
}

export const compact: TraceFormat = {
  name: "lacewing",
  about: "lacewing's compact format, as `trace convert` writes it",
  accepts: (_, head) => magic.every((b, i) => head[i] === b),
  read: (trace) => new CompactReader(trace),
}

class CompactReader implements TraceReader {
  readonly #trace: string
  readonly #sources: RankSource[] = []
  #calls: readonly string[] = []
  #ranks = 0
  #operations = 0
  constructor(trace: string) {
    this.#trace = trace
  }
  file(name: string): Sink {
    const kept = new Kept()
    let base = 0
    let head: { names: number } | undefined
    let named = false
    const wrong = (says: string): BadTrace =>
      new BadTrace(`${name}, offset ${base}, rank ${this.#sources.length}`, says, "convert the trace again")
    const drop = (n: number): void => {
      kept.drop(n)
      base += n
    }
    const step = (): boolean => {
      const b = kept.bytes
      const view = new DataView(b.buffer, b.byteOffset, b.length)
      if (head === undefined) {
        if (b.length < 16) return false
        if (!magic.every((x, i) => b[i] === x)) throw wrong('expected the magic number "LWTRACE1"')
        const ranks = view.getUint32(8, true)
        head = { names: view.getUint32(12, true) }
        if (ranks < 1 || ranks > mostRanks) throw wrong(`${ranks} ranks, expected 1 to ${mostRanks}`)
        if (head.names > mostNames) throw wrong(`${head.names} bytes of names, expected at most ${mostNames}`)
        this.#ranks = ranks
        drop(16)
        return true
      }
      if (!named) {
        if (b.length < head.names) return false
        this.#calls = namesOf(new TextDecoder().decode(b.subarray(0, head.names))) ?? []
        if (this.#calls.length === 0 && head.names !== 2) throw wrong("expected a JSON list of names")
        named = true
        drop(head.names)
        return true
      }
      if (this.#sources.length === this.#ranks) {
        if (b.length > 0) throw wrong(`${b.length} bytes behind the last rank, expected the end`)
        return false
      }
      if (b.length < 8) return false
      const [count, lists] = [view.getUint32(0, true), view.getUint32(4, true)]
      if (count * WORDS + lists > mostInts)
        throw wrong(`${count} operations and a list of ${lists}, expected at most ${mostInts} ints`)
      const size = 8 + 4 * (count * WORDS + lists)
      if (b.length < size) return false
      const ints = intsOf(b.subarray(8, size))
      const ops = ints.subarray(0, count * WORDS)
      const says = faultIn(ops, count, lists)
      if (says !== undefined) throw wrong(says)
      this.#sources.push(inMemory(ops, count, ints.subarray(count * WORDS)))
      this.#operations += count
      drop(size)
      return true
    }
    return {
      feed: (bytes) => {
        kept.add(bytes)
        while (step());
      },
      end: () => {
        if (head === undefined || !named || this.#sources.length < this.#ranks)
          throw wrong(`the file ends here, expected ${this.#ranks - this.#sources.length} more ranks`)
      },
    }
  }
  finish(): Trace {
    const ranks = Math.max(1, this.#ranks)
    const missing = Array.from({ length: ranks }, (_, r) => r).slice(this.#sources.length)
    const none = inMemory(new Int32Array(0), 0, new Int32Array(0))
    return {
      format: "lacewing",
      ranks,
      missing,
      summary: { ranks, operations: this.#operations },
      program: { ranks, calls: this.#calls, rank: (r) => this.#sources[r] ?? none },
      notes:
        missing.length === 0
          ? []
          : [complain(this.#trace, `${missing.length} of ${ranks} ranks are missing`, "convert the trace again")],
      bad: [],
    }
  }
}

function namesOf(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((n) => typeof n === "string") ? list : undefined
  } catch {
    return undefined
  }
}

/** Returns little-endian ints; on big-endian machines it swaps the bytes. */
function intsOf(bytes: Uint8Array): Int32Array {
  const copy = bytes.slice()
  if (little) return new Int32Array(copy.buffer)
  const view = new DataView(copy.buffer)
  return Int32Array.from({ length: copy.length / 4 }, (_, i) => view.getInt32(4 * i, true))
}

/**
 * Returns the first fault, or undefined: kinds must be known, lists must be inside the side list, loops must be nested.
 */
function faultIn(ops: Int32Array, count: number, lists: number): string | undefined {
  const loops: number[] = []
  for (let i = 0; i < count; i++) {
    const row = i * WORDS
    const kind = kindOf(ops[row + KIND])
    const [list, needs, values] = [ops[row + LIST], ops[row + NEEDS], ops[row + VALUES]]
    if (kindNames[kind] === undefined)
      return `operation ${i} is of kind ${kind}, expected one below ${kindNames.length}`
    if (list < 0 || needs < 0 || values < 0 || list + needs + values > lists)
      return `operation ${i} has its list at ${list}, expected one within ${lists} ints`
    if (kind === Kind.LOOP) loops.push(i)
    else if (kind === Kind.END) {
      const start = loops.pop()
      if (start === undefined || ops[row + JUMP] !== start + 1 - i || ops[start * WORDS + JUMP] !== i + 1 - start)
        return `operation ${i} ends no loop`
    }
  }
  return loops.length > 0 ? `the loop at operation ${loops[0]} has no end` : undefined
}
