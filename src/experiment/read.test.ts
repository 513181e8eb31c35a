import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { frame } from "../terminal/format-complaint.ts"
import { read } from "./read.ts"
import { type Placed, yamlSource } from "./source.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-read-"))
afterAll(() => rmSync(dir, { recursive: true }))

function write(name: string, text: string | Uint8Array): string {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

async function refusal(path: string): Promise<Placed> {
  const got = await read(path)
  if (!("bad" in got)) throw new Error("expected a refusal")
  return got.bad[0]
}

function source(text: string) {
  const got = yamlSource("x.yaml", text)
  if ("bad" in got) throw new Error(got.bad[0].says)
  return got.ok
}

describe("places", () => {
  const text =
    "lacewing: 1\nnetwork:\n" +
    "  switch: { name: iq, vcz: 4 }\n" +
    "sweep:\n  traffic.0.load: [0.1, 2]\n" +
    "traffic:\n  - pattern: uniform\n"
  test("a value, a key, an item, and a key with dots", () => {
    const s = source(text)
    // line 3: two spaces, `switch: { name: iq, vcz: 4 }`: v of vcz is character 23, its value 28
    expect(s.locate("network.switch.vcz", "key").spot).toEqual({ line: 3, column: 23, width: 3 })
    expect(s.locate("network.switch.vcz", "value").spot).toEqual({ line: 3, column: 28, width: 1 })
    expect(s.locate("sweep.traffic.0.load.1", "value").spot).toEqual({ line: 5, column: 25, width: 1 })
    expect(s.locate("traffic.0.pattern", "value").spot).toEqual({ line: 7, column: 14, width: 7 })
  })
  test("what is missing is placed at what should hold it", () => {
    const s = source(text)
    expect(s.locate("network.topology.p", "value")).toEqual({
      spot: { line: 2, column: 1, width: 7 },
      found: "network".length,
    })
    expect(s.locate("nowhere", "value").found).toBe(0)
  })
  test("the frame shows the line and a caret below the place", () => {
    const s = source(text)
    const { spot } = s.locate("network.switch.vcz", "key")
    const shown = frame({
      file: s.file,
      text,
      spot: spot!,
      path: "network.switch.vcz",
      says: "unknown key",
      fix: 'did you mean "vcs"?',
    })
    expect(shown.split("\n")).toEqual([
      "x.yaml:3:23 network.switch.vcz",
      "  unknown key",
      "    2 | network:",
      "  > 3 |   switch: { name: iq, vcz: 4 }",
      `      | ${" ".repeat(22)}^^^`,
      "    4 | sweep:",
      '  fix: did you mean "vcs"?',
    ])
  })
})

describe("refusals", () => {
  test.each([
    ["a: 1\nb: [1, 2\nc: 3\n", "[", 2, 4],
    ["a: { b: 1\nc: 2\n", "{", 1, 4],
    ["a: [1, 2", "[", 1, 4],
    ['# [ is no bracket\na: "["\nb: { c: [1, 2 }\n', "[", 3, 9],
    ["a: [[1, 2], [3, 4]\nb: it's\n", "[", 1, 4],
  ])("in %j the bracket that is never closed is named", async (text, bracket, line, column) => {
    const c = await refusal(write("open.yaml", text))
    expect([c.says, c.spot?.line, c.spot?.column]).toEqual([`YAML: this ${bracket} is never closed`, line, column])
  })
  test.each([
    ["a: [1, 2\nb: 3\n", 1],
    ["a: 1\na: 2\n", 2],
    ["a:\n\t- 1\n", 2],
    ["--- \na: 1\n---\nb: 1\n", 3],
  ])("syntax error in %j has its line", async (text, line) => {
    const c = await refusal(write("bad.yaml", text))
    expect(c.says).toMatch(/^YAML: /)
    expect(c.spot?.line).toBe(line)
    expect(c.fix).not.toBe("")
  })
  test("no such file, a folder without experiment, an empty file, bytes that are no text", async () => {
    expect((await refusal(join(dir, "none.yaml"))).says).toBe("does not exist")
    mkdirSync(join(dir, "empty"))
    expect((await refusal(join(dir, "empty"))).says).toBe("is a folder without an experiment.yaml")
    expect((await refusal(write("empty.yaml", "# nothing\n"))).says).toBe("is empty")
    expect((await refusal(write("bytes.yaml", Uint8Array.of(0xff, 0xfe, 0)))).says).toBe("is not UTF-8 text")
  })
  test("aliases that multiply and nesting without end", async () => {
    const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for (let i = 1; i < 9; i++)
      laughs.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(", ")}]`,
      )
    expect((await refusal(write("laughs.yaml", laughs.join("\n")))).says).toMatch(/^cannot be read as YAML/)
    expect((await refusal(write("deep.yaml", "[".repeat(100_000)))).says).toMatch(/YAML/)
  })
  test("modules: default export, none, and one that throws", async () => {
    const ok = await read(write("good.mjs", "export default { lacewing: 1 }"))
    expect("ok" in ok && ok.ok.source.value).toEqual({ lacewing: 1 })
    expect((await refusal(write("none.mjs", "export const a = 1"))).says).toBe("has no default export")
    expect((await refusal(write("throws.mjs", "throw new Error('no such thing')"))).says).toBe(
      "fails as a module: Error: no such thing",
    )
  })
})

describe("no input crashes the reader", () => {
  const yamlish = fc.array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\n  ",
        "\n    ",
        ": ",
        "- ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&a ",
        "*a",
        "!!",
        "|",
        ">",
        "'",
        '"',
        "#",
        "? ",
        "<<: ",
        "---",
        "%",
        "\t",
        "~",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom("network", "traffic", "sweep", "0.1", "1e999", "__proto__", "constructor", ".nan", "5cycles"),
    ),
    { maxLength: 60 },
  )
  const survives = (text: string) => {
    const got = yamlSource("f.yaml", text)
    if ("ok" in got) {
      for (const path of ["", "network.switch", "sweep.traffic.0.load", "a.b.c", "__proto__.x"])
        for (const at of ["key", "value"] as const)
          expect(got.ok.locate(path, at).found).toBeLessThanOrEqual(path.length)
    } else for (const c of got.bad) expect(frame(c)).toContain("fix:")
  }
  test("random YAML", () =>
    fc.assert(
      fc.property(yamlish, (parts) => survives(parts.join(""))),
      { numRuns: 2000 },
    ))
  test("random JSON", () => fc.assert(fc.property(fc.json(), survives), { numRuns: 300 }))
  test("random text", () => fc.assert(fc.property(fc.string({ unit: "binary" }), survives), { numRuns: 1000 }))
})
