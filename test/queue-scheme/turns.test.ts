// RECN: lines that are named by turns, packet by packet.
import { describe, expect, test } from "vitest"
import { DST, FLITS } from "../../src/fabric/packets.ts"
import { CONTROL, controlValue } from "../../src/switches/queue-scheme/isolation/control-messages.ts"
import { schemeEngine } from "../support/queue-scheme.ts"

const L = 8
const TURNS = 16
/** 36 switches in each of three stages */
const TOP = 72

/** A switch of the top of a 6-ary 3-tree, packets at its input 0: the digits of a destination are the turns down to it.
 *  */
function summit(sw: Readonly<Record<string, unknown>> = {}) {
  const engine = schemeEngine({
    topology: { name: "tree", k: 6, n: 3 },
    switch: { scheme: "recn", ...sw },
    traffic: [{ flits: 64, load: 0, arrivals: { name: "periodic" } }],
  })
  const { sw: made, constants, layout } = engine
  const { packets, fresh } = engine.columns
  const c = made.columns as Readonly<Record<string, Int32Array>>
  const base = TOP * layout.PS
  made.enter(0)
  let t = 0
  const record = (): number => ++fresh[0] * constants.stride
  return {
    c,
    base,
    hold: (port: number) => {
      c["busyOut"][TOP] |= 1 << port
    },
    step: (cycles: number) => {
      for (const end = t + cycles; t < end; t++) made.core(t, t)
    },
    arrive: (dst: number) => {
      const p = record()
      packets[p + DST] = dst
      packets[p + FLITS] = 64
      made.arrive(base << layout.LV, p, t)
    },
    /** a message from behind output `port`: line i there is about these turns */
    told: (port: number, i: number, turns: readonly number[]) => {
      const p = record()
      packets[p + DST] = (turns[0] ?? 0) | ((turns[1] ?? 0) << 16)
      packets[p + constants.kind] = CONTROL.allocate
      packets[p + constants.value] = controlValue(i, turns.length, turns.length, 0)
      made.receiveFromNeighbour!(base + port, p, t)
    },
    /** turns of line i of input 0, and packets in it */
    line: (i: number) => ({
      turns: Array.from({ length: c["lineLength"][base * L + i] }, (_, n) => c["linePath"][(base * L + i) * TURNS + n]),
      packets: c["linePackets"][base * L + i],
    }),
  }
}

const BY_FIVE = 2 * 36 + 5 * 6 + 1
const BY_THREE = 2 * 36 + 3 * 6

describe("ways", () => {
  test("turns 2, 5, 1 match {2, 5} before {2}; turns 2, 3, 0 match {2}", () => {
    const b = summit({ detect: 2 })
    b.hold(2)
    // output 2 is congested itself: line {2}
    for (let n = 0; n < 3; n++) b.arrive(BY_THREE)
    expect(b.line(0)).toEqual({ turns: [2], packets: 0 })
    // so is output 5 of the router behind it: line {2, 5}
    b.told(2, 3, [5])
    b.arrive(BY_FIVE)
    b.arrive(BY_THREE)
    b.arrive(BY_FIVE)
    expect(b.line(0)).toEqual({ turns: [2], packets: 1 })
    expect(b.line(1)).toEqual({ turns: [2, 5], packets: 2 })
    expect(b.c["normal"][b.base]).toBe(3)
  })

  test("what was here when a line was born goes first, and a stopped line waits", () => {
    const b = summit({ detect: 2 })
    b.hold(2)
    for (let n = 0; n < 3; n++) b.arrive(BY_FIVE)
    b.arrive(BY_FIVE)
    // three packets of the standard queue before the one of the line
    expect([b.c["normal"][b.base], b.line(0).packets, b.c["lineRequests"][b.base]]).toEqual([3, 1, 0])
    b.c["busyOut"][TOP] = 0
    b.c["needsArbitration"][TOP >> 5] |= 1 << TOP
    b.step(64 * 3)
    expect([b.c["normal"][b.base], b.line(0).packets, b.c["lineRequests"][b.base]]).toEqual([0, 1, 1])
    b.step(1)
    expect(b.line(0).packets).toBe(0)
  })

  test("an output that nobody is stopped for any more is no root: its line is given back after the timer", () => {
    const b = summit({ detect: 2, timer: "100cycles" })
    b.hold(2)
    for (let n = 0; n < 3; n++) b.arrive(BY_THREE)
    expect([b.c["root"][b.base + 2], b.c["lines"][b.base]]).toEqual([1, 1])
    b.step(99)
    expect(b.c["lines"][b.base]).toBe(1)
    b.step(2)
    expect([b.c["root"][b.base + 2], b.c["lines"][b.base]]).toEqual([0, 0])
  })
})
