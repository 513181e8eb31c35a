// Rates, windows and credits of dcqcn, hpcc, nscc and rccc, step by step with numbers done by hand.
import { describe, expect, test } from "vitest"
import { endpointSite, type TestSite } from "../../test/support/endpoint-site.ts"
import { type EndpointProtocol, PLAIN_CLASS, RETURNED } from "../model/protocol.ts"
import dcqcn, { makeDcqcn, ONE } from "./dcqcn.ts"
import hpcc, { makeHpcc, settle as settleHpcc } from "./hpcc.ts"
import nscc, { makeNscc, settle as settleNscc } from "./nscc.ts"
import rccc, { makeRccc } from "./rccc.ts"
import { makeUecRccc } from "./rccc-uec/protocol.ts"
import { withRepeats } from "./repeats.ts"
import { SCALE } from "./windows.ts"

type Parsed<P> = { ok: P } | { bad: readonly { says: string }[] }
function parsed<P>(plugin: { params: { parse(raw: unknown, path: string): Parsed<P> } }, more: object = {}): P {
  const got = plugin.params.parse(more, "")
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join())
  return got.ok
}
/** A network whose round trip is 512 cycles, with packets of 32 flits. */
const on = { roundTrip: 512, packet: 32, cycle: 1000, flit: 64 }
const settled = <S>(got: Parsed<S>): S => {
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join())
  return got.ok
}
const KIND = 2
const site = () => endpointSite(16, 32)
/** A packet of 32 flits from 0 to 4 leaves. */
const leaves = (s: TestSite, p: EndpointProtocol, now: number): number => {
  const packet = s.packet({ src: 0, dst: 4, flits: 32 })
  p.injected!(0, 4, packet, now)
  return packet
}
const hears = (s: TestSite, p: EndpointProtocol, value: number, now: number) =>
  p.received!(0, s.packet({ src: 4, dst: 0, flits: 1, kind: KIND, value }), now)

/** The n-th word that a protocol keeps of its first flow. */
const wordOf = (p: EndpointProtocol, n: number): number => p.columns["records"][1 + n]

describe("dcqcn", () => {
  const made = (more: object = {}) => {
    const s = site()
    const p = makeDcqcn(s, parsed(dcqcn, { alphaTimer: "1000cycles", timer: "1000cycles", ...more }))
    const at = (n: number) => wordOf(p, n) / ONE
    return { s, p, rate: () => at(0), target: () => at(1), alpha: () => at(2) }
  }
  test("a notice: half of the rate with alpha 1, 32 flits in 64 cycles; half of that with the next", () => {
    const { s, p, rate, target } = made()
    hears(s, p, 0, 100)
    expect([rate(), target()]).toEqual([0.5, 1])
    leaves(s, p, 100)
    expect(p.mayInject!(0, 4, 32, 100)).toBe(164)
    expect(p.mayInject!(0, 5, 32, 100)).toBe(0)
    hears(s, p, 0, 200)
    expect([rate(), target()]).toEqual([0.25, 0.5])
  })
  test("a period without: alpha 15/16, rate back by half of the difference; then 0.75 (1 - 15/32) = 0.3984375", () => {
    const { s, p, rate, target, alpha } = made()
    hears(s, p, 0, 0)
    p.due!(0, 1000)
    expect([rate(), alpha()]).toEqual([0.75, 0.9375])
    hears(s, p, 0, 1100)
    expect([rate(), target(), alpha()]).toEqual([0.3984375, 0.75, 0.9375 + 0.0625 / 16])
  })
  test("recovery by timer, then steps beyond: the fifth period adds 0.01 to the target", () => {
    const { s, p, rate, target } = made()
    hears(s, p, 0, 0)
    hears(s, p, 0, 0)
    // 0.25 towards 0.5
    const seen = [1, 2, 3, 4].map((n) => {
      p.due!(0, 1000 * n)
      return rate()
    })
    expect(seen).toEqual([0.375, 0.4375, 0.46875, 0.484375])
    p.due!(0, 5000)
    expect(target()).toBeCloseTo(0.51, 6)
    expect(rate()).toBeCloseTo((0.51 + 0.484375) / 2, 6)
  })
  test("the counter does it too: 4096 flits are a step", () => {
    const { s, p, rate } = made()
    hears(s, p, 0, 0)
    for (let n = 0; n < 127; n++) leaves(s, p, 1)
    expect(rate()).toBe(0.5)
    leaves(s, p, 1)
    expect(rate()).toBe(0.75)
  })
  test("at the full rate a flow has no row, and no timer is left", () => {
    const { s, p } = made({ additive: 0.5, hyper: 0.5 })
    hears(s, p, 0, 0)
    for (let n = 1; n < 100 && s.timers[0] !== 0; n++) {
      const now = s.timers[0]
      s.timers[0] = 0
      p.due!(0, now)
    }
    expect([p.columns["open"][0], s.timers[0]]).toEqual([0, 0])
  })
  test("a destination notifies a source of marked packets once in an interval", () => {
    const { s, p } = made({ interval: "300cycles" })
    const comes = (now: number, marked: boolean) =>
      p.delivered!(4, s.packet({ src: 0, dst: 4, flits: 32, marked }), now)
    comes(10, false)
    expect(s.taken()).toEqual([])
    comes(20, true)
    comes(30, true)
    expect(s.taken()).toEqual([{ e: 4, to: 0, kind: KIND, value: 0 }])
    p.due!(4, 320)
    comes(330, true)
    expect(s.taken()).toHaveLength(1)
  })
  test("Kmin above Kmax, and hyper below additive, are refused", () => {
    expect(dcqcn.check(parsed(dcqcn, { kmin: "400flits" }))).toMatchObject([
      { path: "kmin", fix: "set it to at most 319flits, or kmax to more" },
    ])
    expect(dcqcn.check(parsed(dcqcn, { hyper: 0.001 }))).toMatchObject([
      { path: "hyper", fix: "set it to at least 0.01" },
    ])
  })
})

describe("hpcc", () => {
  const made = () => {
    const s = site()
    const p = makeHpcc(s, settled(settleHpcc(parsed(hpcc, { additive: "8flits" }), on)))
    return { s, p, window: () => wordOf(p, 0) / SCALE }
  }
  const use = (units: number) => (units << 11) | 32
  test("a utilisation of 2: 512 x 0.95 / 2 + 8 = 251.2 flits, 32 flits in 66 cycles", () => {
    const { s, p, window } = made()
    leaves(s, p, 0)
    expect(window()).toBe(512)
    hears(s, p, use(2048), 300)
    expect(window()).toBeCloseTo(251.2, 2)
    // within a round trip from the same window of reference
    hears(s, p, use(2048), 310)
    expect(window()).toBeCloseTo(251.2, 2)
    leaves(s, p, 400)
    expect(p.mayInject!(0, 4, 32, 400)).toBe(466)
  })
  test("a round trip later from there; below eta 8 flits are added", () => {
    const { s, p, window } = made()
    leaves(s, p, 0)
    hears(s, p, use(2048), 520)
    hears(s, p, use(2048), 530)
    expect(window()).toBeCloseTo((251.2 * 0.95) / 2 + 8, 1)
    hears(s, p, use(512), 540)
    expect(window()).toBeCloseTo(251.2 + 8, 2)
  })
  test("what a packet carries comes back; a flow that is silent is forgotten", () => {
    const { s, p } = made()
    const packet = leaves(s, p, 0)
    s.packets.setValue(packet, 777)
    p.delivered!(4, packet, 200)
    expect(s.taken()).toEqual([{ e: 4, to: 0, kind: KIND, value: use(777) }])
    hears(s, p, use(777), 300)
    p.due!(0, 300 + 16 * 512)
    expect(p.columns["open"][0]).toBe(0)
  })
})

describe("nscc", () => {
  const given = { target: "192cycles", alpha: 0.02, fair: 0.5, fall: 0.5 }
  const made = () => {
    const s = site()
    const p = makeNscc(s, settled(settleNscc(parsed(nscc, given), on)))
    /** a confirmation of a packet that left in cycle 0 */
    const back = (took: number, marked: boolean) => hears(s, p, ((marked ? 1 : 0) << 11) | 32, took)
    return { s, p, back, window: () => wordOf(p, 0) }
  }
  test("marked and 384 cycles late, six times: the mean is 1694 / 8, the window falls by 0.8 x 158 / 1694", () => {
    const { s, p, back, window } = made()
    for (let n = 0; n < 9; n++) leaves(s, p, 0)
    for (let n = 0; n < 5; n++) back(896, true)
    expect(window()).toBe(512 * SCALE)
    back(896, true)
    expect(window()).toBe(121_292)
    // once in a round trip
    back(897, true)
    expect(window()).toBe(121_292)
    // 100 cycles below the target: 0.02 x 100 x 32 flits over the window
    back(512 + 92, false)
    expect(window()).toBe(121_292 + 35)
    // marked below the target: half of 32 flits in proportion to the window
    back(512 + 92, true)
    expect(window()).toBe(121_327 - 3791)
  })
  test("late and not marked: 0.5 x 32 flits over the window", () => {
    const { s, p, back, window } = made()
    for (let n = 0; n < 9; n++) leaves(s, p, 0)
    for (let n = 0; n < 6; n++) back(896, true)
    back(896, false)
    expect(window()).toBe(121_292 + Math.round((0.5 * 32 * SCALE * SCALE) / 121_292))
  })
  test("a confirmation says when its packet left, whether it was marked, and its flits", () => {
    const { s, p } = made()
    const packet = leaves(s, p, 1000)
    p.delivered!(4, packet, 1200)
    expect(s.taken()).toEqual([{ e: 4, to: 0, kind: KIND, value: (1000 << 12) | 32 }])
  })
  test("what is outstanding fits into the window, and one packet always may go", () => {
    const { s, p } = made()
    for (let n = 0; n < 16; n++) {
      expect(p.mayInject!(0, 4, 32, 10)).toBe(0)
      leaves(s, p, 10)
    }
    expect(p.mayInject!(0, 4, 32, 10)).toBeGreaterThan(10)
  })
})

describe("auto: gains by the round trip of the network", () => {
  test("nscc: target 0.75, marks from 0.2 to 0.8, alpha x target 3 / 37.2 and fair 5 / 37.2 of 1,822 flits", () => {
    // 100 Gb/s, hops of 1 us, packets of 4 KiB; Ultra Ethernet: fair = 5 x 63 flits x 116,600 B / 150,000 B = 245 flits
    const got = settled(settleNscc(parsed(nscc), { roundTrip: 1822, packet: 64, cycle: 5120, flit: 64 }))
    expect(got).toMatchObject({ roundTrip: 1822, target: 1367, kmin: 365, kmax: 1458, proportionalDecrease: 0.5 })
    expect(got.alpha * got.target).toBeCloseTo((1822 * 3) / 37.2, 0)
    expect(got.fair).toBeCloseTo(245, 0)
  })
  test("hpcc: one packet is added", () => {
    expect(settled(settleHpcc(parsed(hpcc), { roundTrip: 2539, packet: 64, cycle: 5120, flit: 64 }))).toMatchObject({
      roundTrip: 2539,
      additive: 64,
    })
  })
  test.each([
    ["nscc", nscc],
    ["hpcc", hpcc],
  ])("%s: a given round trip below that of the network is refused, a longer one is taken", (_, plugin) => {
    const at = (roundTrip: string) => plugin.make(parsed(plugin as never, { roundTrip }) as never).fit!(on)
    const short = at("511cycles")
    expect("bad" in short && short.bad[0]).toMatchObject({
      path: "roundTrip",
      fix: "set it to auto, or to at least 512cycles",
    })
    expect("ok" in at("512cycles")).toBe(true)
    expect("ok" in at("5000cycles")).toBe(true)
  })
})

describe("rccc", () => {
  test("credits of 128 flits, round-robin, 128 cycles apart, up to the requested amount", () => {
    const s = site()
    const p = makeRccc(s, parsed(rccc))
    const asks = (from: number, value: number, now: number) =>
      p.received!(4, s.packet({ src: from, dst: 4, flits: 1, kind: KIND, value }), now)
    asks(0, 256, 100)
    asks(8, 160, 101)
    const credits = [102, 230, 358, 486].flatMap((now) => {
      p.due!(4, now)
      return s.taken().map(({ to, value }) => [now, to, value])
    })
    expect(credits).toEqual([
      [102, 8, 128],
      [230, 0, 128],
      [358, 8, 32],
      [486, 0, 128],
    ])
    // 32 flits: the next after 32 cycles, which were over
    p.due!(4, 500)
    expect(s.taken()).toEqual([])
    expect(p.columns["nextAt"][4]).toBe(614)
  })
  test("a source requests credits for each message, and sends only with credits", () => {
    const s = site()
    const p = makeRccc(s, parsed(rccc))
    p.generated!(0, 4, 128, 5)
    expect(s.taken()).toEqual([{ e: 0, to: 4, kind: KIND, value: 128 }])
    expect(p.mayInject!(0, 4, 32, 6)).toBeGreaterThan(6)
    p.received!(0, s.packet({ src: 4, dst: 0, flits: 1, kind: KIND + 1, value: 64 }), 300)
    leaves(s, p, 300)
    expect(p.mayInject!(0, 4, 32, 332)).toBe(0)
    leaves(s, p, 332)
    expect(p.mayInject!(0, 4, 32, 364)).toBeGreaterThan(364)
    p.received!(0, s.packet({ src: 4, dst: 0, flits: 1, kind: KIND + 1, value: 64 }), 400)
    leaves(s, p, 400)
    leaves(s, p, 432)
    expect(p.columns["open"][0]).toBe(0)
  })
})

describe("rccc with rules: uec", () => {
  const [REQUEST, CREDIT, STARTED] = [KIND, KIND + 1, KIND + 2]
  /** A word that flows exchange: a sum of flits, life 1, and whether the first credit is still there. */
  const word = (sum: number, first: boolean) => (first ? 2 ** 30 : 0) + 2 ** 25 + sum
  const given = { quantum: 128, rate: 0.5, most: 192, unit: 4, silent: 8192, flows: 16 }
  const made = () => {
    const s = site()
    const p = makeUecRccc(s, given)
    /** a packet of 32 flits leaves 0 for `to`; returns its word */
    const goes = (now: number, to = 4) => {
      const packet = s.packet({ src: 0, dst: to, flits: 32 })
      p.injected!(0, to, packet, now)
      return s.packets.value(packet)
    }
    const comes = (from: number, value: number, now: number) =>
      p.delivered!(4, s.packet({ src: from, dst: 4, flits: 32, value }), now)
    const pulls = (kind: number, value: number, now: number) =>
      p.received!(0, s.packet({ src: 4, dst: 0, flits: 1, kind, value }), now)
    return { s, p, goes, comes, pulls }
  }
  test("a packet announces the backlog, at most 192 flits, minus the credit that is left; one packet at least", () => {
    const { s, p, goes } = made()
    p.generated!(0, 4, 256, 5)
    expect(s.taken()).toEqual([])
    // 224 flits and 160 flits of credit are left: 192 - 160; then 192 - 128, 160 - 96, and 128 - 64
    expect([5, 6, 7, 8].map((now) => goes(now))).toEqual([32, 64, 64, 64].map((n) => word(n, true)))
    const short = made()
    short.p.generated!(0, 4, 64, 5)
    // 32 flits and 160 flits of credit are left
    expect(short.goes(5)).toBe(word(32, true))
  })
  test("the first credit lapses with the first answer; a pull adds the difference of the sums, up to 192", () => {
    const { s, p, goes, pulls } = made()
    p.generated!(0, 4, 2048, 5)
    goes(5)
    expect(p.mayInject!(0, 4, 32, 6)).toBe(0)
    pulls(STARTED, word(0, false), 300)
    expect(p.mayInject!(0, 4, 32, 300)).toBeGreaterThan(300)
    pulls(CREDIT, word(20, false), 310)
    pulls(CREDIT, word(20, false), 311)
    // 20 flits are enough for a packet of 32; the next one asks for 12 more than the backlog
    expect(p.mayInject!(0, 4, 32, 312)).toBe(0)
    expect(goes(312)).toBe(word(20 + 192 + 12, false))
    expect(p.mayInject!(0, 4, 32, 313)).toBeGreaterThan(313)
    pulls(CREDIT, word(1020, false), 400)
    goes(400)
    expect(goes(401)).toBe(word(1020 + 192 - 128, false))
    // a pull of another life has no effect
    pulls(CREDIT, 2 ** 26 + 4000, 402)
    expect(goes(403)).toBe(word(1020 + 192 - 96, false))
    expect(s.taken()).toEqual([])
  })
  test("two flows that can send ask for half each, in quanta of 4 flits", () => {
    const { p, goes } = made()
    p.generated!(0, 4, 250, 5)
    p.generated!(0, 5, 2048, 5)
    goes(6)
    // 186 flits and 128 flits of credit are left: half of 58 is 29
    expect(goes(7)).toBe(word(32, true))
  })
  test("active sources get a quantum in turn, up to their targets; then idle ones get quanta up to 192 above", () => {
    const { s, p, comes } = made()
    comes(0, word(256, true), 100)
    comes(8, word(100, true), 101)
    expect(s.taken().map(({ to, kind }) => [to, kind])).toEqual([
      [0, STARTED],
      [8, STARTED],
    ])
    const seen: number[][] = []
    for (let now = 101; now < 6000; now++) {
      p.due!(4, now)
      for (const { to, value } of s.taken()) seen.push([now, to, value - word(0, false)])
    }
    // 128 flits take 256 cycles at half the rate, 100 flits take 200. Both are idle then, source 0 with 256 pulled
    // flits, source 8 with 100, and have 256 more each when the last slow pull has been sent.
    expect(seen).toEqual([
      [101, 0, 128],
      [357, 8, 100],
      [557, 0, 256],
      [813, 8, 228],
      [1069, 0, 384],
      [1325, 8, 356],
      [1581, 0, 512],
    ])
  })
  test("a header makes its source active again; its pull may grant nothing, and slow pulls follow", () => {
    const { s, p, comes } = made()
    const pulled = (now: number) => {
      p.due!(4, now)
      return s.taken().map(({ value }) => value - word(0, false))
    }
    comes(0, word(32, true), 100)
    s.taken()
    expect(pulled(100)).toEqual([32])
    const header = s.packet({ src: 0, dst: 4, flits: 1, answered: 32, value: word(32, false) })
    expect(p.headerArrived!(4, header, 110)).toBe(false)
    // 32 flits take 64 cycles. A pull without credits takes the time of a quarter of a packet: 16 cycles.
    expect([164, 179, 180].map(pulled)).toEqual([[32], [], [160]])
  })
  test("a source that waits too long repeats its target; a silent one ends", () => {
    const { s, p, goes, pulls } = made()
    p.generated!(0, 4, 64, 5)
    const said = goes(5)
    pulls(STARTED, word(0, false), 300)
    p.due!(0, 5 + 8192)
    expect(s.taken()).toEqual([{ e: 0, to: 4, kind: REQUEST, value: said }])
    pulls(CREDIT, word(32, false), 8300)
    goes(8300)
    p.due!(0, 8300 + 8192)
    expect(p.columns["open"][0]).toBe(0)
  })
})

describe("selective repeat", () => {
  test("with a timer: lost packets go again together, 50 cycles after the first; new ones leave before", () => {
    const s = site()
    const returned: number[] = []
    const inner = { columns: {}, headerReturned: (_e: number, _to: number, flits: number) => void returned.push(flits) }
    const p = withRepeats({ ...s, trims: true, lossTimer: 50 }, inner, 4)
    // In queues, number 0 means no packet.
    s.packet({ src: 0, dst: 0, flits: 1 })
    const lost = () => s.packet({ src: 4, dst: 0, flits: 1, answered: 32, kind: RETURNED })
    const [a, b] = [lost(), lost()]
    expect([p.received!(0, a, 100), p.received!(0, b, 120)]).toEqual([true, true])
    expect([s.timers[0], p.kept!(), p.mayInject!(0, 4, 32, 130)]).toEqual([150, 2, 0])
    p.due!(0, 149)
    expect([returned, s.again_]).toEqual([[], []])
    p.due!(0, 150)
    expect(returned).toEqual([32, 32])
    expect(s.again_).toEqual([{ packet: a, how: PLAIN_CLASS }])
    // The second one and new packets wait until the first has left.
    expect(p.mayInject!(0, 4, 32, 151)).toBeGreaterThan(151)
    p.injected!(0, 4, a, 160)
    expect(s.again_.map(({ packet }) => packet)).toEqual([a, b])
    p.injected!(0, 4, b, 170)
    expect([p.kept!(), p.mayInject!(0, 4, 32, 171), p.columns["repeats.open"][0]]).toEqual([0, 0, 0])
  })
})
