import { describe, expect, test } from "vitest"
import {
  amount,
  BLOCKS,
  forEachOp,
  JUMP,
  KIND,
  Kind,
  kindOf,
  LIST,
  NEEDS,
  NONE,
  PEER,
  REQUEST,
  VALUES,
  WORDS,
} from "./program.ts"
import { RankWriter, written } from "./writer.ts"

describe("operations of a rank", () => {
  test("words of an operation come back, amounts beyond 32 bits too", () => {
    const w = new RankWriter()
    w.isend(3, 5 * 2 ** 32 + 7, 11, 4)
    w.wait([4, ~2])
    w.compute(0xffff_ffff)
    const { ops, list, count } = w.take()
    expect(count).toBe(3)
    expect([kindOf(ops[KIND]), ops[PEER], amount(ops, 0), ops[REQUEST]]).toEqual([Kind.SEND, 3, 5 * 2 ** 32 + 7, 4])
    expect(ops[WORDS + KIND]).toBe(Kind.WAIT | BLOCKS)
    const at = ops[WORDS + LIST]
    expect([...list.subarray(at, at + ops[WORDS + NEEDS])]).toEqual([4, ~2])
    expect(amount(ops, 2 * WORDS)).toBe(0xffff_ffff)
    expect(ops[2 * WORDS + REQUEST]).toBe(NONE)
  })
  test("needs lie before values, and each operation has its own", () => {
    const w = new RankWriter()
    w.collective(Kind.ALLTOALLV, 0, { values: [1, 2, 3, 4], needs: [9] })
    w.collective(Kind.BARRIER, 0)
    w.collective(Kind.ALLGATHERV, 0, { values: [5, 6] })
    const { ops, list } = w.take()
    expect([...list]).toEqual([9, 1, 2, 3, 4, 5, 6])
    expect([0, 1, 2].map((i) => [ops[i * WORDS + LIST], ops[i * WORDS + NEEDS], ops[i * WORDS + VALUES]])).toEqual([
      [0, 1, 4],
      [5, 0, 0],
      [5, 0, 2],
    ])
  })
  test("loops jump behind each other, nested ones too", () => {
    const w = new RankWriter()
    w.loop(3, () => {
      w.compute(1)
      w.loop(2, () => w.compute(2))
    })
    const { ops, count } = w.take()
    expect(count).toBe(6)
    // 0 LOOP, 1 compute, 2 LOOP, 3 compute, 4 END, 5 END
    expect([0, 2, 4, 5].map((i) => i + ops[i * WORDS + JUMP])).toEqual([6, 5, 3, 1])
    expect(amount(ops, 0)).toBe(3)
  })
  test("windows continue the numbers", () => {
    const w = new RankWriter()
    for (let i = 0; i < 100; i++) w.compute(i, { needs: [i] })
    const first = w.take()
    w.compute(100)
    const second = w.take()
    expect([first.first, first.count, second.first, second.count]).toEqual([0, 100, 100, 1])
    const source = { at: (op: number) => [first, second].find((x) => op >= x.first && op < x.first + x.count) }
    const seen: number[] = []
    expect(forEachOp(source, (win, row, op) => seen.push(amount(win.ops, row) - op))).toBe(101)
    expect(seen.every((d) => d === 0)).toBe(true)
  })
  test("a writer of short windows: numbers go on, lists are those of their window, loops stay whole", () => {
    const w = new RankWriter(4)
    for (let i = 0; i < 6; i++) w.plain(Kind.WAIT | BLOCKS, NONE, 0, 0, 0, NONE, NONE, [i])
    w.loop(2, () => {
      for (let i = 0; i < 5; i++) w.compute(7)
    })
    const source = w.source()
    const seen: number[] = []
    const count = forEachOp(source, (window, row, op) => {
      const n = window.ops[row + NEEDS]
      seen.push(n > 0 ? window.list[window.ops[row + LIST]] : -1)
      if (kindOf(window.ops[row + KIND]) === Kind.LOOP) expect(source.at(op + window.ops[row + JUMP] - 1)).toBe(window)
    })
    expect([count, seen.slice(0, 6), source.at(count)]).toEqual([13, [0, 1, 2, 3, 4, 5], undefined])
    expect([source.at(0)!.count, source.at(4)!.first, source.at(5)!.first]).toEqual([4, 4, 4])
  })
  test("a written program gives each rank its own stream", () => {
    const p = written(3, (r, to) => to.send((r + 1) % 3, 8))
    expect([0, 1, 2].map((r) => p.rank(r).at(0)!.ops[PEER])).toEqual([1, 2, 0])
    expect(p.rank(0).at(1)).toBeUndefined()
  })
})
