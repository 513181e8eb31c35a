// What grows faster than its input, or is looked at before its size is known.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { clockedEngine, partsFor } from "../compile/clocked/engine.ts"
import { compile } from "../compile/compile.ts"
import { Draws } from "../core/rng.ts"
import { checkNetwork } from "../inspect/check-network.ts"
import { topologies } from "../library.ts"
import { hostAt } from "./disk/host.ts"
import { fileName } from "./disk/safe-names.ts"
import { systemComplaint, unreadable } from "./disk/system-error.ts"
import { readBytes, readText } from "./disk/user-file.ts"
import { plan } from "./plan.ts"
import { plainSource, yamlSource } from "./source.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-bounds-"))
beforeAll(() => {
  execFileSync("mkfifo", [join(dir, "pipe")])
  symlinkSync("circle", join(dir, "circle"))
  writeFileSync(join(dir, "ten"), "0123456789")
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const ring = {
  lacewing: 1,
  network: { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" },
  traffic: { pattern: "uniform", load: 0.1, packet: "1flit" },
}
const planOf = (more: object) => plan({ source: plainSource("e", { ...ring, ...more }), host: hostAt("."), name: "e" })
function specOf(more: object) {
  const got = planOf(more)
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join())
  return got.ok.runs[0].spec
}

describe("files of users", () => {
  const why = (path: string, most?: number) => {
    try {
      return readText(path, most)
    } catch (e) {
      return unreadable(e)
    }
  }
  test.each([
    ["pipe", undefined, "is a pipe, not a file"],
    [".", undefined, "is a folder, not a file"],
    ["circle", undefined, "is a link that leads back to itself"],
    ["x".repeat(300), undefined, "is a longer name than the file system takes"],
    ["a\0b", undefined, "has a character that no path can have (NUL)"],
    ["ten", 9, "is too large: 1 MB, at most 1 MB are read"],
    ["ten", 10, "0123456789"],
  ])("%j", (name, most, expected) => expect(why(join(dir, name), most)).toBe(expected))
  test("a device has no end, a file of /proc no size", () => {
    expect(why("/dev/zero")).toBe("is a device, not a file")
    // 4 KiB at least where it exists: the size that the system reports is 0
    expect(readBytes("/proc/self/status").length).toBeGreaterThan(100)
  })
  test("every error of the system has words; a bug has none", () => {
    const error = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more })
    const codes = ["ELOOP", "ENAMETOOLONG", "ENOSPC", "EIO", "EROFS", "EMFILE", "ENOTEMPTY", "EXDEV", "EBUSY"]
    for (const code of codes) expect(systemComplaint(error(code, { path: "p" }), "q")).toMatchObject({ path: "p" })
    expect(systemComplaint(error("EWHAT", { syscall: "open" }), "q")).toMatchObject({
      path: "q",
      says: "the system refuses it (EWHAT)",
    })
    for (const bug of [new TypeError("x"), error("ERR_INVALID_ARG_TYPE"), error("ERR_INVALID_ARG_VALUE")])
      expect(systemComplaint(bug, "q")).toBeUndefined()
  })
})

describe("linear", () => {
  /** Comparisons are counted, not seconds: each look at an element of the list is one. */
  function looks(n: number): number {
    let count = 0
    const values = new Proxy(
      Array.from({ length: n }, (_, i) => i / n),
      {
        get(list, key, self) {
          if (typeof key === "string" && /^\d+$/.test(key)) count++
          return Reflect.get(list, key, self)
        },
      },
    )
    const got = planOf({ sweep: { "traffic.load": values } })
    if ("bad" in got) throw new Error(got.bad[0].says)
    expect(got.ok.runs).toHaveLength(n)
    return count
  }
  test("a sweep looks at its values as often as there are", () => expect(looks(200)).toBe(200))
  test("values that differ in their parameters alone get those as labels", () => {
    const packets = [{ name: "fixed", size: "1flit" }, { name: "fixed", size: "2flits" }, "3flits"]
    const got = planOf({ sweep: { "traffic.packet": packets } })
    expect("ok" in got && got.ok.runs.map((r) => r.point)).toEqual([
      { packet: "fixed size=1flit" },
      { packet: "fixed size=2flits" },
      { packet: "3flits" },
    ])
  })
  test("40,000 labels and 40,000 keys of one map are answered", () => {
    const text =
      `sweep: [${Array.from({ length: 40_000 }, (_, i) => i / 40_000).join(", ")}]\n` +
      `keys: { ${Array.from({ length: 40_000 }, (_, i) => `k${i}: 1`).join(", ")} }\n`
    const got = yamlSource("e.yaml", text)
    expect("ok" in got && Object.keys(Reflect.get(got.ok.value as object, "keys"))).toHaveLength(40_000)
  })
  test("a key that is there twice is complained about at its second place", () => {
    const got = yamlSource("e.yaml", "a: 1\nb: { c: 1, d: 2, c: 3 }\na: 2\n")
    expect("bad" in got && got.bad.map((c) => [c.says, c.spot?.line, c.spot?.column])).toEqual([
      ["YAML: this key is there twice", 3, 1],
      ["YAML: this key is there twice", 2, 18],
    ])
  })
})

describe("sizes before memory", () => {
  test.each(
    topologies.filter((t) => t.name !== "graph" && t.name !== "ibnetdiscover").map((t) => [t.name, t] as const),
  )("%s declares its size, however large, without building", (name, plugin) => {
    // the largest value that every number takes: what is refused must be known from these alone
    const whole = Object.entries(plugin.params.fields).filter(
      ([key, f]) => f.info.type === "integer" && key !== "failures" && key !== "seed",
    )
    const raw: Record<string, unknown> =
      name === "mesh" || name === "torus" || name === "hyperx"
        ? { sides: "60000x60000x60000" }
        : name === "xgft"
          ? { m: "999999x999999", w: "1x9999" }
          : {}
    for (const [key, f] of whole)
      if (!("sides" in raw && (key === "k" || key === "n")))
        raw[key] = Number(/at most (\d+)/.exec(f.info.range ?? "")?.[1] ?? 1e9)
    const spec = specOf({})
    const network = {
      ...spec.network,
      topology: { name, ...raw },
      routing: { name: "any.shortest", spread: "random" },
    }
    const got = compile({ ...spec, network }, { read: () => "", memory: 2 ** 30 })
    expect("bad" in got && got.bad.map((c) => `${c.path} ${c.says}`)).toEqual([
      expect.stringMatching(/^network\.topology .* GiB, 1 GiB are allowed$/),
    ])
  })
  test("a file of a few bytes cannot request more links or endpoints than can be built", () => {
    const graph = topologies.find((t) => t.name === "graph")!
    const refused = (text: string, form: string) => {
      const params = graph.params.parse({ file: "f", form }, "")
      if ("bad" in params) throw new Error(params.bad[0].says)
      return graph.check!(params.ok, { rng: new Draws(1), read: () => text }).map((c) => c.says)
    }
    expect(refused("a,b,1000000000\n", "csv")).toContain("has 1,000,000,000 links")
    expect(refused("a b\nend a 1000000000\n", "edges")).toContain("has 1,000,000,000 endpoints")
    expect(refused("a b link 70000\n", "edges")).toContain('"70000" is not a latency in cycles')
    expect(refused(`<graphml>${"<!--".repeat(100_000)}`, "graphml")).toContain('"f" has no links')
  })
  test("one router is one partition, and a network of parts that nothing joins has short wheels", () => {
    const spec = specOf({ network: { topology: { name: "crossbar", n: 6000 }, routing: "crossbar.direct" } })
    const got = compile(spec, { read: () => "" })
    if ("bad" in got) throw new Error(got.bad[0].says)
    const parts = partsFor(got.ok, 1)
    expect(parts).toEqual({ parts: 1, workers: 1 })
    const { memory } = clockedEngine(got.ok, { ...parts, horizon: 100, series: 100 })
    const bytes = memory.reduce((sum, m) => sum + m.byteLength, 0)
    // 6,000 ports x 4 VCs x 8 flits x 24 B of packets, and some tens of bytes for each VC; it was terabytes
    expect(bytes).toBeLessThan(50e6)
  })
  test("a network that is too large to be walked is not called free, and nothing is claimed of it", () => {
    const got = compile(specOf({}), { read: () => "" })
    if ("bad" in got) throw new Error(got.bad[0].says)
    const check = checkNetwork(got.ok.network, { most: 15 })
    expect(check.deadlock).toMatchObject({ free: false, by: "unproved" })
    expect(check.words).toEqual([
      "not proved free of deadlock: 16 routers are too many to explore (limit 15); " +
        "check a smaller network of the same kind",
      "VCs: 4 given, 2 declared",
    ])
    expect(checkNetwork(got.ok.network, { most: 16, brief: true }).deadlock.free).toBe(true)
  })
})

test("figures whose ids differ only in case, in special characters or at their ends get different files", () => {
  const names = ["a b", "a/b", "A-b", `${"x".repeat(300)}1`, `${"x".repeat(300)}2`].map(fileName)
  expect(new Set(names).size).toBe(5)
  for (const name of names) expect(name).toMatch(/^[a-z0-9._-]{1,100}$/)
})
