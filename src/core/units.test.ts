import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Dimension, example, fractionOf, inner, kindOf, quantity, writtenIn } from "./units.ts"

const dimensions: readonly Dimension[] = ["cycles", "flits", "time", "bytes", "rate", "packets", "length"]
/** 2 ns per cycle, 16 bytes per flit */
const scale = { cycle: 2000, flit: 16 }

describe("every unit", () => {
  test.each<[string, Dimension, number]>([
    ["5cycles", "cycles", 5],
    ["1cycle", "cycles", 1],
    ["200kcycles", "cycles", 200e3],
    ["3Mcycles", "cycles", 3e6],
    ["1Gcycle", "cycles", 1e9],
    ["90ns", "cycles", 45],
    ["4000ps", "cycles", 2],
    ["1us", "cycles", 500],
    ["1µs", "cycles", 500],
    ["2ms", "cycles", 1e6],
    ["1s", "cycles", 5e8],
    ["64flits", "flits", 64],
    ["1kflit", "flits", 1000],
    ["64B", "flits", 4],
    ["1KiB", "flits", 64],
    ["1.6kB", "flits", 100],
    ["7ps", "time", 7],
    ["90ns", "time", 90e3],
    ["1.5us", "time", 1.5e6],
    ["1s", "time", 1e12],
    ["3cycles", "time", 6000],
    ["8B", "bytes", 8],
    ["1kB", "bytes", 1000],
    ["1KB", "bytes", 1000],
    ["2MB", "bytes", 2e6],
    ["1GB", "bytes", 1e9],
    ["1TB", "bytes", 1e12],
    ["64KiB", "bytes", 65536],
    ["1MiB", "bytes", 2 ** 20],
    ["1GiB", "bytes", 2 ** 30],
    ["1TiB", "bytes", 2 ** 40],
    ["2flits", "bytes", 32],
    ["1bps", "rate", 1],
    ["9kbps", "rate", 9000],
    ["100Mbps", "rate", 1e8],
    ["25Gbps", "rate", 25e9],
    ["1Tbps", "rate", 1e12],
    ["5GiB/s", "rate", 5 * 2 ** 33],
    ["1MB/s", "rate", 8e6],
    ["1GB/s", "rate", 8e9],
    ["1MiB/s", "rate", 8 * 2 ** 20],
    ["4packets", "packets", 4],
    ["2kpackets", "packets", 2000],
    ["2m", "length", 2],
    ["50cm", "length", 0.5],
  ])("%s as %s is %f", (raw, as, expected) => {
    expect(quantity(raw, as, scale)).toBeCloseTo(expected, 9)
  })

  test("all that the help promises is read, and the examples are", () => {
    for (const as of dimensions) {
      for (const unit of writtenIn[as].split(/, | or /))
        expect(typeof quantity(`1${unit}`, as), `1${unit}`).toBe("number")
      expect(typeof quantity(example[as], as), example[as]).toBe("number")
      expect(quantity(`1${inner[as]}`, as), inner[as]).toBe(1)
    }
  })
})

test.each([
  ["  12 ns ", 12e3],
  ["1_000ns", 1e6],
  ["1e3ns", 1e6],
  ["1.5e-3 ms", 1.5e6],
  [".5ns", 500],
  ["5.ns", 5e3],
  ["-3ns", -3e3],
  ["+3ns", 3e3],
  [0, 0],
  ["0", 0],
])("%o may be written", (raw, ps) => {
  expect(quantity(raw, "time")).toBe(ps)
})

test.each<[unknown, Dimension, string]>([
  [5, "cycles", "5 has no unit"],
  ["5", "cycles", '"5" has no unit'],
  ["5flits", "cycles", '"flits" is not a unit of duration'],
  ["5Cycles", "cycles", '"Cycles" is not a unit of duration'],
  ["3%", "time", '"%" is not a unit of time'],
  ["25gbps", "rate", '"gbps" is not a unit of bandwidth'],
  ["25/s", "rate", '"/s" is not a unit of bandwidth'],
  ["fast", "rate", '"fast" is not a number with a unit'],
  ["5 cycles 3", "cycles", '"5 cycles 3" is not a number with a unit'],
  ["", "bytes", '"" is not a number with a unit'],
  ["5constructor", "time", '"constructor" is not a unit of time'],
  ["5toString", "bytes", '"toString" is not a unit of size'],
  ["5__proto__", "cycles", '"__proto__" is not a unit of duration'],
  ["5valueOf/s", "rate", '"valueOf/s" is not a unit of bandwidth'],
  [null, "time", "expected a value with a unit, found nothing"],
  [[1], "time", "expected a value with a unit, found a list"],
  [{ a: 1 }, "time", "expected a value with a unit, found a map"],
  [true, "packets", "expected a value with a unit, found boolean true"],
])("%o as %s is refused", (raw, as, says) => {
  expect(quantity(raw, as)).toBe(says)
})

test.each([
  [0.4, 0.4],
  ["0.4", 0.4],
  ["40%", 0.4],
  [" 12.5 % ", 0.125],
  ["1e-2", 0.01],
  ["-5%", -0.05],
])("the fraction %o", (raw, expected) => {
  expect(fractionOf(raw)).toBeCloseTo(expected as number, 12)
})

test.each([
  ["40", 40],
  ["40 percent", '"40 percent" is neither a number nor a percentage'],
  ["", '"" is neither a number nor a percentage'],
  [Number.NaN, "NaN is not a number"],
  [undefined, "expected a number or a percentage, found nothing"],
])("the fraction %o gives %o", (raw, expected) => {
  expect(fractionOf(raw)).toBe(expected)
})

test("what was found is named, long texts cut", () => {
  expect(kindOf("x".repeat(50))).toBe(`the text "${"x".repeat(40)}…"`)
  expect(kindOf(3)).toBe("number 3")
  expect(kindOf(Symbol("s"))).toBe("symbol Symbol(s)")
})

test("no input crashes it, and a text without a known unit is never a number other than 0", () => {
  const known = /(cycles?|flits?|packets?|[pnuµm]?s|B|bps|m)\s*$/
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...dimensions), (raw, as) => {
      const got = quantity(raw, as)
      return typeof got === "string" ? got.length > 0 : raw === 0 || typeof raw === "string"
    }),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.tuple(fc.nat(), fc.string()).map(([n, s]) => `${n}${s}`),
      ),
      fc.constantFrom(...dimensions),
      (raw, as) => {
        const got = quantity(raw, as)
        return typeof got === "string" || got === 0 || known.test(raw)
      },
    ),
  )
})

test("a whole number of any unit comes back", () => {
  fc.assert(
    fc.property(fc.nat(1e9), (n) => quantity(`${n}cycles`, "cycles") === n && quantity(`${n} B`, "bytes") === n),
  )
})
