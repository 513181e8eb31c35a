// A sweep whose output breaks or whose terminal goes: the lock is given back, the exit code says that it is not
// finished, the same command goes on.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../../test/support/build.ts"
import { readResults } from "../results/read.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-stops-"))
const file = join(dir, "experiment.yaml")
let program = ""
beforeAll(() => {
  program = join(built(), "app/main.js")
  writeFileSync(
    file,
    `lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 4 }
traffic: { name: work, pattern: uniform, load: 0.1, packet: 1flit }
sweep: { traffic.load: { from: 0.001, to: 0.06, step: 0.001 } }
`,
  )
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const points = 60
const run = (out: string): string[] => [
  "run",
  file,
  "--out",
  join(dir, out),
  "--json",
  "--workers",
  "1",
  "--simulator",
  fakeSimulator,
]

type Child = ReturnType<typeof spawn>
/** Starts lacewing, does `act` at its first line of output, and answers exit code and standard error. */
async function ended(
  args: readonly string[],
  out: "pipe" | number,
  act: (child: Child) => void,
): Promise<{ code: unknown; err: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", out, "pipe"] })
  let err = ""
  child.stderr?.on("data", (d: Buffer) => void (err += d))
  child.stdout?.once("data", () => act(child))
  const code = await new Promise((done) => child.on("exit", (status, signal) => done(status ?? signal)))
  return { code, err }
}

/** Some of the runs are there, not all, and the folder is free. */
async function unfinished(out: string, least = 1): Promise<void> {
  expect(existsSync(join(dir, out, "lock.json"))).toBe(false)
  const read = await readResults(join(dir, out), { everything: true })
  const runs = "ok" in read ? read.ok.records.length : 0
  expect(runs).toBeGreaterThanOrEqual(least)
  expect(runs).toBeLessThan(points)
}

describe("a sweep that is not finished", () => {
  test("a pipe that is closed after the first line interrupts it", async () => {
    const { code } = await ended(run("pipe"), "pipe", (child) => child.stdout?.destroy())
    expect(code).toBe(130)
    await unfinished("pipe")
  })

  test.each(["SIGHUP", "SIGTERM"] as const)("%s interrupts it", async (signal) => {
    const { code, err } = await ended(run(signal), "pipe", (child) => child.kill(signal))
    expect(code).toBe(130)
    expect(err).toContain("the same command continues from here")
    await unfinished(signal)
  })

  test.runIf(existsSync("/dev/full"))("a full device is a failure, and said", async () => {
    const { code, err } = await ended(run("full"), openSync("/dev/full", "w"), () => undefined)
    expect(code).toBe(1)
    expect(err).toContain("standard output: the disk is full")
    await unfinished("full")
  })
})

describe("a command that only prints", () => {
  test("a closed pipe is no error", async () => {
    // long enough for several writes
    const { code } = await ended(["list", "--json"], "pipe", (child) => child.stdout?.destroy())
    expect(code).toBe(0)
  })
  test.runIf(existsSync("/dev/full"))("a full device is one", async () => {
    const { code, err } = await ended(["list"], openSync("/dev/full", "w"), () => undefined)
    expect(code).toBe(1)
    expect(err).toContain("standard output: the disk is full")
  })
})

test("a finished sweep keeps its exit code when nobody reads its table", async () => {
  const small = ["--set", "traffic.name=deadlock", "--set", "traffic.load=0.1"]
  const { code } = await ended([...run("deadlock"), ...small], "pipe", (child) => child.stdout?.destroy())
  expect(code).toBe(3)
  expect(existsSync(join(dir, "deadlock", "lock.json"))).toBe(false)
})
