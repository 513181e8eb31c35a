// A small shoot-out from the command line: to the end, gone on from, and refused.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { main } from "../src/cli/program.ts"
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
  const args = [...small.map((a) => (a === "8" ? "16" : a)), "--out", folder, "--json", "--record", join(folder, "kept.json")]
  const { code, out } = await lacewing(...args)
  expect(code).toBe(0)
  const got = JSON.parse(out) as Shootout
  expect(got.book.name).toBe("by-length")
  expect(got.standings.map((s) => s.family)).toEqual(["crossbar", "hyperx", "tree"])
  const [crossbar, hyperx] = got.standings
  // one router of 12,000 + 16 x 350, 16 cables of 2 m at 100
  expect(crossbar).toMatchObject({ network: "crossbar n=16", price: 12_000 + 16 * 350 + 16 * 100, watts: 150 + 16 * 0.2, routers: 1 })
  // a crossbar carries any permutation
  expect(crossbar!.worst).toBeGreaterThan(0.7)
  // two cables of 2 m at 10 ns, 100 ns in the router, 4 KiB at 100 Gb/s take 327.68 ns, and hardly a packet meets another
  expect(crossbar!.latency).toBeGreaterThan(2 * 10 + 100 + 327)
  expect(crossbar!.latency).toBeLessThan(2 * 10 + 100 + 327 + 60)
  // W / (16 endpoints x 0.3 x 100 Gb/s), in pJ
  expect(crossbar!.energy).toBeCloseTo((1000 * (150 + 3.2)) / (16 * 0.3 * 100), 6)
  expect(hyperx!.worst).toBeLessThanOrEqual(hyperx!.uniform)
  expect(got.standings.some((s) => s.pareto)).toBe(true)
  expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("price book by-length")
  expect(JSON.parse(readFileSync(join(folder, "kept.json"), "utf8"))).toEqual(got)
  const again = await lacewing(...args.slice(0, -2))
  expect(JSON.parse(again.out)).toEqual(got)
  expect(again.err).toContain("0 runs")
})

test("what no member meets ends with exit code 2 and the nearest, and nothing is written", async () => {
  const none = join(folder, "none")
  const { code, err } = await lacewing(...small, "--out", none)
  expect(code).toBe(2)
  expect(err).toContain(
    "crossbar: has no member of 16 endpoints within 10 % with routers of at most 8 ports\n  fix: nearest: --endpoints 8 (crossbar n=8), or --radix 16",
  )
  expect(existsSync(none)).toBe(false)
})

test("power without watts", async () => {
  const { code, out } = await lacewing("shootout", "--equal", "power", "--book", "fitfly-fdr", "--radix", "36", "--json")
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    complaints: [{ path: "--equal", says: "power: the price book fitfly-fdr has no watts" }],
  })
})
