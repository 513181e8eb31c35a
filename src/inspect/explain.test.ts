import { describe, expect, test } from "vitest"
import { small } from "../../test/support/catalog.ts"
import { Catalog } from "../experiment/catalog.ts"
import { editorSchema } from "../experiment/editor-schema.ts"
import { topKeys } from "../experiment/keys.ts"
import { type Explanation, explain } from "./explain.ts"

function told(key: string, catalog = small): readonly Explanation[] {
  const got = explain(key, catalog)
  if ("bad" in got) throw new Error(got.bad[0].fix)
  return got.ok
}

describe("explain", () => {
  test("a parameter: meaning, type, range, default, source", () => {
    expect(told("network.switch.vcs")).toEqual([
      {
        key: "network.switch.vcs",
        about: "virtual channels",
        type: "integer",
        range: "at least 1, at most 16",
        default: 4,
        required: false,
        source: "switch input-queued",
      },
    ])
  })
  test("a stream's key with or without its number, a plug-in by alias, a value", () => {
    expect(told("traffic.2.load")).toEqual(told("traffic.load"))
    expect(told("adversarial")[0]).toMatchObject({
      key: "group-adversarial",
      type: "pattern",
      keys: ["offset: integer (default 1)"],
    })
    expect(told("latency.mean")[0]).toMatchObject({ unit: "cycles", source: "measured value" })
  })
  test("everything in the library says what it means", () => {
    const catalog = new Catalog()
    const silent = catalog.plugins.flatMap((p) => {
      const params = Object.entries(p.params.describe()).filter(([, info]) => info.about === "")
      return [...(p.about === "" ? [p.name] : []), ...params.map(([key]) => `${p.name}.${key}`)]
    })
    expect(silent).toEqual([])
    for (const p of catalog.plugins) expect(told(p.name, catalog).length).toBeGreaterThan(0)
  })
  test("a slip gets the nearest key", () => {
    expect(explain("network.swich.vcs", small)).toEqual({
      bad: [
        {
          path: "network.swich.vcs",
          says: "There is no key, plug-in, value or term with this name.",
          fix: 'did you mean "network.switch.vcs"?',
        },
      ],
    })
    expect(explain("nothing.of-the-kind", small)).toMatchObject({
      bad: [{ says: "There is no key, plug-in, value or term with this name." }],
    })
  })
  test("a word finds what has it in its name, then what has it in its text", () => {
    const keys = (word: string) => told(word, new Catalog()).map((e) => e.key)
    expect(told("vcs")[0].key).toBe("network.switch.vcs")
    expect(keys("ugal").slice(0, 2)).toEqual(["dragonfly.booksim-ugal", "dragonfly.ugal-g"])
    expect(keys("UGAL")).toContain("slimfly.ugal-l")
    expect(keys("saturation").slice(0, 2)).toEqual(["saturation", "measure.saturation"])
    expect(keys("saturation")).toContain("search")
  })
})

describe("the editor's schema", () => {
  const schema = editorSchema(small) as {
    properties: Record<string, { description?: string; properties?: Record<string, unknown> }>
    required: string[]
    additionalProperties: boolean
  }
  test("has every key of the file and no other, only the version is required", () => {
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(topKeys).sort())
    expect([schema.required, schema.additionalProperties]).toEqual([["lacewing"], false])
  })
  test("knows plug-ins and their parameters", () => {
    const text = JSON.stringify(schema.properties["network"].properties!["switch"])
    for (const word of ["input-queued", "vcs", "buffer", "virtual channels"]) expect(text).toContain(word)
  })
})
