// Whatever a caller brings to the library comes back as complaints: no exception, no promise that never settles.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../test/support/build.ts"
import * as lacewing from "./index.ts"

built()
const ring = {
  lacewing: 1,
  network: { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" },
  traffic: { pattern: "uniform", load: 0.1, packet: "1flit" },
  measure: { warmup: "10cycles", window: "50cycles", limit: "200cycles" },
} as const
const simulator = fakeSimulator

type Answer =
  | { readonly ok: unknown }
  | { readonly bad: readonly { path: string; says: string; fix: string; file: string }[] }
/** Calls past the types, as JavaScript does. */
const check = (given: unknown, options?: unknown): Promise<Answer> => lacewing.check(given as never, options as never)
const run = (given: unknown, options?: unknown): Promise<Answer> => lacewing.run(given as never, options as never)

/** Its only complaint, as one line. */
async function only(answer: Promise<Answer>): Promise<string> {
  const got = await answer
  if ("ok" in got) return "accepted"
  return got.bad.map((c) => `${c.file} ${c.path}: ${c.says}`).join("\n")
}

describe("options", () => {
  test.each([
    [{ workers: 0 }, "options workers: expected a whole number from 1 to 1024, found number 0"],
    [{ workers: -1 }, "options workers: expected a whole number from 1 to 1024, found number -1"],
    [{ workers: Number.NaN }, "options workers: expected a whole number from 1 to 1024, found number NaN"],
    [{ workers: "2" }, 'options workers: expected a whole number from 1 to 1024, found the text "2"'],
    [{ seeds: 3 }, "options seeds: expected a list of seeds, found number 3"],
    [{ seeds: [Number.NaN] }, "options seeds: expected a count of at least 1 or a list of whole numbers, found a list"],
    [{ seeds: new Array(1) }, "options seeds: expected a count of at least 1 or a list of whole numbers, found a list"],
    [{ seeds: [] }, "options seeds: expected a count of at least 1 or a list of whole numbers, found a list"],
    [{ set: "a=b" }, 'options set: expected a list of texts, found the text "a=b"'],
    [{ set: [7] }, "options set: expected a list of texts, found a list"],
    [{ set: new Array(1) }, "options set: expected a list of texts, found a list"],
    [{ shard: { index: 3, of: 2 } }, "options shard: The index must be from 1 to the number of parts."],
    [{ out: 7 }, "options out: expected a text, found number 7"],
    [{ signal: {} }, "options signal: expected an AbortSignal, found a map"],
    [{ catalog: {} }, "options catalog: unknown key"],
    [{ onRecord: "log" }, 'options onRecord: expected a function, found the text "log"'],
    [{ worker: 2 }, "options worker: unknown key"],
    [{ simulator: "nowhere:" }, expect.stringMatching(/^options simulator: cannot be loaded/)],
    [null, "options : expected a map of options, found nothing"],
    [[], "options : expected a map of options, found a list"],
    [7, "options : expected a map of options, found number 7"],
  ])("%j", async (options, expected) => {
    expect(await only(check(ring, options))).toEqual(expected)
    expect(await only(run(ring, options))).toEqual(expected)
  })
  test("options that cannot be looked at", async () => {
    const refuses = () => {
      throw new Error("no")
    }
    expect(await only(check(ring, new Proxy({}, { ownKeys: refuses })))).toBe("options : cannot be read: no")
  })
  test("a callback that throws ends the run and is complained about", async () => {
    const options = {
      simulator,
      workers: 1,
      onRecord: () => {
        throw new Error("mine")
      },
    }
    expect(await only(run(ring, options))).toBe("options onRecord: The callback throws: mine")
  })
  test("without code neither modules nor simulators are loaded", async () => {
    expect(await only(check("x.mjs", { code: false }))).toMatch(/does not exist/)
    expect(await only(check(ring, { code: false, simulator }))).toBe(
      "options simulator: is a module, and modules are code",
    )
  })
})

describe("experiments", () => {
  const circle: Record<string, unknown> = { ...ring }
  circle["title"] = { a: circle, b: circle }
  let laughs: unknown = ["ha"]
  for (let i = 0; i < 40; i++) laughs = [laughs, laughs]
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "experiment : expected a path or an experiment, found nothing"],
    ["null", null, "experiment : expected a path or an experiment, found nothing"],
    ["a number", 7, "experiment : expected a path or an experiment, found number 7"],
    ["a function inside", { ...ring, title: () => 1 }, "experiment title: a function is not data"],
    ["a Map inside", { ...ring, sweep: new Map() }, "experiment sweep: a Map is not data"],
    ["a bigint inside", { ...ring, seeds: 3n }, "experiment seeds: a bigint is not data"],
    ["control characters", { ...ring, title: "\u001b[2J" }, "experiment title: has control characters"],
    ["half a character", { ...ring, title: "\ud800" }, "experiment title: has half of a character (a lone surrogate)"],
    ["a NUL in a path", "a\0b", "a\0b : has a character that no path can have (NUL)"],
    [
      "more values than there is memory",
      { ...ring, title: laughs },
      "experiment : stands for more than 1,000,000 values or 8,000,000 characters",
    ],
    [
      "a long list of nothing",
      { ...ring, seeds: new Array(2 ** 31) },
      "experiment : stands for more than 1,000,000 values or 8,000,000 characters",
    ],
    [
      "too many streams",
      { ...ring, traffic: new Array(256).fill(ring.traffic) },
      "experiment traffic: has 256 streams",
    ],
    [
      "a name that no file can have",
      { ...ring, traffic: { ...ring.traffic, name: "é".repeat(60) } },
      "experiment traffic.0.name: is too long for the names of tables and files",
    ],
    [
      "a name that no folder can have",
      { ...ring, name: "x".repeat(300) },
      "experiment name: is not usable as the name of a folder",
    ],
  ])("%s", async (_, given, expected) => expect((await only(check(given))).split("\n")).toContain(expected))
  test("a getter that throws", async () => {
    const refuses = () => {
      throw new Error("no")
    }
    const given = Object.defineProperty({ ...ring }, "title", { get: refuses, enumerable: true })
    expect((await only(check(given))).split("\n")).toContain("experiment : cannot be read: no")
  })
  test("a value that contains itself", async () =>
    expect((await only(check(circle))).split("\n").slice(0, 2)).toEqual([
      "experiment title.a: contains itself",
      "experiment title.b: contains itself",
    ]))
})

describe("any value at all", () => {
  const junk = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
  })
  const keys = [
    "workers",
    "out",
    "set",
    "seeds",
    "folder",
    "catalog",
    "force",
    "shard",
    "audit",
    "simulator",
    "signal",
    "code",
    "onRecord",
    "onFailure",
    "onProgress",
  ]
  const option = fc.dictionary(fc.constantFrom(...keys), fc.oneof(junk, fc.integer(), fc.string(), fc.constant([1])), {
    minKeys: 1,
  })
  const shaped = (answer: Answer) => {
    if ("ok" in answer) return
    expect(answer.bad.length).toBeGreaterThan(0)
    for (const c of answer.bad)
      expect([c.path, c.says, c.fix, c.file].map((s) => typeof s)).toEqual(["string", "string", "string", "string"])
    expect(lacewing.frames(answer.bad as never)).toContain("Nothing was run.")
  }

  test("check: experiments", () =>
    fc.assert(
      fc.asyncProperty(junk, async (given) =>
        shaped(await check(typeof given === "string" ? `/nowhere/${given}` : given)),
      ),
      { numRuns: 100 },
    ))
  test("check: options", () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(junk, option), async (options) => shaped(await check(ring, options))),
      { numRuns: 100 },
    ))
  test("plan: experiments and options", () =>
    fc.assert(
      fc.asyncProperty(junk, fc.oneof(junk, option), async (given, options) => {
        shaped(await lacewing.plan((typeof given === "string" ? `/nowhere/${given}` : given) as never))
        shaped(await lacewing.plan(ring as never, options as never))
      }),
      { numRuns: 100 },
    ))
  // `openRun` and `runPlan` take what `plan` returns, and a state that somebody may have stored
  test("openRun: a saved state", async () => {
    const planned = await lacewing.plan(ring as never)
    if ("bad" in planned) throw new Error("the experiment is valid")
    const [first] = planned.ok.runs
    if (first === undefined) throw new Error("the experiment has a run")
    const state = junk.filter((s) => s !== undefined)
    await fc.assert(
      fc.asyncProperty(state, async (saved) => {
        const got = await lacewing.openRun(first, lacewing.hostAt("."), {}, saved as never)
        expect("bad" in got ? got.bad.map((c) => c.path) : "accepted").toEqual(["saved"])
      }),
      { numRuns: 100 },
    )
  })
  test("run: options that are not all wrong are run", () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(junk, option), async (options) => {
        const safe =
          typeof options === "object" && options !== null && !Array.isArray(options) ? { ...options, out: 7 } : options
        shaped(await run(ring, safe))
      }),
      { numRuns: 100 },
    ))
  test("check: one value of an experiment replaced", () => {
    const paths = [
      "title",
      "name",
      "include",
      "network",
      "network.topology",
      "network.topology.sides",
      "network.routing",
      "network.switch",
      "engine",
      "traffic",
      "traffic.load",
      "traffic.pattern",
      "traffic.packet",
      "measure",
      "measure.limit",
      "probes",
      "seeds",
      "sweep",
      "zip",
      "variants",
      "expect",
      "search",
      "limits",
    ]
    const value = fc.oneof(
      junk,
      fc.constantFrom(
        "constructor",
        "__proto__",
        "",
        "0",
        "file",
        -1,
        2 ** 31,
        1e308,
        [[]],
        [null],
        { name: null },
        { name: "constructor" },
        { from: 0, to: 1e308, step: 1e-300 },
      ),
    )
    return fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), value, async (path, v) => {
        const given = structuredClone(ring) as Record<string, unknown>
        const [head, ...rest] = path.split(".") as [string, ...string[]]
        if (rest.length === 0) given[head] = v
        else {
          const last = rest.pop()!
          const at = rest.reduce((o, k) => o[k] as Record<string, unknown>, given[head] as Record<string, unknown>)
          at[last] = v
        }
        shaped(await check(given))
      }),
      { numRuns: 250 },
    )
  })
  test("the other exports", () =>
    fc.assert(
      fc.property(junk, junk, junk, (a, b, c) => {
        expect(lacewing.defineExperiment(a as never)).toBe(a)
        expect(lacewing.definePlugin(a as never)).toBe(a)
        expect(Object.keys(lacewing.complain(a as never, b as never, c as never))).toEqual(["path", "says", "fix"])
        expect(lacewing.frames(a as never)).toContain("Nothing was run.")
        const catalog = new lacewing.Catalog()
        expect(catalog.find(a as never, b as never)).toBeUndefined()
        expect(catalog.family(a as never)).toEqual([])
        expect(typeof catalog.advice(a as never, b as never)).toBe("string")
        expect(Object.values(catalog.kind(a as never))).toHaveLength(1)
      }),
      { numRuns: 100 },
    ))
  test("these are all the functions of the library", () =>
    expect(Object.keys(lacewing).sort()).toEqual([
      "Catalog",
      "GraphBuilder",
      "check",
      "complain",
      "defineExperiment",
      "definePlugin",
      "frames",
      "hostAt",
      "kit",
      "library",
      "openRun",
      "plan",
      "reasonMissing",
      "run",
      "runPlan",
      "told",
      "valueIn",
    ]))
})
