// Reads the tail of a DUMPI file, after the records: header, call counts, datatype sizes, and the index of these
// sections in the last 64 bytes.
import { BadTrace } from "../bytes/bad.ts"
import { COUNTED, callNames } from "./calls.ts"

export const headMagic = [0xff, 0xaa, 0xdd, 0x44, 0x55, 0x4d, 0x50, 0x49] as const
const sections = ["sizes", "addresses", "perflabels", "header", "body", "footer", "keyval"] as const
export type Section = (typeof sections)[number]
const INDEX = 64

export interface Tail {
  readonly index: Readonly<Record<Section, number>>
  readonly version: string
  readonly hostname: string
  readonly startTime: number
  readonly meshCoord: readonly number[]
  readonly meshSize: readonly number[]
  /** By call number; the last entry is the sum. */
  readonly called: readonly number[]
  readonly ignored: readonly number[]
  readonly datatypeSizes: readonly number[]
}

/** Returns the tail. `bytes` are the last bytes of the file, from offset `base` on. */
export function tailOf(file: string, bytes: Uint8Array, base: number): Tail {
  const size = base + bytes.length
  const index = indexOf(file, bytes, base)
  const at = (section: Section): Cursor => {
    const offset = index[section]
    if (offset < base || offset >= size - INDEX)
      throw new BadTrace(
        `${file}, offset ${size - INDEX}`,
        `the index places the section "${section}" at ${offset}, expected ${base} to ${size - INDEX}`,
        "the file is damaged: get it again",
      )
    return new Cursor(file, bytes.subarray(0, bytes.length - INDEX), base, offset)
  }
  if (index.body !== 8)
    throw new BadTrace(
      `${file}, offset ${size - INDEX}`,
      `the index places the records at ${index.body}, expected 8`,
      "the file is damaged: get it again",
    )
  const head = at("header")
  const version = [head.u8(), head.u8(), head.u8()]
  if (version[0] < 1)
    throw new BadTrace(
      `${file}, offset ${index.header}`,
      `version ${version.join(".")}, expected 1.0.0 or later: older files have other records`,
      "write the trace again with sst-dumpi 1.0 or later",
    )
  const startTime = head.u64()
  const hostname = head.name()
  head.name()
  const meshCoord = head.i32s()
  const meshSize = meshCoord.length === 0 ? [] : head.i32s()
  const foot = at("footer")
  if (foot.u32() !== 0 || foot.u32() !== 0xf007fee7)
    throw new BadTrace(
      `${file}, offset ${index.footer}`,
      "expected the magic number of the footer",
      "the file is damaged: get it again",
    )
  const called = Array.from({ length: COUNTED }, () => foot.u32())
  const ignored = Array.from({ length: COUNTED }, () => foot.u32())
  return {
    index,
    version: version.join("."),
    hostname,
    startTime,
    meshCoord,
    meshSize,
    called,
    ignored,
    datatypeSizes: index.sizes === 0 ? [] : at("sizes").u32s(),
  }
}

function indexOf(file: string, bytes: Uint8Array, base: number): Record<Section, number> {
  const from = bytes.length - INDEX
  const found = from >= 0 && headMagic.every((b, i) => bytes[from + i] === b)
  if (!found)
    throw new BadTrace(
      `${file}, offset ${base + Math.max(0, from)}`,
      "expected the index, which begins with the magic number, in the last 64 " +
        "bytes: the file is cut off, or older than version 1.0",
      "get the file again",
    )
  const words = new Cursor(file, bytes, base, base + from + 8)
  const made = {} as Record<Section, number>
  for (const section of sections) made[section] = words.u64()
  return made
}

/** Returns the counts by call name, without calls that were never made. */
export function named(counts: readonly number[]): Record<string, number> {
  return Object.fromEntries(counts.flatMap((n, i) => (n > 0 ? [[callNames[i], n]] : [])))
}

/** Reads big-endian fields and fails at the end of the bytes. */
class Cursor {
  readonly #file: string
  readonly #bytes: Uint8Array
  readonly #base: number
  readonly #view: DataView
  #at: number
  constructor(file: string, bytes: Uint8Array, base: number, offset: number) {
    this.#file = file
    this.#bytes = bytes
    this.#base = base
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#at = offset - base
  }
  #take(count: number): number {
    if (this.#at + count > this.#bytes.length)
      throw new BadTrace(
        `${this.#file}, offset ${this.#base + this.#at}`,
        `expected ${count} more bytes of a section`,
        "the file is damaged: get it again",
      )
    this.#at += count
    return this.#at - count
  }
  u8(): number {
    return this.#bytes[this.#take(1)]
  }
  u32(): number {
    return this.#view.getUint32(this.#take(4))
  }
  u64(): number {
    const at = this.#take(8)
    return this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4)
  }
  name(): string {
    const length = this.#view.getUint16(this.#take(2))
    const at = this.#take(length)
    return new TextDecoder("utf-8").decode(this.#bytes.subarray(at, at + length))
  }
  #list(read: (at: number) => number): number[] {
    const count = this.u32()
    const at = this.#take(4 * count)
    return Array.from({ length: count }, (_, i) => read(at + 4 * i))
  }
  i32s(): number[] {
    return this.#list((at) => this.#view.getInt32(at))
  }
  u32s(): number[] {
    return this.#list((at) => this.#view.getUint32(at))
  }
}
