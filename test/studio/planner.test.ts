// The desk: text and form edit each other, complaints know their line, and what the site has planned when it was made
// is what the desk plans.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { Catalog } from "../../src/experiment/catalog.ts"
import { completionsAt } from "../../studio/planner/complete.ts"
import { fitsTopology, formOf } from "../../studio/planner/form.ts"
import { planned, written } from "../../studio/planner/planner.ts"
import { type BuiltStory, storyNames } from "../../studio/shared/stories.ts"
import { built, root } from "../support/build.ts"
import { specOf } from "./live.ts"

const text = `lacewing: 1
# the network
network:
  topology: { name: mesh, sides: 4x4 } # small
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2 }
traffic:
  - { name: near, pattern: neighbour, load: 0.1 }
  - { name: far, pattern: uniform, load: 0.2 }
`
const field = async (t: string, path: string) => {
  const found = formOf(t, await specOf(t), new Catalog())
    .flatMap((p) => p.fields)
    .find((f) => f.path === path)
  if (found === undefined) throw new Error(`no field ${path}`)
  return found
}

describe("form and text", () => {
  test.each([
    ["network.topology.sides", "5x5"],
    ["network.switch.vcs", 4],
    ["network.switch.speed", 2],
    ["network.routing.name", "mesh.adaptive"],
    ["traffic.0.load", 0.3],
    ["traffic.1.load", 0.4],
    ["traffic.1.pattern.name", "transpose"],
    ["measure.window", "2kcycles"],
    ["network.cycle", "2ns"],
  ])("%s written by the form stands in the text, is planned, and comes back in the form", async (path, value) => {
    const after = written(text, path, value)
    expect(after).toContain("# the network")
    expect(after).toContain("# small")
    expect(after).not.toBe(text)
    const f = await field(after, path)
    expect(f.written).toBe(true)
    expect(String(f.value)).toBe(String(value))
    // taken out again it is as if it had never been written
    if (!(await field(text, path)).written)
      expect((await field(written(after, path, null), path)).value).toEqual((await field(text, path)).value)
  })

  test("what is written in the text is what the form shows; a key that is swept cannot be set there", async () => {
    expect((await field(text, "network.switch.vcs")).value).toBe(2)
    expect((await field(text.replace("vcs: 2", "vcs: 3"), "network.switch.vcs")).value).toBe(3)
    expect((await field(text, "network.switch.vcs")).swept).toBe(false)
    expect((await field(`${text}sweep: { network.switch.vcs: [2, 4] }\n`, "network.switch.vcs")).swept).toBe(true)
  })

  test("one stream that stands without a list", async () => {
    const one = text.replace(/traffic:[\s\S]*/, "traffic: { pattern: uniform, load: 0.2 }\n")
    expect(written(one, "traffic.0.load", 0.5)).toContain("load: 0.5")
    expect((await field(written(one, "traffic.0.pattern.name", "transpose"), "traffic.0.pattern.name")).value).toBe(
      "transpose",
    )
  })
})

describe("complaints stand at their line", () => {
  test.each([
    ["an unknown key", "switch: { name: input-queued, vcs: 2 }", "switch: { name: input-queued, vsc: 2 }", 6],
    ["an unknown name", "mesh.dimension-order", "mesh.dimension-ordre", 5],
    ["a value out of range", "load: 0.2", "load: -2", 9],
    ["no YAML", "pattern: neighbour,", "pattern: [neighbour,", 8],
  ])("%s", async (_, from, to, line) => {
    const made = await planned(text.replace(from, to), "e.yaml", {})
    if (!("bad" in made)) throw new Error("accepted")
    expect(made.bad.map((c) => c.line)).toContain(line)
    for (const c of made.bad) expect(c.says).not.toBe("")
  })
})

test("the stories that the site has planned when it was made are planned alike here", async () => {
  const stories = JSON.parse(readFileSync(join(built(), "studio/stories.json"), "utf8"))
  expect(Object.keys(stories)).toEqual([...storyNames])
  for (const [name, { text, set, a, b }] of Object.entries<BuiltStory>(stories)) {
    expect(text).toBe(readFileSync(join(root, `studio/stories/${name}.yaml`), "utf8"))
    for (const [built, changes] of [
      [a, []],
      [b, set],
    ] as const) {
      const made = await planned(text, `${name}.yaml`, {}, changes)
      if ("bad" in made) throw new Error(JSON.stringify(made.bad))
      expect(made.ok.runs).toHaveLength(1)
      expect(built).toEqual(JSON.parse(JSON.stringify(made.ok.runs[0])))
    }
  }
  const { texts } = JSON.parse(readFileSync(join(built(), "studio/experiments.json"), "utf8"))
  expect(texts["first-curve"]).toBe(readFileSync(join(root, "experiments/first-curve/experiment.yaml"), "utf8"))
})

describe("completion at the cursor (^)", () => {
  const labels = (marked: string) => {
    const offset = marked.indexOf("^")
    const found = completionsAt(marked.replace("^", ""), offset, new Catalog(), fitsTopology)
    return found?.items.map((i) => i.label)
  }
  test.each([
    ["a key of the top level", "lacewing: 1\nnet^", ["network"]],
    ["a key of a block", "network:\n  topology: mesh\n  swi^", ["switch"]],
    ["a key of a plug-in in a flow map", "network:\n  topology: { name: dragonfly, p: 2, ^ }", ["a", "h", "g"]],
    ["a key of a plug-in in a block", "network:\n  switch:\n    name: input-queued\n    tail^", ["tailCredit"]],
    ["the name of a plug-in", "network:\n  topology: drago^", ["dragonfly"]],
    [
      "a routing that fits the topology first",
      "network:\n  topology: { name: torus, sides: 4x4 }\n  routing: ^",
      ["torus.adaptive"],
    ],
    ["a value of a list of streams", "traffic:\n  - { name: a, pattern: hot^", ["hotspot"]],
    ["true or false", "network:\n  switch: { name: input-queued, tailCredit: ^ }", ["true", "false"]],
    ["a key after the comment of another line", "measure: # how long\n  warm^", ["warmup"]],
    ["a flow map over several lines", "measure: { warmup: 1kcycles,\n  wind^ }", ["window"]],
    ["a probe in a list", "probes: [lat^]", ["latency"]],
  ])("%s", (_, marked, expected) => {
    expect(labels(marked)?.slice(0, Math.max(12, expected.length))).toEqual(expect.arrayContaining(expected))
  })
  test("nothing in comments, quotes, and unknown places; keys that are there are not offered again", () => {
    expect(labels("network: # to^")).toBeUndefined()
    expect(labels('title: "net^"')).toBeUndefined()
    expect(labels("network:\n  nothing:\n    a^")).toBeUndefined()
    expect(labels("network:\n  topology: mesh\n  ^\n  routing: x")).not.toContain("routing")
    expect(labels("network: { topology: { name: torus }, routing: torus.^ }")?.[0]).toMatch(/^torus\./)
  })
})
