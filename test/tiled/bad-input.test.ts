// What makes no sense for a tiled switch, as a person meets it: exit 2 with file, line and column, finding and fix,
// before anything is run.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { main } from "../../src/cli/program.ts"
import { plainPaint } from "../../src/terminal/paint.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-tiled-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const good = `lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 5, h: 2, roles: random }
  routing: dragonfly.par62-direct
  switch:
    name: tiled
    rows: 2
    columns: 2
    stash: { end: 0.875, local: 0.75 }
    reliability: true
    retries: 8
    carries: { local: [0, 1, 2, 3, 4], global: [2, 4] }
  endpoint: queue-pairs
  congestion: { name: ecn-window, window: 4096flits }
  links: { end: 5ns, local: 40ns, global: 500ns }
  cycle: 1ns
  flit: 10B
traffic: { pattern: uniform, load: 0.1, packet: 24flits }
`

async function check(text: string): Promise<{ code: number; said: string }> {
  const path = join(dir, "e.yaml")
  writeFileSync(path, text)
  let said = ""
  const say = (s: string) => void (said += `${s}\n`)
  const io = { out: say, err: say, raw: () => {}, paint: plainPaint, live: false, width: 200 }
  return { code: await main(["check", path], io), said }
}

describe("bad input", () => {
  test("the experiment itself is good", async () => {
    const { code, said } = await check(good)
    expect([code, said.includes("bug")]).toEqual([0, false])
  })
  test.each<[string, string, RegExp[]]>([
    [
      "P is not R x I",
      good.replace("rows: 2", "rows: 3"),
      [/:7:11 network\.switch\.rows/, /8 ports are not 3 rows/, /1, 2, 4, 8/],
    ],
    [
      "P is not C x O",
      good.replace("columns: 2", "columns: 5"),
      [/:8:14 network\.switch\.columns/, /8 ports are not 5 columns/],
    ],
    [
      "less than a packet left",
      good.replace("end: 0.875", "end: 0.98"),
      [/:9:19 network\.switch\.stash\.end/, /leaves 20 flits .* a packet has 24/, /lower the share/],
    ],
    [
      "less than a round trip left",
      good.replace("local: 0.75", "local: 0.95"),
      [/:9:33 network\.switch\.stash\.local/, /leaves 50 flits .* round trip holds 80/, /lower the share/],
    ],
    ["0 retries", good.replace("retries: 8", "retries: 0"), [/:11:14 network\.switch\.retries/, /0 is too small/, /1/]],
    [
      "a window smaller than a packet",
      good.replace("window: 4096flits", "window: 20flits, least: 20flits"),
      [/network\.congestion\.minWindow/, /window of 20 flits is too small for a packet of 24/, /24flits/],
    ],
    [
      "a window below its least value",
      good.replace("4096flits", "12flits"),
      [/network\.congestion\.minWindow/, /more than the window of 12/],
    ],
    [
      "errors that nobody puts right",
      good.replace("reliability: true", "errors: { local: 0.1 }"),
      [/no copies are stored/, /reliability: true/],
    ],
    [
      "copies in no stash",
      good.replace("stash: { end: 0.875, local: 0.75 }", "capacity: 0"),
      [/copies need space in a stash/],
    ],
  ])("%s", async (_name, text, findings) => {
    const { code, said } = await check(text)
    expect(code).toBe(2)
    for (const finding of findings) expect(said).toMatch(finding)
  })
})
