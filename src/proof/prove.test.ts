import { describe, expect, it } from "vitest"
import type { NetView } from "../model/routing.ts"
import { clockwise, fromEdges, mesh, ring, subjectOf } from "./fixtures.ts"
import { prove } from "./prove.ts"
import { tellFault } from "./subject.ts"

describe("a ring, clockwise only", () => {
  const t = ring(5)
  const dateline = clockwise(t, (at, inVc, injected) => (at === 4 ? 1 : injected ? 0 : inVc))

  it("with one VC: all five channels wait in a cycle", () => {
    const proof = prove(
      subjectOf(
        t,
        clockwise(t, () => 0),
        1,
      ),
    )
    expect(proof.free).toBe(false)
    expect(proof.verdict.free === false && proof.verdict.cycle.length).toBe(5)
    // each packet holds what the one before waits for
    const packets = proof.cycle!
    expect(packets).toHaveLength(5)
    packets.forEach((p, i) => {
      const next = packets[(i + 1) % 5]
      expect(p.hops.at(-1)!.chan).toBe(next.hops.at(-2)!.chan)
      // clockwise: it has not arrived before it asks
      expect((p.to - p.from + 5) % 5).toBeGreaterThanOrEqual(p.hops.length)
    })
  })

  it("with a dateline: free, and the numbering grows along the ring", () => {
    const proof = prove(subjectOf(t, dateline, 2))
    expect(proof).toMatchObject({ free: true, by: "order", faults: [], hopBound: 5 })
    expect(proof.walked.economy).toBe("none")
    if (!proof.verdict.free) throw new Error("free")
    const { level } = proof.verdict
    // channel of router r is 3 r + 1; VC 0 of r0, r1, r2, r3, then VC 1 of r4, r0, ...
    const node = (r: number, vc: number) => (3 * r + 1) * 2 + vc
    const chain = [node(0, 0), node(1, 0), node(2, 0), node(3, 0), node(4, 1), node(0, 1), node(1, 1), node(2, 1)]
    expect(chain.map((n) => level[n])).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it(
    "swapping the VC classes of a dateline everywhere renames it and stays " +
      "free; for some packets only, it is refused",
    () => {
      const renamed = clockwise(t, (at, inVc, injected) => (at === 4 ? 0 : injected ? 1 : inVc))
      expect(prove(subjectOf(t, renamed, 2)).free).toBe(true)
      const some = clockwise(t, (at, inVc, injected, net, p) => {
        const swap = net.dst(p) === 1 ? 1 : 0
        return (at === 4 ? 1 : injected ? 0 : inVc ^ swap) ^ swap
      })
      const proof = prove(subjectOf(t, some, 2))
      expect(proof.free).toBe(false)
      expect(proof.cycle!.length).toBeGreaterThan(1)
    },
  )

  it("with one VC folded from two: refused with a cycle", () => {
    expect(prove(subjectOf(t, dateline, 1, { fold: true })).free).toBe(false)
    const unfolded = prove(subjectOf(t, dateline, 1))
    expect(unfolded.faults.map((f) => f.kind)).toContain("no such vc")
  })

  it("hop count and source are seen when the routing asks for them", () => {
    const byHops = clockwise(t, (_at, _inVc, _injected, net, p) => net.hops(p))
    expect(prove(subjectOf(t, byHops, 4))).toMatchObject({ free: true, hopBound: 5 })
    // distance from the source decides: the same thing computed from the source
    const bySrc = clockwise(t, (at, _inVc, _injected, net, p) => (at - net.src(p) + 5) % 5)
    expect(prove(subjectOf(t, bySrc, 4))).toMatchObject({ free: true, hopBound: 5 })
    const constant = clockwise(t, (_at, _inVc, _injected, net, p) => Math.min(net.hops(p), 2))
    expect(prove(subjectOf(t, constant, 3)).free).toBe(false)
  })
})

describe("faults", () => {
  const t = fromEdges(3, [
    [0, 1],
    [1, 2],
  ])
  const faulty = (route: (at: number, dst: number) => [number, number] | undefined) =>
    prove(
      subjectOf(
        t,
        {
          route(p, at, _inPort, _inVc, net, out) {
            const go = route(at, net.dst(p))
            if (go !== undefined) out.add(go[0], go[1], 0)
          },
        },
        1,
      ),
    )
  const line = (at: number, dst: number): [number, number] =>
    at === dst ? [0, 1] : at === 1 ? [dst === 0 ? 1 : 2, 1] : [1, 1]

  it("a line is free and reaches everything", () => {
    expect(faulty(line)).toMatchObject({ free: true, faults: [], hopBound: 3 })
  })
  it.each([
    ["stuck", (at: number, dst: number) => (at === 1 && dst === 2 ? undefined : line(at, dst))],
    ["unwired", (at: number, dst: number): [number, number] => (at === 1 && dst === 2 ? [7, 1] : line(at, dst))],
    ["wrong end", (at: number, dst: number): [number, number] => (at === 1 && dst === 2 ? [0, 1] : line(at, dst))],
    ["no such vc", (at: number, dst: number): [number, number] => (at === 1 && dst === 2 ? [2, 4] : line(at, dst))],
    ["no vc", (at: number, dst: number): [number, number] => (at === 1 && dst === 2 ? [2, 0] : line(at, dst))],
    ["endless", (at: number, dst: number): [number, number] => (dst === 2 ? [1, 1] : line(at, dst))],
  ] as const)("%s is told with router, source and destination", (kind, route) => {
    const { faults } = faulty(route)
    expect(faults.map((f) => f.kind)).toContain(kind)
    const fault = faults.find((f) => f.kind === kind)!
    expect(fault.to).toBe(2)
    expect(tellFault(fault, t)).toMatch(/at router r[01] a packet from endpoint [01] to endpoint 2/)
  })
})

describe("escape and bubble", () => {
  // 3 x 3 mesh: VC 1 any minimal way, VC 0 first x, then y
  const grid = mesh(3)
  const adaptive = (spare: boolean) =>
    subjectOf(
      grid,
      {
        route(p, at, _inPort, _inVc, net, out) {
          const dst = net.dst(p)
          if (dst === at) return out.add(0, 1, 0)
          const dx = (dst % 3) - (at % 3)
          const dy = Math.floor(dst / 3) - Math.floor(at / 3)
          const x = dx > 0 ? 1 : 2
          const y = dy > 0 ? 3 : 4
          if (dx !== 0) out.add(x, 2, net.queuedVc(at * 5 + x, 1))
          if (dy !== 0) out.add(y, 2, net.queuedVc(at * 5 + y, 1))
          if (spare) out.add(dx !== 0 ? x : y, 1, 1000)
        },
      },
      2,
    )
  it("an escape VC makes a cyclic routing free; without it the same is refused", () => {
    const proof = prove(adaptive(true))
    expect(proof).toMatchObject({ free: true, by: "escape", escape: { mask: 1 } })
    expect(proof.words).toContain("VC 0")
    expect(prove(adaptive(false))).toMatchObject({ free: false, by: "cycle" })
  })
  it("an escape that some state lacks is no escape", () => {
    const subject = adaptive(true)
    const { routing } = subject
    const lacking = {
      route: (...a: Parameters<typeof routing.route>) => {
        routing.route(...a)
        // packets that have come to the middle over the adaptive VC forget the escape
        if (a[1] === 4 && a[3] === 1 && a[5].n > 1) a[5].n--
      },
    }
    expect(prove({ ...subject, routing: lacking }).free).toBe(false)
  })

  const t = ring(4)
  const bubble = (room: (inPort: number) => number) =>
    subjectOf(t, { ...clockwise(t, () => 0), room: (_at, inPort, port) => (port === 1 ? room(inPort) : 1) }, 1)
  it("a ring with bubbles is free", () => {
    const proof = prove(bubble((inPort) => (inPort === 0 ? 2 : 1)))
    expect(proof).toMatchObject({ free: true, by: "bubble", bubble: { rings: 1 } })
    expect(proof.words).toContain("space for two packets")
  })
  it("a ring is refused that asks for too little to enter, or for too much to go on", () => {
    expect(prove(bubble(() => 1))).toMatchObject({ free: false, by: "cycle" })
    expect(prove(bubble(() => 2))).toMatchObject({ free: false, by: "cycle" })
  })
  it("two rings side by side with free choice are one ring; a packet that has chosen one of two is refused", () => {
    // VC 0 and 1 of each channel: offered together, or one of them drawn at each hop
    const wide = (mask: (net: NetView, p: number) => number) =>
      subjectOf(
        t,
        {
          route(p, at, _inPort, _inVc, net, out) {
            if (net.dst(p) === at) return out.add(0, 1, 0)
            out.add(1, mask(net, p), 0)
          },
          room: (_at, inPort) => (inPort === 0 ? 2 : 1),
        },
        2,
      )
    expect(prove(wide(() => 3))).toMatchObject({ free: true, by: "bubble", bubble: { rings: 1 } })
    expect(prove(wide((net, p) => 1 << net.draw(p, 2)))).toMatchObject({ free: false, by: "cycle" })
  })
})
