// A small writer of DUMPI files: what the tests and the benchmark read was written here, not by other people.
import { type Call, COUNTED, calls, END_OF_STREAM, numberOfCall } from "../../../src/workloads/formats/dumpi/calls.ts"

const sizes = [0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]
export const INT = 9
export const DOUBLE = 14
export const WORLD = 2
export type Argument = number | string | readonly Argument[] | null

class Bytes {
  readonly list: number[] = []
  u8(n: number): this {
    this.list.push(n & 0xff)
    return this
  }
  u16(n: number): this {
    return this.u8(n >>> 8).u8(n)
  }
  u32(n: number): this {
    return this.u16((n >>> 16) & 0xffff).u16(n & 0xffff)
  }
  u64(n: number): this {
    return this.u32(Math.floor(n / 2 ** 32)).u32(n >>> 0)
  }
  raw(text: string): this {
    for (const c of new TextEncoder().encode(text)) this.u8(c)
    return this
  }
}

/** Calls by name and arguments in the order of the table; a status is a list of [bytes, source, cancelled, error, tag],
 *  null: not recorded. */
export class DumpiWriter {
  readonly #to = new Bytes().u32(0xffaadd44).u32(0x554d5049).u32(0).u32(1000)
  readonly #called = new Array<number>(COUNTED).fill(0)
  readonly #sizes: readonly number[]
  #now = 0

  constructor(types: readonly number[] = sizes) {
    this.#sizes = types
  }
  /** `after`: nanoseconds of computation before the call, which takes 100 ns. */
  call(name: string, args: readonly Argument[] = [], after = 0): this {
    const fn = numberOfCall(name)
    const to = this.#to
    const call = calls[fn] as Call
    const status = !args.includes(null)
    this.#called[fn]++
    this.#called[COUNTED - 1]++
    const start = this.#now + after
    this.#now = start + 100
    to.u16(fn)
      .u8(0x4c | (status ? 3 : 0))
      .u16(0)
    for (let clock = 0; clock < 2; clock++) for (const t of [start, this.#now]) to.u16(Math.floor(t / 1e9)).u32(t % 1e9)
    const root = call.fields.indexOf("root")
    const isRoot = args[call.self] === args[root]
    let at = 0
    call.codes.forEach((code) => {
      if ((code & 0x40) !== 0 && !isRoot) return
      this.#put(code & 0x3f, args[at++])
    })
    return this
  }
  #put(code: number, x: Argument): void {
    const to = this.#to
    const list = x as readonly Argument[]
    if (code === 1) to.u32(x as number)
    else if (code === 2) to.u16(x as number)
    else if (code === 3) to.u8(x as number)
    else if (code === 4) to.u64(x as number)
    else if (code === 5) to.u32((x as string).length).raw(x as string)
    else if (code === 12) {
      if (x === null) return
      to.u32(list.length)
      for (const s of list as readonly number[][]) to.u32(s[0]).u32(s[1]).u8(s[2]).u8(s[3]).u32(s[4])
    } else {
      // lists of what the code without the list says; argc texts have no count of their own
      if (code !== 13) to.u32(list.length)
      for (const e of list)
        this.#put(code === 6 ? 1 : code === 7 ? 2 : code === 8 ? 3 : code === 11 ? 6 : code === 10 ? 9 : 5, e)
    }
  }
  bytes(version: readonly number[] = [1, 1, 0]): Uint8Array {
    const to = new Bytes()
    to.list.push(...this.#to.list)
    to.u16(END_OF_STREAM)
    const header = to.list.length
    for (const v of version) to.u8(v)
    to.u64(1_400_000_000).u16(4).raw("host").u16(4).raw("user").u32(0).u32(0)
    const footer = to.list.length
    to.u64(0xf007fee7)
    for (const n of this.#called) to.u32(n)
    for (let i = 0; i < COUNTED; i++) to.u32(0)
    const labels = to.list.length
    to.u32(0)
    const types = to.list.length
    to.u32(this.#sizes.length)
    for (const s of this.#sizes) to.u32(s)
    const addresses = to.list.length
    to.u32(0)
    to.u32(0xffaadd44).u32(0x554d5049)
    for (const offset of [types, addresses, labels, header, 8, footer, 0]) to.u64(offset)
    return Uint8Array.from(to.list)
  }
}

export function metaOf(ranks: number, prefix: string): string {
  return (
    `hostname=host\nnumprocs=${ranks}\n` +
    `username=user\nstartime=1400000000\n` +
    `fileprefix=${prefix}\nversion=1\n` +
    `subversion=1\nsubsubversion=0\n`
  )
}

/** Every rank sends `bytes` to the next one, `turns` times. */
export function ringRank(rank: number, ranks: number, turns: number, ints: number): DumpiWriter {
  const w = new DumpiWriter()
    .call("Init", [1, ["./ring"]])
    .call("Comm_size", [WORLD, ranks])
    .call("Comm_rank", [WORLD, rank])
  for (let i = 0; i < turns; i++)
    w.call("Irecv", [ints, INT, (rank + ranks - 1) % ranks, 7, WORLD, 2], 1000)
      .call("Isend", [ints, INT, (rank + 1) % ranks, 7, WORLD, 3])
      .call("Waitall", [
        2,
        [2, 3],
        [
          [4 * ints, (rank + ranks - 1) % ranks, 0, 0, 7],
          [0, 0, 0, 0, 0],
        ],
      ])
  return w.call("Allreduce", [1, DOUBLE, 3, WORLD]).call("Finalize")
}

/** The files of a ring. */
export function ringFiles(ranks: number, turns = 2, ints = 256): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([["ring.meta", new TextEncoder().encode(metaOf(ranks, "ring"))]])
  for (let r = 0; r < ranks; r++)
    files.set(`ring-${String(r).padStart(4, "0")}.bin`, ringRank(r, ranks, turns, ints).bytes())
  return files
}
