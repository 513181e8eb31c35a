// Questions of administrators with the answers that arithmetic gives: what OpenSM's tables guarantee with both of them
// counted, and who waits in a simulation with a strict priority or with both tables.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { run } from "../../src/api.ts"
import type { ArbitrationReport } from "../../src/inspect/qos/arbitration-report.ts"
import { said } from "../support/cli.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-admin-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let count = 0
function file(text: string): string {
  const path = join(dir, `f${++count}`)
  writeFileSync(path, text)
  return path
}

async function ports(text: string, ...args: string[]): Promise<ArbitrationReport[]> {
  const { code, out, err } = await said(["qos", file(text), ...args, "--json"])
  if (code !== 0) throw new Error(`${out} ${err}`)
  return JSON.parse(out).ports
}

/** Tables of adapters and of switches; the last SL is dropped or not. */
const fabric = (last: number) => `qos TRUE
qos_policy_file /etc/opensm/policy.conf
qos_ca_max_vls 8
qos_ca_high_limit 4
qos_ca_vlarb_high 0:64,1:128
qos_ca_vlarb_low 2:16,3:192
qos_ca_sl2vl 0,1,2,3,4,5,6,7,7,7,7,7,7,7,7,${last}
qos_swe_max_vls 8
qos_swe_high_limit 255
qos_swe_vlarb_high 0:64
qos_swe_vlarb_low 1:16,2:16,3:192
qos_swe_sl2vl 0,1,2,3,4,5,6,7,7,7,7,7,7,7,7,${last}
`

describe("an options file of OpenSM", () => {
  const lane = (r: ArbitrationReport, vl: number) => r.lanes.find((l) => l.vl === vl)!
  test("the table of low priority waits for that of high priority before each of its packets", async () => {
    const [ca] = await ports(fabric(7), "--packet", "1KiB")
    expect([ca!.ports, ca!.packetBytes]).toEqual(["ca", 1024])
    // 192 credits of VL 3 are 12 packets; VL 2 is the 13th; 4 * 4096 B of high priority go before each
    expect(lane(ca!, 2).waitBytes).toBe(13 * 16_384 + 12 * 1024)
    // 16 packets of high priority and one of low priority, of which each 13th is of VL 2
    expect(lane(ca!, 2).share).toBeCloseTo(1 / 17 / 13, 12)
    expect(lane(ca!, 3).share).toBeCloseTo(12 / 17 / 13, 12)
    // VL 0 and 1 share 16 of 17 packets as 64 to 128
    expect(lane(ca!, 0).share).toBeCloseTo(16 / 17 / 3, 12)
    // 128 credits of VL 1, and one packet of low priority
    expect(lane(ca!, 0).waitBytes).toBe(8192 + 1024)
  })
  test("packets of 4 KiB unless told otherwise: fewer of them wait for the other table", async () => {
    const [ca] = await ports(fabric(7))
    // 192 credits are 3 packets of 4 KiB, VL 2 is the fourth
    expect(lane(ca!, 2).waitBytes).toBe(4 * 16_384 + 3 * 4096)
    // VL 2 has 16 credits of 64 B: less than a packet, and sends a whole one
    expect(ca!.notes).toEqual([
      ...[4, 5, 6].map((sl) => `SL ${sl} goes to VL ${sl}, which no table serves`),
      ...Array.from({ length: 9 }, (_, i) => `SL ${7 + i} goes to VL 7, which no table serves`),
      "entries with less weight than a packet send a whole packet: 2:16",
    ])
  })
  test("without a limit the table of low priority may starve: no bound, no share", async () => {
    const [, swe] = await ports(fabric(7), "--packet", "1KiB")
    expect([1, 2, 3].map((vl) => [lane(swe!, vl).share, lane(swe!, vl).waitBytes])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ])
    // alone in its table: one packet of low priority can be on the link already
    expect([lane(swe!, 0).share, lane(swe!, 0).waitBytes]).toEqual([1, 1024])
    expect(swe!.notes).toContain("limit 255 is none: low priority may starve")
    const { out } = await said(["qos", file(fabric(7))])
    expect(out).toContain("ports swe: limit of high priority 255")
    expect(out).toMatch(/none/)
  })
  test("VL15 drops", async () => {
    const [ca] = await ports(fabric(15))
    expect(ca!.notes).toContain("SL 15 is mapped to VL15: its packets are dropped")
  })
  test("--packet is of such files only", async () => {
    const goals = file("levels: { a: { share: 50%, distance: 2, mtu: 1KiB } }\n")
    expect((await said(["qos", goals, "--packet", "1KiB"])).err).toContain("--packet: needs an options file of OpenSM")
    expect((await said(["qos", file(fabric(7)), "--packet", "0B"])).code).toBe(2)
  })
})

/** Four service levels on a tree of 16 endpoints: 5, 25, 10 and 50 % of each link. */
const mixture = (network: Record<string, unknown>) => ({
  lacewing: 1 as const,
  network: {
    topology: { name: "tree", k: 4, n: 2 },
    routing: "tree.destination-digit",
    endpoint: "service-levels",
    cycle: "5.12ns",
    flit: "64B",
    ...network,
  },
  traffic: [
    { name: "mpi", class: 0, packet: "256B", load: 0.05 },
    { name: "rdma", class: 1, packet: "4096B", load: 0.25 },
    { name: "ip", class: 2, packet: "2048B", load: 0.1 },
    { name: "lustre", class: 3, packet: "4096B", load: 0.5 },
  ],
  measure: {
    warmup: "2kcycles",
    window: "10kcycles",
    limit: "12kcycles",
    drain: "none" as const,
    saturation: "never" as const,
  },
})

async function values(network: Record<string, unknown>) {
  const done = await run(mixture(network))
  if ("bad" in done) throw new Error(done.bad.map((c) => c.says).join("; "))
  return (name: string) => Number(done.ok.records[0]!.result.values[name])
}

describe("small urgent messages among large ones", () => {
  const tables = { name: "vl-arbitration", high: "0:64,1:128", low: "2:16,3:192", limit: 4 }
  test.each([
    ["infiniband, strict priority", "infiniband", { name: "strict" }],
    ["infiniband, both tables", "infiniband", tables],
    ["omni-path, both tables", "omni-path", tables],
  ])("%s: the most urgent level gets all that it offers, and waits least", async (_, name, qos) => {
    const value = await values({ switch: { name, vcs: 4 }, qos })
    // 5 % of a link: within the noise of 16 * 10,000 * 0.05 / 4 = 2,000 messages (3 / sqrt(2000) = 7 %)
    expect(Math.abs(value("mpi.accepted") / 0.05 - 1)).toBeLessThan(0.07)
    expect(value("mpi.accepted") / value("mpi.offered")).toBeGreaterThan(0.985)
    for (const other of ["rdma", "ip", "lustre"])
      expect(value("mpi.latency.mean")).toBeLessThan(value(`${other}.latency.mean`))
    // a packet of 64 flits on each of 4 links, and no queue: 256 cycles and the pipeline
    if (name === "infiniband" && qos.name === "strict") expect(value("mpi.latency.mean")).toBeLessThan(300)
  })
})
