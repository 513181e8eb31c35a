import { describe, expect, it } from "vitest"
import { clockwise, mesh, ring, subjectOf } from "./fixtures.ts"
import { loads } from "./loads.ts"

describe("channel loads", () => {
  it("a clockwise ring of 5: every channel carries (1 + 2 + 3 + 4) / 4 of an endpoint's traffic", () => {
    const t = ring(5)
    const l = loads(
      subjectOf(
        t,
        clockwise(t, () => 0),
        1,
      ),
    )
    // mean links per packet 2.5, 5 endpoints over 5 channels
    expect(l.uniform.max).toBeCloseTo(2.5, 12)
    expect(l.uniform.throughput).toBeCloseTo(0.4, 12)
    expect(l.uniform.classes).toEqual([
      { class: "ring", mean: expect.closeTo(1.25, 12), max: expect.closeTo(2.5, 12), vcs: [1] },
    ])
    // all send 4 ahead: each channel carries 4 packets at once
    expect(l.worst).toMatchObject({ load: 4, throughput: 0.25 })
    expect(l.worst!.pairs).toHaveLength(4)
    expect(l.estimated).toBe(false)
  })

  it(
    "a 4 x 4 mesh, x then y: bisection 2 * 2 * 4 / 15 of each middle channel, " +
      "corner turns 3 for the worst permutation or more",
    () => {
      const t = mesh(4)
      const l = loads(
        subjectOf(
          t,
          {
            route(p, at, _inPort, _inVc, net, out) {
              const dst = net.dst(p)
              if (dst === at) return out.add(0, 1, 0)
              const dx = (dst % 4) - (at % 4)
              out.add(dx > 0 ? 1 : dx < 0 ? 2 : dst > at ? 3 : 4, 1, 0)
            },
          },
          1,
        ),
      )
      // over a middle +x channel: 2 sources of its row to 8 destinations each: 2 * 8 / 15
      expect(l.uniform.max).toBeCloseTo(16 / 15, 12)
      // 2 sources to the right of a +x channel's row, or for y: up to 3 rows below it (12 sources) to 1 destination
      // column each: min is by receivers
      expect(l.worst!.load).toBeGreaterThanOrEqual(2)
      const { pairs } = l.worst!
      expect(new Set(pairs.map(([s]) => s)).size).toBe(pairs.length)
      expect(new Set(pairs.map(([, d]) => d)).size).toBe(pairs.length)
    },
  )

  it("draws are averaged: a coin between the two ways round a ring of 2 x 4", () => {
    const t = ring(4)
    const l = loads(
      subjectOf(
        t,
        {
          route(p, at, inPort, inVc, net, out) {
            if (net.dst(p) === at) return out.add(0, 1, 0)
            out.add(inPort === 0 ? 1 + net.draw(p, 2) : 3 - inPort, inPort === 0 ? 3 : 1 << inVc, 0)
          },
        },
        2,
      ),
    )
    // each way: mean links (1 + 2 + 3) / 3 = 2, half of the traffic each
    expect(l.uniform.max).toBeCloseTo(1, 12)
    expect(l.uniform.classes[0].vcs).toEqual([0.5, 0.5])
  })
})
