// The name of a run changes when its results can change: results of small scenes are recorded with the revisions of
// what they use. `npm run revisions` writes recorded.json, unless a revision was forgotten.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { partRevisions, revisionsIn } from "../../src/experiment/identity/revisions.ts"
import { library } from "../../src/library.ts"
import { oldPluginName } from "../../src/model/renamed.ts"
import { compare, revisionsOf, type Scene, type Scenes } from "./compare.ts"
import { planned, played, scenes } from "./scenes.ts"

const file = new URL("./recorded.json", import.meta.url)
const writes = process.env["LACEWING_REVISIONS"] === "write"

async function today(): Promise<Scenes> {
  const made: Record<string, Scene> = {}
  for (const [name, tree] of scenes) made[name] = await played(name, tree)
  return made
}

describe("recorded scenes", () => {
  test("a plug-in, an engine or a procedure whose results change has another revision", async () => {
    const recorded: Scenes = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
    const now = await today()
    const { wrong, stale } = compare(recorded, now)
    expect(wrong).toEqual([])
    if (writes) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
    else expect(stale, "test/revisions/recorded.json is out of date: run npm run revisions").toEqual([])
  })
  test("every plug-in, engine and procedure is used by a scene", () => {
    const used = new Set([...scenes].flatMap(([name, tree]) => [...revisionsIn(planned(name, tree).revisions).keys()]))
    const all = [...library.map((p) => `${p.kind} ${oldPluginName(p.kind, p.name)}`), ...Object.keys(partRevisions)]
    expect(all.filter((what) => !used.has(what))).toEqual([])
  })
})

describe("the comparison", () => {
  const scene = (revisions: string, print: string, asks = "a"): Scene => ({ asks, revisions, print })
  const recorded = {
    one: scene("engine flit 1, switch tiled 2", "x"),
    two: scene("engine flit 1, switch combined 1", "y"),
  }
  const wrong = (now: Scenes) => compare(recorded, now).wrong

  test("accepts what is recorded", () => expect(compare(recorded, recorded)).toEqual({ wrong: [], stale: [] }))
  test("names a scene whose results changed while its revisions did not", () => {
    const found = wrong({ ...recorded, one: scene("engine flit 1, switch tiled 2", "other") })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(
      /^scene "one": its results changed, but none of its revisions did \(engine flit 1, switch tiled 2\)\./,
    )
  })
  test("accepts a change with a raised revision, and asks to record it", () => {
    const now = { ...recorded, one: scene("engine flit 1, switch tiled 3", "other") }
    expect(compare(recorded, now)).toEqual({ wrong: [], stale: ["one"] })
  })
  test("names every scene that the raised revision does not explain", () => {
    const now = {
      one: scene("engine flit 1, switch tiled 3", "other"),
      two: scene("engine flit 1, switch combined 1", "other"),
    }
    expect(wrong(now)).toEqual([expect.stringMatching(/^scene "two": /)])
  })
  test("refuses a revision that was raised although no scene changed", () => {
    const found = wrong({ ...recorded, one: scene("engine flit 1, switch tiled 3", "x") })
    expect(found).toEqual([
      expect.stringMatching(/^switch tiled: its revision was raised from 2 to 3, but no scene that uses it changed\./),
    ])
  })
  test("accepts a raised revision where a new scene shows the change", () => {
    const now = {
      ...recorded,
      one: scene("engine flit 1, switch tiled 3", "x"),
      three: scene("engine flit 1, switch tiled 3", "z"),
    }
    expect(wrong(now)).toEqual([])
  })
  test("refuses a raised revision that was deleted again after it was recorded", () => {
    const found = wrong({ ...recorded, one: scene("engine flit 1, switch tiled 1", "x") })
    expect(found).toEqual([expect.stringMatching(/^switch tiled: its revision went from 2 to 1\./)])
  })
  test("accepts other results of another specification: the run has another name", () => {
    const now = { ...recorded, one: scene("engine flit 1, switch tiled 2", "other", "b") }
    expect(compare(recorded, now)).toEqual({ wrong: [], stale: ["one"] })
  })
  test("collects the revision of every part", () => {
    expect([...revisionsOf(recorded)]).toEqual([
      ["engine flit", 1],
      ["switch tiled", 2],
      ["switch combined", 1],
    ])
  })
})
