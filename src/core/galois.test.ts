import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { GaloisField, nearPrimePowers, primePower } from "./galois.ts"

describe("prime powers", () => {
  it("are recognised", () => {
    expect(primePower(27)).toEqual({ p: 3, m: 3 })
    expect(primePower(13)).toEqual({ p: 13, m: 1 })
    expect(primePower(16)).toEqual({ p: 2, m: 4 })
    for (const q of [0, 1, 6, 10, 12, 14, 15, 18, 20, 24, 28, 36, 100, 2.5]) expect(primePower(q)).toBeUndefined()
  })
  it("have neighbours: 6 lies between 5 and 7, 12 between 11 and 13", () => {
    expect(nearPrimePowers(6, () => true).sort((a, b) => a - b)).toEqual([5, 7])
    expect(nearPrimePowers(12, () => true).sort((a, b) => a - b)).toEqual([11, 13])
    expect(nearPrimePowers(1, (q) => q > 2)).toEqual([3])
  })
})

describe("algorithms.md 1.4: the fields of the Slim Fly table", () => {
  const table = [
    { q: 4, polynomial: [1, 1], xi: 2, even: [1, 3], odd: [2, 1] },
    { q: 8, polynomial: [1, 0, 1], xi: 2, even: [1, 4, 7, 6], odd: [2, 5, 3, 1] },
    { q: 9, polynomial: [2, 1], xi: 3, even: [1, 7, 2, 5], odd: [3, 8, 6, 4] },
    { q: 13, polynomial: [11], xi: 2, even: [1, 4, 3, 12, 9, 10], odd: [2, 8, 6, 11, 5, 7] },
    { q: 5, polynomial: [3], xi: 2, even: [1, 4], odd: [2, 3] },
    { q: 7, polynomial: [4], xi: 3, even: [1, 2, 4], odd: [3, 6, 5] },
  ]
  it.each(table)("GF($q)", ({ q, polynomial, xi, even, odd }) => {
    const f = new GaloisField(q)
    expect(f.polynomial).toEqual(polynomial)
    expect(f.xi).toBe(xi)
    expect(even.map((_, i) => f.exp[2 * i])).toEqual(even)
    expect(odd.map((_, i) => f.exp[2 * i + 1])).toEqual(odd)
  })
})

/** Schoolbook product of two digit strings modulo the field's polynomial, without any table. */
function slowProduct(f: GaloisField, a: number, b: number): number {
  const { p, m } = f
  const digits = (n: number) => Array.from({ length: m }, (_, i) => Math.floor(n / p ** i) % p)
  const product = new Array<number>(2 * m).fill(0)
  const [x, y] = [digits(a), digits(b)]
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) product[i + j] = (product[i + j] + x[i] * y[j]) % p
  for (let top = 2 * m - 1; top >= m; top--) {
    const lead = product[top]
    product[top] = 0
    for (let i = 0; i < m; i++) product[top - m + i] = (product[top - m + i] + lead * (p - f.polynomial[i])) % p
  }
  return product.slice(0, m).reduce((sum, d, i) => sum + d * p ** i, 0)
}

function slowSum(f: GaloisField, a: number, b: number): number {
  let sum = 0
  for (let i = 0, place = 1; i < f.m; i++, place *= f.p)
    sum += ((Math.floor(a / place) + Math.floor(b / place)) % f.p) * place
  return sum
}

describe("arithmetic", () => {
  const orders = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25, 27, 32, 49, 64, 81, 121, 125, 128, 243, 256, 343, 1024]
  it.each(orders)("GF(%i) agrees with schoolbook polynomials", (q) => {
    const f = new GaloisField(q)
    expect(new Set(f.exp.subarray(0, q - 1)).size).toBe(q - 1)
    fc.assert(
      fc.property(fc.nat(q - 1), fc.nat(q - 1), (a, b) => {
        expect(f.add(a, b)).toBe(slowSum(f, a, b))
        expect(f.add(a, f.neg(a))).toBe(0)
        expect(f.add(f.sub(a, b), b)).toBe(a)
        // a prime field is its digits: its "polynomial" x - xi only names the root
        expect(f.mul(a, b)).toBe(f.m === 1 ? (a * b) % q : slowProduct(f, a, b))
        if (b !== 0) expect(f.mul(f.div(a, b), b)).toBe(a)
      }),
      { numRuns: 200 },
    )
  })
  it("the largest field, 2^16, is a field of 65,536", () => {
    const f = new GaloisField(65_536)
    expect(new Set(f.exp.subarray(0, 65_535)).size).toBe(65_535)
    expect(f.mul(f.div(40_000, 12_345), 12_345)).toBe(40_000)
  })
  it("has no field of 6", () => expect(() => new GaloisField(6)).toThrow("no field of 6"))
})
