// Every reader under fuzz (scripts/fuzz), for a moment: its seeds, and seeds with a few bytes changed. Complaints are answers, exceptions are not.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { built, root } from "./support/build.ts"

interface Reader {
  readonly seeds: readonly string[]
  default(bytes: Uint8Array): void | Promise<void>
}

built()
const folder = join(root, "scripts/fuzz")
const names = ["command-line", "experiment-json", "experiment-yaml", "graph-file", "plan", "price-book", "quantity", "set"]
const words = [
  "null",
  "{}",
  "[]",
  "-1",
  "1e999",
  "&a",
  "*a",
  "__proto__",
  "constructor",
  "\u001b[31m",
  "'",
  ": ",
  "- ",
  "9".repeat(30),
  "x".repeat(500),
  "\ud83d\ude00",
]

test("these are there", () => {
  const there = readdirSync(folder).map((f) => f.replace(/\.mjs$/, ""))
  expect(names.filter((n) => !there.includes(n))).toEqual([])
})

test.each(names)("%s", async (name) => {
  const reader: Reader = await import(join(folder, `${name}.mjs`))
  const encoder = new TextEncoder()
  for (const seed of reader.seeds) await reader.default(encoder.encode(seed))
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(12),
    put: fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...reader.seeds), fc.array(edit, { maxLength: 5 }), async (seed, edits) => {
      let text = seed
      for (const { at, cut, put } of edits) {
        const from = Math.floor(at * text.length)
        text = text.slice(0, from) + put + text.slice(from + cut)
      }
      await reader.default(encoder.encode(text))
    }),
    { numRuns: 150 },
  )
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), (bytes) => Promise.resolve(reader.default(bytes))),
    { numRuns: 50 },
  )
})
