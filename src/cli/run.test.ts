import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../../test/support/build.ts"
import { said } from "../../test/support/cli.ts"
import { FORMAT } from "../results/folder/manifest.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-cli-"))
let dist = ""
beforeAll(() => {
  dist = built()
  writeFileSync(join(dir, "dangling.edges"), "a b\nrouter c\n")
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const good = `lacewing: 1
title: A test
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 4 }
traffic: { pattern: uniform, load: 0.1, packet: 1flit }
`
const onEdges = (name: string) =>
  good.replace(/topology:.*\n {2}routing:.*/, `topology: { name: graph, file: ${name} }\n  routing: any.shortest`)
let count = 0
function file(text: string, name = `e${++count}.yaml`): string {
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

const cli = (...args: string[]) => said(args)
const fake = ["--simulator", fakeSimulator, "--no-report"]
const lines = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split("\n")
    .map((l) => JSON.parse(l))

describe("bad input: exit 2 with place, finding and fix, and nothing is run", () => {
  test.each<[string, string, RegExp[]]>([
    [
      "unknown key",
      good.replace("vcs: 4", "vcz: 4"),
      [/:6:33 network\.switch\.vcz/, /unknown key/, /did you mean "vcs"\?/],
    ],
    ["wrong type", good.replace("a: 4", "a: four"), [/:4:41 network\.topology\.a/, /expected a whole number/]],
    ["missing unit", `${good}measure: { limit: 500 }\n`, [/:8:19 measure\.limit/, /500 has no unit/, /100cycles/]],
    ["load above 1", good.replace("0.1", "1.5"), [/:7:36 traffic\.0\.load/, /1.5 is too large/]],
    ["0 VCs", good.replace("vcs: 4", "vcs: 0"), [/:6:38 network\.switch\.vcs/, /0 is too small/]],
    [
      "too few VCs",
      good.replace("dragonfly.minimal", "dragonfly.valiant").replace("vcs: 4", "vcs: 1"),
      [/network\.(routing|switch)/, /VC/i],
    ],
    ["wrong topology", good.replace("dragonfly.minimal", "torus.dimension-order"), [/:5:12 network\.routing/, /torus/]],
    [
      "unknown topology",
      good.replace("name: dragonfly,", "name: dragonfyl,"),
      [/:4:21/, /there is no topology "dragonfyl"/, /did you mean "dragonfly"\?/],
    ],
    ["a file that is not there", onEdges("no.edges"), [/:4:34 network\.topology\.file/, /no\.edges does not exist/]],
    [
      "an edge list with a dangling router",
      onEdges("dangling.edges"),
      [/:4:34 network\.topology\.file/, /no path between routers a and c/],
    ],
    ["syntax", good.replace("{ pattern: uniform,", "{ pattern: uniform"), [/YAML/]],
    [
      "several",
      good.replace("vcs: 4", "vcz: 4").replace("0.1", "-1"),
      [/unknown key/, /-1 is too small/, /2 errors\. Nothing was run\./],
    ],
    [
      "a sweep of 10^9 points, with the count",
      `${good}seeds: 1000\nsweep: { traffic.load: { from: 0.0001, to: 0.1, step: 0.0001 }, network.switch.vcs: { from: 4, to: 1003, step: 1 } }\n`,
      [/1,?000,?000,?000/],
    ],
    [
      "an expectation on a value that nobody measures",
      `${good}expect: latency.maen < 5cycles\n`,
      [/:8:9 expect/, /latency\.maen/, /latency\.mean/],
    ],
  ])("%s", async (_, text, patterns) => {
    const out = join(dir, `out${++count}`)
    const got = await cli("run", file(text), "--out", out)
    expect(got.err).toSatisfy((err: string) => patterns.every((p) => p.test(err)))
    expect([got.code, got.out, existsSync(out)]).toEqual([2, "", false])
    expect(got.err).toContain("fix:")
    expect((await cli("check", file(text))).code).toBe(2)
  })
  test("no such file; unknown command, option and shard", async () => {
    expect(await cli("run", join(dir, "none.yaml"))).toMatchObject({
      code: 2,
      err: expect.stringContaining("does not exist"),
    })
    expect(await cli("rnu")).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "lacewing run"?') })
    expect((await cli("run", "x", "--shard", "3/2")).code).toBe(2)
    expect((await cli("run", "x", "--wrokers", "2")).err).toContain("--workers")
  })
  test("complaints as data", async () => {
    const got = await cli("run", file(good.replace("vcs: 4", "vcz: 4")), "--json")
    expect(lines(got.out)[0]).toMatchObject({
      ok: false,
      complaints: [{ path: "network.switch.vcz", says: "unknown key", line: 6, column: 33 }],
    })
  })
})

describe("run", () => {
  const sweep = `${good}seeds: 2\nsweep: { traffic.load: [0.2, 0.4] }\n`
  test("one JSON line for each run; run again all are known; forced, the fingerprints are the same", async () => {
    const args = ["run", file(sweep), "--out", join(dir, "json"), "--json", ...fake]
    const first = await cli(...args)
    expect(first.code).toBe(0)
    expect(lines(first.out).length).toBe(4)
    expect(lines(first.out)[0]).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      seed: expect.any(Number),
      why: "steady",
      known: false,
      spec: { network: { switch: { vcs: 4 } } },
    })
    const second = await cli(...args)
    expect(lines(second.out).every((l) => l["known"] === true)).toBe(true)
    expect(second.err).toContain("all 4 were already stored")
    const forced = await cli(...args, "--force")
    const prints = (out: string) =>
      lines(out)
        .map((l) => `${l["hash"]} ${l["fingerprint"]}`)
        .sort()
    expect(prints(forced.out)).toEqual(prints(first.out))
  })
  test("table, chart and count; --quiet prints the table alone", async () => {
    const path = file(sweep)
    const loud = await cli("run", path, "--out", join(dir, "loud"), ...fake)
    expect(loud.out).toContain("A test")
    expect(loud.out).toContain("mean latency (cycles)")
    expect(loud.err).toMatch(/4 runs in /)
    const quiet = await cli("run", path, "--out", join(dir, "loud"), "--quiet", ...fake)
    expect(quiet.err).toBe("")
    expect(quiet.out).not.toContain("mean latency (cycles)")
    expect(quiet.out).not.toContain("\u001b")
  })
  test("exit 1 for a failed expectation, 3 for a deadlock, 1 for a crash", async () => {
    const fails = await cli("run", file(`${good}expect: latency.mean < 5cycles\n`), "--out", join(dir, "x1"), ...fake)
    expect([fails.code, fails.out]).toEqual([1, expect.stringContaining("fails   latency.mean < 5cycles")])
    expect(
      (await cli("run", file(good), "--set", "traffic.name=deadlock", "--out", join(dir, "x2"), ...fake)).code,
    ).toBe(3)
    const crash = await cli("run", file(good), "--set", "traffic.name=crash", "--out", join(dir, "x3"), ...fake)
    expect([crash.code, crash.err]).toEqual([1, expect.stringContaining("TypeError: something is undefined")])
  })
  test("--dry-run counts and makes nothing; --seed and --set are heeded", async () => {
    const out = join(dir, "dry")
    const got = await cli(
      "run",
      file(sweep),
      "--out",
      out,
      "--dry-run",
      "--json",
      "--seed",
      "5,6,7",
      "--set",
      "traffic.load=0.1",
    )
    expect(lines(got.out)[0]).toMatchObject({ runs: 3, todo: 3, endpoints: 72 })
    expect(existsSync(out)).toBe(false)
  })
  test("--dry-run predicts the runs of a search and says what that rests on; what cannot be run has no prediction", async () => {
    const path = file(
      `${good.replace(/, load: [\d.]+/, "")}search: { name: saturation, from: 0.1, to: 0.9, precision: 10% }\n`,
    )
    const got = await cli("run", path, "--out", join(dir, "dry-search"), "--dry-run", "--json")
    const told = lines(got.out)[0]
    // 0.1, 0.9, then halves of 0.8 until one is a tenth of the knee at most: of a knee at 0.1 seven, of one at 0.9 four
    expect([told["runs"], told["todo"]]).toEqual([expect.any(Number), told["runs"]])
    expect(told["runs"]).toBeGreaterThanOrEqual(2)
    expect(told["runs"]).toBeLessThanOrEqual(2 + 7)
    expect(told["basis"]).toContain("flit-hops, predicted from sample packets, at ")
    const refused = await cli(
      "run",
      path,
      "--out",
      join(dir, "dry-search"),
      "--dry-run",
      "--set",
      "network.switch.vcs=1",
    )
    expect([refused.code, refused.out, refused.err]).toEqual([2, "", expect.stringContaining("VCs")])
  })
  test("shards fill two folders with half each", async () => {
    const path = file(sweep)
    for (const i of [1, 2]) await cli("run", path, "--out", join(dir, `shard${i}`), "--shard", `${i}/2`, ...fake)
    const again = await cli("run", path, "--out", join(dir, "shard1"), "--json", ...fake)
    expect(lines(again.out).filter((l) => l["known"] === true).length).toBe(2)
  })
  test("Ctrl-C keeps finished runs and exits with 130; the same command goes on", async () => {
    const path = file(`${good}sweep: { traffic.load: { from: 0.001, to: 0.06, step: 0.001 } }\n`)
    const out = join(dir, "int")
    const args = ["run", path, "--out", out, "--json", "--workers", "1", "--set", "traffic.name=work", ...fake]
    const child = spawn(process.execPath, [join(dist, "app/main.js"), ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let seen = 0
    child.stdout.on("data", (d: Buffer) => {
      seen += String(d).split("\n").length - 1
      // a second one would end it at once
      if (seen >= 3 && !child.killed) child.kill("SIGINT")
    })
    const code = await new Promise((done) => child.on("close", done))
    expect(code).toBe(130)
    expect(readdirSync(out).length).toBeGreaterThan(0)
    const rest = await cli(...args)
    expect(rest.code).toBe(0)
    const known = lines(rest.out).filter((l) => l["known"] === true).length
    expect(known).toBeGreaterThanOrEqual(3)
    expect([known < 60, lines(rest.out).length]).toEqual([true, 60])
  })
})

describe("a sweep of 200 points", () => {
  // loads at which no run is foreseen to be long: a long one would have a worker of its own
  const text = `${good}sweep: { traffic.load: { from: 0.0005, to: 0.1, step: 0.0005 } }\n`
  const run = (path: string, out: string, ...more: string[]) =>
    cli("run", path, "--out", join(dir, out), ...more, ...fake)
  let whole = ""
  beforeAll(async () => void (whole = (await run(file(text), "whole", "--quiet")).out))

  test("SIGKILL in the middle: nothing finished is run twice, and the table is that of an undisturbed sweep", async () => {
    const path = file(text)
    const args = ["run", path, "--out", join(dir, "kill"), "--json", ...fake]
    const child = spawn(process.execPath, [join(dist, "app/main.js"), ...args], { stdio: ["ignore", "pipe", "ignore"] })
    let seen = 0
    child.stdout.on("data", (d: Buffer) => {
      seen += String(d).split("\n").length - 1
      if (seen >= 90) child.kill("SIGKILL")
    })
    await new Promise((done) => child.on("close", done))
    const rest = await run(path, "kill", "--json")
    expect(rest.code).toBe(0)
    const known = lines(rest.out).filter((l) => l["known"] === true).length
    expect([known >= seen, known < 200, lines(rest.out).length]).toEqual([true, true, 200])
    expect((await run(path, "kill", "--quiet")).out).toBe(whole)
  })

  test("two shards on two folders, merged, are the undisturbed sweep", async () => {
    const path = file(text)
    const part = [
      "--set",
      "network.switch.buffer=4flits",
      "--set",
      "sweep={traffic.load: {from: 0.001, to: 0.04, step: 0.001}}",
    ]
    for (const i of [1, 2]) expect((await run(path, `half${i}`, "--shard", `${i}/2`, ...part)).code).toBe(0)
    expect((await cli("merge", join(dir, "both"), join(dir, "half1"), join(dir, "half2"))).code).toBe(0)
    const all = await run(path, "both", "--json", ...part)
    expect(lines(all.out).map((l) => l["known"])).toEqual(Array.from({ length: 40 }, () => true))
    const undisturbed = await run(path, "unsharded", "--quiet", ...part)
    expect((await run(path, "both", "--quiet", ...part)).out).toBe(undisturbed.out)
  })

  test("a truncated shard is set aside, its points are run again, and that is said", async () => {
    const shard = join(dir, "whole/runs/0001.parquet")
    truncateSync(shard, statSync(shard).size >> 1)
    const again = await run(file(text), "whole", "--json")
    expect(again.err).toMatch(/moved it to/)
    const known = lines(again.out).filter((l) => l["known"] === true).length
    // a shard holds 64 runs
    expect([again.code, lines(again.out).length, known]).toEqual([0, 200, 200 - 64])
    expect((await run(file(text), "whole", "--quiet")).out).toBe(whole)
  })
})

test("a report that cannot be written: said, exit 1, and the runs are kept", async () => {
  const out = join(dir, "unwritten")
  const args = ["run", file(good), "--out", out, "--simulator", fakeSimulator]
  await cli(...args, "--no-report")
  writeFileSync(join(out, "csv"), "in the way")
  const got = await cli(...args)
  expect([got.code, got.err]).toEqual([1, expect.stringContaining("csv: is a file where a folder is needed")])
  rmSync(join(out, "csv"))
  rmSync(join(out, "report.html"))
  const again = await cli(...args)
  expect([again.code, again.err]).toEqual([0, expect.stringContaining("all 1 were already stored")])
})

test("results of a newer format are refused", async () => {
  mkdirSync(join(dir, "newer"))
  writeFileSync(join(dir, "newer/manifest.json"), JSON.stringify({ format: FORMAT + 1, version: "9.0.0" }))
  const got = await cli("run", file(good), "--out", join(dir, "newer"), ...fake)
  expect([got.code, got.err]).toEqual([2, expect.stringContaining(`this version reads formats up to ${FORMAT}`)])
})

test("--watch runs again what a change of the file touches, and nothing else", async () => {
  const path = file(`${good}sweep: { traffic.load: [0.1, 0.2] }\n`, "watch/experiment.yaml")
  const args = ["run", path, "--out", join(dir, "watched"), "--watch", "--json", ...fake]
  const child = spawn(process.execPath, [join(dist, "app/main.js"), ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let [out, err] = ["", ""]
  child.stdout.on("data", (d: Buffer) => void (out += d))
  child.stderr.on("data", (d: Buffer) => void (err += d))
  const waiting = async (times: number) => {
    while (err.split(/watching /i).length - 1 < times) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended: ${err}`)
      await new Promise((done) => setTimeout(done, 50))
    }
    const said = lines(out).map((l) => [l["known"], Object.values(l["point"] as object)[0]] as const)
    out = ""
    return said.sort((a, b) => a[1] - b[1])
  }
  try {
    expect(await waiting(1)).toEqual([
      [false, 0.1],
      [false, 0.2],
    ])
    writeFileSync(path, `${good}sweep: { traffic.load: [0.1, 0.2, 0.3] }\n`)
    expect(await waiting(2)).toEqual([
      [true, 0.1],
      [true, 0.2],
      [false, 0.3],
    ])
    // a mistake is told, and the next change is waited for
    writeFileSync(path, good.replace("vcs: 4", "vcz: 4"))
    while (!err.includes('did you mean "vcs"?')) await new Promise((done) => setTimeout(done, 50))
    out = ""
    writeFileSync(path, `${good}sweep: { traffic.load: [0.3] }\n`)
    expect(await waiting(4)).toEqual([[true, 0.3]])
  } finally {
    child.kill("SIGINT")
  }
  expect(await new Promise((done) => child.on("close", (code, signal) => done(code ?? signal)))).toBeOneOf([
    130,
    "SIGINT",
  ])
})

describe("the other commands", () => {
  test("help names every command; each has help of its own", async () => {
    const { out, code } = await cli("--help")
    expect(code).toBe(0)
    for (const name of ["run", "check", "list", "explain", "doctor"]) {
      expect(out).toContain(name)
      expect((await cli(name, "--help")).out).toContain(`Usage: lacewing ${name}`)
    }
  })
  test("a command that is not there is refused, with and without --help", async () => {
    for (const args of [["chek"], ["chek", "--help"], ["--help", "chek"], ["help", "chek"]])
      expect(await cli(...args)).toMatchObject({
        code: 2,
        err: expect.stringContaining('did you mean "lacewing check"?'),
      })
    expect(await cli("xylophone", "--help")).toMatchObject({
      code: 2,
      err: expect.stringContaining("lacewing --help lists all commands"),
    })
    expect((await cli("help", "check")).code).toBe(0)
  })
  test("explain a parameter, a plug-in, a value; a slip gets the nearest", async () => {
    const vcs = await cli("explain", "network.switch.vcs")
    for (const word of ["meaning", "range", "at least 1", "default", "source", "input-queued"])
      expect(vcs.out).toContain(word)
    expect((await cli("explain", "dragonfly.minimal")).out).toContain("routing")
    expect((await cli("explain", "latency.p99")).out).toContain("99th percentile")
    expect((await cli("explain", "traffic.0.load")).out).toContain("fraction of one endpoint channel")
    expect(await cli("explain", "network.switch.vcz")).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean "network.switch.vcs"?'),
    })
  })
  test("list one kind, in the singular or plural, and as data", async () => {
    const { out } = await cli("list", "topologies", "--json")
    const rows = JSON.parse(out) as { kind: string; name: string }[]
    expect(rows.map((r) => r.name)).toContain("dragonfly")
    expect(rows.every((r) => r.kind === "topology")).toBe(true)
    expect((await cli("list", "toplogy")).err).toContain('did you mean "topology"?')
  })
  test("init writes an experiment that passes the check, and replaces nothing unasked", async () => {
    const path = join(dir, "fresh", "mine.yaml")
    expect((await cli("init", path)).code).toBe(0)
    expect(existsSync(join(dir, "fresh", "schema.json"))).toBe(true)
    expect(await cli("check", path)).toMatchObject({ code: 0, out: expect.stringContaining("10 runs") })
    expect((await cli("init", path)).code).toBe(2)
    expect((await cli("init", path, "--force")).code).toBe(0)
  })
  test("doctor finds node and shared memory", async () => {
    const found = JSON.parse((await cli("doctor", "--json")).out) as { name: string; state: string }[]
    expect(found.filter((f) => ["node", "shared memory"].includes(f.name)).map((f) => f.state)).toEqual(["ok", "ok"])
  })
})
