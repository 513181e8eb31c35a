// DUMPI files of a ring, for the benchmark and the fuzzer: `turns` times each rank receives from the one before it,
// sends to the next and waits; then an exchange of all with all, a split and an all-reduce.

class Bytes {
  data = new Uint8Array(1 << 16)
  view = new DataView(this.data.buffer)
  used = 0
  put(size: 1 | 2 | 4 | 8, ...list: readonly number[]): this {
    this.#room(size * list.length)
    for (const n of list) {
      if (size === 1) this.view.setUint8(this.used, n)
      else if (size === 2) this.view.setUint16(this.used, n)
      else if (size === 4) this.view.setUint32(this.used, n)
      else this.view.setBigUint64(this.used, BigInt(n))
      this.used += size
    }
    return this
  }
  #room(n: number): void {
    if (this.used + n <= this.data.length) return
    const more = new Uint8Array(2 * this.data.length)
    more.set(this.data)
    this.data = more
    this.view = new DataView(more.buffer)
  }
}

/** Functions of DUMPI's table of calls, and its last place, the sum of all. */
const CALLS = 290

export function dumpiRing(rank: number, ranks: number, turns: number): Uint8Array {
  const to = new Bytes()
  const called: number[] = new Array(CALLS + 1).fill(0)
  let now = 0
  const call = (fn: number): Bytes => {
    called[fn]++
    called[CALLS]++
    to.put(2, fn).put(1, 0x4f).put(2, 0)
    for (let clock = 0; clock < 2; clock++)
      to.put(2, 0)
        .put(4, now)
        .put(2, 0)
        .put(4, now + 50)
    now += 150
    return to
  }
  const before = (rank + ranks - 1) % ranks
  to.put(4, 0xffaadd44, 0x554d5049, 0, 1000)
  call(124).put(4, 1, 2).put(1, 97, 98)
  call(81).put(2, 2).put(4, ranks)
  for (let i = 0; i < turns; i++) {
    call(12).put(4, 256).put(2, 9).put(4, before, 7).put(2, 2).put(4, 2)
    call(8)
      .put(4, 256)
      .put(2, 9)
      .put(4, (rank + 1) % ranks, 7)
      .put(2, 2)
      .put(4, 3)
    call(18).put(4, 2, 2, 2, 3, 1, 1024, before).put(1, 0, 0).put(4, 7)
  }
  const counts = Array.from({ length: ranks }, () => 5)
  call(61)
    .put(4, ranks, ranks, ...counts, ranks, ...counts)
    .put(2, 9)
    .put(4, ranks, ...counts, ranks, ...counts)
    .put(2, 9, 2)
  call(86)
    .put(2, 2)
    .put(4, rank % 2, rank)
    .put(2, 4)
  call(65).put(4, 1).put(2, 14).put(1, 3).put(2, 4)
  call(125).put(2, 293)
  const header = to.used
  to.put(1, 1, 1, 0).put(8, 1_400_000_000).put(2, 0, 0).put(4, 0, 0)
  const footer = to.used
  to.put(8, 0xf007fee7).put(4, ...called, ...new Array<number>(CALLS + 1).fill(0))
  const types = to.used
  to.put(4, 28, 0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20)
  to.put(4, 0xffaadd44, 0x554d5049).put(8, types, 0, 0, header, 8, footer, 0)
  return to.data.slice(0, to.used)
}
