// `lacewing contract` on plug-ins from outside: good ones of every kind hold, and each way of being broken is named by
// the contract that it breaks.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Io } from "../../src/cli/command.ts"
import { main } from "../../src/cli/program.ts"
import { moduleFrom } from "../../src/experiment/gate.ts"
import { loadModules } from "../../src/experiment/outside/load.ts"
import { contractOf, type Judged } from "../../src/inspect/contract/contract.ts"
import { contracts } from "../../src/inspect/contract/finding.ts"
import { paintFor } from "../../src/terminal/paint.ts"
import { install } from "../support/build.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-contract-"))
beforeAll(() => install(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let number = 0
async function modulesOf(text: string) {
  const file = `plugin-${number++}.mjs`
  writeFileSync(join(folder, file), text)
  const got = await loadModules([moduleFrom("command line", join(folder, file)).ok], folder, String)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}
async function judged(
  text: string,
  on?: { name: string; raw: Record<string, unknown> }[],
  more: { quick?: boolean } = {},
): Promise<Judged> {
  const modules = await modulesOf(text)
  const plugin = modules[0].plugins.at(-1)!
  const made = await contractOf(plugin, { modules, raw: {}, ...(on === undefined ? {} : { on }), ...more })
  if ("bad" in made) throw new Error(JSON.stringify(made.bad))
  return made.ok
}
const broken = async (text: string, on?: { name: string; raw: Record<string, unknown> }[]) =>
  (await judged(text, on)).broken.map((f) => f.contract)

/** Round a ring of routers, one way, on a torus of one dimension; the second VC behind the place where it closes. */
const ring = (
  o: { step?: string; mask?: string; vcs?: string; most?: string; extra?: string; inject?: string } = {},
) => `
let turn = 0
export default { kind: "routing", name: "my.ring", about: "Always upwards.", topologies: ["torus"], scratch: 1, adaptive: false,
  ${o.most ?? "most: 4,"} vcs: () => ${o.vcs ?? "2"},
  make(_, { topology: { graph }, vcs }) {
    return {
      inject(p, at, net) { ${o.inject ?? ""}; net.set(p, 0, 0) },
      route(p, at, inPort, inVc, net, out) {
        ${o.extra ?? ""}
        const home = graph.home[net.dst(p)]
        if (graph.routerOf[home] === at) return out.add(home - graph.firstChan[at], 2 ** vcs - 1, 0)
        if (at === graph.routers - 1) net.set(p, 0, 1)
        out.add(${o.step ?? "0"}, ${o.mask ?? "1 << net.get(p, 0)"}, 0)
      },
    }
  } }
`
const five = [{ name: "torus", raw: { sides: "5" } }]

describe("a routing", () => {
  test("that is right holds every contract of its family", async () => {
    const got = await judged(ring(), five)
    expect(got.broken).toEqual([])
    expect(got.left).toEqual([])
    const { delivers, hops, ports, vcs, candidates, alike, idle, chance, deadlock, needs, bits, throws } = contracts
    expect(got.held).toEqual([
      delivers,
      hops,
      ports,
      vcs,
      candidates,
      alike,
      idle,
      chance,
      deadlock,
      needs,
      bits,
      throws,
    ])
  })
  test.each([
    ["has no dateline", ring({ mask: "3" }), contracts.deadlock],
    ["goes further than it says", ring({ most: "most: 3," }), contracts.hops],
    ["is not minimal", ring({ most: 'most: "minimal",' }), contracts.hops],
    ["turns back for ever", ring({ step: "at % 2", most: "" }), contracts.delivers],
    ["has no such port", ring({ step: "7" }), contracts.ports],
    ["has no such VC", ring({ vcs: "1" }), contracts.vcs],
    ["proposes nothing", ring({ extra: "if (at === 3) return" }), contracts.candidates],
    ["proposes more than it declares", ring({ extra: "out.add(0, 1, 0)" }), contracts.candidates],
    ["takes turns", ring({ mask: "turn++ % 2 + 1", most: "" }), contracts.alike],
    ["reads queues where it says that it does not", ring({ extra: "net.queued(graph.firstChan[at])" }), contracts.idle],
    ["reads queues in inject() alone", ring({ inject: "net.queued(graph.firstChan[at])" }), contracts.idle],
    [
      "reads one VC's queue in inject() alone",
      ring({ inject: "net.queuedVc(graph.firstChan[at], 0)" }),
      contracts.idle,
    ],
    ["tosses a coin of its own", ring({ extra: "if (Math.random() < 0) return" }), contracts.chance],
    ["throws", ring({ extra: "null.a" }), contracts.throws],
  ])("that %s", async (_, text, contract) => {
    const got = await judged(text, five)
    expect(got.broken.map((f) => f.contract)).toContain(contract)
    expect(got.held).toEqual([])
  })
})

describe("a topology", () => {
  const pair = (
    o: { size?: string; hops?: string; name?: string; after?: string } = {},
  ) => `import { GraphBuilder } from "lacewing"
export default { kind: "topology", name: "my.pair", about: "Two routers.", size: () => ({ ends: 4, routers: 2, chans: ${o.size ?? "6"} }),
  make() {
    const b = new GraphBuilder(4, 2, 3, { classes: ["end", "link"] })
    for (let e = 0; e < 4; e++) b.attach(e, e >> 1, e & 1)
    b.link(0, 2, 1, 2, 1, 1)
    const graph = b.finish()
    ${o.after ?? ""}
    return { name: "${o.name ?? "my.pair"}", graph, hops: (a, c) => ${o.hops ?? "(a === c ? 0 : 1)"}, label: String }
  } }
`
  test("that is right holds every contract", async () => {
    const got = await judged(pair())
    expect([got.broken, got.left]).toEqual([[], []])
    expect(got.held).toContain(contracts.bits)
  })
  test.each([
    ["is not as large as it says", pair({ size: "7" }), contracts.size],
    ["has another name", pair({ name: "pair" }), contracts.size],
    ["miscounts its hops", pair({ hops: "1" }), contracts.distances],
    ["has a link of one direction", pair({ after: "graph.far[5] = -1" }), contracts.wired],
    [
      "is another one each time",
      pair({ after: "graph.latency[2] = graph.latency[5] = 1 + Math.floor(Math.random())" }),
      contracts.chance,
    ],
  ])("that %s", async (_, text, contract) => expect(await broken(text)).toContain(contract))
})

describe("traffic", () => {
  const pattern = (dest: string, more = "") =>
    `export default { kind: "pattern", name: "my.p", about: "A pattern.", ${more} make: (_, on) => { ` +
    `const n = on.topology.graph.ends; return { dest: (e, rng) => ${dest} } } }`
  test("that is right holds", async () => {
    const one = await judged(pattern("(e + 1) % n", "permutation: true,"))
    expect(one.broken).toEqual([])
    expect(one.held).toContain(contracts.permutation)
    expect(await broken(pattern("rng.below(n)"))).toEqual([])
    const steady =
      `export default { kind: "arrivals", name: "my.a", about: "Steady.", make: (_, on) => ({ ` +
      "first: () => 0, next: (_e, last) => last + 1 / on.rate }) }"
    expect(await broken(steady)).toEqual([])
    expect(
      await broken(
        `export default { kind: "sizes", name: "my.s", about: "One or two.", make: () => ({ ` +
          "mean: 1.5, max: 2, size: (rng) => 1 + rng.below(2) }) }",
      ),
    ).toEqual([])
  })
  test.each([
    ["leaves the network", pattern("e + 1"), contracts.range],
    ["is no permutation", pattern("0", "permutation: true,"), contracts.permutation],
    ["draws without end", pattern("Array.from({ length: 9 }, () => rng.below(2))[0]"), contracts.draws],
    ["has a coin of its own", pattern("Math.floor(Math.random() * n)"), contracts.chance],
    [
      "goes back in time",
      `export default { kind: "arrivals", name: "my.a", about: "Back.", make: () => ` +
        "({ first: () => 5, next: (_e, last) => last - 1 }) }",
      contracts.forward,
    ],
    [
      "remembers",
      `export default { kind: "arrivals", name: "my.a", about: "Counts.", make() { let n = 0; ` +
        "return { first: () => 0, next: (_e, last) => last + 5 + (n++ % 2) } } }",
      contracts.state,
    ],
    [
      "promises another mean",
      `export default { kind: "sizes", name: "my.s", about: "One.", make: () => ({ mean: 2, max: 1, size: () => 1 }) }`,
      contracts.sizes,
    ],
    [
      "reports a table with holes",
      `export default { kind: "probe", name: "my.r", about: "Odd.", make: () => ({ ` +
        "report: () => ({ tables: { t: { a: [1], b: [] } } }) }) }",
      contracts.report,
    ],
  ])("that %s", async (_, text, contract) => expect(await broken(text)).toContain(contract))
})

describe("drawn parameters", () => {
  /** A ring, and a routing over the shorter side with one VC. In the ring of 3 routers, the default, every way has one
   *  link and nothing can wait in a circle; from 4 on, two links up make a circle of all channels upwards. */
  const rings = (o: { vcs?: string; mode?: string } = {}) => `
import { GraphBuilder } from "lacewing"
import { choice, flits, int, schema, text } from "lacewing/core"
const topology = { kind: "topology", name: "my.rings", about: "A ring.",
  params: schema({
    n: int({ about: "routers", min: 3, max: 100000, default: 3 }),
    p: int({ about: "endpoints of a router", min: 1, max: 8, default: 2 }),
  }),
  size: ({ n, p }) => ({ ends: n * p, routers: n, chans: n * (p + 2) }),
  make({ n, p }) {
    const b = new GraphBuilder(n * p, n, p + 2, { classes: ["end", "link"] })
    for (let e = 0; e < n * p; e++) b.attach(e, Math.floor(e / p), 2 + (e % p))
    for (let r = 0; r < n; r++) b.link(r, 0, (r + 1) % n, 1, 1, 1)
    return { name: "my.rings", graph: b.finish(), n, hops: (a, c) => Math.min((a - c + n) % n, (c - a + n) % n), label: String }
  } }
const routing = { kind: "routing", name: "my.shorter", about: "Over the shorter side.", topologies: ["my.rings"], adaptive: false, most: "minimal",
  scratch: 1,
  params: schema({
    way: choice(["low", "high"], { about: "VC of the first links", default: "low" }),
    spare: flits({ about: "has no effect", default: "1flits", max: 9 }),
    note: text({ about: "has no effect", default: "" }),
  }),
  vcs: () => ${o.vcs ?? "2"},
  make({ way }, { topology: { graph, n }, vcs }) {
    return {
      inject(p, at, net) { net.set(p, 0, 0) },
      route(p, at, inPort, inVc, net, out) {
        const home = graph.home[net.dst(p)]
        const goal = graph.routerOf[home]
        if (goal === at) return out.add(home - graph.firstChan[at], 2 ** vcs - 1, 0)
        const up = 2 * ((goal - at + n) % n) <= n
        const vc = net.get(p, 0)
        if (at === (up ? n - 1 : 0)) net.set(p, 0, 1)
        ${o.mode ?? ""}
        out.add(up ? 0 : 1, vcs < 2 ? 1 : way === "low" ? 1 << vc : 2 >> vc, 0)
      },
    }
  } }
export default [topology, routing]
`
  test("a routing that is right holds, and what it was looked at with is told", async () => {
    const got = await judged(rings())
    expect([got.broken, got.left]).toEqual([[], []])
    // n: 3 is the least; of 3 to 100,000 the largest that is small by halving is 3 + floor(99,997 / 1,024) = 100;
    // between 3 + 98 ** (1 / 3) - 1 = 6.6 and 3 + 98 ** (2 / 3) - 1 = 23.3
    const sides = new Set(got.on.map((title) => /n=(\d+)/.exec(title)?.[1] ?? "3"))
    expect([...sides].map(Number).sort((a, b) => a - b)).toEqual([3, 7, 23, 100])
    expect(got.on.length).toBe(8)
    expect(got.sets.length).toBe(8)
    expect(new Set(got.sets.flatMap((set) => set.split(" ")).filter((s) => s.startsWith("way=")))).toEqual(
      new Set(["way=high"]),
    )
    expect(got.undrawn).toEqual(["note"])
  })
  test("one VC where two are needed holds with the defaults alone, and is found with drawn networks", async () => {
    const text = rings({ vcs: "1" })
    const quick = await judged(text, undefined, { quick: true })
    expect([quick.broken, quick.on, quick.drawn]).toEqual([[], ["my.rings"], false])
    const got = await judged(text)
    expect(got.broken.map((f) => f.contract)).toContain(contracts.deadlock)
    // p is put back to its default, and n to the value that is nearest to 3
    expect(got.broken[0].on).toBe("my.rings n=7")
  })
  test("a set that breaks is told by the fewest parameters", async () => {
    const got = await judged(rings({ mode: 'if (way === "high") out.add(0, 1, 0)' }))
    expect(got.broken.map((f) => [f.contract, f.on])).toEqual([[contracts.candidates, "my.rings with way=high"]])
  })
  test("a topology is built with drawn parameters, and those that are given stay", async () => {
    const [topology] = (await modulesOf(rings().replace("chans: n * (p + 2)", "chans: p > 2 ? 0 : n * (p + 2)")))[0]
      .plugins
    const modules = await modulesOf(rings())
    const wrong = await contractOf(topology!, { modules, raw: {} })
    if ("bad" in wrong) throw new Error(JSON.stringify(wrong.bad))
    expect(wrong.ok.broken[0]).toMatchObject({
      contract: contracts.size,
      on: expect.stringMatching(/^my\.rings p=[34568]$/),
    })
    const given = await contractOf(topology!, { modules, raw: { p: "1" } })
    if ("bad" in given) throw new Error(JSON.stringify(given.bad))
    expect(given.ok.broken).toEqual([])
    expect([...given.ok.sets].sort()).toEqual(["p=1", "p=1 n=100", "p=1 n=23", "p=1 n=7"])
  })
})

describe("commands", () => {
  let live = ""
  async function said(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ["", ""]
    live = ""
    const io: Io = {
      out: (text) => void (out += `${text}\n`),
      err: (text) => void (err += `${text}\n`),
      raw: (text) => void (live += text),
      paint: paintFor({ isTTY: false }, {}),
      live: true,
      width: 100,
    }
    return { code: await main(args, io), out, err }
  }
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  test("contract exits with 0 when all hold, 1 when one is broken, 2 for no plug-in, and prints JSON", async () => {
    const on = ["--topology", "torus sides=5"]
    const good = await said("contract", file("good.mjs", ring()), ...on)
    expect([good.code, good.out.includes(`passes  ${contracts.bits}`)]).toEqual([0, true])
    const bad = await said("contract", file("bad.mjs", ring({ mask: "3" })), ...on)
    expect([bad.code, bad.out.includes(`fails   ${contracts.deadlock}`), bad.out.includes("  passes  ")]).toEqual([
      1,
      true,
      false,
    ])
    const json = await said("contract", file("bad.mjs", ring({ mask: "3" })), ...on, "--json")
    const { ok, plugins } = JSON.parse(json.out)
    expect([json.code, ok, plugins[0].broken[0].contract, plugins[0].broken[0].on]).toEqual([
      1,
      false,
      contracts.deadlock,
      "torus sides=5",
    ])
    const none = await said("contract", file("none.mjs", "export default 3"), "--json")
    expect([none.code, JSON.parse(none.out).complaints[0].says.includes("not a plug-in")]).toEqual([2, true])
    const nowhere = await said("contract", file("nowhere.mjs", ring().replace('"torus"', '"my.other"')))
    expect([nowhere.code, nowhere.err.includes("The plug-in serves topologies that are unknown here.")]).toEqual([
      2,
      true,
    ])
  })
  test("contract tells progress and what it drew; --quick draws nothing", async () => {
    const sizes = `import { int, schema } from "lacewing/core"
export default { kind: "sizes", name: "my.s", about: "One size.", params: schema({ n: int({ about: "flits", min: 1, max: 8, default: 2 }) }),
  make: ({ n }) => ({ mean: n, max: n, fixed: n, size: () => n }) }`
    const drawn = await said("contract", file("drawn.mjs", sizes))
    // of 1 to 8: 1, 8 ** (1 / 3) = 2, which is the default, 8 ** (2 / 3) = 4, and 8
    expect(drawn.out).toContain(
      "Tested with 4 sets of parameters on 2 networks. --quick tests only the default parameters.",
    )
    expect(/Random parameters: (.*)/.exec(drawn.out)![1].split("; ").sort()).toEqual(["n=1", "n=4", "n=8"])
    expect(live).toContain("sizes my.s: 1 of 5, mesh sides=8x8")
    const quick = await said("contract", file("drawn.mjs", sizes), "--quick")
    expect([quick.code, quick.out.includes("Tested with"), live.includes("1 of 2,")]).toEqual([0, false, true])
  })
  test("list, explain, schema and topology know --plugins modules and experiments that name them", async () => {
    const module = file("listed.mjs", ring())
    const experiment = file("listed.yaml", "lacewing: 1\nplugins: [./listed.mjs]\n")
    for (const plugins of [module, experiment]) {
      const listed = JSON.parse((await said("list", "routing", "--json", "--plugins", plugins)).out)
      expect(listed.at(-1)).toMatchObject({ kind: "routing", name: "my.ring", about: "Always upwards." })
      expect((await said("explain", "my.ring", "--plugins", plugins)).out).toContain("Always upwards.")
      expect((await said("schema", "--plugins", plugins)).out).toContain('"my.ring"')
    }
    expect((await said("explain", "my.ring")).code).toBe(2)
    const empty = await said("list", "--plugins", file("empty.yaml", "lacewing: 1\n"))
    expect([empty.code, empty.err.includes("names no plug-ins")]).toEqual([2, true])
  })
})
