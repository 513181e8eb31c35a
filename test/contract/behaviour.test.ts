// The behaviour contracts of switches: every switch of the library keeps what its record promises, and a promise that
// is not kept is found.
import { describe, expect, test } from "vitest"
import { behaviourOf, equalShares } from "../../src/inspect/contract/behaviour.ts"
import { contractOf } from "../../src/inspect/contract/contract.ts"
import { contracts } from "../../src/inspect/contract/finding.ts"
import { type AnyPlugin, switches } from "../../src/library.ts"
import type { Behaviour } from "../../src/model/behaviour.ts"

const { shares, bounded, floor, credits, throws } = contracts

describe.each(switches.map((p) => [p.name, p] as const))("switch %s", (_, plugin) => {
  test("declares how it stands in the scenes, and a reason where it promises less than the others", () => {
    const variants = plugin.behaviour?.variants ?? []
    expect(variants.length).toBeGreaterThan(0)
    const less = variants.filter(
      (v) =>
        v.fair === false ||
        v.bounded === false ||
        (v.shared ?? 1) < 0.96 ||
        (v.permutation ?? 1) < 0.98 ||
        (v.uniform ?? 1) < 0.585,
    )
    expect(less.filter((v) => v.because === undefined)).toEqual([])
  })

  test("keeps what it promises with every arbitration scheme", async () => {
    const got = await contractOf(plugin, { modules: [], raw: {} })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    expect(got.ok.broken).toEqual([])
    // the packet engine has no probe of events, from which the longest wait is read
    const events = plugin.can?.includes("events") === true
    expect(got.ok.held).toEqual([shares, ...(events ? [bounded] : []), floor, credits, throws])
    expect(got.ok.left).toEqual(events ? [] : [`${bounded} on crossbar n=8: its engine writes no events`])
  })
})

describe("a promise that a switch does not keep is found", () => {
  const named = (name: string): AnyPlugin => switches.find((p) => p.name === name)!
  const broken = async (name: string, behaviour: Partial<Behaviour>) => {
    const plugin = named(name)
    const { findings } = await behaviourOf({
      plugin: { ...plugin, behaviour: { ...plugin.behaviour!, ...behaviour } },
      modules: [],
      raw: {},
    })
    return [...new Set(findings.map((f) => f.contract))]
  }
  const wavefront = () => ({ vcAllocator: "wavefront", swAllocator: "wavefront" })

  test("equal shares: the input behind the idle one gets two turns of a wavefront allocator", async () => {
    expect(await broken("input-queued", { variants: [{ with: wavefront }] })).toEqual([shares])
  })
  test("bounded waits: four VCs of an input need four times as long as one", async () => {
    expect(await broken("input-queued", { variants: [{}], requests: 1 })).toEqual([bounded])
  })
  test("throughput: 4 / 5 of an output, 4 / 6 of an input and less of uniform traffic with one VC", async () => {
    expect(await broken("input-queued", { variants: [{ with: () => ({ vcs: 1 }) }] })).toEqual([floor])
  })
  test("attribution: one packet in front, not eight of a list", async () => {
    expect(await broken("combined", { variants: [{}], waiting: () => 8 })).toEqual([credits])
  })
  test("groups: inputs of a small group get more, as much as declared and no less", async () => {
    // rows of 4 and 3 askers share an output in halves: 1 / 8 and 1 / 6
    expect(equalShares(4)).toEqual([0.125, 0.125, 0.125, 0.125, 1 / 6, 1 / 6, 1 / 6])
    expect(await broken("tiled", { variants: [{ with: () => ({ rows: 2, columns: 2 }) }], group: () => 1 })).toEqual([
      shares,
    ])
  })
})

test("a scene that a switch refuses is left open, with the reason", async () => {
  const plugin = switches.find((p) => p.name === "combined")!
  const got = await contractOf(plugin, { modules: [], raw: { output: "2flits" } })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  expect(got.ok.held).not.toContain(shares)
  expect(got.ok.left.every((l) => l.startsWith(`${shares} on crossbar n=8: `))).toBe(true)
})
