// lacewing qos FILE --mix MIX: configurations of OpenSM, of Omni-Path's fabric manager and of traffic classes; what is
// guaranteed by arithmetic, and what the simulation of the mix measures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { QosAnswer } from "../../src/inspect/qos/answer.ts"
import { said } from "../support/cli.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-mix-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let count = 0
function file(text: string): string {
  const path = join(dir, `f${++count}`)
  writeFileSync(path, text)
  return path
}

const opensm = `qos TRUE
qos_max_vls 8
qos_ca_high_limit 4
qos_ca_vlarb_high 0:64,1:128
qos_ca_vlarb_low 2:16,3:192
qos_swe_high_limit 255
qos_swe_vlarb_high 0:64
qos_swe_vlarb_low 1:16,2:16,3:192
qos_sl2vl 0,1,2,3,4,5,6,7,7,7,7,7,7,7,7,15
`
const small = "network: { topology: { name: tree, k: 2, n: 1 } }\nwarmup: 1000\nwindow: 20000\n"

async function answer(...args: string[]): Promise<QosAnswer & { readonly other?: QosAnswer }> {
  const { code, out, err } = await said(["qos", ...args, "--json"])
  if (code !== 0) throw new Error(`${out} ${err}`)
  return JSON.parse(out)
}

describe("OpenSM", () => {
  const mix = file(`${small}traffic:
  - { name: mpi, sl: 0, message: 256B, load: 5% }
  - { name: ip, sl: 2, message: 2KiB, load: 10% }
  - { name: lustre, sl: 3, message: 4KiB, load: 50% }
  - { name: none, sl: 7, message: 1KiB, load: 1% }
  - { name: drop, sl: 15, message: 1KiB, load: 1% }
`)
  test("separate tables of adapters and switches: the worst of both counts; VL 15 drops", async () => {
    const { streams, linkGBps } = await answer(file(opensm), "--mix", mix)
    expect(linkGBps).toBe(12.5)
    const [mpi, ip, lustre, none, drop] = streams
    // adapters: 16 KiB of VL 0 may pass before each packet of low priority; switches: limit 255, low may starve
    expect([ip!.share, ip!.worstWaitNs, lustre!.share]).toEqual([0, null, 0])
    // switches: VL 0 is alone in the table of high priority, one packet of 4 KiB is on the link: 4,096 B at 12.5 B/ns;
    // adapters: with a limit of 16 KiB, one packet of low priority before it: the same
    expect(mpi!.worstWaitNs).toBeCloseTo(4096 / 12.5, 6)
    expect([none!.acceptedGBps, none!.dropped, none!.notes]).toEqual([
      0,
      0,
      ["no table serves VL 7: packets of SL 7 are never sent"],
    ])
    expect([drop!.vl, drop!.dropped, drop!.acceptedGBps]).toEqual([null, 1, 0])
    // 5 % of 12.5 GB/s, all of which passes; no queue is ever longer than a few packets
    expect(mpi!.offeredGBps).toBeCloseTo(0.625, 9)
    expect(Math.abs(mpi!.acceptedGBps! / 0.625 - 1)).toBeLessThan(0.1)
    expect(mpi!.meanNs).toBeGreaterThan(100)
    expect(mpi!.p99Ns).toBeGreaterThan(mpi!.meanNs!)
    expect(lustre!.meanNs).toBeGreaterThan(mpi!.meanNs!)
  })
  test("adapters have their own tables in the simulation, too", async () => {
    const tables = (ca: string, swe: string) =>
      file(`qos_ca_high_limit 0\nqos_ca_vlarb_low ${ca}\nqos_swe_high_limit 0\nqos_swe_vlarb_low ${swe}\n`)
    const both = file(`${small}traffic:
  - { name: a, sl: 0, message: 1KiB, load: 90% }
  - { name: b, sl: 1, message: 1KiB, load: 90% }
`)
    // Adapters give 1 and 3 packets of 1 KiB, and their links are the first ones that are full: 1/4 of 12.5 GB/s.
    const got = await answer(tables("0:16,1:48", "0:16,1:16"), "--mix", both)
    expect(got.streams[0].acceptedGBps).toBeCloseTo(12.5 / 4, 1)
    // The bound is that of the worst kind of port: adapters for the first stream, switches for the second.
    expect(got.streams.map((s) => s.share)).toEqual([1 / 4, 1 / 2])
    expect(got.notes.join()).toContain("adapters use the tables of ports ca, switches those of ports swe")
    const other = await answer(tables("0:16,1:16", "0:16,1:48"), "--mix", both)
    expect(other.streams[0].acceptedGBps).toBeCloseTo(12.5 / 2, 1)
  })
  test("--diff: the same mix with another configuration", async () => {
    const other = opensm.replace("qos_swe_high_limit 255", "qos_swe_high_limit 4")
    const got = await answer(file(opensm), "--mix", mix, "--diff", file(other))
    expect(got.streams[1]!.share).toBe(0)
    expect(got.other!.streams[1]!.share).toBeGreaterThan(0)
    const { out } = await said(["qos", file(opensm), "--mix", mix, "--diff", file(other)])
    expect(out).toMatch(/0\.0 % -> \d/)
  })
  test("qos-policy.conf names service levels", async () => {
    const policy = file("qos-ulps\n default : 0\n ipoib, pkey 0x0001 : 1\nend-qos-ulps\n")
    const named = file(
      `${small}traffic: [{ name: a, use: "ipoib, pkey 0x0001", message: 1KiB, load: 10% }, { name: b, use: default, message: 1KiB, load: 1% }]`,
    )
    const { streams } = await answer(file(opensm), "--mix", named, "--policy", policy)
    expect(streams.map((s) => s.sl)).toEqual([1, 0])
    const { code, err } = await said(["qos", file(opensm), "--mix", named])
    expect(code).toBe(2)
    expect(err).toContain('there is no "ipoib, pkey 0x0001"')
  })
  test("a nearly idle VL waits no longer than the bound with both tables", async () => {
    const backlog = file(
      `${small.replace("20000", "100000")}network:
  topology: { name: tree, k: 2, n: 1 }
traffic:
  - { name: v0, sl: 0, message: 1KiB, load: 60% }
  - { name: v1, sl: 1, message: 1KiB, load: 60% }
  - { name: v2, sl: 2, message: 1KiB, load: 0.1% }
  - { name: v3, sl: 3, message: 1KiB, load: 60% }
`.replace("network: { topology: { name: tree, k: 2, n: 1 } }\n", ""),
    )
    const ca = file(
      "qos_high_limit 4\nqos_vlarb_high 0:64,1:128\nqos_vlarb_low 2:16,3:192\nqos_sl2vl 0,1,2,3,4,5,6,7,7,7,7,7,7,7,7,15\n",
    )
    const { streams } = await answer(ca, "--mix", backlog)
    const [, , v2] = streams
    // 12 packets of VL 3 lie between two entries of VL 2; before each of the 13, 16 KiB of high priority pass at most
    expect(v2!.worstWaitNs).toBeCloseTo((13 * 16_384 + 12 * 1024) / 12.5, 6)
    // it waits in the adapter and in the switch, and is sent twice
    expect(v2!.p99Ns).toBeLessThan(2 * v2!.worstWaitNs! + 2000)
    expect(v2!.p99Ns).toBeGreaterThan(v2!.worstWaitNs! / 4)
  })
})

describe("other configurations", () => {
  test("opafm.xml: groups with shares, virtual fabrics by name", async () => {
    const opafm = file(`<Config><Common><QOSGroups>
      <QOSGroup><Name>Low</Name><Bandwidth>30%</Bandwidth></QOSGroup>
      <QOSGroup><Name>High</Name><HighPriority>1</HighPriority></QOSGroup>
      <QOSGroup><Name>Compute</Name><Bandwidth>70%</Bandwidth><BaseSL>2</BaseSL></QOSGroup>
      <!-- <QOSGroup><Name>Off</Name></QOSGroup> -->
    </QOSGroups></Common><Fm><VirtualFabrics>
      <VirtualFabric><Name>MPI</Name><QOSGroup>Compute</QOSGroup></VirtualFabric>
      <VirtualFabric><Name>Default</Name><QOSGroup>Low</QOSGroup></VirtualFabric>
    </VirtualFabrics></Fm></Config>`)
    const mix = file(
      `${small}network: { topology: { name: crossbar, n: 4 }, routing: crossbar.direct }
traffic: [{ name: mpi, use: MPI, message: 1KiB, load: 20% }, { name: rest, use: Default, message: 1KiB, load: 20% }]
`.replace("network: { topology: { name: tree, k: 2, n: 1 } }\n", ""),
    )
    const got = await answer(opafm, "--mix", mix)
    expect(got.switch).toBe("omni-path")
    expect(got.streams.map((s) => s.sl)).toEqual([2, 0])
    // weights 255 and 109 in whole packets of 16 units: 16 and 7 of 23 packets
    expect(got.streams[0]!.share).toBeCloseTo(16 / 23, 9)
  })
  test("traffic classes: strict before shares", async () => {
    const classes = file("classes: { control: { sl: 0, strict: true }, bulk: { sl: 1, share: 100% } }")
    const mix = file(`${small}traffic:
  - { name: control, use: control, message: 256B, load: 5% }
  - { name: bulk, use: bulk, message: 4KiB, load: 80% }
`)
    const { streams } = await answer(classes, "--mix", mix)
    expect(streams[0]!.worstWaitNs).toBeCloseTo(4096 / 12.5, 6)
    expect(Math.abs(streams[0]!.acceptedGBps! / 0.625 - 1)).toBeLessThan(0.1)
    expect(streams[1]!.share).toBe(0)
  })
  const goals =
    "title: goals\nlevels: { NC: { share: 25%, distance: 4, mtu: 1KiB }, BK: { share: 75%, distance: 2, mtu: 1KiB } }\n"
  test("goals are checked by simulation: entries of less than a packet send a whole one, and the answer says so", async () => {
    const mix = file(`${small}traffic:
  - { name: a, use: NC, message: 1KiB, load: 90% }
  - { name: b, use: BK, message: 1KiB, load: 90% }
`)
    const { streams } = await answer(file(goals), "--mix", mix)
    // NC has 16 entries and BK 32, each of less weight than two packets of 1 KiB. InfiniBand forgets the rest of an
    // entry, so NC sends one packet for two of BK, instead of one for three.
    expect(streams.map((s) => s.share)).toEqual([1 / 3, 2 / 3])
    expect(streams[0].acceptedGBps).toBeCloseTo(12.5 / 3, 1)
    expect(streams[1].acceptedGBps).toBeCloseTo((12.5 * 2) / 3, 1)
    expect(streams[1].notes).toContain("SL 1 requires 75.0 %, and its packets get 66.7 % with these tables")
  })
  test("--opafm writes groups that are read back with the same shares", async () => {
    const { code, out } = await said(["qos", file(goals.replace("NC", "'N<C'")), "--opafm"])
    expect(code).toBe(0)
    expect(out).toContain("<Name>N&lt;C</Name><Enable>1</Enable><Bandwidth>25%</Bandwidth><BaseSL>0</BaseSL>")
    const mix = file(
      `${small}network: { topology: { name: crossbar, n: 4 }, routing: crossbar.direct }
traffic: [{ name: a, use: "N<C", message: 1KiB, load: 20% }, { name: b, use: BK, message: 1KiB, load: 20% }]
`.replace("network: { topology: { name: tree, k: 2, n: 1 } }\n", ""),
    )
    const { streams } = await answer(file(`<Config>${out}</Config>`), "--mix", mix)
    expect(streams.map((s) => s.sl)).toEqual([0, 1])
    // weights 85 and 255 in whole packets of 16 credits: 6 and 16 of 22 packets
    expect(streams[0].share).toBeCloseTo(6 / 22, 9)
    const thirds =
      "title: t\nlevels: { a: { share: 33.4%, distance: 8, mtu: 1KiB }, b: { share: 33.3%, distance: 8, mtu: 1KiB }, c: { share: 33.3%, distance: 8, mtu: 1KiB } }\n"
    const whole = await said(["qos", file(thirds), "--opafm"])
    expect([...whole.out.matchAll(/(\d+)%/g)].map((m) => Number(m[1]))).toEqual([34, 33, 33])
    expect((await said(["qos", file(opensm), "--opafm"])).err).toContain("needs goals with shares")
  })
  test.each([
    [
      "<Config><QOSGroups><QOSGroup><Name>A</Name><Bandwidth>x</Bandwidth></QOSGroup></QOSGroups></Config>",
      "line 1, QOSGroup A",
    ],
    ["classes: { a: { sl: 0 } }", "needs a share or strict: true"],
  ])("refused: %s", async (text, says) => {
    const mix = file("traffic: [{ name: a, sl: 0, message: 1KiB, load: 1% }]")
    const { code, err } = await said(["qos", file(text), "--mix", mix])
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})

describe("traffic classes of Ethernet and Slingshot", () => {
  const bulk = (names: readonly string[]) =>
    file(
      `${small}traffic:\n${names.map((n) => `  - { name: ${n.replace(" ", "")}, use: "${n}", message: 1KiB, load: 90% }`).join("\n")}\n`,
    )

  test("shares are exact, and strict classes go in the order of their priority", async () => {
    const shared = file("classes: { a: { sl: [2, 5], share: 20% }, b: { sl: 3, share: 60% } }")
    const two = await answer(shared, "--mix", bulk(["a", "b"]))
    // 20 of 80 credits in each round, whatever the packets are
    expect(two.streams.map((s) => s.share)).toEqual([1 / 4, 3 / 4])
    expect(two.streams[0].acceptedGBps).toBeCloseTo(12.5 / 4, 1)
    // A packet of 1,024 B needs 1 visit of 20 credits; b sends 60 credits and what is left of a packet: 3,840 + 960 B.
    // b needs 1 visit: a sends 1,280 + 960 B.
    expect(two.streams.map((s) => s.worstWaitNs! * 12.5)).toEqual([3840 + 960, 1280 + 960])
    const strict = file(
      "classes: { a: { sl: 0, strict: true, priority: 2 }, b: { sl: 1, strict: true }, c: { sl: 2, share: 100% } }",
    )
    const three = await answer(strict, "--mix", bulk(["a", "b", "c"]))
    expect(three.streams.map((s) => s.share)).toEqual([1, 0, 0])
    // a has 90 % of each link, b nearly all of the rest
    expect(three.streams[0].acceptedGBps).toBeGreaterThan(0.85 * 12.5)
    expect(three.streams[2].acceptedGBps).toBeLessThan(0.05 * 12.5)
  })

  const linux = `willing off ets_cap 8 cbs off
tc-bw 0:25 1:75 2:0 3:0 4:0 5:0 6:0 7:0
tc-tsa 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict
prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:7 7:7
`
  const mellanox = `Priority trust state: pcp
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
tc: 0 ratelimit: unlimited, tsa: ets, bw: 25%
\t priority:  0
\t priority:  1
\t priority:  2
\t priority:  4
\t priority:  5
tc: 1 ratelimit: unlimited, tsa: ets, bw: 75%
\t priority:  3
tc: 7 ratelimit: 10 Gbps, tsa: strict
\t priority:  6
\t priority:  7
`
  test.each([
    ["dcb ets show", linux, []],
    ["mlnx_qos", mellanox, ["limits of rates (maxrate, ratelimit) are not modelled"]],
  ])("%s: priorities, shares, and the strict class before them", async (_, text, notes) => {
    const mix = file(`${small}traffic:
  - { name: control, sl: 7, message: 256B, load: 5% }
  - { name: tcp, use: "TC 0", message: 1KiB, load: 90% }
  - { name: roce, sl: 3, message: 4KiB, load: 90% }
`)
    const got = await answer(file(text), "--mix", mix)
    expect(got.streams.map((s) => [s.sl, s.vl])).toEqual([
      [7, 7],
      [0, 0],
      [3, 1],
    ])
    expect(got.notes).toEqual(notes)
    // one packet of 4 KiB is on the link
    expect(got.streams[0].worstWaitNs).toBeCloseTo(4096 / 12.5, 6)
    expect([got.streams[0].share, got.streams[1].share]).toEqual([1, 0])
    // 5 % goes first, and a quarter and three quarters of the rest are left
    expect(got.streams[1].acceptedGBps! / got.streams[2].acceptedGBps!).toBeCloseTo(1 / 3, 1)
  })

  test("a class with an upper limit: adapters hold back the rest", async () => {
    const limited = file("classes: { a: { sl: 0, share: 10%, max: 30% }, b: { sl: 1, share: 50% } }")
    const [a, b] = (await answer(limited, "--mix", bulk(["a", "b"]))).streams
    expect(a!.acceptedGBps! / 12.5).toBeCloseTo(0.1667, 1)
    expect([a!.meanNs, a!.p99Ns]).toEqual([null, null])
    expect(a!.notes).toContain("SL 0 is offered 90.0 % of a link, and adapters limit it to 30.0 %")
    expect(b!.notes.join()).not.toContain("limit")
    const alone = file(`${small}traffic: [{ name: a, use: a, message: 1KiB, load: 60% }]`)
    const [one] = (await answer(limited, "--mix", alone)).streams
    // 30 % of 12.5 GB/s, and not the 60 % that it offers
    expect(Math.abs(one!.acceptedGBps! / 3.75 - 1)).toBeLessThan(0.1)
  })

  test("goals for latency: the p99 of a stream, and the wait at a link", async () => {
    const classes = file("classes: { a: { sl: 0, strict: true }, b: { sl: 1, share: 100% } }")
    const mix = (goal: string) =>
      file(`${small}traffic:
  - { name: a, use: a, message: 256B, load: 5%, latency: ${goal} }
  - { name: b, use: b, message: 4KiB, load: 50% }
`)
    expect((await answer(classes, "--mix", mix("20us"))).streams[0].notes).toEqual([])
    const late = await answer(classes, "--mix", mix("100ns"))
    expect(late.streams[0].notes.join()).toMatch(/a requires a p99 of at most 100 ns, and has [\d,]+ ns/)
  })

  test("--figures draws both figures", async () => {
    const folder = join(dir, "figures")
    const { code } = await said(["qos", file(linux), "--mix", bulk(["TC 0"]), "--figures", folder])
    expect(code).toBe(0)
    const drawn = ["bandwidth", "latency"].map((name) => readFileSync(join(folder, `${name}.svg`), "utf8"))
    for (const svg of drawn) expect(svg).toContain("TC0: ")
  })

  test.each([
    ["tc-tsa 0:cbs\nprio-tc 0:0\n", 'TC 0 has "cbs", which is not modelled'],
    ["tc-tsa 0:ets\ntc-bw 0:250\nprio-tc 0:0\n", '"0:250" is not a pair for tc-bw'],
    ["tc-tsa 0:ets\n", "No priority has a traffic class."],
    ["classes: { a: { sl: 0, share: 50%, max: 20% } }", "is less than the share"],
    ["classes: { a: { sl: 0, share: 50% }, b: { sl: [0, 1], share: 50% } }", "SL 0 is that of another class"],
  ])("refused: %s", async (text, says) => {
    const { code, err } = await said([
      "qos",
      file(text),
      "--mix",
      file("traffic: [{ name: a, sl: 0, message: 1KiB, load: 1% }]"),
    ])
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})
