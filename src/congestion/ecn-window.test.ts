import { describe, expect, test } from "vitest"
import type { EndpointSite } from "../model/protocol.ts"
import ecn from "./ecn-window.ts"

/** The packets of the test: each is its flits, its destination or (of an acknowledgement) who acknowledges, and its
 *  mark. */
interface Told {
  readonly flits: number
  readonly from?: number
  readonly marked?: boolean
}

function windows(raw: Record<string, unknown> = {}) {
  const parsed = ecn.params.parse(raw, "")
  if ("bad" in parsed) throw new Error("bad parameters")
  const told: Told[] = []
  const of = (p: number): Told => told[p]
  const packets = {
    flits: (p: number) => of(p).flits,
    answered: (p: number) => of(p).flits,
    src: (p: number) => of(p).from ?? 0,
  }
  const site = {
    rows: 2,
    ends: 3,
    maxPacket: 24,
    column: (n: number) => new Int32Array(n),
    packets: { ...packets, marked: (p: number) => of(p).marked === true },
  }
  const w = ecn.make(parsed.ok).endpoint!(site as Partial<EndpointSite> as EndpointSite)
  return {
    mayInject: (e: number, to: number, flits: number, now: number) => w.mayInject!(e, to, flits, now),
    injected: (e: number, to: number, flits: number, now: number) => w.injected!(e, to, told.push({ flits }) - 1, now),
    acknowledged: (e: number, from: number, flits: number, marked: boolean, now: number) =>
      expect(w.received!(e, told.push({ flits, from, marked }) - 1, now)).toBe(false),
  }
}
/** flits that may be outstanding at `now` */
function open(w: ReturnType<typeof windows>, now: number): number {
  let n = 0
  while (w.mayInject(0, 1, n + 1, now) === 0) n++
  return n
}

describe("windows", () => {
  test("two marks: 4096, 3276, 2620; rounded down", () => {
    const w = windows()
    expect(open(w, 0)).toBe(4096)
    w.injected(0, 1, 48, 0)
    w.acknowledged(0, 1, 24, true, 100)
    expect(open(w, 100)).toBe(3276 - 24)
    w.acknowledged(0, 1, 24, true, 100)
    expect(open(w, 100)).toBe(2620)
  })
  test("from 3276 back to 4096 takes 820 * 30 = 24,600 cycles", () => {
    const w = windows()
    w.injected(0, 1, 24, 0)
    w.acknowledged(0, 1, 24, true, 1000)
    expect(open(w, 1000 + 29)).toBe(3276)
    expect(open(w, 1000 + 30)).toBe(3277)
    expect(open(w, 1000 + 24_599)).toBe(4095)
    expect(open(w, 1000 + 24_600)).toBe(4096)
  })
  test("never below one packet, and each pair has its own", () => {
    const w = windows()
    w.injected(0, 1, 24 * 60, 0)
    for (let i = 0; i < 60; i++) w.acknowledged(0, 1, 24, true, 5)
    expect(open(w, 5)).toBe(24)
    expect(w.mayInject(0, 2, 4096, 5)).toBe(0)
    expect(w.mayInject(1, 1, 4096, 5)).toBe(0)
  })
  test("says when the timer will have opened the window far enough", () => {
    const w = windows()
    w.injected(0, 1, 24, 0)
    w.acknowledged(0, 1, 24, true, 100)
    w.injected(0, 1, 3270, 100)
    // 3270 + 24 - 3276 = 18 flits are missing: 18 periods of 30 cycles
    expect(w.mayInject(0, 1, 24, 110)).toBe(100 + 18 * 30)
    expect(w.mayInject(0, 1, 24, 100 + 18 * 30)).toBe(0)
  })
  test("counted in packets: 4096 packets of 24 flits", () => {
    expect(open(windows({ unit: "packets" }), 0)).toBe(4096 * 24)
  })
})
