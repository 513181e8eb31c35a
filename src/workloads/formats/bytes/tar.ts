// Reads tar archives (POSIX ustar and pax, GNU long names) as a stream. Only one block and one name are in memory.
import { BadTrace } from "./bad.ts"
import type { Source } from "./sink.ts"
import { Kept } from "./sink.ts"

const BLOCK = 512
/** Maximum bytes of a name or header. */
const longest = 2 ** 20
const ascii = new TextDecoder("latin1")
const utf8 = new TextDecoder("utf-8")

export function isTar(head: Uint8Array): boolean {
  return head.length >= BLOCK && ascii.decode(head.subarray(257, 262)) === "ustar" && sumIsRight(head)
}

/**
 * Yields the plain files. The caller reads the chunks of one file before it takes the next; unread chunks are skipped.
 */
export async function* entriesOf(archive: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Source> {
  const from = chunks[Symbol.asyncIterator]()
  const kept = new Kept()
  let offset = 0
  const more = async (): Promise<boolean> => {
    const next = await from.next()
    if (next.done === true) return false
    kept.add(next.value)
    return true
  }
  const cut = (what: string): BadTrace =>
    new BadTrace(`${archive}, offset ${offset + kept.length}`, `the archive ends inside ${what}`, "get the file again")
  const take = async (count: number, what: string): Promise<Uint8Array> => {
    while (kept.length < count) if (!(await more())) throw cut(what)
    const bytes = kept.bytes.slice(0, count)
    kept.drop(count)
    offset += count
    return bytes
  }
  async function* body(name: string, state: { left: number }): AsyncGenerator<Uint8Array> {
    while (state.left > 0) {
      if (kept.length === 0 && !(await more())) throw cut(name)
      const bytes = kept.bytes.slice(0, state.left)
      kept.drop(bytes.length)
      offset += bytes.length
      state.left -= bytes.length
      yield bytes
    }
  }
  let longName: string | undefined
  try {
    for (;;) {
      while (kept.length < BLOCK) if (!(await more())) break
      // Two empty blocks end an archive, but some programs omit them.
      if (kept.length === 0) return
      const head = await take(BLOCK, "a header")
      if (head.every((b) => b === 0)) return
      if (!sumIsRight(head))
        throw new BadTrace(
          `${archive}, offset ${offset - BLOCK}`,
          "expected the header of an entry, found other bytes (its checksum is wrong)",
          "get the file again",
        )
      const size = sizeOf(head)
      if (size === undefined)
        throw new BadTrace(
          `${archive}, offset ${offset - BLOCK + 124}`,
          "expected the size of an entry in octal digits",
          "get the file again",
        )
      const kind = String.fromCharCode(head[156])
      const padding = (BLOCK - (size % BLOCK)) % BLOCK
      if (kind === "L" || kind === "x") {
        if (size > longest)
          throw new BadTrace(
            `${archive}, offset ${offset - BLOCK}`,
            `a header of ${size} bytes, expected at most ${longest}`,
            "get the file again",
          )
        const text = utf8.decode(await take(size, "a long name"))
        await take(padding, "a long name")
        longName = (kind === "L" ? text.split("\0", 1)[0] : paxPath(text)) ?? longName
        continue
      }
      const name = longName ?? nameOf(head)
      longName = undefined
      const state = { left: size }
      const rest = body(name, state)
      if (kind === "0" || kind === "\0" || kind === "7") yield { name, chunks: rest }
      for await (const _ of body(name, state));
      await take(padding, name)
    }
  } finally {
    await from.return?.()
  }
}

function sumIsRight(head: Uint8Array): boolean {
  let sum = 8 * 32
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += head[i]
  return octal(head.subarray(148, 156)) === sum
}

/** Returns the size: octal digits, or (GNU) a big-endian number with the top bit set. */
function sizeOf(head: Uint8Array): number | undefined {
  const field = head.subarray(124, 136)
  if ((field[0] & 0x80) === 0) return octal(field)
  let n = field[0] & 0x7f
  for (let i = 1; i < 12; i++) n = n * 256 + field[i]
  return n <= Number.MAX_SAFE_INTEGER ? n : undefined
}

function octal(field: Uint8Array): number | undefined {
  const text = ascii.decode(field).split("\0", 1)[0].trim()
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : undefined
}

function nameOf(head: Uint8Array): string {
  const text = (from: number, to: number) => utf8.decode(head.subarray(from, to)).split("\0", 1)[0]
  const prefix = head[262] === 0 ? text(345, 500) : ""
  return prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`
}

/** Returns `path=` of a pax header, which has lines of "length key=value". */
function paxPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1]
}
