// `lacewing contract` on plug-ins from outside: good ones of every kind hold, and each way of being broken is named by the contract that it breaks.
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
async function judged(text: string, on?: { name: string; raw: Record<string, unknown> }[]): Promise<Judged> {
  const file = `plugin-${number++}.mjs`
  writeFileSync(join(folder, file), text)
  const got = await loadModules([moduleFrom("command line", join(folder, file)).ok], folder, String)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  const plugin = got.ok[0]!.plugins.at(-1)!
  const made = await contractOf(plugin, { modules: got.ok, raw: {}, ...(on === undefined ? {} : { on }) })
  if ("bad" in made) throw new Error(JSON.stringify(made.bad))
  return made.ok
}
const broken = async (text: string, on?: { name: string; raw: Record<string, unknown> }[]) =>
  (await judged(text, on)).broken.map((f) => f.contract)

/** Round a ring of routers, one way, on a torus of one dimension; the second VC behind the place where it closes. */
const ring = (o: { step?: string; mask?: string; vcs?: string; most?: string; extra?: string; inject?: string } = {}) => `
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
    expect(got.held).toEqual([delivers, hops, ports, vcs, candidates, alike, idle, chance, deadlock, needs, bits, throws])
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
    ["reads one VC's queue in inject() alone", ring({ inject: "net.queuedVc(graph.firstChan[at], 0)" }), contracts.idle],
    ["tosses a coin of its own", ring({ extra: "if (Math.random() < 0) return" }), contracts.chance],
    ["throws", ring({ extra: "null.a" }), contracts.throws],
  ])("that %s", async (_, text, contract) => {
    const got = await judged(text, five)
    expect(got.broken.map((f) => f.contract)).toContain(contract)
    expect(got.held).toEqual([])
  })
})

describe("a topology", () => {
  const pair = (o: { size?: string; hops?: string; name?: string; after?: string } = {}) => `import { GraphBuilder } from "lacewing"
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
    ["is another one each time", pair({ after: "graph.latency[2] = graph.latency[5] = 1 + Math.floor(Math.random())" }), contracts.chance],
  ])("that %s", async (_, text, contract) => expect(await broken(text)).toContain(contract))
})

describe("traffic", () => {
  const pattern = (dest: string, more = "") =>
    `export default { kind: "pattern", name: "my.p", about: "A pattern.", ${more} make: (_, on) => { const n = on.topology.graph.ends; return { dest: (e, rng) => ${dest} } } }`
  test("that is right holds", async () => {
    const one = await judged(pattern("(e + 1) % n", "permutation: true,"))
    expect(one.broken).toEqual([])
    expect(one.held).toContain(contracts.permutation)
    expect(await broken(pattern("rng.below(n)"))).toEqual([])
    const steady = `export default { kind: "arrivals", name: "my.a", about: "Steady.", make: (_, on) => ({ first: () => 0, next: (_e, last) => last + Math.round(1 / on.rate) }) }`
    expect(await broken(steady)).toEqual([])
    expect(
      await broken(
        `export default { kind: "sizes", name: "my.s", about: "One or two.", make: () => ({ mean: 1.5, max: 2, size: (rng) => 1 + rng.below(2) }) }`,
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
      `export default { kind: "arrivals", name: "my.a", about: "Back.", make: () => ({ first: () => 5, next: (_e, last) => last - 1 }) }`,
      contracts.forward,
    ],
    [
      "remembers",
      `export default { kind: "arrivals", name: "my.a", about: "Counts.", make() { let n = 0; return { first: () => 0, next: (_e, last) => last + 5 + (n++ % 2) } } }`,
      contracts.state,
    ],
    [
      "promises another mean",
      `export default { kind: "sizes", name: "my.s", about: "One.", make: () => ({ mean: 2, max: 1, size: () => 1 }) }`,
      contracts.sizes,
    ],
    [
      "reports a table with holes",
      `export default { kind: "probe", name: "my.r", about: "Odd.", make: () => ({ report: () => ({ tables: { t: { a: [1], b: [] } } }) }) }`,
      contracts.report,
    ],
  ])("that %s", async (_, text, contract) => expect(await broken(text)).toContain(contract))
})

describe("commands", () => {
  async function said(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let [out, err] = ["", ""]
    const io: Io = {
      out: (text) => void (out += `${text}\n`),
      err: (text) => void (err += `${text}\n`),
      raw: () => {},
      paint: paintFor({ isTTY: false }, {}),
      live: false,
      width: 100,
    }
    return { code: await main(args, io), out, err }
  }
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  test("contract: exit code 0 when all hold, 1 when one is broken, 2 for what is no plug-in; JSON when asked", async () => {
    const on = ["--topology", "torus sides=5"]
    const good = await said("contract", file("good.mjs", ring()), ...on)
    expect([good.code, good.out.includes(`holds   ${contracts.bits}`)]).toEqual([0, true])
    const bad = await said("contract", file("bad.mjs", ring({ mask: "3" })), ...on)
    expect([bad.code, bad.out.includes(`broken  ${contracts.deadlock}`), bad.out.includes("  holds   ")]).toEqual([1, true, false])
    const json = await said("contract", file("bad.mjs", ring({ mask: "3" })), ...on, "--json")
    const { ok, plugins } = JSON.parse(json.out)
    expect([json.code, ok, plugins[0].broken[0].contract, plugins[0].broken[0].on]).toEqual([1, false, contracts.deadlock, "torus sides=5"])
    const none = await said("contract", file("none.mjs", "export default 3"), "--json")
    expect([none.code, JSON.parse(none.out).complaints[0].says.includes("not a plug-in")]).toEqual([2, true])
    const nowhere = await said("contract", file("nowhere.mjs", ring().replace('"torus"', '"my.other"')))
    expect([nowhere.code, nowhere.err.includes("serves topologies that are not known here")]).toEqual([2, true])
  })
  test("list, explain, schema and topology know what --plugins brings, a module or an experiment that names it", async () => {
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
