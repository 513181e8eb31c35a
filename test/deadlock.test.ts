// The three-VC rule of BookSim2 for UGAL on a dragonfly: the check shows a circle of waits, a run far past saturation
// ends in one and names it, and the same network with our rule, one VC for each hop class, goes on.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { built, root } from "./support/build.ts"

const out = mkdtempSync(join(tmpdir(), "lacewing-deadlock-"))
beforeAll(() => void built())
afterAll(() => rmSync(out, { recursive: true, force: true }))

function lacewing(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(root, "dist/app/main.js"), ...args], { cwd: root, encoding: "utf8" })
}
const ours = ["--set", "network.routing.name=dragonfly.ugal-l", "--set", "network.switch.vcs=4"]

test("the check shows the circle: each packet waits for what the next one holds", () => {
  const { status, stdout } = lacewing("check", "experiments/deadlock", "--quick", "--json")
  const { deadlock } = JSON.parse(stdout)
  expect([status, deadlock.free]).toEqual([2, false])
  const { cycle } = deadlock as { cycle: { from: number; to: number; holds: string; waitsFor: string }[] }
  expect(cycle.length).toBeGreaterThan(2)
  for (const [i, edge] of cycle.entries()) expect(edge.waitsFor).toBe(cycle[(i + 1) % cycle.length]!.holds)
  // the rule reuses VC 0 on the way to the intermediate group and inside it
  expect(cycle.every((e) => e.holds.endsWith("VC 0"))).toBe(true)
})

const stop = ["--set", "measure.deadlock=stop"]

test("without measure.deadlock: watch nothing is run, exit code 2, and no folder is made", () => {
  const folder = join(out, "refused")
  const { status, stderr } = lacewing("run", "experiments/deadlock", "--no-report", "--out", folder, ...stop)
  expect([status, existsSync(folder)]).toEqual([2, false])
  expect(stderr).toContain('"dragonfly.booksim-ugal" can deadlock on this network')
  expect(stderr).toContain("to run it nevertheless, add --anyway or set measure.deadlock: watch")
  expect(stderr).toContain("1 error. Nothing was run.")
})

test("--anyway runs it all the same", () => {
  const short = [
    "--set",
    "measure.limit=300cycles",
    "--set",
    "measure.window=100cycles",
    "--set",
    "measure.warmup=0cycles",
  ]
  const { status } = lacewing(
    "run",
    "experiments/deadlock",
    "--no-report",
    "--anyway",
    "--out",
    join(out, "anyway"),
    ...stop,
    ...short,
  )
  expect(status).toBe(0)
})

test("the run deadlocks, exit code 3, and says who waits for whom", () => {
  const { status, stdout } = lacewing(
    "run",
    "experiments/deadlock",
    "--json",
    "--no-report",
    "--out",
    join(out, "theirs"),
  )
  const { why, explains } = JSON.parse(stdout.split("\n")[0]!)
  expect([status, why]).toEqual([3, "deadlock"])
  const waits = [
    ...String(explains).matchAll(
      /packet (\d+) of \d+ from endpoint \d+ to endpoint \d+ holds .* and waits for .*, held by packet (\d+)/g,
    ),
  ]
  expect(waits.length).toBeGreaterThan(1)
  for (const [i, [, , holder]] of waits.entries()) expect(holder).toBe(waits[(i + 1) % waits.length]![1])
})

test("with ours the check finds an order, and the same overload goes on to its limit", () => {
  expect(
    JSON.parse(lacewing("check", "experiments/deadlock", "--quick", "--json", ...ours).stdout).deadlock,
  ).toMatchObject({
    free: true,
    by: "order",
  })
  const { status, stdout } = lacewing(
    "run",
    "experiments/deadlock",
    "--json",
    "--no-report",
    "--out",
    join(out, "ours"),
    ...ours,
  )
  const { why, values } = JSON.parse(stdout.split("\n")[0]!)
  expect([status, why]).toEqual([0, "limit"])
  // every group sends to the next: one direct link for 8 endpoints gives 0.125, detours twice that at best
  expect(values.accepted).toBeGreaterThan(0.125)
  expect(values.accepted).toBeLessThan(0.5)
})
