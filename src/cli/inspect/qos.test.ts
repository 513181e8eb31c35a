// lacewing qos: Table 4 of the paper to the last credit, why a wish cannot be met, OpenSM's lines there and back, and
// what is refused.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"
import { said } from "../../../test/support/cli.ts"
import type { QosReport } from "../../inspect/qos/report.ts"

const table4 = fileURLToPath(new URL("../../../experiments/qos/table4.yaml", import.meta.url))
const dir = mkdtempSync(join(tmpdir(), "lacewing-qos-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const qos = (...args: string[]) => said(["qos", ...args])

let count = 0
function file(text: string): string {
  const path = join(dir, `f${++count}`)
  writeFileSync(path, text)
  return path
}

/** Table 4's file with one thing changed. */
const changed = (from: string | RegExp, to: string) => {
  const text = readFileSync(table4, "utf8")
  const other = text.replace(from, to)
  expect(other).not.toBe(text)
  return file(other)
}

async function report(path: string): Promise<QosReport> {
  return JSON.parse((await qos(path, "--json")).out) as QosReport
}

/** "27 x 3, 5 x 4" */
const entries = (weights: readonly number[]) =>
  [...new Set(weights)]
    .sort((a, b) => a - b)
    .map((w) => `${weights.filter((x) => x === w).length} x ${w}`)
    .join(", ")

describe("Table 4", () => {
  test("k = 0.5, w = 3, and every weight", async () => {
    const { code, out } = await qos(table4, "--json")
    expect(code).toBe(0)
    const r = JSON.parse(out) as QosReport
    expect({ k: r.k, w: r.w, total: r.total }).toEqual({ k: 0.5, w: 3, total: 1073 })
    expect(r.levels.map((l) => l.total)).toEqual([101, 176, 322, 375, 43, 39, 17])
    // column E.W.: 4-3, 11, 40-41, 93-94, 21-22, 39, 17
    expect(r.levels.map((l) => entries(l.weights))).toEqual([
      "27 x 3, 5 x 4",
      "16 x 11",
      "6 x 40, 2 x 41",
      "1 x 93, 3 x 94",
      "1 x 21, 1 x 22",
      "1 x 39",
      "1 x 17",
    ])
    // least share n * MTU / (64 * 32 * 0.5), largest n * 3 / (64 * 0.5)
    expect(r.levels.map((l) => l.least)).toEqual([
      96 / 1024,
      32 / 1024,
      256 / 1024,
      128 / 1024,
      32 / 1024,
      16 / 1024,
      16 / 1024,
    ])
    expect(r.levels.map((l) => l.most)).toEqual([3, 1.5, 0.75, 0.375, 0.1875, 0.09375, 0.09375])
    for (const l of r.levels) expect(Math.abs(l.got / l.share - 1)).toBeLessThan(0.015)
  })
  test("the table: each level at the distance that it wished, 64 entries in all", async () => {
    const r = await report(table4)
    expect(r.table.length).toBe(64)
    for (const l of r.levels) {
      const own = r.table.flatMap((e, i) => (e.queue === l.vl ? [i] : []))
      expect(own.map((e, i) => (own[i + 1] ?? own[0] + 64) - e)).toEqual(own.map(() => l.distance))
      expect(own.map((e) => r.table[e].weight)).toEqual(l.weights)
    }
    // even places, 1 mod 4, 3 mod 8, 7 mod 16, 15 mod 32, 31, 63
    expect([0, 1, 3, 7, 15, 31, 63].map((e) => r.table[e].queue)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
  test("worst wait of NC: the heaviest neighbour and what that saved, 94 + 31 credits", async () => {
    const [nc] = (await report(table4)).levels
    expect(nc!.waitBytes).toBe((94 + 31) * 64)
    // at 12.5 bytes in a nanosecond
    expect(nc!.waitNs).toBeCloseTo(640, 9)
  })
  test("as a text: a strip of the table, and why", async () => {
    const { code, out } = await qos(table4)
    expect(code).toBe(0)
    expect(out).toContain("Table 4: k = 0.5, w = 3, 1073 credits of 64 bytes")
    expect(out).toContain("NC:3")
    expect(out.split("\n").filter((l) => /^\s*(0|16|32|48) {2}NC:/.test(l)).length).toBe(4)
    expect(out).toContain("w = 3: whole credits make an entry of 94, and 32 * 2.9 = 92.8 is too small")
    expect(out).toContain("entries of VO are rounded up")
  })
})

describe("a wish that cannot be met", () => {
  const text = changed(
    /levels:[\s\S]*/,
    `levels:
  NC: { share: 1%, distance: 2, mtu: 192B }
  VO: { share: 2%, distance: 4, mtu: 128B }
  VI: { share: 30%, distance: 8, mtu: 2048B }
  CL: { share: 35%, distance: 16, mtu: 2048B }
  EE: { share: rest, distance: 32, mtu: 1024B }
  BE: { share: rest, distance: 64, mtu: 1024B }
  BK: { share: rest, distance: 64, mtu: 1024B }
`,
  )
  test("the shares of the text, 1, 2, 30 and 35 %: k = 4.7, and why", async () => {
    const { code, out, err } = await qos(text, "--json")
    const r = JSON.parse(out) as QosReport
    expect({ code, k: r.k, ok: r.ok }).toEqual({ code: 2, k: 4.7, ok: false })
    // 32 entries of 3 credits are 1 % of a pool of 9,600, which is 64 * 32 * 4.6875
    expect(r.why[0]).toContain("NC has 32 entries of at least 3 credits (its MTU), 96 in all")
    expect(r.why[0]).toContain("k > 4.6875")
    expect(r.complaints.map((c) => c.path)).toEqual([
      "levels.VI.share",
      "levels.CL.share",
      "levels.EE.share",
      "levels.BE.share",
      "levels.BK.share",
    ])
    expect(err).toContain("eight bits (255): k = 4.7 because of NC")
  })
  test("the way out that it names is one", async () => {
    const { complaints } = await report(text)
    const [, distance] = /give NC a distance of (\d+)/.exec(complaints[0].fix) ?? []
    expect(distance).toBeDefined()
    const better = await report(file(readFileSync(text, "utf8").replace("distance: 2,", `distance: ${distance},`)))
    expect(better.ok).toBe(true)
    expect(Math.max(...better.table.map((e) => e.weight))).toBeLessThanOrEqual(255)
  })
})

describe("OpenSM", () => {
  test("the lines of Table 4, and back: the same table", async () => {
    const { code, out } = await qos(table4, "--opensm")
    expect(code).toBe(0)
    const lines = out.trim().split("\n")
    expect(lines.map((l) => l.split(" ")[0])).toEqual([
      "qos_max_vls",
      "qos_high_limit",
      "qos_vlarb_high",
      "qos_vlarb_low",
      "qos_sl2vl",
    ])
    expect(lines[2]).toMatch(/^qos_vlarb_high 0:3,1:11,0:3,2:40,0:3,1:11,0:3,3:93,/)
    // SLs that nobody uses share the VL of the last level
    expect(lines[4]).toBe("qos_sl2vl 0,1,2,3,4,5,6,6,6,6,6,6,6,6,6,6")
    const path = file(`# made from goals\n${out}\nsubnet_timeout 18\n`)
    const back = JSON.parse((await qos(path, "--json")).out)
    expect(back.ports[0].opensm).toBe(out.trim())
    expect(back.ports[0].tables[0].table).toEqual((await report(table4)).table)
    expect(back.ports[0].lanes.map((l: { high: number }) => l.high)).toEqual([101, 176, 322, 375, 43, 39, 17])
    expect((await qos(path, "--opensm")).out).toBe(out)
  })
  test("both tables, ports by kind, and an SL that nobody serves", async () => {
    const sl2vl = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7"
    const { out } = await qos(
      file(`qos_ca_high_limit 6\nqos_ca_vlarb_high 0:4\nqos_ca_vlarb_low 0:0,1:64,2:192\nqos_ca_sl2vl ${sl2vl}\n`),
      "--json",
    )
    const [r] = JSON.parse(out).ports
    expect({ ports: r.ports, limit: r.highLimit }).toEqual({ ports: "ca", limit: 6 })
    expect(r.tables.map((t: { name: string }) => t.name)).toEqual(["high", "low"])
    // packets of 4 KiB: six of VL 0 (24 KiB), then one of low priority; VL 1 sends 64 * 64 / 4096 = 1 of 4, VL 2 3
    expect(r.lanes.map((l: { vl: number; share: number }) => [l.vl, l.share])).toEqual([
      [0, expect.closeTo(6 / 7, 12)],
      [1, expect.closeTo(1 / 7 / 4, 12)],
      [2, expect.closeTo(3 / 7 / 4, 12)],
    ])
    expect(r.notes).toContain("SL 9 goes to VL 9, which no table serves")
  })
})

describe("refused with the reason and the nearest legal value, exit code 2", () => {
  const vls = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7"
  test.each([
    ["shares above 1", () => changed("0.35", "0.5"), "the shares add up to 1.15, above 1", "subtract 0.15"],
    ["a share of nothing", () => changed("0.35", "0"), "leaves no bandwidth for this level", "above 0"],
    [
      "a distance between powers of two",
      () => changed("distance: 8", "distance: 6"),
      "6 is not a power of two",
      "write 4 or 8",
    ],
    [
      "more than 64 entries",
      () => changed("distance: 64, mtu: 1024B } # b", "distance: 1, mtu: 1024B } # b"),
      "127 entries, but the table has 64",
      "make distances longer",
    ],
    [
      "an SL without VL",
      () => changed("mtu: 192B", "mtu: 192B, vl: 20"),
      "NC would have no VL",
      "choose a VL from 0 to 14",
    ],
    [
      "VL15 for data",
      () => changed("mtu: 192B", "mtu: 192B, vl: 15"),
      "VL15 is reserved for management",
      "choose a VL from 0 to 14",
    ],
    ["two levels on one VL", () => changed("mtu: 192B", "mtu: 192B, vl: 1"), "VL 1 is also used by NC", "write vl: 0"],
    [
      "an MTU above the general one",
      () => changed("mtu: 192B", "mtu: 4KiB"),
      "4096 bytes are more than the general MTU",
      "2048B at most",
    ],
    ["an unknown key", () => changed("gmtu", "gmut"), "unknown key", 'did you mean "gmtu"?'],
    ["no levels", () => file("entries: 64\n"), "there is none", "write levels"],
    [
      "a weight above 255",
      () => file("qos_vlarb_high 0:4,1:256\n"),
      "weight 256 does not fit the eight bits",
      "write 1:255",
    ],
    [
      "more than 64 entries in a line",
      () => file(`qos_vlarb_low ${new Array(65).fill("0:1").join(",")}\n`),
      "has 65 entries",
      "keep 64",
    ],
    ["VL15 in a table", () => file("qos_vlarb_low 15:1\n"), "VL15 is for management", "from 0 to 14"],
    [
      "VL16 in sl2vl",
      () => file(`qos_sl2vl ${vls.replace("14,7", "14,16")}\n`),
      "there is no VL 16: SL 15 would have no VL",
      "write 14 at most",
    ],
    ["SLs without VL", () => file("qos_sl2vl 0,1,2\n"), "SL 3 has no VL", "write 16 VLs: 0,1,2,0"],
    ["a limit above 255", () => file("qos_high_limit 256\n"), "256 is too large", "write 255"],
    ["an entry that is none", () => file("qos_vlarb_high 0-4\n"), "expected a queue and its weight", "queue:weight"],
    [
      "a line that is none",
      () => file("qos_high_limit 1\nnonsense\n"),
      '"nonsense" is not an option',
      "qos_high_limit 255",
    ],
    [
      "a slip of the pen",
      () => file("qos_high_limit 1\nqos_vlarb_hihg 0:4\n"),
      '"qos_vlarb_hihg" is not an option',
      "did you mean qos_vlarb_high?",
    ],
    ["a file that is not there", () => join(dir, "none.yaml"), "", "name a YAML file"],
  ])("%s", async (_, path, says, fix) => {
    const { code, err } = await qos(path())
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) })
    expect(err).toContain(fix)
  })
})

describe("goals for waits", () => {
  const goals = (nc: string, vi: string) =>
    file(
      `link: 12.5GB/s\nlevels:\n  NC: { share: 10%, wait: ${nc}, mtu: 256B }\n  VI: { share: 40%, wait: ${vi}, mtu: 2KiB }\n` +
        "  BK: { share: rest, distance: 16, mtu: 2KiB }\n",
    )
  test("distances are as long as the waits allow", async () => {
    const loose = await report(goals("2us", "5us"))
    const tight = await report(goals("1500ns", "5us"))
    for (const [r, most] of [
      [loose, 2000],
      [tight, 1500],
    ] as const) {
      expect(r.ok).toBe(true)
      expect(r.levels[0].waitNs).toBeLessThanOrEqual(most)
      expect(r.levels[1].waitNs).toBeLessThanOrEqual(5000)
      // a level with a distance keeps it
      expect(r.levels[2].distance).toBe(16)
    }
    expect(tight.levels[0].distance).toBeLessThan(loose.levels[0].distance)
  })
  test.each([
    ["a wait that no table keeps", goals("100ns", "5us"), "levels.NC.wait: 100 ns is too short"],
    [
      "a wait without a link",
      file("levels: { a: { share: 50%, wait: 1us, mtu: 1KiB } }"),
      "levels.a.wait: needs the bandwidth of the link",
    ],
    ["neither", file("levels: { a: { share: 50%, mtu: 1KiB } }"), "levels.a: needs a distance or a wait, and not both"],
  ])("refused: %s", async (_, path, says) => {
    const { code, err } = await qos(path)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})
