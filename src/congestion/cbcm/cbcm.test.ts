// States of destinations, tokens of sources, exactly.
import { describe, expect, test } from "vitest"
import { endpointSite } from "../../../test/support/endpoint-site.ts"
import { endpointBytes, routerBytes } from "./memory.ts"
import cbcm, { makeCbcm } from "./plugin.ts"

const [THROTTLE, UNTHROTTLE] = [2, 3]
function machine(more: object = {}) {
  const got = cbcm.params.parse({ epoch: "1000cycles", ...more }, "")
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join())
  const site = endpointSite(16, 32)
  const protocol = makeCbcm(site, got.ok)
  /** All timers until then. */
  function until(now: number): void {
    for (let e = 0; e < 16; e++)
      while (site.timers[e] !== 0 && site.timers[e] <= now) {
        const at = site.timers[e]
        site.timers[e] = 0
        protocol.due!(e, at)
      }
  }
  return {
    site,
    protocol,
    /** After all timers before it. */
    arrives(src: number, now: number, marked = true): void {
      until(now - 1)
      protocol.delivered!(4, site.packet({ src, dst: 4, flits: 32, marked }), now)
    },
    throttle: (degree: number, now: number) =>
      protocol.received!(0, site.packet({ src: 4, dst: 0, flits: 1, kind: THROTTLE, value: degree }), now),
    unthrottle: (src: number, now: number) =>
      protocol.received!(4, site.packet({ src, dst: 4, flits: 1, kind: UNTHROTTLE }), now),
    until,
    told: () => site.taken().map(({ to, kind, value }) => [to, kind, value]),
  }
}

describe("a source", () => {
  test("D = 4: a packet of 32 flits in 128 cycles, the first one too", () => {
    const { site, protocol, throttle } = machine()
    throttle(4, 100)
    expect(protocol.mayInject!(0, 4, 32, 100)).toBe(228)
    expect(protocol.mayInject!(0, 4, 32, 228)).toBe(0)
    for (const at of [228, 356, 484]) {
      protocol.injected!(0, 4, site.packet({ src: 0, dst: 4, flits: 32 }), at)
      expect(protocol.mayInject!(0, 4, 32, at)).toBe(at + 128)
    }
    expect(protocol.mayInject!(0, 5, 32, 100)).toBe(0)
  })
  test("at 0.99 of its share: in 129.3 cycles", () => {
    const { protocol, throttle } = machine({ rate: 0.99 })
    throttle(4, 0)
    expect(protocol.mayInject!(0, 4, 32, 0)).toBe(130)
  })
  test("tokens have no cap, and a throttle that changes D empties them", () => {
    const { site, protocol, throttle } = machine()
    throttle(4, 0)
    const packet = site.packet({ src: 0, dst: 4, flits: 32 })
    for (let n = 0; n < 3; n++) {
      expect(protocol.mayInject!(0, 4, 32, 400)).toBe(0)
      protocol.injected!(0, 4, packet, 400)
    }
    expect(protocol.mayInject!(0, 4, 32, 400)).toBe(512)
    throttle(5, 1000)
    expect(protocol.mayInject!(0, 4, 32, 1000)).toBe(1160)
  })
  test("D = 1 frees it; throttled packets have a separate VC class", () => {
    const { protocol, throttle } = machine()
    const free = protocol.vcClass!(0, 4, 0)
    throttle(4, 0)
    expect(protocol.vcClass!(0, 4, 0) >> 8).toBe(2)
    expect(protocol.vcClass!(0, 5, 0)).toBe(free)
    throttle(1, 10)
    expect(protocol.vcClass!(0, 4, 10)).toBe(free)
    expect(protocol.mayInject!(0, 4, 32, 10)).toBe(0)
  })
  test("it is free when it created less than 1 / D in an epoch of 1000 cycles and its queue is not full", () => {
    const { protocol, throttle, until, told } = machine()
    throttle(4, 0)
    // 256 of 250 flits in 1000 cycles, then 224
    protocol.generated!(0, 4, 256, 500)
    until(1000)
    expect(told()).toEqual([])
    protocol.generated!(0, 4, 224, 1500)
    until(2000)
    expect(told()).toEqual([[4, UNTHROTTLE, 0]])
    expect(protocol.mayInject!(0, 4, 32, 2000)).toBe(0)
    // a share of 1 / 100: 4 packets of it take 12,800 cycles
    for (const [more, freeAt] of [
      [{}, 1000],
      [{ sourcePackets: 4 }, 12_800],
    ] as const) {
      const small = machine(more)
      small.throttle(100, 0)
      small.until(freeAt - 1)
      expect(small.told()).toEqual([])
      small.until(freeAt)
      expect(small.told()).toEqual([[4, UNTHROTTLE, 0]])
    }
    // 33 packets wait: full
    throttle(4, 3000)
    protocol.generated!(0, 4, 33 * 32, 3001)
    until(5000)
    expect(told()).toEqual([])
  })
})

describe("a source whose degree changes", () => {
  test("its epoch continues with the flits created so far, whatever the degree is", () => {
    const { protocol, throttle, until, told } = machine()
    throttle(4, 0)
    protocol.generated!(0, 4, 128, 100)
    for (let at = 200; at < 1000; at += 200) throttle(2 + at / 200, at)
    until(999)
    expect(told()).toEqual([])
    // 128 flits of 1000 / 6 that it may send
    until(1000)
    expect(told()).toEqual([[4, UNTHROTTLE, 0]])
  })
  test("what it created before counts: 256 of 1000 / 4 flits", () => {
    const { protocol, throttle, until, told } = machine()
    throttle(2, 0)
    protocol.generated!(0, 4, 256, 100)
    throttle(4, 900)
    until(1999)
    expect(told()).toEqual([])
    until(2000)
    expect(told()).toEqual([[4, UNTHROTTLE, 0]])
  })
})

describe("a destination", () => {
  test("an epoch of marked packets from 3 sources: all receive degree 3; a single source never receives one", () => {
    const { arrives, until, told } = machine()
    for (let at = 0; at < 1000; at += 100) arrives([0, 8, 12][(at / 100) % 3], at)
    until(999)
    expect(told()).toEqual([])
    until(1000)
    expect(told()).toEqual([0, 8, 12].map((to) => [to, THROTTLE, 3]))
    const alone = machine()
    for (let at = 0; at < 3000; at += 100) alone.arrives(0, at)
    alone.until(4000)
    expect(alone.told()).toEqual([])
  })
  test("one packet without a mark, and the epoch means nothing", () => {
    const { arrives, until, told } = machine()
    for (let at = 0; at < 900; at += 50) arrives(at % 100 === 0 ? 0 : 8, at)
    arrives(12, 950, false)
    until(2000)
    expect(told()).toEqual([])
  })
  test("fewer than 4 packets extend the epoch once", () => {
    const { arrives, until, told } = machine()
    for (const [src, at] of [
      [0, 0],
      [8, 500],
      [0, 900],
      [8, 1500],
    ] as const)
      arrives(src, at)
    until(1999)
    expect(told()).toEqual([])
    until(2000)
    expect(told()).toEqual([0, 8].map((to) => [to, THROTTLE, 2]))
  })
  test("a source that sends while it is hot is added, marked or not, and throttled after D / eps cycles", () => {
    const { arrives, until, told } = machine()
    for (let at = 0; at < 1000; at += 100) arrives(at % 200 === 0 ? 0 : 8, at)
    until(1000)
    expect(told()).toHaveLength(2)
    arrives(12, 1010, false)
    until(1039)
    expect(told()).toEqual([])
    until(1040)
    expect(told()).toEqual([0, 8, 12].map((to) => [to, THROTTLE, 3]))
  })
  test("who leaves is taken off the list; the last one is free", () => {
    const { arrives, unthrottle, until, told } = machine()
    for (let at = 0; at < 1000; at += 100) arrives([0, 8, 12][(at / 100) % 3], at)
    until(1000)
    expect(told()).toHaveLength(3)
    unthrottle(8, 1200)
    until(1200)
    expect(told()).toEqual([0, 12].map((to) => [to, THROTTLE, 2]))
    unthrottle(0, 1300)
    until(1300)
    expect(told()).toEqual([[12, THROTTLE, 1]])
    arrives(0, 1400, false)
    until(9000)
    expect(told()).toEqual([])
  })
  test("exit: a channel that was less than 0.9 busy over an epoch frees all", () => {
    const { arrives, until, told } = machine({ exit: 0.9 })
    for (let at = 0; at < 1000; at += 100) arrives(at % 200 === 0 ? 0 : 8, at)
    until(1000)
    expect(told()).toHaveLength(2)
    // 29 packets are 928 flits, 28 are 896
    for (let n = 0; n < 29; n++) arrives(0, 1001 + 30 * n)
    until(3000)
    expect(told()).toEqual([])
    for (let n = 0; n < 28; n++) arrives(0, 3001 + 30 * n)
    until(4000)
    expect(told()).toEqual([0, 8].map((to) => [to, THROTTLE, 1]))
  })
})

describe("memory", () => {
  test("64 ports, 120 samples of 6 bits: 5,760 B", () =>
    expect(routerBytes(64, { samples: 100, interval: 10 })).toBe(5760))
  test("512 endpoints: 64 B and 4 B for each destination that throttles", () => expect(endpointBytes(512, 2)).toBe(72))
})

test("what makes no sense is refused", () => {
  const said = (more: object) => {
    const got = cbcm.params.parse(more, "")
    return "bad" in got ? got.bad.map((c) => c.path) : cbcm.check(got.ok).map((c) => c.path)
  }
  expect(said({ eps: 0 })).toEqual(["eps"])
  expect(said({ interval: 200 })).toEqual(["interval"])
  expect(said({ rate: 0 })).toEqual(["rate"])
  expect(said({})).toEqual([])
})
