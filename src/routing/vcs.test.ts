import { expect, test } from "vitest"
import { allVcs, vcRange, vcRanks } from "./vcs.ts"

test("masks, up to 32 VCs", () => {
  expect(allVcs(4)).toBe(0b1111)
  expect(allVcs(32)).toBe(-1)
  expect(vcRange(2, 4)).toBe(0b1100)
})

test("ranks share the VCs evenly and in order: 6 VCs, 4 ranks of 1, 2, 1 and 2", () => {
  expect(Array.from(vcRanks(6, 4))).toEqual([0b000001, 0b000110, 0b001000, 0b110000])
})

test("with fewer VCs than ranks no rank is left without", () => {
  expect(Array.from(vcRanks(2, 3))).toEqual([0b01, 0b01, 0b10])
})
