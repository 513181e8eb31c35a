import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  bytes,
  choice,
  cycles,
  type Field,
  flag,
  flits,
  fraction,
  int,
  list,
  maybe,
  rate,
  real,
  schema,
  text,
  time,
} from "./schema.ts"
import { plainScale } from "./units.ts"

function says<T>(field: Field<T>, raw: unknown): T | string {
  const got = field.parse(raw, "it", plainScale)
  return "ok" in got ? got.ok : got.bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`).join(" / ")
}

const everything = schema({
  k: int({ min: 2, max: 64, about: "radix" }),
  load: fraction({ above: 0, default: 0.1, about: "offered load" }),
  weight: real({ default: 1 }),
  delay: cycles({ default: "5cycles", max: 1000, about: "latency" }),
  buffer: flits({ min: 1, default: "8flits" }),
  period: time({ default: "1us" }),
  memory: bytes({ default: "1KiB" }),
  speed: rate({ default: "25Gbps" }),
  order: choice(["oldest", "youngest"], { default: "oldest" }),
  hold: flag({ default: false }),
  file: maybe(text({})),
  sides: maybe(list(int({ min: 1 }), { atLeast: 1, about: "routers in each dimension" })),
})

describe("fields", () => {
  test("int", () => {
    const f = int({ min: 1, max: 9 })
    expect([says(f, 3), says(f, "7"), says(f, " 7 "), says(f, "+7")]).toEqual([3, 7, 7, 7])
    expect(says(f, 0)).toBe("it: 0 is too small. choose a value at least 1, at most 9")
    expect(says(f, 10)).toBe("it: 10 is too large. choose a value at least 1, at most 9")
    expect(says(f, 2.5)).toBe("it: expected a whole number, found number 2.5. write a whole number without a unit")
    expect(says(f, "3flits")).toBe(
      'it: expected a whole number, found the text "3flits". write a whole number without a unit',
    )
    expect(says(f, Number.NaN)).toContain("expected a whole number")
  })
  test("real", () => {
    const f = real({ above: 0 })
    expect([says(f, 1.5), says(f, "1.5"), says(f, "1e-3")]).toEqual([1.5, 1.5, 0.001])
    expect(says(f, 0)).toBe("it: 0 is too small. choose a value above 0")
    expect(says(f, "")).toBe('it: expected a number, found the text "". write a number without a unit')
    expect(says(f, Number.POSITIVE_INFINITY)).toBe("it: Infinity is not a finite number. write a finite number")
  })
  test("fraction", () => {
    expect([says(fraction({}), "40%"), says(fraction({}), 1)]).toEqual([0.4, 1])
    expect(says(fraction({}), 1.2)).toBe("it: 1.2 is too large. choose a value at least 0, at most 1")
    expect(says(fraction({}), "120%")).toBe("it: 1.2 is too large. choose a value at least 0, at most 1")
    expect(says(fraction({}), "half")).toBe(
      'it: "half" is neither a number nor a percentage. write a fraction such as 0.4 or a percentage such as 40%',
    )
  })
  test("values with units are rounded to whole cycles and flits; limits speak of the unit", () => {
    expect(says(cycles({}), "1.6ns")).toBe(2)
    expect(says(flits({}), "60B")).toBe(8) // 7.5 flits of 8 bytes
    expect(says(cycles({ max: 10 }), "1us")).toBe("it: 1us is too large. choose a value at least 0, at most 10 cycles")
    expect(says(flits({ min: 1 }), "0flits")).toBe("it: 0flits is too small. choose a value at least 1 flits")
    expect(says(rate({}), "0bps")).toBe("it: 0bps is too small. choose a value above 0 bps")
    expect(says(cycles({}), 5)).toBe(
      "it: 5 has no unit. write a value in cycles, kcycles, Mcycles, ps, ns, us, ms or s, for example 100cycles",
    )
    expect(says(cycles({}), "-1cycles")).toBe("it: -1cycles is too small. choose a value at least 0 cycles")
    expect(says(cycles({}), "1e999cycles")).toBe("it: 1e999cycles is not a finite number. write a finite number")
  })
  test("choice, flag and text", () => {
    const f = choice(["round-robin", "age"], {})
    expect(says(f, "age")).toBe("age")
    expect(says(f, "roundrobin")).toBe(
      'it: expected one of round-robin, age, found the text "roundrobin". did you mean "round-robin"?',
    )
    expect(says(f, 3)).toBe("it: expected one of round-robin, age, found number 3. choose one of round-robin, age")
    expect([true, "on", "true", false, "off", "false"].map((v) => says(flag({}), v))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(says(flag({}), 1)).toBe("it: expected true or false, found number 1. write true or false")
    expect(says(text({}), 7)).toBe("it: expected a text, found number 7. write a text")
  })
  test("list: written out, as 8x8x4, as 1,2,3, or a single number; each wrong entry is named", () => {
    const f = list(int({ min: 1 }), {})
    expect([[1, 2], "8x8x4", "8 x 8", "1, 2,3", 5].map((v) => says(f, v))).toEqual([
      [1, 2],
      [8, 8, 4],
      [8, 8],
      [1, 2, 3],
      [5],
    ])
    expect(says(f, [1, 0, "a"])).toBe(
      "it.1: 0 is too small. choose a value at least 1 / it.2: expected a whole number, " +
        'found the text "a". write a whole number without a unit',
    )
    expect(says(f, true)).toBe("it: expected a list, found boolean true. write [a, b, …]")
    expect(says(list(int({}), { atLeast: 2 }), [1])).toBe("it: has 1 entries. give at least 2")
    expect(says(list(text({}), {}), "max, box")).toEqual(["max", "box"])
  })
})

describe("records", () => {
  test("defaults are filled in and read like anything else", () => {
    expect(everything.parse({ k: 8 }, "network")).toEqual({
      ok: {
        k: 8,
        load: 0.1,
        weight: 1,
        delay: 5,
        buffer: 8,
        period: 1e6,
        memory: 1024,
        speed: 25e9,
        order: "oldest",
        hold: false,
        file: undefined,
        sides: undefined,
      },
    })
  })

  test("several mistakes come all at once, each with its path, unknown keys with the nearest", () => {
    const got = everything.parse(
      { laod: 0.4, order: "oldst", delay: 7, hold: "maybe", zzz: 1, sides: "0x4" },
      "network.switch",
    )
    expect("bad" in got && got.bad.map((c) => `${c.path}: ${c.says} | ${c.fix}`)).toEqual([
      'network.switch.laod: unknown key | did you mean "load"?',
      `network.switch.zzz: unknown key | known keys: ${Object.keys(everything.fields).join(", ")}`,
      "network.switch.k: is missing | add k: radix",
      "network.switch.delay: 7 has no unit | write a value in cycles, kcycles, " +
        "Mcycles, ps, ns, us, ms or s, for example 100cycles",
      'network.switch.order: expected one of oldest, youngest, found the text "oldst" | did you mean "oldest"?',
      'network.switch.hold: expected true or false, found the text "maybe" | write true or false',
      "network.switch.sides.0: 0 is too small | choose a value at least 1",
    ])
  })

  test("nothing counts as an empty record; a list or a text does not", () => {
    expect("ok" in schema({ a: int({ default: 1 }) }).parse(null, "")).toBe(true)
    const got = everything.parse([1], "network")
    expect("bad" in got && got.bad[0]).toEqual({
      path: "network",
      says: "expected a map of parameters, found a list",
      fix: "write { k: …, load: …, weight: … }",
    })
  })

  test("names from the prototype are neither given nor known", () => {
    const got = schema({ toString: int({ default: 3 }) }).parse({}, "")
    expect("ok" in got && got.ok.toString).toBe(3)
    expect("bad" in schema({}).parse({ constructor: 1 }, "")).toBe(true)
  })

  test("description and JSON schema say the same", () => {
    const said = everything.describe()
    expect(said["k"]).toEqual({ about: "radix", type: "integer", required: true, range: "at least 2, at most 64" })
    expect(said["delay"]).toMatchObject({ fallback: "5cycles", required: false, range: "at least 0, at most 1000" })
    expect(said["file"]?.required).toBe(false)
    const shape = everything.json().schema
    expect(shape["required"]).toEqual(["k"])
    expect(shape["additionalProperties"]).toBe(false)
    expect(Object.keys(shape["properties"] ?? {})).toEqual(Object.keys(said))
  })

  test("no input crashes it; what passes is in range", () => {
    const near = fc.record(
      Object.fromEntries(
        Object.keys(everything.fields).map((k) => [k, fc.oneof(fc.anything(), fc.nat(80), fc.string())]),
      ),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything(), near), (raw) => {
        const got = everything.parse(raw, "it")
        if ("bad" in got)
          return got.bad.length > 0 && got.bad.every((c) => c.path.startsWith("it") && c.says !== "" && c.fix !== "")
        const { k, load, delay, buffer } = got.ok
        return Number.isInteger(k) && k >= 2 && k <= 64 && load > 0 && load <= 1 && delay <= 1000 && buffer >= 1
      }),
      { numRuns: 500 },
    )
  })
})
