// Grants of one destination, as its protocol gives them to whoever asks when: each has the flits that were asked for,
// and no two overlap.
import fc from "fast-check"
import { expect, test } from "vitest"
import { GRANT, makeReservations, RESERVATION } from "../../src/congestion/reservation/protocol.ts"
import { endpointSite } from "../support/endpoint-site.ts"

const ENDS = 12
const ask = fc.record({
  after: fc.nat(400),
  by: fc.nat(ENDS - 2),
  to: fc.constantFrom(ENDS - 1, ENDS - 2),
  flits: fc.integer({ min: 1, max: 700 }),
})

test.each(["srp", "smsrp"] as const)("%s: reservations of random sources, sizes and times", (mode) => {
  let waited = 0
  fc.assert(
    fc.property(
      fc.array(ask, { minLength: 2, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (asks, eps) => {
        const site = endpointSite(ENDS, 32)
        const protocol = makeReservations(site, {
          mode,
          reserveFrom: 1,
          chunk: 512,
          eps,
          flows: 8,
          retransmitFrom: "endpoint",
        })
        let now = 0
        const granted = new Map<number, { from: number; until: number }[]>()
        for (const { after, by, to, flits } of asks) {
          now += after
          protocol.received!(to, site.packet({ src: by, dst: to, flits: 1, kind: RESERVATION, value: flits }), now)
          const told = site.taken()
          expect(told).toEqual([{ e: to, to: by, kind: GRANT, value: expect.any(Number) }])
          const from = told[0].value
          expect(from).toBeGreaterThanOrEqual(now)
          if (from > now) waited++
          granted.set(to, [...(granted.get(to) ?? []), { from, until: from + flits }])
        }
        for (const all of granted.values()) {
          const sorted = all.sort((a, b) => a.from - b.from)
          for (let i = 1; i < sorted.length; i++) expect(sorted[i].from).toBeGreaterThanOrEqual(sorted[i - 1].until)
        }
      },
    ),
  )
  // else nobody ever stood in anybody's way
  expect(waited).toBeGreaterThan(100)
})
