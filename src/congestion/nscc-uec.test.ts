// The window of Ultra Ethernet, step by step with numbers done by hand: round trip 1000 cycles, target 750, packets of
// 50 flits.
import { describe, expect, test } from "vitest"
import { endpointSite } from "../../test/support/endpoint-site.ts"
import { makeFlows } from "./flows.ts"
import nscc, { settle } from "./nscc.ts"
import { makeUecWindows, UEC_WORDS, type UecRules } from "./nscc-uec.ts"
import { SCALE } from "./windows.ts"

const rules: UecRules = {
  ...{ target: 750, roundTrip: 1000, alpha: 0.1, fair: 200, gamma: 0.8, eta: 10, fast: 0.25, fastBelow: 100 },
  ...{ quickAdapt: true, meanWeight: 0.0125, maxWindow: 1.5, every: 400 },
}

function made(more: Partial<UecRules> = {}) {
  const s = endpointSite(16, 50)
  const flows = makeFlows(1, 4, s.column, 1 + UEC_WORDS)
  const window = flows.word(0)
  const uec = makeUecWindows(flows, 1, window, 50 * SCALE, { ...rules, ...more })
  const row = flows.open(0, 3)
  window[row] = 800 * SCALE
  uec.opened(row, 0)
  return {
    size: () => window[row] / SCALE,
    ack: (took: number, now: number, marked = false, n = 50, left = 300) =>
      uec.acknowledged(row, n, marked, took, left, now),
    loss: (now: number, n = 50, left = 300, took = 1000) => uec.lost(row, n, took, left, now),
  }
}

describe("the window of a flow", () => {
  test("grows by alpha x (target - delay) x flits / window, at first and after more than 8 packets", () => {
    const { size, ack } = made()
    ack(1250, 10)
    // 0.1 x 500 cycles x 50 flits, and eta
    const first = 800 + 2500 / 800 + 10
    expect(size()).toBe(first)
    for (let n = 0; n < 8; n++) ack(1250, 10)
    expect(size()).toBe(first)
    ack(1250, 10)
    expect(size()).toBeCloseTo(first + (9 * 2500) / first, 1)
  })
  test("grows by fair x flits / window above the target, and by eta once in a round trip", () => {
    const { size, ack } = made()
    ack(1750, 10)
    // 200 x 50 flits
    const first = 800 + 10_000 / 800 + 10
    expect(size()).toBe(first)
    for (let n = 0; n < 9; n++) ack(1750, 10)
    const second = first + 90_000 / first
    expect(size()).toBeCloseTo(second, 1)
    ack(1750, 1011)
    expect(size()).toBeCloseTo(second + 10_000 / second + 10, 1)
  })
  test("does not change for marks below the target", () => {
    const { size, ack } = made({ eta: 0 })
    for (let n = 0; n < 8; n++) ack(1749, 10, true)
    expect(size()).toBe(800)
  })
  test("shrinks for marks if the mean delay is above the target, at most once in a round trip", () => {
    const { size, ack } = made({ meanWeight: 0.5, eta: 0 })
    ack(2000, 10, true)
    expect(size()).toBe(800)
    ack(2000, 20, true)
    expect(size()).toBe(800)
    // 500, 750, 875 cycles: not above the target before the third one
    ack(2000, 1100, true)
    expect(size()).toBeCloseTo(800 * (1 - (0.8 * 125) / 875), 0)
    const before = size()
    ack(2000, 1200, true)
    expect(size()).toBe(before)
  })
  test("takes unmarked late samples as a quarter of the round trip for the mean", () => {
    const { size, ack } = made({ meanWeight: 0.5, fair: 0, eta: 0 })
    for (let n = 0; n < 7; n++) ack(3000, 10)
    ack(3000, 20, true)
    // (250 + 2000) / 2 is above the target, 250 alone would not be
    expect(size()).toBeCloseTo(800 * (1 - (0.8 * (1125 - 750)) / 1125), -1)
  })
  test("follows the shortest round trip: largest window 1.5 of it", () => {
    const { size, ack } = made({ quickAdapt: false, fast: 0 })
    for (let n = 0; n < 200; n++) ack(400, 10 + n)
    expect(size()).toBe(600)
  })
  test("grows by fast x flits once more flits than the window came early", () => {
    const { size, ack } = made({ alpha: 0, eta: 0 })
    for (let n = 0; n < 16; n++) ack(1000, 10)
    expect(size()).toBe(800)
    ack(1000, 10)
    expect(size()).toBeCloseTo(812.5, 1)
    ack(1100, 10)
    ack(1000, 10)
    expect(size()).toBeCloseTo(812.5, 1)
  })
  test("loses what was lost, at least one packet stays", () => {
    const { size, loss } = made({ quickAdapt: false })
    loss(10)
    expect(size()).toBe(750)
    for (let n = 0; n < 20; n++) loss(10)
    expect(size()).toBe(50)
  })
  test("adapts quickly to what arrived after losses, and ignores what was in flight", () => {
    const { size, ack, loss } = made()
    // starts the first period, until 10 + 1000 + 750
    ack(1250, 10)
    ack(1250, 20)
    ack(1250, 30)
    // 0.1 x 500 x 50 / 800 and eta with the first acknowledgement, then one packet less
    loss(1000)
    expect(size()).toBe(763.125)
    // 2 packets arrived in the period
    loss(1761, 50, 100)
    expect(size()).toBe(100)
    loss(1762)
    expect(size()).toBe(100)
    loss(1763)
    expect(size()).toBe(50)
  })
  test("counts unmarked acknowledgements while it ignores what was in flight", () => {
    const { size, ack, loss } = made({ alpha: 0, eta: 0, fair: 20 })
    ack(1250, 10)
    loss(1761, 50, 1000)
    expect(size()).toBe(50)
    ack(1750, 1770, true)
    expect(size()).toBe(50)
    // 20 x 50 flits / window
    ack(1750, 1780)
    expect(size()).toBe(70)
  })
  test("takes a loss as a late sample of the mean, and its header as a round trip", () => {
    const { size, ack, loss } = made({ meanWeight: 0.5, eta: 0, quickAdapt: false })
    loss(10)
    loss(20, 50, 300, 900)
    // 500, then 750; with a base of 900 cycles, the delay of 1700 is 800, and the mean 775
    ack(1700, 1100, true)
    expect(size()).toBeCloseTo(700 * (1 - (0.8 * 25) / 775), 0)
  })
})

test("rules: uec derives its gains from the network as htsim prints them", () => {
  // 100 Gb/s, 9.3312 us, packets of 4 KiB
  const on = { roundTrip: 1822, packet: 64, cycle: 5120, flit: 64 }
  const got = nscc.params.parse({ rules: "uec" }, "")
  if ("bad" in got) throw new Error("refused")
  const made = settle(got.ok, on)
  if ("bad" in made) throw new Error("refused")
  expect(made.ok).toMatchObject({ target: 1367, kmin: 384, kmax: 1536 })
  expect(made.ok.fair * 64).toBeCloseTo(15676.4, -1)
  expect((made.ok.alpha * 64) / 5120).toBeCloseTo(0.001045, 5)
  expect((made.ok.uec?.eta ?? 0) * 64).toBeCloseTo(470.3, 0)
  expect(made.ok.uec?.fast).toBeCloseTo(0.1944, 3)
  expect(made.ok.uec?.fastBelow).toBeCloseTo(195.3, 1)
})

test("keys of rules: uec are refused without it", () => {
  const got = nscc.params.parse({ eta: "1flit", quickAdapt: false }, "")
  if ("bad" in got) throw new Error("refused")
  expect(nscc.check(got.ok).map((c) => c.path)).toEqual(["eta", "quickAdapt"])
})
