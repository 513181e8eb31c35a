// The prose check of the lint step: it is clean on the repository, and it can fail.
import { describe, expect, test } from "vitest"
import { countsOf, findings, literals, sentencesOf } from "../scripts/prose/check.mjs"
import { rules } from "../scripts/prose/rules.mjs"

const messages = (file: string, text: string) => findings(file, text).map((f) => `${f.line} ${f.message}`)

describe("prose check", () => {
  test("reports a private word in a page, a message and a comment", () => {
    expect(messages("docs/a.md", "# Title\n\nThe packet has no room.\n")).toEqual([
      expect.stringMatching(/^3 "room" in a page: write credits/),
    ])
    expect(messages("src/a.ts", 'const a = complain("x", "nobody sends it")\n')).toEqual([
      expect.stringMatching(/^1 "nobody" in a message/),
    ])
    expect(messages("src/a.ts", "// A packet\n// that stands still.\nconst a = 1\n")).toEqual([
      expect.stringMatching(/^1 "stands still" in a comment/),
    ])
  })
  test("ignores code, identifiers and words inside other words", () => {
    expect(messages("docs/a.md", "Use `room` here.\n\n```yaml\nroom: 1\n```\n\nThe classroom is open.\n")).toEqual([])
    expect(messages("src/a.ts", "const room = { ask: 1 }\n")).toEqual([])
    expect(messages("src/a.ts", "const a = /nobody asks/.test(b)\n")).toEqual([])
  })
  test("reports a sentence above 40 words, and not one of 40", () => {
    const words = (n: number) => `${Array.from({ length: n }, () => "word").join(" ")}.`
    const wrapped = (n: number) => words(n).replace(/(?:word ){10}/g, (m) => `${m.trim()}\n`)
    expect(messages("docs/a.md", `${wrapped(40)}\n`)).toEqual([])
    expect(messages("docs/a.md", `${wrapped(41)}\n`)).toEqual([expect.stringContaining("a sentence of 41 words")])
  })
  test("reports a page whose mean sentence is above 24 words", () => {
    const sentence = `Word${" word".repeat(12)}\n${"word ".repeat(12).trim()}.\n`
    expect(messages("docs/a.md", sentence.repeat(5))).toEqual([expect.stringContaining("the mean sentence has 25.0")])
  })
  test("reports a long line and a wide table", () => {
    expect(messages("docs/a.md", `${"word. ".repeat(20)}\n`)).toEqual([expect.stringContaining("a line of 120")])
    expect(messages("docs/a.md", "| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n")).not.toEqual([])
  })
  test("splits sentences at marks, not at abbreviations", () => {
    expect(sentencesOf("W. Dally et al. wrote it. It is good.")).toHaveLength(2)
    expect(countsOf("One two three. Four five.\n").mean).toBe(2.5)
  })
  test("finds texts in templates with expressions, and comments behind code", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
    const found = literals("const a = `one ${b ? `two` : 3} four` // five\n")
    expect(found.map((f) => f.text)).toEqual(["one X", "two", " four", "five"])
  })
  test("every rule has a replacement", () => {
    expect(rules.filter((r) => r.use === "")).toEqual([])
    expect(rules.length).toBeGreaterThan(30)
  })
})
