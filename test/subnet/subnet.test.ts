// Fabrics of an InfiniBand site: topology from ibnetdiscover, routes from forwarding tables, and the verdict about
// deadlock. The generator of this folder writes the files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { loadPlan } from "../../src/experiment/load.ts"
import lft from "../../src/routing/ibnetdiscover/lft.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import topology from "../../src/topologies/ibnetdiscover.ts"
import { said } from "../support/cli.ts"
import { dragonfly, type Fabric, fatTree, ibnetdiscoverText, lftText, ringWithChord, shortestPorts } from "./fabric.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-subnet-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let count = 0
/** Writes both files and an experiment; returns the path of the experiment. */
function experiment(net: string, tables: string, extra = ""): string {
  const n = ++count
  writeFileSync(join(dir, `${n}.net`), net)
  writeFileSync(join(dir, `${n}.lft`), tables)
  const file = join(dir, `${n}.yaml`)
  writeFileSync(
    file,
    `lacewing: 1
network:
  topology: { name: ibnetdiscover, file: ${n}.net${extra} }
  routing: { name: ibnetdiscover.lft, file: ${n}.lft }
  switch: { name: infiniband, vcs: 1 }
  flit: 64B
traffic: { load: 0.3, packet: 1024B }
measure: { warmup: 500cycles, window: 2000cycles }
`,
  )
  return file
}

interface Told {
  readonly ok: boolean
  readonly networks: readonly {
    readonly check: {
      readonly deadlock: {
        readonly free: boolean
        readonly cycle?: readonly { readonly holds: string; readonly waitsFor: string }[]
      }
      readonly reachable: { readonly all: boolean }
    }
  }[]
}
async function checked(file: string) {
  const { code, out, err } = await said(["check", file, "--json"])
  return { code, err, told: JSON.parse(out) as Told }
}

const tree = fatTree(4, 2, 3)
const fly = dragonfly(4, 3, 2)
const ring = ringWithChord(6)

/** In a fat tree, destinations are spread over the spines by the number of the destination switch. */
const dModK = shortestPorts(tree, (_, to, goal) => to < 4 || to === 4 + (goal % 2))

const site = (files: Readonly<Record<string, string>>) => ({
  rng: new Draws(1),
  read(path: string): string {
    const found = files[path]
    if (found === undefined) throw new Error(`no file ${path}`)
    return found
  },
})

const built = (f: Fabric, text = ibnetdiscoverText(f)) => {
  const on = site({ net: text })
  const bad = topology.check({ file: "net" }, on)
  expect(bad).toEqual([])
  return topology.make({ file: "net" }, on)
}

describe("the topology is that of the file", () => {
  test.each([
    // 4 leaves of 3 hosts and 2 spines: 6 switches, 12 endpoints, 8 links of two directions and 12 of endpoints
    ["fat tree", tree, { routers: 6, ends: 12, wired: 2 * 8 + 12 }],
    // 4 groups of 3: 3 links in each and 6 between them
    ["dragonfly", fly, { routers: 12, ends: 24, wired: 2 * (4 * 3 + 6) + 24 }],
    ["ring with a chord", ring, { routers: 6, ends: 6, wired: 2 * 7 + 6 }],
  ])("%s", (_, f, expected) => {
    const { graph, guids, lids, endNames, label } = built(f)
    const wired = graph.far.filter((c) => c !== -1).length
    expect({ routers: graph.routers, ends: graph.ends, wired }).toEqual(expected)
    expect(guids[1]).toBe("0000000000200001")
    expect(lids).toEqual(Array.from({ length: expected.ends }, (_, h) => f.hosts.length + 1 + h))
    expect(endNames[2]).toBe("node2 HCA-1")
    expect(label.call(built(f), 1)).toBe("sw1")
  })
  test("a physical port is the port before: host i of leaf 0 is at port i, spine 4 at port 3", () => {
    const { graph } = built(tree)
    expect([0, 1, 2].map((e) => graph.home[e] - graph.firstChan[0])).toEqual([0, 1, 2])
    expect(graph.routerOf[graph.far[graph.firstChan[0] + 3]]).toBe(4)
  })
  test("the width and speed of the cables are the classes of the links", () => {
    const text = ibnetdiscoverText(tree).replaceAll(/(lid 6) 4xEDR/g, "$1 4xHDR")
    expect(built(tree, text).graph.classes).toEqual(["end", "4xEDR", "4xHDR"])
  })
})

describe("forwarding tables decide about deadlock", () => {
  test("a fat tree by destination is free", async () => {
    const { code, told } = await checked(experiment(ibnetdiscoverText(tree), lftText(tree, dModK)))
    expect(told.networks[0].check).toMatchObject({ deadlock: { free: true }, reachable: { all: true } })
    expect(code).toBe(0)
  })
  test("shortest paths of a dragonfly on one VL can deadlock", async () => {
    const { code, told } = await checked(experiment(ibnetdiscoverText(fly), lftText(fly, shortestPorts(fly))))
    expect(told.networks[0].check.deadlock.free).toBe(false)
    expect(code).toBe(2)
  })
  test("a credit loop of an irregular fabric is named hop by hop", async () => {
    const { told, code } = await checked(experiment(ibnetdiscoverText(ring), lftText(ring, shortestPorts(ring))))
    const cycle = told.networks[0].check.deadlock.cycle!
    expect(told.networks[0].check.deadlock.free).toBe(false)
    expect(code).toBe(2)
    // every packet waits for the channel that the next one holds
    expect(cycle.map((edge) => edge.waitsFor)).toEqual(cycle.map((_, i) => cycle[(i + 1) % cycle.length].holds))
    for (const { holds } of cycle) expect(holds).toMatch(/sw\d.*sw\d/)
  })
  test("the tables of a tree in the ring are free: packets go up to switch 0 and down", async () => {
    // the link 3-4 and the chord are not used: without them the ring is a tree
    const unused = (from: number, to: number) =>
      [from, to].sort().join() === "3,4" || [from, to].sort().join() === "0,2"
    const ports = shortestPorts(ring, (from, to) => !unused(from, to))
    const { told } = await checked(experiment(ibnetdiscoverText(ring), lftText(ring, ports)))
    expect(told.networks[0].check.deadlock.free).toBe(true)
  })
  test("a run delivers what it offers", async () => {
    const file = experiment(ibnetdiscoverText(tree), lftText(tree, dModK))
    const loaded = await loadPlan(file)
    if ("bad" in loaded) throw new Error(JSON.stringify(loaded.bad))
    const ready = prepare(loaded.ok.runs[0].spec, hostAt(loaded.ok.folder))
    if ("bad" in ready) throw new Error(JSON.stringify(ready.bad))
    const { values } = await simulate(ready.ok, { threads: false })
    expect(values["accepted"] / values["offered"]).toBeGreaterThan(0.95)
  })
  test("a failed link that the tables still use is refused with switch, port and destination", async () => {
    const { code, err } = await said([
      "check",
      experiment(ibnetdiscoverText(tree), lftText(tree, dModK), ", failed: [0-4]"),
    ])
    expect(code).toBe(2)
    expect(err).toContain("sw4 port 1 has no link to a switch, but packets for LID 7 (node0 HCA-1) leave there")
  })
  test("the dump of OpenSM has the same entries", () => {
    const on = site({ net: ibnetdiscoverText(tree), lft: lftText(tree, dModK) })
    const opensm = lftText(tree, dModK)
      .replaceAll(/ : \((.*)\)$/gm, " # $1")
      .replaceAll(/ \(MF0;(sw\d):MSB7700\/U1\):/g, " ('$1'):")
    const subnet = built(tree)
    const make = (text: string) =>
      lft.make({ file: "lft" }, { ...on, topology: subnet, vcs: 1, read: () => text })["tables"]
    expect(make(opensm)).toEqual(make(lftText(tree, dModK)))
  })
})

describe("refused with line and reason", () => {
  const text = ibnetdiscoverText(ring)
  const lineOf = (of: string, part: string) => of.split("\n").findIndex((l) => l.includes(part)) + 1
  const edited = (from: string | RegExp, to: string, of = text) => {
    const other = of.replace(from, to)
    expect(other).not.toBe(of)
    return other
  }
  const wrong = (net: string) =>
    topology.check({ file: "net" }, site({ net })).map((c) => `${c.path}: ${c.says}; ${c.fix}`)
  const [swLine, hostLine] = [lineOf(text, '[2]\t"S-'), lineOf(text, '[1]\t"H-')]
  test.each([
    ["an empty file", "", "file: has no switch"],
    ["other text", "Hello\n", 'file line 1: "Hello" is not a line of ibnetdiscover'],
    ["a port before any node", `[1] "S-01"[2]\n${text}`, "file line 1: a port stands before the first node"],
    ["no port 0", edited("[1]\t", "[0]\t"), `file line ${hostLine}: there is no port 0`],
    ["a port of 999999", edited("[1]\t", "[999999]\t"), "there is no port 999999"],
    ["one port with two links", edited('[2]\t"S-', '[1]\t"S-'), `port 1 has a link already, in line ${hostLine}`],
    [
      "a link that the other side does not name",
      edited(/(\[2\]\t"S-[^"]*"\[)2\]/, "$19]"),
      `file line ${swLine}: port 9 of S-0000000000200001 does not name this link`,
    ],
    ["a LID beyond unicast", edited("lid 7 4xEDR", "lid 60000 4xEDR"), "LID 60000 is not a unicast LID"],
    ["two blocks of a node", edited("Switch\t36", `Switch\t36 "S-200001"\nSwitch\t36`), "has a block already"],
    ["the wrong kind", edited("Ca\t1", "Switch\t1"), "is not the id of a Switch"],
    [
      "a switch without block",
      edited(/Switch\t36 "S-0000000000200003"[\s\S]*?\n\n/, "", edited(/Ca\t1 "H-0000000000100006"[\s\S]*?\n\n/, "")),
      "switch S-0000000000200003 has no block",
    ],
    [
      "switches only",
      text.replaceAll(/^.*"H-[\s\S]*?\n/gm, "").replaceAll(/^\[1\]\(.*\n/gm, ""),
      "has no channel adapter",
    ],
  ])("topology: %s", (_, net, expected) => expect(wrong(net).join("\n")).toContain(expected))

  const tables = lftText(ring, shortestPorts(ring))
  const refused = (lftFile: string, net = text) => {
    const subnet = topology.make({ file: "net" }, site({ net }))
    return lft
      .check({ file: "lft" }, { ...site({ lft: lftFile }), topology: subnet, vcs: 1 })
      .map((c) => `${c.path}: ${c.says}; ${c.fix}`)
      .join("\n")
  }
  test.each([
    ["an empty file", "", "file: has no forwarding table"],
    ["other text", edited("  Lid", "Hello", tables), 'file line 2: "Hello  Out   Destination" is not an entry'],
    ["an entry before the tables", `0x0007 001\n${tables}`, "file line 1: an entry stands before the first table"],
    [
      "another fabric",
      edited("guid 0x0000000000200000", "guid 0xabc", tables),
      "0000000000000abc is not in the fabric",
    ],
    ["a port without a link", edited("0x0007 001", "0x0007 035", tables), "LID 7 leaves by port 35, which has no link"],
    ["port 0 for a host", edited("0x0007 001", "0x0007 000", tables), "LID 7 leaves by port 0"],
    ["two entries", edited("0x0007 001", "0x0007 001\n0x0007 002", tables), "LID 7 has an entry already, port 1"],
    ["a LID beyond unicast", edited("0x0007", "0xc007", tables), "0xc007 is not a unicast LID"],
    ["no entry", edited("0x0008 002", "0x0008 255", tables), "sw0 has no entry for LID 8 (node1 HCA-1)"],
    ["a table twice", `${tables}\n${tables}`, "has a table already, in line 1"],
    [
      "packets that circle",
      lftText(
        ring,
        shortestPorts(ring).map((row, s) => row.map((p, goal) => (goal === 3 && s === 2 ? 2 : p))),
      ),
      "packets for LID 10 (node3 HCA-1) loop: sw2 port 2 -> sw1 port 3",
    ],
  ])("tables: %s", (_, file, expected) => expect(refused(file)).toContain(expected))
  test("a fabric without LIDs", () => {
    expect(refused(tables, text.replaceAll(/ lid \d+/g, ""))).toContain("has no LID in the topology file")
  })
  test("a file that is not there", () =>
    expect(topology.check({ file: "nowhere" }, site({}))[0]).toMatchObject({ says: '"nowhere" cannot be read' }))
})
