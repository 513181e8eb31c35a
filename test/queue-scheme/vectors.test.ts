// Detection, lines and messages, packet by packet: a switch is handed records, one of its outputs is held for good.
import { describe, expect, test } from "vitest"
import { DST, FLITS, NEXT } from "../../src/fabric/packets.ts"
import { camBytes } from "../../src/switches/queue-scheme/isolation/cam.ts"
import { MAPPED } from "../../src/switches/queue-scheme/isolation/columns.ts"
import { CONTROL, controlValue } from "../../src/switches/queue-scheme/isolation/control-messages.ts"
import type { Wish } from "../support/machine.ts"
import { complaintsOf, schemeEngine } from "../support/queue-scheme.ts"

const L = 8

/** Router 0, whose output `blocked` is held for good; packets of 64 flits arrive at its input 0, one every 64 cycles.
 *  */
function bench(w: Wish, blocked: number) {
  const engine = schemeEngine({ ...w, traffic: [{ flits: 64, load: 0, arrivals: { name: "periodic" } }] })
  const { sw, constants } = engine
  const { packets, fresh } = engine.columns
  const c = sw.columns as Readonly<Record<string, Int32Array>>
  const words = Math.ceil(engine.layout.graph.ends / 32)
  sw.enter(0)
  c["busyOut"][0] |= 1 << blocked
  let t = 0
  const record = (): number => ++fresh[0] * constants.stride
  const step = (cycles: number) => {
    for (const end = t + cycles; t < end; t++) sw.core(t, t)
  }
  const arrive = (dst: number) => {
    const p = record()
    packets[p + DST] = dst
    packets[p + FLITS] = 64
    sw.arrive(0, p, t)
  }
  /** destinations of line i of port 0, input or output */
  const list = (name: "lineList" | "outList", i: number) =>
    Array.from({ length: 32 * words }, (_, d) => d).filter((d) => ((c[name][i * words + (d >> 5)] >>> d) & 1) !== 0)
  const lists = () =>
    Array.from({ length: L }, (_, i) => i)
      .filter((i) => c["lineOn"][i] !== 0)
      .map((i) => list("lineList", i))
  const hears = (kind: number, value: number, destinations: readonly number[] = [], port = 0) => {
    const p = record()
    packets[p + DST] = (destinations[0] ?? 0) | ((destinations[1] ?? 0) << 16)
    packets[p + constants.kind] = kind
    packets[p + constants.value] = value
    sw.receiveFromNeighbour!(port, p, t)
  }
  /** the held output is free */
  const release = () => {
    c["busyOut"][0] = 0
    c["needsArbitration"][0] |= 1
  }
  return { c, packets, step, arrive, list, lists, hears, release, now: () => t }
}

const one: Wish = { topology: { name: "crossbar", n: 16 }, routing: { name: "crossbar.direct" } }
const tree: Wish = { topology: { name: "tree", k: 4, n: 3 }, routing: { name: "tree.destination-digit" } }

describe("detection", () => {
  test(
    "threshold 8: the line is born with the ninth packet to a blocked output, and a " +
      "packet to another one leaves in the cycle after its arrival",
    () => {
      const b = bench({ ...one, switch: { scheme: "fbicm-2" } }, 5)
      for (let n = 0; n < 8; n++) {
        b.arrive(5)
        b.step(64)
      }
      expect(b.lists()).toEqual([])
      expect(b.c["normal"][0]).toBe(8)
      b.arrive(5)
      expect(b.lists()).toEqual([[5]])
      b.step(64)
      // one in a cycle, all have left the normal queue
      expect([b.c["normal"][0], b.c["linePackets"][0]]).toEqual([0, 9])
      const moved = b.c["until"][9]
      b.arrive(9)
      b.step(1)
      // `arrive` is called a cycle (the pipeline) after the head: the transfer holds output 9 for 64 cycles from now on
      expect(moved).toBe(0)
      expect(b.c["until"][9]).toBe(b.now() - 1 + 64)
    },
  )

  test("lists of 2: four congested destinations of one output make two lines", () => {
    const b = bench({ ...tree, switch: { scheme: "fbicm-2", list: 2 } }, 4)
    for (let n = 0; n < 16; n++) {
      b.arrive([16, 20, 24, 28][n % 4])
      b.step(64)
    }
    expect(b.lists()).toEqual([
      [16, 20],
      [24, 28],
    ])
  })
})

describe("who goes first, and where", () => {
  const up = 4
  const packetsOf = (b: ReturnType<typeof bench>) => [b.c["normal"][0], b.c["linePackets"][0], b.c["linePackets"][1]]

  test("the normal queue goes before the queues of lines, for the same output", () => {
    const b = bench({ ...tree, switch: { scheme: "fbicm-2" } }, up)
    for (let n = 0; n < 9; n++) {
      b.arrive(16)
      b.step(64)
    }
    b.arrive(20)
    b.step(64)
    // nine were here first, set aside
    expect(packetsOf(b)).toEqual([1, 9, 0])
    b.release()
    b.step(1)
    expect(packetsOf(b)).toEqual([0, 9, 0])
    b.step(64)
    expect(packetsOf(b)).toEqual([0, 8, 0])
  })

  test("lines that are linked to nothing go before linked ones in version 2", () => {
    const b = bench({ ...tree, switch: { scheme: "fbicm-2", detect: 1 } }, up)
    b.hears(CONTROL.allocate, controlValue(3, 1, 1, 0), [24], up)
    // a linked line first
    b.arrive(24)
    b.step(64)
    for (let n = 0; n < 3; n++) {
      b.arrive(16)
      b.step(64)
    }
    expect([b.lists(), packetsOf(b)]).toEqual([
      [[24], [16]],
      [0, 1, 3],
    ])
    b.hears(CONTROL.go, controlValue(3, 0, 0, 0), [], up)
    b.release()
    b.step(1)
    expect(packetsOf(b)).toEqual([0, 1, 2])
  })

  test("a destination has one owner: an Update of another line does not take it away", () => {
    const b = bench({ ...tree, switch: { scheme: "fbicm-2", cascade: false } }, up)
    b.hears(CONTROL.allocate, controlValue(0, 3, 1, 0), [16], up)
    b.arrive(16)
    b.step(64)
    b.hears(CONTROL.allocate, controlValue(1, 1, 1, 0), [20], up)
    b.arrive(20)
    b.step(64)
    expect(packetsOf(b)).toEqual([0, 1, 1])
    b.hears(CONTROL.update, controlValue(0, 0, 1, 0), [20], up)
    b.arrive(20)
    b.step(64)
    // in the older line it could overtake the one before
    expect(packetsOf(b)).toEqual([0, 1, 2])
    expect(b.c["skipped"][0]).toBeGreaterThan(0)
  })
})

describe("messages", () => {
  const notesOf = (b: ReturnType<typeof bench>): number[] => {
    const sizes: number[] = []
    for (let p = b.c["notes"][0]; p !== 0; p = b.packets[p + NEXT]) sizes.push(b.packets[p + FLITS])
    return sizes
  }
  test("a version 1 Stop with 15 destinations has 38 bytes; a version 2 Stop has 8, its Allocate 8 + 2", () => {
    for (const [scheme, first] of [
      ["fbicm-1", 38],
      ["fbicm-2", 10],
    ] as const) {
      const b = bench({ ...tree, switch: { scheme } }, 4)
      // the reverse link is held too: messages wait and can be seen
      b.c["busyOut"][0] |= 1
      for (let n = 0; n < 10; n++) {
        b.arrive(16)
        b.step(64)
      }
      expect(b.lists()[0].length).toBe(scheme === "fbicm-1" ? 15 : 1)
      expect(notesOf(b)).toEqual([first])
      if (scheme === "fbicm-1") continue
      b.c["lineState"][0] = MAPPED
      b.arrive(16)
      b.step(64)
      expect(notesOf(b)).toEqual([10, 8])
    }
  })

  test("a Stop with the whole field of the list has 8 + 64 times 2 bytes, however many are listed", () => {
    const b = bench({ ...tree, switch: { scheme: "fbicm-1", stopList: "field" } }, 4)
    b.c["busyOut"][0] |= 1
    for (let n = 0; n < 10; n++) {
      b.arrive(16)
      b.step(64)
    }
    // 15 destinations, and the 49 places that are empty
    expect(notesOf(b)).toEqual([38, 32, 32, 32, 2])
    expect(notesOf(b).reduce((a, f) => a + f, 0)).toBe(136)
    expect(complaintsOf({ switch: { scheme: "fbicm-2", stopList: "field" } })).toEqual([
      "network.switch.stopList: scheme fbicm-2 does not use it | leave it out, or set scheme to fbicm-1",
    ])
  })

  test("two trees whose lists overlap: the destination belongs to the line with more hops", () => {
    const b = bench({ ...tree, switch: { scheme: "fbicm-2" } }, 4)
    b.hears(CONTROL.allocate, controlValue(0, 1, 2, 0), [5, 9])
    b.hears(CONTROL.allocate, controlValue(1, 3, 1, 0), [5])
    b.hears(CONTROL.allocate, controlValue(2, 2, 1, 0), [5])
    expect([b.c["outOwner"][5], b.c["outOwner"][9]]).toEqual([2, 1])
    expect([b.list("outList", 0), b.list("outList", 1), b.list("outList", 2)]).toEqual([[5, 9], [5], []])
    b.hears(CONTROL.deallocate, controlValue(1, 0, 0, 0))
    expect(b.c["outOwner"][5]).toBe(0)
  })
})

describe("memory of a CAM of 8 lines", () => {
  test("1,072, 4,144 and 16,432 bytes with whole lists of 64, 256 and 1,024 destinations, 176 with lists of 8", () => {
    expect([64, 256, 1024, 8].map((n) => camBytes(8, n))).toEqual([1072, 4144, 16432, 176])
  })
})
