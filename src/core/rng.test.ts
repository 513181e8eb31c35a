import { expect, test } from "vitest"
import { below, Draws, draw, unit } from "./rng.ts"

// MurmurHash3_x86_32 of 8 bytes, words little endian; values from an independent implementation of the published algorithm.
test("the mixing function is MurmurHash3 (x86, 32 bit) of two words", () => {
  expect(murmur("00000000 00000000", 0)).toBe(draw(0, 0, 0) >>> 0)
  expect(murmur("01000000 02000000", 42)).toBe(draw(42, 1, 2) >>> 0)
  expect(murmur("ffffffff ffffffff", 0x9747b28c)).toBe(draw(0x9747b28c, -1, -1) >>> 0)
})

// Published vectors of the reference function, so that `murmur` below is itself trusted.
test("the check function agrees with published vectors", () => {
  expect(murmur("", 0)).toBe(0)
  expect(murmur("", 1)).toBe(0x514e28b7)
  expect(murmur("", 0xffffffff)).toBe(0x81f16f39)
  expect(murmur("ffffffff", 0)).toBe(0x76293b50)
  expect(murmur("21436587", 0)).toBe(0xf55b516b)
  expect(murmur("21436587", 0x5082edee)).toBe(0x2362f9de)
  expect(murmur("00000000", 0)).toBe(0x2362f9de)
})

test("draws below n are uniform: chi-square of 64 bins over 2^16 draws", () => {
  const bins = new Int32Array(64)
  const d = new Draws(7)
  for (let i = 0; i < 65536; i++) bins[d.at(i, 3).below(64)]!++
  let chi = 0
  for (const b of bins) chi += (b - 1024) ** 2 / 1024
  expect(chi).toBeLessThan(110) // 63 degrees of freedom: 99.98 %
})

test("neighbouring entities and counters are uncorrelated", () => {
  let sum = 0
  const n = 20000
  for (let i = 0; i < n; i++)
    sum += (unit(draw(1, i, 0)) - 0.5) * (unit(draw(1, i + 1, 0)) - 0.5) + (unit(draw(1, 5, i)) - 0.5) * (unit(draw(1, 5, i + 1)) - 0.5)
  expect(Math.abs(sum / (2 * n)) * 12).toBeLessThan(0.02)
})

test("below and unit stay inside their ranges at the ends", () => {
  expect(below(-1, 10)).toBe(9)
  expect(below(0, 10)).toBe(0)
  expect(unit(0)).toBeGreaterThan(0)
  expect(unit(-1)).toBe(1)
})

function murmur(hex: string, seed: number): number {
  const bytes = (hex.replaceAll(" ", "").match(/../g) ?? []).map((b) => Number.parseInt(b, 16))
  const word = (i: number) => bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
  const rot = (x: number, r: number) => (x << r) | (x >>> (32 - r))
  let h = seed | 0
  for (let i = 0; i < bytes.length; i += 4) {
    h ^= Math.imul(rot(Math.imul(word(i), 0xcc9e2d51), 15), 0x1b873593)
    h = (Math.imul(rot(h, 13), 5) + 0xe6546b64) | 0
  }
  h ^= bytes.length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
