// A small shoot-out from the command line: to the end, gone on from, and refused.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { main } from "../src/cli/program.ts"
import { routingName } from "../src/inspect/shootout/contest.ts"
import { families } from "../src/inspect/shootout/families.ts"
import type { Shootout } from "../src/inspect/shootout/text.ts"
import { plainPaint } from "../src/terminal/paint.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-shootout-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function lacewing(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" }
  const io = {
    out: (text: string) => void (said.out += `${text}\n`),
    err: (text: string) => void (said.err += `${text}\n`),
    raw: () => {},
    paint: plainPaint,
    live: false,
    width: 100,
  }
  return { code: await main(args, io), ...said }
}

const small = [
  "shootout",
  "--endpoints",
  "16",
  "--radix",
  "8",
  "--families",
  "crossbar,hyperx,tree",
  "--precision",
  "0.2",
  "--workers",
  "1",
]

test("three networks of 16 endpoints: the table, the report, and no run twice", async () => {
  const args = [
    ...small.map((a) => (a === "8" ? "16" : a)),
    "--out",
    folder,
    "--json",
    "--record",
    join(folder, "kept.json"),
  ]
  const { code, out } = await lacewing(...args)
  expect(code).toBe(0)
  const got = JSON.parse(out) as Shootout
  expect(got.book.name).toBe("by-length")
  expect(got.standings.map((s) => s.family)).toEqual(["crossbar", "hyperx", "tree"])
  const [crossbar, hyperx] = got.standings
  // one router of 12,000 + 16 x 350, 16 cables of 2 m at 100
  expect(crossbar).toMatchObject({
    network: "crossbar n=16",
    price: 12_000 + 16 * 350 + 16 * 100,
    watts: 150 + 16 * 0.2,
    routers: 1,
  })
  // a crossbar carries any permutation
  expect(crossbar!.worst).toBeGreaterThan(0.7)
  // two cables of 2 m at 10 ns, 100 ns in the router, 4 KiB at 100 Gb/s take 327.68 ns, and hardly a packet meets
  // another
  expect(crossbar!.latency).toBeGreaterThan(2 * 10 + 100 + 327)
  expect(crossbar!.latency).toBeLessThan(2 * 10 + 100 + 327 + 60)
  // W / (16 endpoints x 0.3 x 100 Gb/s), in pJ
  expect(crossbar!.energy).toBeCloseTo((1000 * (150 + 3.2)) / (16 * 0.3 * 100), 6)
  expect(hyperx!.worst).toBeLessThanOrEqual(hyperx!.uniform)
  expect(got.standings.some((s) => s.pareto)).toBe(true)
  // one price each, so exactly one network is the cheapest
  expect(got.winners.find((w) => w.criterion === "price")?.networks.length).toBe(1)
  // 7 blocks of 4 KiB leave each of 8 ranks at 12.5 GB/s, and cross two cables and a router
  for (const s of got.standings) {
    expect([s.network, s.collectives["all-to-all"]! > (7 * 4096) / 12.5 + 120]).toEqual([s.network, true])
    // reduce-scatter and all-gather send 7/8 of the vector each
    expect([s.network, s.collectives["all-reduce"]! > (2 * (7 / 8) * 2 ** 20) / 12.5]).toEqual([s.network, true])
  }
  // one switch has no links that could fail; the others carry less without one
  expect(got.standings[0]!.down).toEqual({ says: "there are no links between routers" })
  for (const s of got.standings.slice(1))
    expect([s.network, s.down]).toEqual([s.network, { accepted: expect.any(Number), routing: expect.any(String) }])
  expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("price list by-length")
  expect(JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"))).toEqual(got)
  const again = await lacewing(...args.slice(0, -2))
  expect(JSON.parse(again.out)).toEqual(got)
  expect(again.err).toContain("0 runs")
})

const routingsOf = (family: string) =>
  families
    .find((f) => f.name === family)!
    .routings.map(routingName)
    .sort()
/** Without the collectives and the failed links, which the first test has. */
const race = (...more: string[]) =>
  lacewing(
    ...["shootout", "--radix", "16", "--precision", "0.5", "--workers", "2", "--json"],
    ...["--workloads", "none", "--down", "0", ...more],
  )
async function raced(...more: string[]): Promise<Shootout> {
  const { code, out, err } = await race(...more)
  expect(code, out + err).toBe(0)
  return JSON.parse(out)
}

test("flit by flit, to the end; who is left out is said with the reason", async () => {
  const got = await raced(
    "--endpoints",
    "16",
    "--families",
    "torus,hyperx",
    "--engine",
    "flit",
    "--out",
    join(folder, "flits"),
  )
  expect(got.terms.engine).toBe("flit")
  for (const s of got.standings) {
    // two cables and a router at least, and 4 KiB at 100 Gb/s take 327.68 ns; each hop adds a router and a cable
    expect([s.network, s.latency > 120 + 327, s.latency < 120 + 327 + 150 * s.diameter]).toEqual([
      s.network,
      true,
      true,
    ])
    expect([s.network, s.uniform > 0.2, s.worst > 0.1]).toEqual([s.network, true, true])
    const routings = [...s.tried, ...s.dropped].map((t) => t.routing).sort()
    expect([s.network, routings]).toEqual([s.network, routingsOf(s.family)])
    expect(s.dropped.filter((d) => d.says === "")).toEqual([])
    expect(s.tried.find((t) => t.routing === s.routing)!.uniform).toBeGreaterThan(0)
  }
  expect(got.out).toContainEqual({
    name: "dragonfly.ugal-g",
    says: "reads the queues of other routers, which hardware cannot do",
  })
})

test.each(["cost", "power"] as const)(
  "equal %s: every network is near the budget, which the table names",
  async (equal) => {
    const got = await raced(
      "--endpoints",
      "64",
      "--families",
      "hyperx,xgft",
      "--equal",
      equal,
      "--out",
      join(folder, "equal"),
    )
    expect(got.terms.equal).toBe(equal)
    const named = [...got.standings.map((s) => s.family), ...got.missed.map((m) => m.family)]
    expect(named.sort()).toEqual(["hyperx", "xgft"])
    for (const s of got.standings) {
      const is = equal === "cost" ? s.price : s.watts!
      expect(s.miss).toBeCloseTo(is / got.terms.budget! - 1, 9)
      expect([s.network, Math.abs(s.miss) <= 0.1, Math.abs(s.endpoints / 64 - 1) <= 0.1]).toEqual([
        s.network,
        true,
        true,
      ])
    }
    const page = readFileSync(join(folder, "equal", "report.html"), "utf8")
    expect(page).toContain(
      `equal ${equal} of ${Math.round(got.terms.budget!).toLocaleString("en")} ${equal === "cost" ? "USD" : "W"}`,
    )
    expect(page).toContain("price list by-length")
  },
)

test("what no member meets ends with exit code 2 and the nearest, and nothing is written", async () => {
  const none = join(folder, "none")
  const { code, err } = await lacewing(...small, "--out", none)
  expect(code).toBe(2)
  expect(err).toContain(
    "crossbar: has no network with 16 endpoints within 10 %, and routers of at most 8 ports\n " +
      " fix: nearest: --endpoints 8 (crossbar n=8), or --radix 16",
  )
  expect(existsSync(none)).toBe(false)
})

test("a load above 1", async () => {
  const { code, err } = await lacewing(...small, "--load", "3")
  expect(code).toBe(2)
  expect(err).toContain("Write a load up to 1, for example 0.3 or 30%.")
})

test("power without watts", async () => {
  const { code, out } = await lacewing(
    "shootout",
    "--equal",
    "power",
    "--prices",
    "fitfly-fdr",
    "--radix",
    "36",
    "--json",
  )
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    complaints: [{ path: "--equal", says: "power: the price list fitfly-fdr does not contain watts" }],
  })
})
