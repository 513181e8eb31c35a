import fc from "fast-check"
import { expect, test } from "vitest"
import { complain, nearest } from "./complaint.ts"

test("a complaint has a place, a finding and a way out", () => {
  expect(complain("network.switch.vcs", "0 is too small", "choose a value at least 1")).toEqual({
    path: "network.switch.vcs",
    says: "0 is too small",
    fix: "choose a value at least 1",
  })
})

test.each([
  ["trafic", "traffic"], // one missing
  ["swichh", "switch"], // two wrong
  ["dragonfyl", "dragonfly"], // exchanged: one slip, not two
  ["Uniform", "uniform"], // case does not count
  ["vcz", "vcs"],
  ["pattern", "pattern"],
  ["lod", "load"],
])("%s was meant as %s", (word, meant) => {
  expect(nearest(word, ["load", "vcs", "switch", "pattern", "traffic", "uniform", "dragonfly"])).toBe(meant)
})

test.each(["p", "zz", "completely else", "", "ab"])("%o was meant as nothing known", (word) => {
  expect(nearest(word, ["k", "vcs", "switch", "load"])).toBeUndefined()
})

test("the nearest wins, the first among equals; nothing is known among nothing", () => {
  expect(nearest("mess", ["mesh", "messy"])).toBe("mesh")
  expect(nearest("mest", ["mesa", "mesh"])).toBe("mesa")
  expect(nearest("mesh", [])).toBeUndefined()
})

test("a long key costs nothing: names of very different length are not compared", () => {
  // compared letter by letter these would be 10^12 steps, and the test would not end
  expect(nearest("x".repeat(2_000_000), ["load", "y".repeat(500_000)])).toBeUndefined()
})

test("a word with one letter dropped, doubled, replaced or exchanged is found", () => {
  const known = ["topology", "routing", "arrivals", "precision", "histogram"]
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.nat(),
      fc.constantFrom("drop", "double", "replace", "exchange"),
      (word, at, how) => {
        const i = at % (word.length - 1)
        const [head, rest] = [word.slice(0, i), word.slice(i)]
        const slip =
          how === "drop"
            ? head + rest.slice(1)
            : how === "double"
              ? head + rest[0] + rest
              : how === "replace"
                ? `${head}#${rest.slice(1)}`
                : head + rest[1] + rest[0] + rest.slice(2)
        return nearest(slip, known) === word
      },
    ),
  )
})
