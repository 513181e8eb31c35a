// Which packets share a queue, and what that does to them; the same bits for any partition; what is refused.
import { describe, expect, test } from "vitest"
import type { Wish } from "../support/machine.ts"
import { accepted, complaintsOf, fingerprints, schemeEngine } from "../support/queue-scheme.ts"

describe("who waits behind whom", () => {
  /** Four endpoints send all they can to 3, one of them 0.4 of a link to `to` as well: what of it arrives. */
  const victim = (sw: Readonly<Record<string, unknown>>, to: number): number => {
    const engine = schemeEngine({
      topology: { name: "crossbar", n: 12 },
      routing: { name: "crossbar.direct" },
      switch: sw,
      endpoint: { name: "adapter", backlog: 4000 },
      traffic: [
        { pattern: { name: "to-set", set: [3] }, from: ["0-2", "4"], load: 1 },
        { pattern: { name: "to-set", set: [to] }, from: ["0"], load: 0.4 },
      ],
    })
    engine.advance(4000)
    const before = engine.columns.endOut[to * 2 + 1]
    engine.advance(12000)
    expect(engine.audit()).toEqual([])
    return (engine.columns.endOut[to * 2 + 1] - before) / 8000
  }
  const memory = "128flits"

  test("3 and 11 share queue 3 of 8: what goes to 11 waits for 3; 10 does not", () => {
    // packets to 3 and to 11 take turns at the adapter, and 3 takes a quarter of a link from endpoint 0: 11 gets no
    // more
    expect(victim({ scheme: "dbbm", memory }, 11)).toBeLessThan(0.27)
    expect(victim({ scheme: "dbbm", memory }, 10)).toBeGreaterThan(0.38)
  })
  test("no two destinations share a queue of the network, or of one switch", () => {
    expect(victim({ scheme: "voq-network", queue: "16flits" }, 11)).toBeGreaterThan(0.38)
    expect(victim({ scheme: "voq-switch", memory: "192flits" }, 11)).toBeGreaterThan(0.38)
  })
  test("a flow has a queue of its own while it is active, and a congested point a line", () => {
    expect(victim({ scheme: "bfc", memory }, 10)).toBeGreaterThan(0.38)
    expect(victim({ scheme: "recn", memory: "512flits", detect: 3, stop: 3, go: 1 }, 10)).toBeGreaterThan(0.38)
  })
  test("one queue: whoever it is, it waits", () => {
    expect(victim({ scheme: "1q", memory }, 10)).toBeLessThan(0.27)
  })
})

describe("latency without load", () => {
  test("a cycle for each link and each switch, and the packet", () => {
    // 1 link + 1 (pipeline), for each of 1 or 3 switches, 1 link, 8 flits
    for (const [to, cycles] of [
      [1, 2 + 1 + 8],
      [5, 3 * 2 + 1 + 8],
    ] as const) {
      const engine = schemeEngine({ traffic: [{ pattern: { name: "to-set", set: [to] }, from: ["0"], load: 0.01 }] })
      engine.advance(20_000)
      expect(engine.stat("delivered")).toBeGreaterThan(5)
      expect(engine.stat("max")).toBe(cycles)
    }
  })
})

describe("any partition", () => {
  test.each<[string, Wish]>([
    ["1q", { switch: { memory: "64flits" } }],
    [
      "dbbm, routers of different sizes",
      { topology: { name: "tree", k: 3, n: 2 }, switch: { scheme: "dbbm", queues: 3, memory: "96flits" } },
    ],
    ["voq-switch", { switch: { scheme: "voq-switch", memory: "128flits" } }],
    ["voq-network, three iterations", { switch: { scheme: "voq-network", queue: "16flits", iterations: 3 } }],
    ["fbicm-1", { switch: { scheme: "fbicm-1", memory: "256flits", detect: 2, stop: 2, go: 1 } }],
    ["fbicm-2", { switch: { scheme: "fbicm-2", memory: "256flits", detect: 2, stop: 2, go: 1, list: 2 } }],
    ["recn", { switch: { scheme: "recn", memory: "256flits", detect: 2, stop: 2, go: 1 } }],
    ["bfc", { switch: { scheme: "bfc", memory: "256flits", queues: 4, flows: 32, stop: 2, go: 1 } }],
    [
      "1q with a routing that reads queues",
      { routing: { name: "tree.nearest-ancestor", up: "adaptive" }, switch: { memory: "64flits" } },
    ],
  ])("%s: one fingerprint, and one after going back to a snapshot, there and elsewhere", (_, w) => {
    const made = (parts: number) => schemeEngine({ traffic: [{ load: 0.9 }], ...w, links: { link: "5cycles" } }, parts)
    const prints = fingerprints(made, 450, 900)
    expect(prints.length).toBe(5)
    expect(new Set(prints).size).toBe(1)
  })
})

describe("full load on a tree", () => {
  test("one queue carries least, then DBBM, then virtual output queues of the switch", () => {
    const rate = (sw: Readonly<Record<string, unknown>>) =>
      accepted(schemeEngine({ topology: { name: "tree", k: 4, n: 2 }, switch: sw, traffic: [{ load: 1 }] }), 1000, 6000)
    const one = rate({ memory: "1024flits" })
    const dbbm = rate({ scheme: "dbbm", memory: "1024flits" })
    const voq = rate({ scheme: "voq-switch", memory: "1024flits" })
    expect(one).toBeGreaterThan(0.45)
    expect(one).toBeLessThan(0.75)
    expect(dbbm).toBeGreaterThan(one + 0.05)
    expect(voq).toBeGreaterThan(dbbm)
    expect(voq).toBeGreaterThan(0.9)
  })
})

describe("refused", () => {
  test.each<[string, Wish, string]>([
    [
      "a queue too small for a packet",
      { switch: { scheme: "dbbm", memory: "56flits" } },
      "traffic.0.packet: is 8 flits, but the switch accepts packets of at most 7 | set " +
        "network.switch.memory to at least 64flits, or send shorter packets",
    ],
    [
      "a queue of the network too small for a packet",
      { switch: { scheme: "voq-network", queue: "7flits" } },
      "traffic.0.packet: is 8 flits, but the switch accepts packets of at most 7 | set " +
        "network.switch.queue to at least 8flits, or send shorter packets",
    ],
    [
      "a key of another scheme",
      { switch: { scheme: "voq-switch", queues: 4 } },
      "network.switch.queues: scheme voq-switch does not use it | leave it out, or set scheme to dbbm or bfc",
    ],
    [
      "a routing that draws with a scheme that looks ahead",
      { routing: { name: "tree.nearest-ancestor" }, switch: { scheme: "voq-switch" } },
      "network.switch.scheme: needs a table with one output for each destination, but " +
        '"tree.nearest-ancestor" does not choose outputs only by the destination | choose another scheme, ' +
        "or a deterministic routing such as tree.destination-digit",
    ],
    [
      "detection above the memory",
      { switch: { scheme: "fbicm-2", memory: "256flits", detect: 32 } },
      "network.switch.detect: 32 packets and one more do not fit into a memory " +
        "of 32 | set it to at most 31, or memory higher",
    ],
    [
      "Go above Stop",
      { switch: { scheme: "fbicm-2", stop: 4, go: 5 } },
      "network.switch.go: 5 packets are more than stop (4) | set go to at most 4",
    ],
    [
      "more lines than packets",
      { switch: { scheme: "fbicm-2", memory: "48flits", detect: 2, lines: 7, cfq: "8flits" } },
      "network.switch.lines: 7 lines share a memory of 6 packets | set it to at most 6",
    ],
    [
      "an empty list",
      { switch: { scheme: "fbicm-2", list: 0 } },
      "network.switch.list: 0 is too small | choose a value at least 1, at most 65535",
    ],
    [
      "a window that ends before it begins",
      { traffic: [{ start: "300cycles", stop: "200cycles" }] },
      "traffic.0.stop: is 200 cycles, which is before the start at 300 | set it to more than 300cycles, or start earlier",
    ],
    [
      "a routing that draws with isolation",
      { routing: { name: "tree.nearest-ancestor" }, switch: { scheme: "fbicm-2" } },
      "network.switch.scheme: needs a table with one output for each destination, but " +
        '"tree.nearest-ancestor" does not choose outputs only by the destination | choose another scheme, ' +
        "or a deterministic routing such as tree.destination-digit",
    ],
    [
      "credits of a queue without a size",
      { switch: { scheme: "fbicm-1", credits: "nfq" } },
      "network.switch.credits: a normal queue that shares the memory has no separate size " +
        "| set split: static, or credits: pool",
    ],
    [
      "more queues for flows than a word has bits",
      { switch: { scheme: "bfc", queues: 33 } },
      "network.switch.queues: is 33 queues, but bfc has at most 32 for each port | set it to at most 32",
    ],
    [
      "a routing that draws with turns",
      { routing: { name: "tree.nearest-ancestor" }, switch: { scheme: "recn" } },
      "network.switch.scheme: needs a table with one output for each destination, but " +
        '"tree.nearest-ancestor" does not choose outputs only by the destination | choose another scheme, ' +
        "or a deterministic routing such as tree.destination-digit",
    ],
    [
      "more VCs than it has",
      { topology: { name: "torus", sides: "4x4" }, routing: { name: "torus.dimension-order" } },
      'network.routing: "torus.dimension-order" needs 2 VCs, but the switch has 1 | set ' +
        "network.switch.vcs to at least 2, or choose another routing",
    ],
  ])("%s", (_, w, says) => expect(complaintsOf(w)).toEqual([says]))
})
