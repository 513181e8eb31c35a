// Delays of InfiniBand's notices, exactly.
import { expect, test } from "vitest"
import { endpointSite } from "../../test/support/endpoint-site.ts"
import ecnDelay, { makeDelays } from "./ecn-delay.ts"

const params = (more: object = {}) => {
  const got = ecnDelay.params.parse(more, "")
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join())
  return got.ok
}
const noTimer = { cctiTimer: "1000000cycles" }

test("notices make packets wait 400, 800, 1200 and 1500 cycles: at the limit 32 flits in 1532 cycles", () => {
  const site = endpointSite(16, 32)
  const { injected, received, mayInject } = makeDelays(site, params(noTimer))
  const packet = site.packet({ src: 0, dst: 4, flits: 32 })
  const notice = site.packet({ src: 4, dst: 0, flits: 1, kind: 2 })
  injected!(0, 4, packet, 0)
  expect(mayInject!(0, 4, 32, 32)).toBe(0)
  const waits = [1, 2, 3, 4, 5].map(() => {
    received!(0, notice, 32)
    return mayInject!(0, 4, 32, 32) - 32
  })
  expect(waits).toEqual([400, 800, 1200, 1500, 1500])
  injected!(0, 4, packet, 1532)
  expect(mayInject!(0, 4, 32, 1564)).toBe(2 * 1532)
  // other destinations are not delayed
  expect(mayInject!(0, 5, 32, 32)).toBe(0)
})

test("every 1000 cycles the delay falls by 50: from the limit it is gone after 30,000, and so is the flow", () => {
  const site = endpointSite(16, 32)
  const { injected, received, mayInject, due, columns } = makeDelays(site, params())
  injected!(0, 4, site.packet({ src: 0, dst: 4, flits: 32 }), 0)
  for (let n = 0; n < 4; n++) received!(0, site.packet({ src: 4, dst: 0, flits: 1, kind: 2 }), 32)
  // checked again whenever the delay decreases
  expect(mayInject!(0, 4, 32, 100)).toBe(1000)
  expect(mayInject!(0, 4, 32, 1000)).toBe(32 + 1450)
  for (let now = 1000; now <= 30_000; now += 1000) {
    expect(site.timers[0]).toBe(now)
    site.timers[0] = 0
    expect(columns["open"][0]).toBe(1)
    due!(0, now)
  }
  expect([columns["open"][0], site.timers[0]]).toEqual([0, 0])
})

test("a notice for each marked packet, none for others", () => {
  const site = endpointSite(16, 32)
  const { delivered } = makeDelays(site, params())
  delivered!(4, site.packet({ src: 0, dst: 4, flits: 32 }), 50)
  expect(site.taken()).toEqual([])
  delivered!(4, site.packet({ src: 0, dst: 4, flits: 32, marked: true }), 60)
  expect(site.taken()).toEqual([{ e: 4, to: 0, kind: 2, value: 0 }])
})

test("a table whose least place is above its last is refused", () => {
  expect(ecnDelay.check(params({ cctiMin: 31 }))).toMatchObject([{ path: "cctiMin", fix: "set it to at most 30" }])
})
