import fc from "fast-check"
import { expect, test } from "vitest"
import { population } from "./bitset.ts"
import { Hash, HashSum, hash3, hashArray } from "./hash.ts"

test("values are for good: kept fingerprints depend on them", () => {
  expect(new Hash().hex()).toBe("6eaa8dfbf7c158e3")
  expect(hashArray(Int32Array.of(1, 2, 3))).toBe("c136586e00bdadc3")
  expect(new Hash().text("lacewing").hex()).toBe("f404181b508f2c30")
  expect(hashArray(Float64Array.of(0.5, -0))).toBe("1ed494acd3d29b92")
  expect(new HashSum().array(Int32Array.of(1, 2, 3), 7).hex()).toBe("0fbdf6dd2bc3f822")
})

test("whole numbers hash alike in any width; other values, orders and lengths do not", () => {
  expect(hashArray(Uint8Array.of(1, 2, 250))).toBe(hashArray(Int32Array.of(1, 2, 250)))
  expect(hashArray(Uint16Array.of(1, 2, 250))).toBe(hashArray(Uint32Array.of(1, 2, 250)))
  expect(hashArray(Int32Array.of(2, 1))).not.toBe(hashArray(Int32Array.of(1, 2)))
  expect(hashArray(Int32Array.of(0, 0))).not.toBe(hashArray(Int32Array.of(0)))
  const two = new Hash().array(Int32Array.of(1)).array(Int32Array.of(2, 3)).hex()
  expect(two).not.toBe(new Hash().array(Int32Array.of(1, 2)).array(Int32Array.of(3)).hex())
  expect(hashArray(Float64Array.of(0))).not.toBe(hashArray(Float64Array.of(-0)))
  expect(new Hash().array(Int32Array.of(9, 1, 2, 9), 1, 3).hex()).toBe(hashArray(Int32Array.of(1, 2)))
})

// 256 words, every single bit flipped: 8192 neighbours. Each flips 32 of 64 bits on average (sd of the mean 4 /
// sqrt(8192) = 0.044), and all differ.
test("a flipped bit flips half of the hash, in each lane", () => {
  const column = Int32Array.from({ length: 256 }, (_, i) => i * i)
  for (const make of [(c: Int32Array) => new Hash().array(c).lanes(), (c: Int32Array) => sumLanes(c)]) {
    const [a0, b0] = make(column)
    const seen = new Set<string>()
    let flipsA = 0
    let flipsB = 0
    for (let i = 0; i < 256; i++)
      for (let bit = 0; bit < 32; bit++) {
        column[i] ^= 1 << bit
        const [a, b] = make(column)
        column[i] ^= 1 << bit
        flipsA += population(a ^ a0)
        flipsB += population(b ^ b0)
        seen.add(`${a},${b}`)
      }
    expect(seen.size).toBe(8192)
    expect(flipsA / 8192).toBeGreaterThan(15.8)
    expect(flipsA / 8192).toBeLessThan(16.2)
    expect(flipsB / 8192).toBeGreaterThan(15.8)
    expect(flipsB / 8192).toBeLessThan(16.2)
  }
})

// 2^17 columns of small numbers in one lane: 2^34 / 2 / 2^32 = 2 collisions are expected; in both lanes together none.
test("small numbers collide as rarely as chance allows", () => {
  const lanes = [new Set<number>(), new Set<number>()] as const
  const both = new Set<string>()
  const n = 1 << 17
  const column = new Uint8Array(3)
  for (let i = 0; i < n; i++) {
    column[0] = i & 63
    column[1] = (i >> 6) & 63
    column[2] = i >> 12
    const [a, b] = new Hash().array(column).lanes()
    lanes[0].add(a)
    lanes[1].add(b)
    both.add(`${a},${b}`)
  }
  expect(both.size).toBe(n)
  for (const lane of lanes) expect(n - lane.size).toBeLessThan(12)
})

test("a sum is the same for every partition and order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 60 }), fc.nat(), (values, at) => {
      const column = Int32Array.from(values)
      const cut = at % column.length
      const whole = new HashSum().array(column, 3).hex()
      const low = new HashSum().array(column, 3, 0, 0, cut)
      const high = new HashSum().array(column.slice(cut), 3, cut)
      expect(high.merge(low).hex()).toBe(whole)
      expect(new HashSum().array(column, 4).hex()).not.toBe(whole)
    }),
  )
  const a = new Hash().word(1)
  const b = new Hash().word(2)
  expect(new HashSum().add(a).add(b).hex()).toBe(new HashSum().add(b).add(a).hex())
  expect(new HashSum().array(Int32Array.of(5, 6), 0).hex()).not.toBe(new HashSum().array(Int32Array.of(6, 5), 0).hex())
})

function sumLanes(column: Int32Array): readonly [number, number] {
  const s = new HashSum().array(column, 1)
  return [s.a, s.b]
}

// MurmurHash3_x86_32 of 8 bytes, words little endian; values from an independent implementation of the published
// algorithm.
test("three words are hashed as MurmurHash3 (x86, 32 bit) does two under a seed", () => {
  expect(murmur("00000000 00000000", 0)).toBe(hash3(0, 0, 0) >>> 0)
  expect(murmur("01000000 02000000", 42)).toBe(hash3(42, 1, 2) >>> 0)
  expect(murmur("ffffffff ffffffff", 0x9747b28c)).toBe(hash3(0x9747b28c, -1, -1) >>> 0)
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

function murmur(hex: string, seed: number): number {
  const bytes = (hex.replaceAll(" ", "").match(/../g) ?? []).map((b) => Number.parseInt(b, 16))
  const word = (i: number) => bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
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
