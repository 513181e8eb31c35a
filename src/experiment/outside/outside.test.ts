// Plug-ins that an experiment brings: found by name in all messages and commands, part of a run's name, the same bits
// in every thread, and complained about with place and fix where they are broken.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { built, install } from "../../../test/support/build.ts"
import { check, type ExperimentInput, run } from "../../api.ts"
import { proofLines } from "../../inspect/quick-proof.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import { Catalog } from "../catalog.ts"
import { hostAt } from "../disk/host.ts"
import { editorSchema } from "../editor-schema.ts"
import { loadPlan } from "../load.ts"
import { faultOf } from "./fault.ts"
import { outsideOf } from "./known.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-outside-"))
beforeAll(() => install(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The last dimension first, on a mesh. */
const yx = `export default {
  kind: "routing", name: "my.yx", about: "Last dimension first.", topologies: ["mesh"], adaptive: false,
  vcs: () => 1,
  make(_, { topology: { graph, sides }, vcs }) {
    const all = 2 ** vcs - 1
    return {
      route(p, at, inPort, inVc, net, out) {
        const home = graph.home[net.dst(p)]
        const goal = graph.routerOf[home]
        if (goal === at) return out.add(home - graph.firstChan[at], all, 0)
        let step = graph.routers
        for (let d = sides.length - 1; d >= 0; d--) {
          step /= sides[d]
          const [here, there] = [Math.floor(at / step) % sides[d], Math.floor(goal / step) % sides[d]]
          if (here !== there) return out.add(2 * d + (there > here ? 0 : 1), all, 0)
        }
      },
    }
  },
}
`
const traffic = `export default [
  { kind: "pattern", name: "my.next", about: "The next endpoint.", make: (_, on) => ({ dest: (e) => (e + 1) % on.topology.graph.ends }) },
  { kind: "sizes", name: "my.three", about: "Three flits.", make: () => ({ mean: 3, max: 3, fixed: 3, size: () => 3 }) },
  { kind: "arrivals", name: "my.steady", about: "One in so many cycles.", make: (_, on) => ({ first: (e) => e % 4, next: (_e, last) => last + Math.round(1 / on.rate) }) },
  { kind: "probe", name: "my.sum", about: "Flits of all channels.", make: () => ({ report: (r) => ({ tables: {}, values: { "my.sum": r.channel.reduce((a, b) => a + b, 0) } }) }) },
]
`
let number = 0
function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return `./${name}`
}

function experiment(plugins: string | readonly string[], more: Record<string, unknown> = {}): ExperimentInput {
  return {
    lacewing: 1,
    plugins,
    network: { topology: { name: "mesh", sides: "4x4" }, routing: "my.yx", switch: { name: "input-queued", vcs: 2 } },
    traffic: { load: 0.2 },
    measure: { warmup: "100cycles", window: "400cycles", limit: "5kcycles" },
    ...more,
  }
}

async function complaints(plugins: string | readonly string[], options = {}): Promise<string[]> {
  const got = await check(experiment(plugins), { folder, ...options })
  return "bad" in got ? got.bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`) : []
}

describe("an experiment with plug-ins", () => {
  test("runs with them, in worker threads too, and the packet engine's two workers give the bits of one", async () => {
    const plugins = [write("yx.mjs", yx), write("traffic.mjs", traffic)]
    const stream = { pattern: "my.next", arrivals: "my.steady", packet: "my.three", load: 0.2 }
    const got = await run(experiment(plugins, { traffic: stream, probes: ["my.sum"] }), { folder, workers: 1 })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    expect(got.ok.failures).toEqual([])
    const { values } = got.ok.records[0].result
    // a packet of 3 flits every 15 cycles; 400 cycles hold 26 or 27 of them from each of 16 endpoints
    expect(values["accepted"]).toBeCloseTo(0.2, 2)
    expect(values["my.sum"]).toBeGreaterThan(400 * 16 * 0.2)
    expect(got.ok.proofs[0].verdict).toBe("free")
    const packet = (engine: object) => run(experiment(plugins, { engine, traffic: stream }), { folder, workers: 2 })
    const prints = []
    for (const engine of [{ name: "packet" }, { name: "packet", sync: "conservative", workers: 2 }]) {
      const done = await packet(engine)
      if ("bad" in done) throw new Error(JSON.stringify(done.bad))
      expect(done.ok.failures).toEqual([])
      prints.push(done.ok.records[0].result.fingerprint)
    }
    expect(prints[1]).toBe(prints[0])
  })
  test.skipIf(availableParallelism() < 2)(
    "two threads of the flit engine give the bits of one (skipped on a machine with one core)",
    async () => {
      const planned = await check(experiment([write("yx.mjs", yx)]), { folder })
      if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
      const { spec } = planned.ok.runs[0]
      // threads run from dist/
      const from = <T>(file: string): Promise<T> => import(pathToFileURL(join(built(), file)).href)
      const { prepare, simulate } = await from<typeof import("../../run/simulate.ts")>("run/simulate.js")
      const { loadNamed } = await from<typeof import("./load.ts")>("experiment/outside/load.js")
      const { hostAt } = await from<typeof import("../disk/host.ts")>("experiment/disk/host.js")
      expect(await loadNamed(spec.plugins, folder, "this process")).toEqual([])
      const prints = []
      for (const workers of [1, 2]) {
        const prepared = prepare(spec, hostAt(folder, spec.plugins))
        if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
        prints.push((await simulate(prepared.ok, { workers })).fingerprint)
      }
      expect(prints[1]).toBe(prints[0])
    },
  )
  test("a routing that leads a packet nowhere is not called free of deadlock", async () => {
    const lost = yx.replace(
      "out.add(2 * d + (there > here ? 0 : 1), all, 0)",
      "out.add(2 * d + (there > here ? 0 : 1), all + 1, 0)",
    )
    const got = await run(experiment([write("lost.mjs", lost)]), { folder, workers: 1 })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    expect(got.ok.proofs.map((p) => p.verdict)).toEqual(["not decided"])
    expect(proofLines(got.ok.proofs)).toEqual([
      { warning: true, text: expect.stringMatching(/^Some packets never arrive: mesh .*requests a VC .*\(VC 2\)/s) },
    ])
  })
  test("its routing is the library's own where it does the same: x first on a mesh", async () => {
    const xy = yx
      .replace("my.yx", "my.xy")
      .replace("let step = graph.routers", "let step = 1")
      .replace("let d = sides.length - 1; d >= 0; d--", "let d = 0; d < sides.length; step *= sides[d++]")
      .replace("step /= sides[d]\n", "")
    const plugins = [write("xy.mjs", xy)]
    const prints = []
    for (const routing of ["my.xy", "mesh.dimension-order"]) {
      const got = await run(experiment(plugins, { network: { topology: { name: "mesh", sides: "4x3" }, routing } }), {
        folder,
        workers: 1,
      })
      if ("bad" in got) throw new Error(JSON.stringify(got.bad))
      prints.push(got.ok.records[0].result.fingerprint)
    }
    expect(prints[0]).toBe(prints[1])
  })
  test("the name of a run changes with the content of a module that it uses, and not with its path", async () => {
    const name = async (plugins: string[]) => {
      const got = await check(experiment(plugins), { folder })
      if ("bad" in got) throw new Error(JSON.stringify(got.bad))
      return got.ok.runs[0]
    }
    const one = await name([write("a.mjs", yx)])
    const again = await name(["./a.mjs"])
    write("a.mjs", `${yx}// another byte\n`)
    const other = await name(["./a.mjs"])
    expect(one.hash).toBe(again.hash)
    expect(other.hash).not.toBe(one.hash)
    expect(one.spec.plugins!.map((p) => p.file)).toEqual(["./a.mjs"])
    const moved = await name([write("moved.mjs", yx)])
    expect([moved.hash, moved.spec.plugins![0].file]).toEqual([one.hash, "./moved.mjs"])
    const none = await check(
      { ...experiment([]), plugins: [], network: { topology: { name: "mesh", sides: "4x4" }, routing: "mesh.dor" } },
      { folder },
    )
    expect("ok" in none && "plugins" in none.ok.runs[0].spec).toBe(false)
  })
  test("an edit of one module renames only the runs that use it", async () => {
    const names = async () => {
      const plugins = [write("yx-of-two.mjs", yxText), write("traffic-of-two.mjs", trafficText)]
      const network = { topology: { name: "mesh", sides: "4x4" } }
      const sweep = { "network.routing": ["my.yx", "mesh.dor"], "traffic.pattern": ["uniform", "my.next"] }
      const got = await check(experiment(plugins, { network, sweep }), { folder })
      if ("bad" in got) throw new Error(JSON.stringify(got.bad))
      expect(got.ok.modules.map((m) => m.file)).toEqual(plugins)
      return got.ok.runs
    }
    let [yxText, trafficText] = [`${yx}// of two\n`, `${traffic}// of two\n`]
    const before = await names()
    expect(before.map((r) => (r.spec.plugins ?? []).map((m) => m.file))).toEqual([
      ["./yx-of-two.mjs"],
      ["./yx-of-two.mjs", "./traffic-of-two.mjs"],
      [],
      ["./traffic-of-two.mjs"],
    ])
    const renamed = async () => (await names()).map((r, i) => r.hash !== before[i].hash)
    trafficText += "// edited\n"
    expect(await renamed()).toEqual([false, true, false, true])
    trafficText = trafficText.replace("// edited\n", "")
    yxText += "// edited\n"
    expect(await renamed()).toEqual([true, true, false, false])
  })
  test("a module that was changed since the run was named is not run", async () => {
    const plugins = [write("moving.mjs", yx)]
    const planned = await check(experiment(plugins), { folder })
    if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
    const { runOne } = await import("../../sweep/run-one.ts")
    write("moving.mjs", `${yx}// changed\n`)
    const got = await runOne(planned.ok.runs[0].spec, folder, { workers: 1 })
    expect("bad" in got && got.bad[0].says).toBe("./moving.mjs has changed since the run hash was computed")
  })
  test("an include brings plug-ins, and a custom topology can lose links", async () => {
    const pair = `import { GraphBuilder } from "lacewing"
export default { kind: "topology", name: "my.pair", about: "Two routers, two links.",
  size: () => ({ ends: 2, routers: 2, chans: 6 }),
  make() {
    const b = new GraphBuilder(2, 2, 3, { classes: ["end", "link"] })
    b.attach(0, 0, 2); b.attach(1, 1, 2); b.link(0, 0, 1, 0, 1, 1); b.link(0, 1, 1, 1, 1, 1)
    return { name: "my.pair", graph: b.finish(), hops: (a, c) => (a === c ? 0 : 1), label: String }
  } }
`
    write("base.yaml", `plugins: ${write("pair.mts", pair)}\n`)
    write(
      "e.yaml",
      "lacewing: 1\ninclude: base.yaml\n" +
        "network:\n  topology: { name: my.pair, failures: 1 }\n" +
        "  routing: any.shortest\n" +
        "traffic: { load: 0.1 }\n",
    )
    const got = await check(join(folder, "e.yaml"))
    expect("bad" in got ? got.bad : []).toEqual([])
  })
  test("the editor's schema and its names know them", async () => {
    const got = await check(experiment([write("yx.mjs", yx)]), { folder })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    const catalog = new Catalog().with(outsideOf(got.ok.runs[0].spec.plugins)!.plugins)
    expect(JSON.stringify(editorSchema(catalog))).toContain('"my.yx"')
    expect(JSON.stringify(editorSchema(new Catalog()))).not.toContain('"my.yx"')
    expect(catalog.advice("routing", "my.xx")).toBe('did you mean "my.yx"?')
    // another experiment does not see them
    const other = await check({
      ...experiment([]),
      plugins: undefined,
      network: { topology: { name: "mesh", sides: "4x4" }, routing: "my.yx" },
    })
    expect("bad" in other && other.bad[0].says).toBe('there is no routing "my.yx"')
  })
})

describe("is refused", () => {
  const broken: readonly [string, string, RegExp][] = [
    ["throws", "throw new Error('no')", /^plugins\.0: \.\/x\.mjs fails as a module: Error: no; /],
    ["syntax", "export default {", /fails as a module: SyntaxError|fails as a module: /],
    ["no default", "export const a = 1", /has no default export; write: export default \(kit\) => /],
    ["not a record", "export default 3", /exports 3, not a plug-in|not a plug-in/],
    ["no kind", "export default {}", /has no kind; choose one of topology/],
    ["unknown kind", "export default { kind: 'routings' }", /did you mean "routing"\?/],
    [
      "abilities",
      "export default { kind: 'switch', name: 'a', about: 'b', can: ['marking'], make() {} }",
      /can: expected a list of abilities, found a list/,
    ],
    ["taken", yx.replace("my.yx", "mesh.dor"), /there is a routing "mesh\.dor" already; give yours a different name/],
    [
      "no make",
      "export default { kind: 'pattern', name: 'a', about: 'b' }",
      /make: expected a function, found nothing/,
    ],
    ["no vcs", yx.replace("vcs: () => 1,", ""), /vcs: expected a function, found nothing/],
    ["params", yx.replace("vcs: () => 1,", "vcs: () => 1, params: { k: 3 },"), /params: expected a schema/],
    [
      "a parameter that is no field",
      yx.replace("vcs: () => 1,", "vcs: () => 1, params: { fields: { k: () => 3 }, parse: () => ({ ok: {} }) },"),
      /params\.k: expected a field, found a function; call it: k: field\("…"\)/,
    ],
    [
      "a default in another unit",
      `import { flits, schema } from "lacewing/core"\n${yx.replace(
        "vcs: () => 1,",
        'vcs: () => 1, params: schema({ k: flits({ about: "K", default: "5cycles" }) }),',
      )}`,
      /params\.k: the default is rejected: .*; write a value in/,
    ],
    [
      "a misspelt key",
      yx.replace("adaptive: false", "adaptiv: false"),
      /unknown key adaptiv; did you mean "adaptive"\?/,
    ],
    [
      "a part of its own",
      `import "./yx.mjs"\n${yx}`,
      /imports \.\/yx\.mjs, which is not part of the name of a run; bundle it into the plug-in/,
    ],
    [
      "a package",
      `import { K } from "mylib"\n${yx}`,
      /imports mylib, which is not part of the name of a run; bundle it into the plug-in/,
    ],
    [
      "a file by its URL",
      `import "file:///lib.mjs"\n${yx}`,
      /imports file:\/\/\/lib\.mjs, which is not part of the name of a run/,
    ],
    ["lacewing's name in another's", `import "lacewing-extras"\n${yx}`, /imports lacewing-extras, which is not part/],
    [
      "Node",
      `import { readFileSync } from "node:fs"\n${yx}`,
      /imports node:fs, which is not part of the name of a run; remove the import/,
    ],
    [
      "Node without its prefix",
      `import { readFileSync } from "fs"\n${yx}`,
      /imports fs, which is not .* remove the import/,
    ],
    [
      "a computed address",
      `const K = await import(address)\n${yx}`,
      /imports an address that is computed, .* write the address as a text/,
    ],
  ]
  test.each(broken)("%s", async (_, text, says) => {
    const found = await complaints([write("x.mjs", text)])
    expect(found.length).toBeGreaterThan(0)
    expect(found[0]).toMatch(says)
  })
  test("what is absent, no module, no text, or there twice", async () => {
    expect(await complaints(["./none.mjs"])).toEqual([
      "plugins.0: ./none.mjs does not exist; paths are relative to the folder of the experiment",
    ])
    expect((await complaints(["./yx.txt"]))[0]).toMatch(/is not a module/)
    expect((await complaints([3 as never]))[0]).toMatch(/expected the path of a module, found/)
    const twice = await complaints([write("yx.mjs", yx), write("yx2.mjs", `${yx}\n`)])
    expect(twice).toEqual([
      'plugins.1: ./yx2.mjs there is a routing "my.yx" already; give yours a different name, such as my.my.yx',
    ])
  })
  test("where code is not allowed, before anything is executed; and not with --set", async () => {
    Reflect.deleteProperty(globalThis, "executed")
    const plugins = write("mark.mjs", `globalThis.executed = true\n${yx}`)
    expect(await complaints(plugins, { code: false })).toEqual([
      "plugins: ./mark.mjs is a module, and modules are code; leave it out, or allow code",
    ])
    const file = join(folder, "mark.yaml")
    writeFileSync(
      file,
      `lacewing: 1\nplugins:\n  - ./mark.mjs\nnetwork: { topology: mesh, routing: my.yx }\ntraffic: { load: 0.1 }\n`,
    )
    const refused = await loadPlan(file, { code: false })
    expect("bad" in refused && [refused.bad[0].path, refused.bad[0].spot?.line]).toEqual(["plugins.0", 3])
    expect(Reflect.has(globalThis, "executed")).toBe(false)
    expect((await complaints([write("yx.mjs", yx)], { set: ["plugins=./other.mjs"] })).join()).toContain(
      "cannot be set with --set",
    )
  })
  const reads = [
    ["inject()", "input-queued", "queued(graph.firstChan[at])"],
    ["inject()", "combined", "queued(graph.firstChan[at])"],
    ["inject()", "combined", "queuedVc(graph.firstChan[at], 0)"],
    ["inject()", "infiniband", "credits(graph.firstChan[at], 0)"],
    ["route()", "combined", "behind(graph.firstChan[at])"],
    ["route()", "queue-scheme", "published(graph.firstChan[at])"],
  ] as const
  test.each(reads)("a routing with adaptive: false that reads queues in %s on %s: %s", async (where, name, read) => {
    const text =
      where === "route()"
        ? yx.replace("const home", `net.${read}\n        const home`)
        : yx.replace("route(p,", `inject(p, at, net) { net.${read} },\n      route(p,`)
    const sw = name === "queue-scheme" || name === "infiniband" ? { name } : { name, vcs: 2 }
    const made = experiment([write(`reads-${number++}.mjs`, text)], {
      network: { topology: { name: "mesh", sides: "4x4" }, routing: "my.yx", switch: sw },
    })
    const planned = await check(made, { folder })
    if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
    const { spec } = planned.ok.runs[0]
    const prepared = prepare(spec, hostAt(folder, spec.plugins))
    if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
    const failed = await simulate(prepared.ok, { workers: 1 }).then(
      () => undefined,
      (e: unknown) => faultOf(e),
    )
    expect(failed).toEqual({
      path: "network.routing.name",
      says: '"my.yx" reads queues, but declares that it does not',
      fix: "remove adaptive: false from the routing, so that the switch keeps queue lengths",
    })
    // as a sweep of the command line says it, whose runs are in threads
    const got = await run(made, { folder, workers: 1 })
    expect("ok" in got && got.ok.failures[0].result.explains).toBe(`${failed?.says}; ${failed?.fix}`)
  })
  test("a plug-in that throws when it is called, with its line, and never as a bug of ours", async () => {
    const make = yx.replace("const all = 2 ** vcs - 1", "throw new Error('not today')")
    expect(await complaints([write("make.mjs", make)])).toEqual([
      "plugins: make.mjs throws in line 5: Error: not today; repair the " +
        "plug-in; `lacewing contract FILE` checks it separately",
    ])
    const route = yx.replace("const home = graph.home[net.dst(p)]", "const home = graph.nothing[0]")
    const got = await run(experiment([write("route.mjs", route)]), { folder, workers: 1 })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    expect(got.ok.proofs[0].words[0]).toMatch(/^route\.mjs throws in line 8: TypeError/)
    expect(got.ok.failures[0].result.explains).toMatch(/^route\.mjs throws in line 8: TypeError/)
  })
})
