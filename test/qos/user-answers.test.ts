// Simulated answers for administrators beside arithmetic: the wait of the most urgent level beside the formula of a
// queue with priorities, and the bandwidth and the wait of each VL beside what both arbitration tables give.
import { describe, expect, test } from "vitest"
import { run } from "../../src/api.ts"
import { vlGuarantees } from "../../src/inspect/qos/vl-bounds.ts"

type Raw = Record<string, unknown>

async function measured(network: Raw, traffic: readonly Raw[], cycles: number) {
  const done = await run({
    lacewing: 1,
    network: {
      routing: "tree.destination-digit",
      endpoint: "service-levels",
      links: { end: "1cycle", link: "1cycle" },
      cycle: "5.12ns",
      flit: "64B",
      ...network,
    },
    traffic,
    measure: {
      warmup: "4kcycles",
      window: `${cycles}cycles`,
      limit: `${4000 + cycles}cycles`,
      drain: "none",
      saturation: "never",
    },
  } as unknown as Parameters<typeof run>[0])
  if ("bad" in done) throw new Error(done.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const { values } = done.ok.records[0].result
  return (name: string) => {
    if (!(name in values)) throw new Error(`no value ${name}`)
    return Number(values[name])
  }
}

describe("the most urgent level of 16 endpoints", () => {
  const urgent = { name: "control", class: 0, packet: "128B", load: 0.04 }
  const others = [
    { name: "middle", class: 1, packet: "1KiB", load: 0.15 },
    { name: "bulk", class: 2, packet: "4KiB", load: 0.5 },
  ]
  const flits = [2, 16, 64]
  const loads = [0.04, 0.15, 0.5]
  /**
   * Mean wait at a link for the head of a queue with the highest of several priorities, without preemption: the rest
   * of the packet on the link, sum of load * length / 2, over 1 - own load. `part`: part of the traffic on this link.
   */
  const waitAt = (part: number) =>
    flits.reduce((sum, s, i) => sum + (part * loads[i] * s) / 2, 0) / (1 - part * loads[0])
  // Each endpoint sends to 15 others, 12 of them in other leaf switches: 2 links always, 2 more for 12 of 15.
  const expected = 2 * waitAt(1) + (12 / 15) * 2 * waitAt(12 / 15)

  test.each(["infiniband", "omni-path"])("%s, strict priority: it waits for one packet at each link", async (name) => {
    const network = { topology: { name: "tree", k: 4, n: 2 }, switch: { name, vcs: 3 }, qos: { name: "strict" } }
    const alone = await measured(network, [{ ...urgent, load: 0.001 }], 60_000)
    const among = await measured(network, [urgent, ...others], 60_000)
    // 2 * 17.24 / 0.96 + 1.6 * 13.79 / 0.968 = 58.7 cycles
    expect(expected).toBeCloseTo(58.7, 1)
    const wait = among("control.latency.mean") - alone("latency.mean")
    // Switches add conflicts inside them: 70 and 74 cycles are usual.
    expect(wait).toBeGreaterThan(expected / 1.5)
    expect(wait).toBeLessThan(expected * 1.5)
    // 60,000 * 16 * 0.04 / 2 = 19,200 messages: 3 / sqrt(19,200) = 2 %
    expect(Math.abs(among("control.accepted") / 0.04 - 1)).toBeLessThan(0.02)
  })
})

describe("two endpoints with both arbitration tables", () => {
  const network = {
    topology: { name: "tree", k: 2, n: 1 },
    switch: { name: "infiniband", vcs: 4 },
    qos: { name: "vl-arbitration", high: "0:32,1:96", low: "2:32,3:128", limit: 3 },
  }
  const stream = (vl: number, load: number) => ({ name: `v${vl}`, class: vl, packet: "2KiB", load })
  const tables = {
    high: [
      { queue: 0, weight: 32 },
      { queue: 1, weight: 96 },
    ],
    low: [
      { queue: 2, weight: 32 },
      { queue: 3, weight: 128 },
    ],
    limit: 3,
  }
  const packets = new Map([0, 1, 2, 3].map((vl) => [vl, { least: 2048, most: 2048 }]))
  // 3 * 4 KiB of high priority are 6 packets; one packet of low priority follows.
  const [high, low] = [6 / 7, 1 / 7]
  const shares = [high / 4, (3 * high) / 4, low / 5, (4 * low) / 5]

  test("backlogged VLs get the shares of both tables, in the bounds and in the simulation", async () => {
    expect(vlGuarantees(tables, packets).map((g) => g.share)).toEqual(shares.map((s) => expect.closeTo(s, 12)))
    const value = await measured(
      network,
      [0, 1, 2, 3].map((vl) => stream(vl, 0.9)),
      6 * 10_000,
    )
    // 60,000 cycles hold 2 * 1,875 packets: the shares are exact within a round of 7 * 4 * 5 packets
    for (const [vl, share] of shares.entries()) expect(Math.abs(value(`v${vl}.accepted`) - share)).toBeLessThan(0.01)
  })
  test("a nearly idle VL of low priority gets all that it offers, and waits within the bound of each link", async () => {
    const value = await measured(network, [stream(0, 0.9), stream(1, 0.9), stream(2, 0.005), stream(3, 0.9)], 200_000)
    const bound = vlGuarantees(tables, packets)[2].waitBytes / 64
    // 4 packets of VL 3 lie between two of VL 2; before each of the 5, 12 KiB of high priority
    expect(bound).toBe((5 * 12_288 + 4 * 2048) / 64)
    // 200,000 * 2 * 0.005 / 32 = 62 packets: 3 / sqrt(62) = 38 %
    expect(Math.abs(value("v2.accepted") / 0.005 - 1)).toBeLessThan(0.38)
    // It waits in the endpoint and in the switch, is sent twice (2 * 32 cycles), and can meet one of its own.
    expect(value("v2.latency.max")).toBeLessThan(3 * bound + 100)
    expect(value("v2.latency.mean")).toBeGreaterThan(bound / 2)
    expect(value("v2.latency.mean")).toBeLessThan(2 * bound + 100)
    // The link is never idle, and high priority gets exactly its part of it.
    expect(value("v0.accepted") + value("v1.accepted")).toBeCloseTo(high, 2)
  })
})

describe("endpoints with their own tables", () => {
  const shares = async (switches: string, endpoints: string) => {
    const value = await measured(
      {
        topology: { name: "tree", k: 2, n: 1 },
        switch: { name: "infiniband", vcs: 2 },
        qos: { name: "vl-arbitration", low: switches, endpointLow: endpoints },
      },
      [0, 1].map((vl) => ({ name: `v${vl}`, class: vl, packet: "1KiB", load: 0.9 })),
      3 * 10_000,
    )
    return [value("v0.accepted"), value("v1.accepted")]
  }
  test("the endpoint decides, because its link is the first one that is full", async () => {
    // Weights of 16 and 48 credits are 1 and 3 packets of 1 KiB; the switch gets them as 1 to 3 and cannot change that.
    const [first, second] = await shares("0:16,1:16", "0:16,1:48")
    expect(first).toBeCloseTo(1 / 4, 2)
    expect(second).toBeCloseTo(3 / 4, 2)
    const [one, other] = await shares("0:16,1:48", "0:16,1:16")
    expect(one).toBeCloseTo(1 / 2, 2)
    expect(other).toBeCloseTo(1 / 2, 2)
  })
  test("a level without an entry at endpoints is refused, as its packets would never be sent", async () => {
    await expect(shares("0:16,1:16", "0:16")).rejects.toThrow()
  })
})
