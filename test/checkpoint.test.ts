// Runs that are written down: left and gone on from in one process, on threads, and after a process was killed at any
// moment. The result is that of a run that was never stopped; a checkpoint that is not the run's own is set aside, and
// that is said.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { differencesOf } from "../src/reproduce/peers/matrix/modes.ts"
import { checkpointPath, readCheckpoint, writeCheckpoint } from "../src/results/checkpoints.ts"
import { checksumBytes } from "../src/results/checksum.ts"
import { plainDigest } from "../src/results/folder/folder.ts"
import { readResults } from "../src/results/read.ts"
import { Checkpoints, packed, unpacked } from "../src/run/checkpoint.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { built, root } from "./support/build.ts"
import { specOf } from "./support/machine.ts"

const out = mkdtempSync(join(tmpdir(), "lacewing-checkpoint-"))
beforeAll(() => void built())
afterAll(() => rmSync(out, { recursive: true, force: true }))

const spec = specOf({
  traffic: [{ load: 0.3, flits: 2 }],
  measure: { warmup: "500cycles", window: "3000cycles", limit: "9kcycles", drain: "measured" },
})

const plain = specOf({
  topology: { name: "torus", sides: "3x3" },
  routing: { name: "torus.dimension-order" },
  endpoint: { name: "rails" },
  traffic: [{ load: 0.4, packet: { name: "fixed", size: "1KiB" }, arrivals: { name: "poisson" } }],
  measure: { warmup: "2us", window: "30us", limit: "80us", drain: "measured" },
})
const chunk = {
  name: "chunk",
  vcs: 8,
  chunk: "2KiB",
  buffer: "8KiB",
  bandwidth: "25GiB/s",
  delay: "90ns",
  credit: "5ns",
}
const packets: RunSpec = {
  ...plain,
  network: { ...plain.network, switch: chunk, flit: "64B" },
  engine: { name: "packet", sync: "conservative" },
}

type Simulator = Pick<typeof import("../src/run/simulate.ts"), "prepare" | "simulate">

/** Left `leaves` times after so many steps, then run to its end; what was said. */
async function interrupted(
  dir: string,
  s: RunSpec,
  steps: number,
  options: { workers: number; threads: boolean },
  by: Simulator = { prepare, simulate },
  leaves = 2,
) {
  const said: string[] = []
  for (let times = 0; ; times++) {
    let asked = 0
    const keeper = new Checkpoints(
      { dir, hash: "aa", every: 3600 },
      () => times < leaves && ++asked >= steps,
      (text) => said.push(text),
    )
    const result = await by.simulate(prepared(s, by), { ...options, keeper })
    if (!keeper.left) return { result, times, said }
  }
}

function prepared(s: RunSpec, by: Pick<Simulator, "prepare"> = { prepare }) {
  const p = by.prepare(s, { read: (path) => `no file ${path}` })
  if ("bad" in p) throw new Error(p.bad[0]!.says)
  return p.ok
}

describe("left and gone on from", () => {
  let straight: RunResult
  beforeAll(async () => {
    straight = await simulate(prepared(spec))
  })

  for (const workers of [1, 3])
    test(`${workers} workers in one thread`, async () => {
      const { result, times, said } = await interrupted(join(out, `w${workers}`), spec, 3, { workers, threads: false })
      expect(times).toBe(2)
      // steps of 16, 32 and 64 cycles, or shorter ones where the machine is slow: at least a cycle each, and every leg
      // leads on
      const cycles = said.map((text) =>
        Number(/^Run aa continues from its checkpoint at cycle (\d+)\.$/.exec(text)?.[1]),
      )
      expect([cycles.length, cycles[0]! >= 3, cycles[1]! >= cycles[0]! + 3]).toEqual([2, true, true])
      expect(differencesOf(straight, result)).toEqual([])
    })

  for (const workers of [1, 2])
    test(`packet engine, ${workers} workers in one thread`, async () => {
      const options = { workers, threads: false }
      const { result, times } = await interrupted(join(out, `p${workers}`), packets, 1, options)
      expect(times).toBe(2)
      expect(differencesOf(await simulate(prepared(packets), options), result)).toEqual([])
    })

  test("two threads, and what they left is gone on from by one", async () => {
    const built: Simulator = await import(join(root, "dist/app/simulate.js"))
    const dir = join(out, "threads")
    const first = await interrupted(dir, spec, 3, { workers: 2, threads: true }, built, 1)
    expect(first.times).toBe(1)
    expect(differencesOf(straight, first.result)).toEqual([])
    // the last state of two is still there
    expect(existsSync(checkpointPath(dir, "aa"))).toBe(true)
    const second = await interrupted(dir, spec, 1e9, { workers: 1, threads: false })
    expect(second.said).toEqual([expect.stringMatching(/^Run aa continues from its checkpoint at cycle \d+\.$/)])
    expect(differencesOf(straight, second.result)).toEqual([])
  })

  test.each<[string, (bytes: Uint8Array) => Uint8Array, RunSpec, RegExp]>([
    [
      "truncated",
      (b) => b.subarray(0, b.length - 100),
      spec,
      /aa\.bin: is not complete\n {2}fix: moved to .*set-aside.aa\.bin; the run starts over$/,
    ],
    ["with one bit changed", (b) => b.map((x, i) => (i === 200 ? x ^ 4 : x)), spec, /is not complete/],
    ["empty", () => new Uint8Array(), spec, /is not complete/],
    [
      "of nothing",
      () => checksumBytes(new Uint8Array(40), plainDigest),
      spec,
      /aa\.bin: cannot be read: .*\n {2}fix: moved to /,
    ],
    [
      "of another network",
      (b) => b,
      { ...spec, network: { ...spec.network, topology: { name: "mesh", k: 3, n: 2 } } },
      /aa\.bin: column .* length/,
    ],
  ])("a checkpoint %s is set aside, and the run starts over", async (name, change, other, says) => {
    const dir = join(out, name.replaceAll(" ", "-"))
    let asked = 0
    const leaver = new Checkpoints(
      { dir, hash: "aa", every: 3600 },
      () => ++asked >= 3,
      () => undefined,
    )
    await simulate(prepared(spec), { keeper: leaver })
    expect(leaver.left).toBe(true)
    const path = checkpointPath(dir, "aa")
    const bytes = change(readFileSync(path))
    writeFileSync(path, bytes)
    const { result, said } = await interrupted(dir, other, 1e9, { workers: 1, threads: false })
    expect(said.at(-1)).toMatch(says)
    expect(existsSync(path)).toBe(false)
    expect(readFileSync(join(dir, "set-aside", "aa.bin")).equals(bytes)).toBe(true)
    expect(differencesOf(await simulate(prepared(other)), result)).toEqual([])
  })

  test("a checkpoint that cannot be written is said, and the run goes on to the same result", async () => {
    const dir = join(out, "file")
    // where the folder should be there is a file
    writeFileSync(dir, "")
    const said: string[] = []
    const keeper = new Checkpoints(
      { dir, hash: "aa", every: 1e-9 },
      () => false,
      (text) => said.push(text),
    )
    expect(differencesOf(straight, await simulate(prepared(spec), { keeper }))).toEqual([])
    expect(said.filter((s) => /no checkpoint was written/.test(s)).length).toBeGreaterThan(0)
  })

  test("a checkpoint of another run is set aside", async () => {
    const dir = join(out, "foreign")
    await simulate(prepared(spec), {
      keeper: new Checkpoints(
        { dir, hash: "bb", every: 3600 },
        () => true,
        () => undefined,
      ),
    })
    writeFileSync(checkpointPath(dir, "aa"), readFileSync(checkpointPath(dir, "bb")))
    const { said } = await interrupted(dir, spec, 1e9, { workers: 1, threads: false })
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/aa\.bin: belongs to another run/)
  })
})

describe("a process that is killed", () => {
  const file = join(out, "long.json")
  const args = (...more: string[]) => [
    join(root, "dist/app/main.js"),
    "run",
    file,
    "--json",
    "--no-report",
    "--workers",
    "1",
    ...more,
  ]
  writeFileSync(
    file,
    JSON.stringify({
      lacewing: 1,
      network: {
        topology: { name: "mesh", k: 8, n: 2 },
        routing: "mesh.dimension-order",
        switch: { name: "input-queued", vcs: 2 },
      },
      traffic: { pattern: "uniform", load: 0.3, packet: "2flits" },
      measure: { warmup: "1kcycles", window: "16kcycles", limit: "40kcycles" },
    }),
  )

  interface Ended {
    readonly code: number | null
    readonly signal: NodeJS.Signals | null
    readonly stdout: string
    readonly stderr: string
  }
  function start(...more: string[]): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(process.execPath, args(...more), { cwd: out })
    let [stdout, stderr] = ["", ""]
    child.stdout.on("data", (d) => (stdout += d))
    child.stderr.on("data", (d) => (stderr += d))
    return {
      child,
      ended: new Promise((done) => child.on("close", (code, signal) => done({ code, signal, stdout, stderr }))),
    }
  }
  const resultIn = ({ stdout }: Ended): RunResult =>
    JSON.parse(stdout.split("\n").find((l) => l.includes('"fingerprint"'))!)
  const same = ({ why, explains, fingerprint, values }: RunResult) => {
    const { seconds: _, ...rest } = values
    return { why, explains, fingerprint, values: rest }
  }

  test("after SIGKILL at several moments and SIGTERM, the result is that of a run that was never stopped", async () => {
    const straight = resultIn(await start("--out", join(out, "straight")).ended)
    const dir = join(out, "killed")
    const states = join(dir, "checkpoints")
    const newest = () =>
      (existsSync(states) ? readdirSync(states).filter((f) => f.endsWith(".bin")) : []).map(
        (f) => statSync(join(states, f), { throwIfNoEntry: false })?.mtimeMs ?? 0,
      )
    /** Ends it at a moment after it has written: how it ended. */
    async function killed(signal: NodeJS.Signals, wait: number): Promise<Ended> {
      const before = Math.max(0, ...newest())
      const { child, ended } = start("--out", dir, "--checkpoint", "5ms")
      let over = false
      void ended.then(() => (over = true))
      while (!over && Math.max(0, ...newest()) <= before) await new Promise((next) => setTimeout(next, 2))
      await new Promise((next) => setTimeout(next, wait))
      child.kill(signal)
      return ended
    }
    const ends = [await killed("SIGKILL", 0), await killed("SIGKILL", 11)]
    expect(ends.map((e) => e.signal)).toEqual(["SIGKILL", "SIGKILL"])
    const left = await killed("SIGTERM", 0)
    expect([left.code, left.stderr.includes("continues from its checkpoint")]).toEqual([130, true])
    expect(readdirSync(states).filter((f) => f.endsWith(".bin"))).toHaveLength(1)
    // the processes so far took, let us say, a million seconds
    const [name] = readdirSync(states)
    const hash = name!.replace(".bin", "")
    const bytes = readCheckpoint(dir, hash)
    const kept = typeof bytes === "string" ? bytes : unpacked(hash, bytes)
    if (typeof kept === "string") throw new Error(kept)
    expect(kept.seconds).toBeGreaterThan(0)
    writeCheckpoint(dir, hash, packed(hash, kept, 1e6))
    const last = await start("--out", dir).ended
    expect([last.code, last.stderr.includes("continues from its checkpoint")]).toEqual([0, true])
    expect(same(resultIn(last))).toEqual(same(straight))
    const read = await readResults(dir)
    if ("bad" in read) throw new Error(read.bad[0]!.says)
    const { provenance, result } = read.ok.records[0]!
    // of all processes; those of the run itself lie within the saved run, which nobody has changed
    expect([provenance.seconds > 1e6, result.values["seconds"]! < 1e6]).toEqual([true, true])
    expect(readdirSync(states)).toEqual([])
  })

  test(
    "SIGKILL at three random moments: each process goes on from the last checkpoint, " +
      "and seconds are those of all (scripts/kill-checkpoint.mjs)",
    async () => {
      const options = ["--kills", "3", "--cycles", "20000", "--interval", "30ms", "--busy", "--json"]
      const child = spawn(process.execPath, [join(root, "scripts/kill-checkpoint.mjs"), ...options])
      let said = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (d) => (said += d))
      const code = await new Promise((done) => child.on("close", done))
      expect(code, said).toBe(0)
      const found = JSON.parse(said)
      expect([found.kills, found.wrong, found.tables.length > 3]).toEqual([3, [], true])
      expect(found.lastCheckpoint).toBeGreaterThan(0)
      expect(found.seconds).toBeGreaterThan(found.secondsAtLast)
    },
  )

  test("an interval that is none is refused", async () => {
    const { code, stderr } = await start("--out", join(out, "none"), "--checkpoint", "0s").ended
    expect([code, stderr.includes("Write a time such as 30s, 10min or 2h.")]).toEqual([2, true])
  })
})
