import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { Consent, Origin } from "../gate.ts"
import { userConfig } from "./config.ts"
import { granted, notGiven } from "./granted.ts"
import { clusterKeys, commandKeys, memoryMegabytes, recordedKeys, wallSeconds } from "./keys.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-config-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const parse = (raw: unknown) => clusterKeys.parse(raw, "cluster")
const bad = (raw: unknown) => {
  const got = parse(raw)
  return "bad" in got ? got.bad : []
}

describe("times and sizes, in our units and in those of schedulers", () => {
  test.each([
    ["90s", 90],
    ["30min", 1800],
    ["2h", 7200],
    ["02:30", 150],
    ["01:00:00", 3600],
    ["1-12:00", 129_600],
    ["1-00:00:30", 86_430],
    ["0:00", undefined],
    ["soon", undefined],
  ])("time %s", (text, seconds) => expect(wallSeconds(text)).toBe(seconds))
  test.each([
    ["4GiB", 4096],
    ["2000M", 2000],
    ["1.5G", 1536],
    ["1T", 2 ** 20],
    ["4", undefined],
    ["1kB", undefined],
  ])("memory %s", (text, megabytes) => expect(memoryMegabytes(text)).toBe(megabytes))
})

test("keys of an experiment, complained about at their place", () => {
  expect(parse({ partition: "main", time: "2h", mem: "4GiB", cpus: 4, maxTasks: 10, perTask: "30min" })).toMatchObject({
    ok: { partition: "main", time: 7200, mem: 4096, cpus: 4, maxTasks: 10, perTask: 1800 },
  })
  expect(bad({ partiton: "main" })).toEqual([
    { path: "cluster.partiton", says: "unknown key", fix: 'did you mean "partition"?' },
  ])
  expect(bad({ time: "long" }).map((c) => c.path)).toEqual(["cluster.time"])
  expect(bad({ cpus: 0 })[0]).toMatchObject({ path: "cluster.cpus", says: "0 is too small" })
  // a line of a script would become two
  expect(bad({ setup: "a\nrm b" })[0].path).toBe("cluster.setup")
})

describe("~/.config/lacewing", () => {
  const at = (text: string) => {
    writeFileSync(join(dir, "lacewing"), text)
    return userConfig({ XDG_CONFIG_HOME: dir })
  }
  test("is not needed", () => expect(userConfig({ XDG_CONFIG_HOME: join(dir, "none") })).toMatchObject({ ok: {} }))
  test("holds what is always asked for", () => {
    const got = at("cluster: { account: physics, partition: main }\n")
    if ("bad" in got) throw new Error(got.bad[0].says)
    const file = parse({ partition: "long" })
    const line = parse({ time: "1h" })
    if ("bad" in file || "bad" in line) throw new Error("these are keys")
    const all = granted([
      { from: "command line", keys: line.ok },
      { from: "experiment", keys: file.ok },
      { from: "configuration", keys: got.ok },
    ])
    expect(all).toMatchObject({ ok: { account: "physics", partition: "long", time: 3600 } })
  })
  test.each([
    ["cluster: { acount: a }", /unknown key/],
    ["claster: {}", /unknown key/],
    ["[1, 2]", /expected a map of keys/],
    ["a: [", /is no YAML/],
  ])("%s is complained about", (text, says) => {
    const got = at(text)
    expect("bad" in got ? got.bad[0].says : "").toMatch(says)
    expect("bad" in got ? got.bad[0].path : "").toContain(join(dir, "lacewing"))
  })
})

describe("commands", () => {
  const keys = (raw: unknown) => {
    const got = parse(raw)
    if ("bad" in got) throw new Error(got.bad[0].says)
    return got.ok
  }
  const no: Consent = { code: false }
  const yes: Consent = { commands: true }
  test.each<[Origin, Consent, boolean]>([
    ["command line", {}, true],
    ["command line", no, true],
    ["configuration", {}, true],
    ["configuration", no, true],
    ["experiment", {}, false],
    ["experiment", no, false],
    ["experiment", yes, true],
    ["experiment", { ...no, ...yes }, false],
    ["results folder", {}, false],
    ["results folder", { code: true, commands: true }, false],
  ])("from the %s with consent %j: %s", (from, consent, may) => {
    for (const key of commandKeys) {
      const got = granted([{ from, keys: keys({ [key]: "touch x", partition: "main" }) }], { consent })
      expect("ok" in got ? [got.ok[key], got.ok.partition] : got.bad[0].path).toEqual(
        may ? ["touch x", "main"] : `cluster.${key}`,
      )
    }
  })
  test("a command that the command line replaces is not asked about", () => {
    const layers = [
      { from: "command line", keys: keys({ setup: "true" }) },
      { from: "experiment", keys: keys({ setup: "touch x" }) },
    ] as const
    expect(granted(layers, { consent: no })).toMatchObject({ ok: { setup: "true" } })
  })
  test("--set of a command is of the command line, and a command that nobody executes is left out", () => {
    const layers = [{ from: "experiment", keys: keys({ setup: "touch x", submit: "touch y" }) }] as const
    expect(granted(layers, { consent: no, typed: ["setup"], used: ["setup"] })).toMatchObject({
      ok: { setup: "touch x", submit: undefined },
    })
  })
  test("commands of a record that nobody gives again are named", () => {
    const now = granted([{ from: "command line", keys: keys({ setup: "true" }) }])
    if ("bad" in now) throw new Error(now.bad[0].says)
    const bad = notGiven(keys({ setup: "module load node", submit: "qsub {script}", look: "qstat" }), now.ok, [
      "setup",
      "submit",
    ])
    expect(bad.map((c) => [c.path, c.says])).toEqual([["cluster.submit", expect.stringContaining('"qsub {script}"')]])
  })
  test.each([
    ["partition", "main --output=/home/me/.profile"],
    ["account", "a b"],
    ["partition", "-x"],
  ])("%s is one word: %s would be more options of the scheduler", (key, value) => {
    expect(bad({ [key]: value })[0].path).toBe(`cluster.${key}`)
    expect(recordedKeys({ [key]: value })).toBeUndefined()
  })
  test("a record holds times and sizes as numbers, and nothing that is no key", () => {
    expect(recordedKeys({ partition: "main", time: 60, setup: "x" })).toMatchObject({
      partition: "main",
      time: 60,
      setup: "x",
    })
    for (const odd of [{ time: "1; touch x" }, { cpus: -1 }, { mem: "1" }, { setup: 7 }, { other: 1 }, null, 3])
      expect(recordedKeys(odd)).toBeUndefined()
  })
})
