// Files and command lines that would hang, crash or fool a program: every one is answered with path, finding and fix,
// and with --json as one line of JSON.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../../test/support/build.ts"
import { said } from "../../test/support/cli.ts"
import { colourPaint, plainPaint } from "../terminal/paint.ts"
import { shown } from "./outcome.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-hostile-"))
const at = (name: string) => join(dir, name)
beforeAll(() => {
  built()
  execFileSync("mkfifo", [at("pipe.yaml")])
  symlinkSync(at("loop.yaml"), at("loop.yaml"))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const good = `lacewing: 1
title: A test
network: { topology: { name: torus, sides: 4x4 }, routing: torus.dimension-order }
traffic: { pattern: uniform, load: 0.1, packet: 1flit }
measure: { warmup: 10cycles, window: 50cycles, limit: 200cycles }
`
let count = 0
function file(text: string, name = `e${++count}.yaml`): string {
  writeFileSync(at(name), text)
  return at(name)
}

const fake = ["--simulator", fakeSimulator, "--no-report", "--quiet"]

describe("paths that lead nowhere good: exit 2, never a bug", () => {
  const long = `${"x".repeat(300)}.yaml`
  test.each([
    ["a pipe", "pipe.yaml", "is a pipe, not a file"],
    ["a device", "/dev/zero", "is a device, not a file"],
    ["a link to itself", "loop.yaml", "is a link that leads back to itself"],
    ["a name that is too long", long, "is a longer name than the file system takes"],
  ])("%s as an experiment, an include, a file of links, a price book", async (_, name, says) => {
    const path = name.startsWith("/") ? name : at(name)
    const topology = `{ name: graph, file: ${JSON.stringify(path)} }`
    const linked = good
      .replace(/topology: \{.*?\}/, `topology: ${topology}`)
      .replace("torus.dimension-order", "any.shortest")
    for (const args of [
      ["check", path],
      ["run", file(`${good}include: ${JSON.stringify(path)}\n`)],
      ["check", file(linked)],
    ]) {
      const got = await said(args)
      expect([got.code, got.err]).toEqual([2, expect.stringContaining(says)])
      expect(got.err).not.toContain("This is a bug")
    }
    if (!path.endsWith(".yaml")) return
    const book = await said(["cost", "crossbar", "n=4", "--prices", path])
    expect([book.code, book.err]).toEqual([2, expect.stringContaining(says)])
  })
  test.each([
    ["run", "--out", "loop.yaml"],
    ["run", "--out", "x".repeat(300)],
    ["topology crossbar n=4 --export json", "--out", "x".repeat(300)],
    ["report", "", "x".repeat(300)],
    ["schema", "", "x".repeat(300)],
    ["init", "", "x".repeat(300)],
  ])("%s %s to a name that cannot be", async (command, option, name) => {
    const args = command === "run" ? ["run", file(good), ...fake] : command.split(" ")
    const got = await said([...args, ...(option === "" ? [] : [option]), at(name)])
    expect([got.code, got.err]).toEqual([2, expect.stringMatching(/leads back to itself|longer name than/)])
    expect(got.err).toContain("fix:")
    expect(got.err).not.toContain("This is a bug")
  })
})

describe("small files that ask for much", () => {
  test("includes that double with each level, and a circle of them", async () => {
    for (let i = 0; i < 30; i++) file(`include: [twice${i + 1}.yaml, twice${i + 1}.yaml]\n`, `twice${i}.yaml`)
    file("measure: {}\n", "twice30.yaml")
    const got = await said(["check", file(`${good}include: twice0.yaml\n`)])
    expect([got.code, got.err]).toEqual([
      2,
      expect.stringMatching(/more than 100 files, 20 levels or 16 MiB are included/),
    ])
  })
  test.each([
    ["a list", "[1, 2]\n", "expected a map of keys, found a list"],
    ["a text", "hello\n", 'expected a map of keys, found the text "hello"'],
    ["a number", "7\n", "expected a map of keys, found number 7"],
  ])("an include that is %s", async (_, text, says) => {
    file(text, "included.yaml")
    const got = await said(["check", file(`${good}include: included.yaml\n`)])
    expect([got.code, got.err]).toEqual([2, expect.stringContaining(says)])
  })
  test("aliases of aliases: nine levels of nine are 387 million values", async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) =>
        `  - &a${i} [${Array(9)
          .fill(i === 0 ? "x" : `*a${i - 1}`)
          .join(", ")}]`,
    )
    const got = await said(["check", file(`${good}variants:\n${levels.join("\n")}\n`)])
    expect([got.code, got.err]).toEqual([
      2,
      expect.stringMatching(/stands for more than 1,000,000 values|without aliases of aliases/),
    ])
  })
  test.each([
    [
      "a crossbar of 50,000 ports",
      "{ name: crossbar, n: 50000 }",
      "crossbar.direct",
      /too many ports for 4 VCs each: at most 16,384/,
    ],
    [
      "more groups than there is memory",
      "{ name: megafly, groups: 900000, p: 5000 }",
      "megafly.minimal",
      /need about .* GiB, .* are allowed/,
    ],
    [
      "powers beyond all numbers",
      "{ name: tree, k: 100000, n: 30 }",
      "tree.nearest-ancestor",
      /need about .* GiB, .* are allowed/,
    ],
    [
      "links that fail in what is too large",
      "{ name: mesh, sides: 100000x100000, failures: 1 }",
      "mesh.dimension-order",
      /need about .* GiB/,
    ],
  ])("%s is refused by check and by run alike, before it is built", async (_, topology, routing, says) => {
    const path = file(
      good.replace(/topology: \{.*?\}/, `topology: ${topology}`).replace("torus.dimension-order", routing),
    )
    for (const args of [
      ["check", path],
      ["run", path, "--out", at("none")],
    ]) {
      const got = await said(args)
      expect([got.code, got.err]).toEqual([2, expect.stringMatching(says)])
    }
    expect(existsSync(at("none"))).toBe(false)
  })
})

describe("planes that no link joins", () => {
  const planes = (routing: string) => `lacewing: 1
network:
  topology: { name: fitfly, q: 3, p: 1, rails: 2 }
  routing: ${routing}
  switch: { name: chunk, vcs: 8, chunk: 4KiB, buffer: 32KiB, bandwidth: 12.5GiB/s }
  endpoint: { name: rails }
  cycle: 1ns
  flit: 64B
engine: packet
traffic: { pattern: uniform, load: 0.1, packet: 4KiB }
measure: { warmup: 1us, window: 3us, limit: 10us, drain: none }
`
  test.each(["any.layered", "any.shortest", "any.up-down", "any.valiant"])("%s is proved and runs", async (routing) => {
    const path = file(planes(routing))
    const checked = await said(["check", path, "--quick", "--json"])
    expect([checked.code, JSON.parse(checked.out)]).toEqual([0, expect.objectContaining({ ok: true, complaints: [] })])
    const ran = await said([
      "run",
      path,
      "--out",
      at(`out-${routing}`),
      "--json",
      "--no-report",
      "--quiet",
      "--workers",
      "1",
    ])
    const { values } = JSON.parse(ran.out) as { values: Record<string, number> }
    expect(ran.code).toBe(0)
    // what is offered is accepted, within the noise of 3 us
    expect(values["accepted"]).toBeGreaterThan(0.06)
    // a Slim Fly has diameter 2: at most 3 routers by the shortest way
    if (routing === "any.layered" || routing === "any.shortest") expect(values["hops.mean"]).toBeLessThanOrEqual(3)
  })
  test("a plane that failures cut off is complained about, not run in circles", async () => {
    const cut = good
      .replace(/topology: \{.*?\}/, 'topology: { name: torus, sides: "4", failed: [0-1, 2-3] }')
      .replace("torus.dimension-order", "any.layered")
    const got = await said(["check", file(cut)])
    expect([got.code, got.err]).toEqual([2, expect.stringMatching(/router \d cannot reach router \d/)])
  })
})

describe("--json: one line for every outcome", () => {
  const json = (out: string): Record<string, unknown>[] =>
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  test.each([
    ["an unknown option", ["run", "x.yaml", "--wat", "--json"], "unknown option '--wat'"],
    ["a missing argument", ["check", "--json"], "missing required argument 'experiment'"],
    ["a value that is no number", ["run", "x", "--workers", "many", "--json"], "Write a whole number"],
    ["an unknown command", ["rum", "--json"], "rum: there is no such command"],
    ["an unknown kind", ["list", "toplogy", "--json"], 'There is no kind "toplogy"'],
    ["an unknown key", ["explain", "trafic.laod", "--json"], "trafic.laod"],
    ["an unknown suite", ["validate", "constructor", "--json"], 'There is no suite "constructor"'],
    ["an unknown bench", ["bench", "nothing", "--json"], 'There is no suite "nothing"'],
    ["a pattern that is none", ["validate", "booksim2", "--match", "(", "--json"], "regular expression"],
    ["a folder that is not there", ["report", "/nowhere/at/all", "--json"], "does not exist"],
    ["a topology that is not there", ["topology", "tours", "--json"], '"tours" is not known'],
    ["a file that is not there", ["route", "/nowhere.yaml", "--from", "0", "--to", "1", "--json"], "does not exist"],
  ])("%s", async (_, args, says) => {
    const got = await said(args)
    expect(got.code).toBe(2)
    expect(json(got.out)).toEqual([expect.objectContaining({ ok: false })])
    expect(got.out).toContain(JSON.stringify(says).slice(1, -1))
    expect(got.err).toContain(says)
  })
  test("runs that end by time or memory, and expectations that fail", async () => {
    const slow = file(`${good.replace("pattern:", "name: hang, pattern:")}limits: { time: 1s }\n`)
    const hung = await said(["run", slow, "--json", "--out", at("slow"), ...fake])
    expect([hung.code, json(hung.out)]).toEqual([
      1,
      [expect.objectContaining({ why: "time", seed: 1, point: {}, known: false })],
    ])
    const large = file(good.replace("pattern:", "name: array, pattern:"))
    const eaten = await said(["run", large, "--json", "--out", at("large"), ...fake])
    expect([eaten.code, json(eaten.out)]).toEqual([
      1,
      [expect.objectContaining({ why: "memory", explains: expect.stringContaining("memory") })],
    ])
    const strict = file(`${good}expect: ["latency.mean < 1cycle", "latency.mean > 1cycle"]\n`)
    const failed = await said(["run", strict, "--json", "--out", at("strict"), ...fake])
    // the stand-in answers 10.07 cycles at load 0.1 for seed 1
    expect([failed.code, json(failed.out).slice(1)]).toEqual([
      1,
      [
        { expect: "latency.mean < 1cycle", holds: false, failures: [expect.stringContaining("10.")] },
        { expect: "latency.mean > 1cycle", holds: true, failures: [] },
      ],
    ])
  })
})

describe("nothing that was written by others commands the terminal", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e"
  test.each([
    ["plain", plainPaint],
    ["in colours", colourPaint],
  ])("names of routers and paths, %s", async (_, paint) => {
    const links = file(`a${evil} b\nrouter c\n`, "evil.edges")
    const out = await said(["topology", "graph", `file=${links}`], paint)
    const path = await said(["check", `nowhere${evil}.yaml`], paint)
    const json = await said(["check", `nowhere${evil}.yaml`, "--json"], paint)
    expect(out.err).toContain("a\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u202e")
    expect(JSON.parse(json.out)).toEqual(
      expect.objectContaining({ complaints: [expect.objectContaining({ file: `nowhere${evil}.yaml` })] }),
    )
    for (const text of [out.out, out.err, path.out, path.err, json.out, json.err]) {
      // colours of our own begin with ESC [ and end with m
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
      expect(text.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
  })
  test("colours of our own pass to the terminal, everything else is shown", () => {
    expect(shown("\u001b[1mbold\u001b[22m \u001b[2J\u001b]0;x\u0007\r\u009b\t\r\n")).toBe(
      "\u001b[1mbold\u001b[22m \\u001b[2J\\u001b]0;x\\u0007\\u000d\\u009b\t\r\n",
    )
  })
  test("a title with escapes is refused", async () => {
    const got = await said(["run", file(good.replace("A test", '"\\e[2J"')), ...fake, "--out", at("evil")])
    expect([got.code, got.err]).toEqual([2, expect.stringContaining("has control characters")])
  })
})

describe("keys of the prototype of all objects are refused", () => {
  test.each(["__proto__", "constructor", "prototype"])("%s", async (key) => {
    const sets = [
      `sweep.${key}=[1]`,
      `zip.${key}=[1]`,
      `sweep.traffic.${key}=[1]`,
      `${key}.x=1`,
      `network.${key}=1`,
      `variants={${key}: {}}`,
    ]
    for (const set of sets) {
      const got = await said(["check", file(good), "--quick", "--set", set])
      expect([set, got.code, got.err]).toEqual([set, 2, expect.stringMatching(/is not a key|unknown key/)])
    }
    const written = [`sweep: { ${key}: [1] }`, `variants: { a: { ${key}: 1 } }`, `network: { ${key}: 1 }`]
    for (const line of written) {
      const name = line.split(":")[0]
      const got = await said([
        "check",
        file(`${good.replace(new RegExp(`^${name}:`, "m"), "x-$&")}${line}\n`),
        "--quick",
      ])
      expect([line, got.code, got.err]).toEqual([line, 2, expect.stringContaining("unknown key")])
    }
    const json = file(`{"lacewing": 1, "sweep": {"${key}": [1]}}`, "proto.json")
    expect((await said(["check", json])).err).toContain("unknown key")
    const built = await said(["topology", "mesh", "sides=2x2", `${key}=1`])
    expect([built.code, built.err]).toEqual([2, expect.stringContaining("is not a parameter")])
  })
})

describe("--no-code", () => {
  test.each([["run"], ["check"], ["route", "--from", "0", "--to", "1"]])(
    "%s refuses modules and does not execute them",
    async (command, ...rest) => {
      const mark = at(`mark-${command}`)
      const module = file(
        `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(mark)}, "")\nexport default {}\n`,
        `m-${command}.mjs`,
      )
      mkdirSync(at(`folder-${command}`), { recursive: true })
      file(`import ${JSON.stringify(module)}\nexport default {}\n`, `folder-${command}/experiment.mjs`)
      for (const path of [module, at(`folder-${command}`)]) {
        const got = await said([command, path, ...rest, "--no-code"])
        expect([got.code, got.err]).toEqual([2, expect.stringContaining("is a module, and modules are code")])
      }
      expect(existsSync(mark)).toBe(false)
      await said([command, module, ...rest])
      expect(existsSync(mark)).toBe(true)
    },
  )
  test("data is read as ever, and no simulator of one's own", async () => {
    expect((await said(["check", file(good), "--quick", "--no-code"])).code).toBe(0)
    const got = await said(["run", file(good), ...fake, "--no-code"])
    expect([got.code, got.err]).toEqual([2, expect.stringContaining("is a module, and modules are code")])
  })
})
