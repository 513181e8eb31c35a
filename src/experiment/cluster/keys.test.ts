import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { firstOf, userConfig } from "./config.ts"
import { clusterKeys, memoryMegabytes, wallSeconds } from "./keys.ts"

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
  expect(bad({ partiton: "main" })).toEqual([{ path: "cluster.partiton", says: "unknown key", fix: 'did you mean "partition"?' }])
  expect(bad({ time: "long" }).map((c) => c.path)).toEqual(["cluster.time"])
  expect(bad({ cpus: 0 })[0]).toMatchObject({ path: "cluster.cpus", says: "0 is too small" })
  // a line of a script would become two
  expect(bad({ setup: "a\nrm b" })[0]!.path).toBe("cluster.setup")
})

describe("~/.config/lacewing", () => {
  const at = (text: string) => {
    writeFileSync(join(dir, "lacewing"), text)
    return userConfig({ XDG_CONFIG_HOME: dir })
  }
  test("is not needed", () => expect(userConfig({ XDG_CONFIG_HOME: join(dir, "none") })).toMatchObject({ ok: {} }))
  test("holds what is always asked for", () => {
    const got = at("cluster: { account: physics, partition: main }\n")
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    const file = parse({ partition: "long" })
    const line = parse({ time: "1h" })
    if ("bad" in file || "bad" in line) throw new Error("these are keys")
    expect(firstOf(line.ok, file.ok, got.ok)).toMatchObject({ account: "physics", partition: "long", time: 3600 })
  })
  test.each([
    ["cluster: { acount: a }", /unknown key/],
    ["claster: {}", /unknown key/],
    ["[1, 2]", /expected a map of keys/],
    ["a: [", /is no YAML/],
  ])("%s is complained about", (text, says) => {
    const got = at(text)
    expect("bad" in got ? got.bad[0]!.says : "").toMatch(says)
    expect("bad" in got ? got.bad[0]!.path : "").toContain(join(dir, "lacewing"))
  })
})
