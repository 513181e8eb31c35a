import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { small } from "../../test/support/catalog.ts"
import { placeOf } from "../terminal/format-complaint.ts"
import { hostAt } from "./disk/host.ts"
import { type Plan, type PlanOptions, plan } from "./plan.ts"
import { type Placed, plainSource, yamlSource } from "./source.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-plan-"))
afterAll(() => rmSync(dir, { recursive: true }))

const base = `lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: { name: dragonfly.ugal-l, bias: 0flits }
  switch: { name: input-queued, vcs: 5 }
traffic: { pattern: uniform, load: 0.1, packet: 1flit }
`

function attempt(text: string, options: PlanOptions = {}) {
  const source = yamlSource("x.yaml", text)
  if ("bad" in source) throw new Error(source.bad[0].says)
  return plan({ source: source.ok, host: hostAt(dir), name: "x" }, { catalog: small, ...options })
}
function good(text: string, options: PlanOptions = {}): Plan {
  const got = attempt(text, options)
  if ("bad" in got) throw new Error(got.bad.map((c) => `${placeOf(c)} ${c.path} ${c.says}`).join("\n"))
  return got.ok
}
function bad(text: string, options: PlanOptions = {}): Placed[] {
  const got = attempt(text, options)
  if ("ok" in got) throw new Error("expected complaints")
  return got.bad
}
const told = (c: Placed) => `${placeOf(c)} ${c.path}: ${c.says} | ${c.fix}`

describe("completion", () => {
  test("shorthand and defaults become a complete run", () => {
    const [run] = good(base).runs
    expect(run!.spec).toEqual({
      network: {
        topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
        routing: { name: "dragonfly.ugal-l", bias: "0flits" },
        switch: { name: "input-queued", vcs: 5, buffer: "8flits" },
        endpoint: { name: "source" },
        links: {},
        cycle: "1ns",
        flit: "8B",
      },
      engine: { name: "flit" },
      traffic: [
        {
          name: "uniform",
          pattern: { name: "uniform" },
          arrivals: { name: "bernoulli" },
          packet: { name: "fixed", size: "1flit" },
          message: { name: "fixed", size: "1packet" },
          load: 0.1,
          from: "all",
          start: "0cycles",
          stop: "never",
          priority: 0,
          class: 0,
          reply: "0flits",
        },
      ],
      measure: {
        warmup: "auto",
        window: "auto",
        precision: 0.02,
        limit: "200kcycles",
        drain: "measured",
        saturation: "early",
        series: "0cycles",
      },
      probes: [],
      seed: 1,
    })
  })
  test("equal runs have equal names however they are written; any change gives another", () => {
    const name = (text: string, o: PlanOptions = {}) => good(text, o).runs[0].hash
    const plain = name(base)
    expect(name(base.replace("load: 0.1", "load: 10%"))).toBe(plain)
    expect(name(base.replace("{ name: input-queued, vcs: 5 }", "{ vcs: 5, name: input-queued, buffer: 8flits }"))).toBe(
      plain,
    )
    expect(name(`title: other words\n${base}`)).toBe(plain)
    expect(name(base, { seeds: [2] })).not.toBe(plain)
    expect(name(base.replace("vcs: 5", "vcs: 6"))).not.toBe(plain)
  })
  test("an alias is the plug-in's own name in the specification", () => {
    expect(good(base.replace("uniform", "adversarial")).runs[0].spec.traffic[0].pattern).toEqual({
      name: "group-adversarial",
      offset: 1,
    })
  })
  test("streams are named after their pattern", () => {
    const text =
      `${base.replace(/traffic:.*\n/, "")}traffic:\n` +
      `  - { load: 0.1 }\n  - { load: 0.2 }\n` +
      `  - { load: 0.2, name: mine }\n`
    expect(good(text).runs[0].spec.traffic.map((t) => t.name)).toEqual(["uniform", "uniform-2", "mine"])
  })
  test("what a file holds is part of the name", () => {
    writeFileSync(join(dir, "edges.txt"), "0 1\n")
    const text = base.replace(/topology:.*\n/, "topology: { name: graph, file: edges.txt }\n")
    const before = good(text).runs[0].hash
    writeFileSync(join(dir, "edges.txt"), "0 2\n")
    expect(good(text).runs[0].hash).not.toBe(before)
    expect(bad(text.replace("edges.txt", "none.txt")).map(told)).toEqual([
      "x.yaml:3:34 network.topology.file: none.txt does not exist | paths are relative to the folder of the experiment",
    ])
  })
})

describe("sweeps", () => {
  test("2 variants x 3 loads x 2 seeds = 12 runs; the last key varies fastest, seeds fastest of all", () => {
    const p = good(
      `${base}variants: { low: {}, high: { network.switch.vcs: 8 } }\n` +
        `sweep: { traffic.0.load: [0.1, 0.2, 0.3] }\n` +
        `seeds: 2\n`,
    )
    expect(p.runs.length).toBe(12)
    expect(p.runs.slice(0, 3).map((r) => [r.point, r.seed])).toEqual([
      [{ variant: "low", load: 0.1 }, 1],
      [{ variant: "low", load: 0.1 }, 2],
      [{ variant: "low", load: 0.2 }, 1],
    ])
    expect(p.runs[11].spec.network.switch["vcs"]).toBe(8)
    expect(p.points).toEqual(
      new Map([
        ["variant", ["low", "high"]],
        ["load", [0.1, 0.2, 0.3]],
      ]),
    )
  })
  test("another routing by name leaves the former one's parameters behind", () => {
    const p = good(`${base}sweep: { network.routing.name: [dragonfly.minimal, dragonfly.ugal-l] }\n`)
    expect(p.runs.map((r) => r.spec.network.routing)).toEqual([
      { name: "dragonfly.minimal" },
      { name: "dragonfly.ugal-l", bias: "0flits" },
    ])
    expect(p.runs.map((r) => r.point)).toEqual([{ routing: "dragonfly.minimal" }, { routing: "dragonfly.ugal-l" }])
  })
  test("a number that a list does not have is complained about, not made room for; one more may be added", () => {
    const far = bad(`${base}sweep: { traffic.1000000000: [0.1, 0.2] }\n`)
    expect(far.map((c) => c.says)).toContain("there is no number 1000000000: the list has 1, counted from 0")
    const more = good(base, { set: ["traffic.1={pattern: uniform, load: 0.2, packet: 1flit}"] })
    expect(more.runs[0].spec.traffic).toHaveLength(2)
  })
  test("zip varies lists together", () => {
    const p = good(`${base}zip: { network.switch.vcs: [4, 8], network.switch.buffer: [8flits, 4flits] }\n`)
    expect(p.runs.map((r) => r.point)).toEqual([
      { vcs: 4, buffer: "8flits" },
      { vcs: 8, buffer: "4flits" },
    ])
  })
  test("a range holds its ends and no digits of floating point", () => {
    const p = good(`${base}sweep: { traffic.load: { from: 0.1, to: 0.9, step: 0.1 } }\n`)
    expect(p.runs.map((r) => r.spec.traffic[0].load)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
  })
  test("a range of tiny or of exponential numbers is exact, too", () => {
    const loads = (range: string) =>
      good(`${base}sweep: { traffic.load: ${range} }\n`).runs.map((r) => r.spec.traffic[0].load)
    expect(loads("{ from: 0.0000001, to: 0.0000005, step: 0.0000001 }")).toEqual([1e-7, 2e-7, 3e-7, 4e-7, 5e-7])
    expect(loads("{ from: 2.5e-7, to: 1e-6, step: 2.5e-7 }")).toEqual([2.5e-7, 5e-7, 7.5e-7, 1e-6])
    expect(loads("{ from: 1e-1, to: 3e-1, step: 1e-1 }")).toEqual([0.1, 0.2, 0.3])
  })
  test("variants: a map with a name replaces a plug-in, one without changes its parameters", () => {
    const p = good(
      `${base}variants:\n  a: { network: { routing: dragonfly.minimal } }\n` +
        `  b: { network: { routing: { bias: 4flits }, switch: { vcs: 7 } }, traffic: { load: 0.3 } }\n`,
    )
    expect(p.runs[0].spec.network.routing).toEqual({ name: "dragonfly.minimal" })
    expect(p.runs[1].spec.network.routing).toEqual({ name: "dragonfly.ugal-l", bias: "4flits" })
    expect(p.runs[1].spec.network.switch["vcs"]).toBe(7)
    expect(p.runs[1].spec.traffic[0].load).toBe(0.3)
  })
  test("positions that come to the same run are run once", () => {
    expect(good(`${base}variants: { a: {}, b: {} }\n`).runs.length).toBe(1)
  })
  test("--set pins a swept key, reaches every stream, and can bring a sweep", () => {
    const text = `${base}sweep: { traffic.0.load: [0.1, 0.2] }\n`
    expect(
      good(text, { set: ["traffic.load=0.4", "network.switch.vcs=9"] }).runs.map((r) => [
        r.spec.traffic[0].load,
        r.spec.network.switch["vcs"],
      ]),
    ).toEqual([[0.4, 9]])
    expect(good(base, { set: ["sweep.traffic.load=[0.1, 0.2, 0.3]", "seeds=2"] }).runs.length).toBe(6)
  })
  test("10^9 points are refused with the count, at once", () => {
    const many = `[${Array.from({ length: 1000 }, (_, i) => (i + 1) / 1000).join(", ")}]`
    // expanded they would not fit any memory
    const [c] = bad(
      `${base}sweep:\n  traffic.load: ${many}\n  network.switch.vcs: ${many}\n  network.switch.buffer: ${many}\n`,
    )
    expect(c!.says).toBe("makes 1,000,000,000 runs")
    expect(bad(`${base}sweep: { traffic.load: { from: 0, to: 1, step: 0.000000001 } }\n`)[0].says).toBe(
      "makes 1,000,000,001 runs",
    )
  })
})

describe("includes", () => {
  test("the file wins over what it includes; complaints name the file that is wrong", () => {
    writeFileSync(join(dir, "base.yaml"), base)
    expect(
      good("lacewing: 1\ninclude: base.yaml\nnetwork: { switch: { name: input-queued, vcs: 9 } }\n").runs[0].spec
        .network.switch["vcs"],
    ).toBe(9)
    writeFileSync(join(dir, "wrong.yaml"), base.replace("vcs: 5", "vcs: 0"))
    const [c] = bad("include: wrong.yaml\nseeds: 2\n")
    expect(c!.file).toMatch(/wrong\.yaml$/)
    expect([c!.spot?.line, c!.path, c!.says]).toEqual([5, "network.switch.vcs", "0 is too small"])
  })
  test("a circle and a file that is not there", () => {
    writeFileSync(join(dir, "circle.yaml"), "include: circle.yaml\n")
    expect(bad("include: circle.yaml\n").map((c) => c.says)).toContain("includes itself")
    expect(told(bad(`include: gone.yaml\n${base}`)[0])).toBe(
      "x.yaml:1:10 include: gone.yaml does not exist | check the path and its permissions",
    )
  })
})

describe("complaints, each with its place", () => {
  test.each<[string, string, string[]]>([
    [
      "unknown key",
      base.replace("vcs: 5", "vcz: 5"),
      ['x.yaml:5:33 network.switch.vcz: unknown key | did you mean "vcs"?'],
    ],
    ["unknown key at the top", `${base}swep: {}\n`, ['x.yaml:7:1 swep: unknown key | did you mean "sweep"?']],
    [
      "wrong type",
      base.replace("p: 2", "p: two"),
      [
        "x.yaml:3:35 network.topology.p: expected a whole number, found the text " +
          '"two" | write a whole number without a unit',
      ],
    ],
    [
      "load of 65 rails",
      base.replace("0.1", "65"),
      ["x.yaml:6:36 traffic.0.load: 65 is too large | choose a value at least 0, at most 64"],
    ],
    [
      "0 VCs",
      base.replace("vcs: 5", "vcs: 0"),
      ["x.yaml:5:38 network.switch.vcs: 0 is too small | choose a value at least 1, at most 16"],
    ],
    [
      "unknown topology",
      base.replace("name: dragonfly,", "name: dragonfyl,"),
      ['x.yaml:3:21 network.topology.name: there is no topology "dragonfyl" | did you mean "dragonfly"?'],
    ],
    [
      "unknown pattern in one word",
      base.replace("uniform", "unifrom"),
      ['x.yaml:6:21 traffic.0.pattern.name: there is no pattern "unifrom" | did you mean "uniform"?'],
    ],
    [
      "missing topology",
      base.replace(/ {2}topology:.*\n/, ""),
      ["x.yaml:2:1 network.topology: is missing | add topology: How links connect routers and endpoints"],
    ],
    [
      "missing version",
      base.replace("lacewing: 1\n", ""),
      ["x.yaml:1:1 lacewing: is missing | start the file with lacewing: 1"],
    ],
    [
      "in a sweep",
      `${base}sweep: { network.switch.vcs: [4, 0] }\n`,
      ["x.yaml:7:34 network.switch.vcs: 0 is too small | choose a value at least 1, at most 16"],
    ],
    [
      "unknown swept key",
      `${base}sweep: { network.swich.vcs: [4] }\n`,
      ['x.yaml:7:10 network.swich: unknown key | did you mean "switch"?'],
    ],
    [
      "a swept key without its place",
      `${base}sweep: { load: [0.1] }\n`,
      ['x.yaml:7:17 load: is not a key of a run | did you mean "traffic.load"?'],
    ],
    [
      "zip of unequal lists",
      `${base}zip: { network.switch.vcs: [4], traffic.load: [0.1, 0.2] }\n`,
      [
        "x.yaml:7:1 zip: its lists differ in length: network.switch.vcs has 1, traffic.load has 2 " +
          "| give them equal lengths, or use sweep for all combinations",
      ],
    ],
    [
      "expect on a value that other machines give",
      `${base}expect: [message.mean < 60cycles]\n`,
      [
        'x.yaml:7:10 expect.0: input-queued runs do not give "message.mean" | it is ' +
          "given by packet: lacewing explain message.mean",
      ],
    ],
    [
      "expect on an unknown value",
      `${base}expect: [latency.meen < 60cycles]\n`,
      ['x.yaml:7:10 expect.0: "latency.meen" is not a measured value | did you mean "latency.mean"?'],
    ],
    [
      "expect without a unit",
      `${base}expect: [latency.mean < 60]\n`,
      ['x.yaml:7:10 expect.0: "60" has no unit | write a duration such as 60cycles or 90ns'],
    ],
    [
      "expect at no point",
      `${base}sweep: { traffic.load: [0.1] }\nexpect: latency.mean at load=0.2 < 60cycles\n`,
      ["x.yaml:8:9 expect: no point has load=0.2 | load has the values 0.1"],
    ],
    [
      "a search beside a sweep of its loads",
      `${base}search: saturation\nsweep: { traffic.0.load: [0.1] }\n`,
      ["x.yaml:7:9 search: determines the loads, but the sweep does, too | remove one of the two"],
    ],
    [
      "no seeds",
      `${base}seeds: 0\n`,
      [
        "x.yaml:7:8 seeds: expected a count of at least 1 or a list of whole numbers, found " +
          "number 0 | write seeds: 3, or a list such as [1, 2, 3]",
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(bad(text).map(told)).toEqual(expected)
  })
  test("missing unit says which units there are", () => {
    const [c] = bad(base.replace("bias: 0flits", "bias: 4"))
    expect(told(c!)).toBe(
      "x.yaml:4:44 network.routing.bias: 4 has no unit | write a value in " +
        "flits, kflits, B, kB or KiB, for example 64flits",
    )
  })
  test("several mistakes come at once, and those of every point only once", () => {
    const text =
      `${base.replace("vcs: 5", "vcz: 5").replace("p: 2", "p: -1").replace("0.1", "high")}sweep: ` +
      `{ network.switch.buffer: [1flit, 2flits] }\n`
    expect(bad(text).map((c) => c.path)).toEqual(["network.topology.p", "network.switch.vcz", "traffic.0.load"])
  })
  test("the command line is a place too", () => {
    expect(bad(base, { set: ["network.switch.vcs=0"] }).map(told)).toEqual([
      "--set network.switch.vcs=0 network.switch.vcs: 0 is too small | choose a value at least 1, at most 16",
    ])
    expect(bad(base, { set: ["traffic.0.lod=0.2"] }).map(told)).toEqual([
      '--set traffic.0.lod=0.2 traffic.0.lod: unknown key | did you mean "load"?',
    ])
    expect(bad(base, { set: ["vcs"] })[0].says).toBe("expected key=value")
  })
  test("limits have units", () => {
    expect(good(`${base}limits: { time: 90s, memory: 2GiB }\n`).limits).toEqual({ seconds: 90, megabytes: 2048 })
    expect(bad(`${base}limits: { time: 90 }\n`)[0].says).toBe("90 has no unit")
  })
})

describe("no value crashes the planner", () => {
  const word = fc.constantFrom(
    "lacewing",
    "network",
    "topology",
    "name",
    "traffic",
    "load",
    "sweep",
    "zip",
    "variants",
    "expect",
    "seeds",
    "include",
    "search",
    "limits",
    "measure",
    "engine",
    "probes",
    "dragonfly",
    "__proto__",
    "toString",
    "traffic.0.load",
    "network.switch.vcs",
    "a.b",
    ".",
    "",
  )
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      word,
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("5cycles", "40%", "1flit", "latency.mean at load=1 < 5cycles"),
    ),
    tree: fc.oneof(
      { maxDepth: 5 },
      tie("leaf"),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(word, tie("tree"), { maxKeys: 6 }),
    ),
  }))
  const top = fc.dictionary(word, tree, { maxKeys: 8 })
  test("random trees", () => {
    fc.assert(
      fc.property(
        top,
        fc.array(
          fc.tuple(word, fc.string()).map(([k, v]) => `${k}=${v}`),
          { maxLength: 2 },
        ),
        (value, set) => {
          const got = plan(
            { source: plainSource("m.mjs", value), host: hostAt(dir), name: "m" },
            { catalog: small, set },
          )
          if ("bad" in got) for (const c of got.bad) expect(c.fix).not.toBe("")
        },
      ),
      { numRuns: 1500 },
    )
  })
  test("random changes of a good file", () => {
    const parsed = {
      lacewing: 1,
      network: { topology: { name: "dragonfly", p: 2, a: 4, h: 2 }, routing: "dragonfly.minimal" },
      traffic: { load: 0.1 },
    }
    fc.assert(
      fc.property(
        fc.constantFrom(
          "network.switch",
          "network.links",
          "network.cycle",
          "traffic",
          "traffic.0",
          "measure.limit",
          "seeds",
          "sweep",
          "variants",
          "expect",
          "search",
          "probes",
          "engine",
        ),
        tree,
        (path, value) => {
          const changed = structuredClone(parsed) as Record<string, unknown>
          let at = changed
          const keys = path.split(".")
          for (const k of keys.slice(0, -1))
            at = at[k] = typeof at[k] === "object" ? (at[k] as Record<string, unknown>) : {}
          at[keys.at(-1)!] = value
          const got = plan({ source: plainSource("m.mjs", changed), host: hostAt(dir), name: "m" }, { catalog: small })
          if ("ok" in got) expect(got.ok.runs.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
