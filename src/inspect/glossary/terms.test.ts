// Every term, synonym and older word of the glossary is found by `explain`, and definitions are short.
import { expect, test } from "vitest"
import { Catalog } from "../../experiment/catalog.ts"
import { explain } from "../explain.ts"
import { terms } from "./terms.ts"

const catalog = new Catalog()
const found = (word: string) => {
  const got = explain(word, catalog)
  return "ok" in got ? got.ok : []
}

test.each(terms.map((t) => [t.term, t] as const))("explain finds %s, its synonyms and its older words", (_, t) => {
  for (const word of [t.term, ...(t.also ?? [])])
    expect(
      found(word).map((e) => e.about),
      word,
    ).not.toEqual([])
  for (const word of t.older ?? [])
    expect(
      found(word).map((e) => e.about),
      word,
    ).toContain(`Older name of "${t.term}". ${t.about}`)
})

test("no term is listed twice, and a definition is a sentence of at most 25 words", () => {
  expect(new Set(terms.map((t) => t.term)).size).toBe(terms.length)
  expect(terms.filter((t) => !t.about.endsWith(".") || t.about.split(" ").length > 25).map((t) => t.term)).toEqual([])
})
