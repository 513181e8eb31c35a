// The worked examples of the fact sheet's section 2, each under its number.
import { describe, expect, test } from "vitest"
import { type Step, vcsOf, Walker } from "../../src/inspect/contract/walk.ts"
import { pair, type Raw } from "./cases.ts"

/** A walker whose queues are empty, except where `queue(router, port)` has so many flits waiting on VC 0. */
function walker(topology: string, on: Raw, routing: string, raw: Raw = {}, spare = 0) {
  const built = pair(topology, on, routing, raw, spare)
  const w = new Walker(built)
  const first = built.topology.graph.firstChan
  const queue = (router: number, port: number, flits: number) => {
    const slot = (first[router] + port) * built.vcs
    for (let v = 0, left = flits; left > 0; v++) {
      const taken = Math.min(left, w.credits[slot + v])
      w.credits[slot + v] -= taken
      left -= taken
    }
  }
  const walk = (from: number, to: number, key = 1): readonly Step[] => w.walk(from, to, key, 64, () => 0).steps
  return { built, w, queue, walk }
}
const vcs = (steps: readonly Step[]) => steps.slice(0, -1).map((s) => s.vc)

test("2.1 ring of 8, 6 -> 1 goes + in 3 hops on VCs 0, 1, 1", () => {
  const { walk } = walker("torus", { sides: "8" }, "torus.dimension-order", { dateline: "crossing", tie: "parity" })
  const steps = walk(6, 1)
  expect(steps.map((s) => s.at)).toEqual([6, 7, 0, 1])
  expect(vcs(steps)).toEqual([0, 1, 1])
})

test("2.1 tie at distance k/2: + from an even coordinate, - from an odd one", () => {
  const { walk } = walker("torus", { sides: "8" }, "torus.dimension-order", { dateline: "crossing", tie: "parity" })
  expect(walk(2, 6)[1].at).toBe(3)
  expect(walk(3, 7)[1].at).toBe(2)
})

test("2.1 BookSim's rule: the half is fixed on entering: + upper if it will wrap, - the other way round", () => {
  const { walk } = walker("torus", { sides: "8" }, "torus.dimension-order", {}, 2)
  expect(
    walk(6, 1)
      .slice(0, -1)
      .map((s) => s.mask),
  ).toEqual([0b1100, 0b1100, 0b1100])
  expect(
    walk(1, 3)
      .slice(0, -1)
      .map((s) => s.mask),
  ).toEqual([0b0011, 0b0011])
  expect(
    walk(1, 6)
      .slice(0, -1)
      .map((s) => s.mask),
  ).toEqual([0b0011, 0b0011, 0b0011])
  expect(
    walk(3, 1)
      .slice(0, -1)
      .map((s) => s.mask),
  ).toEqual([0b1100, 0b1100])
  // ejection: every VC
  expect(walk(3, 1).at(-1)!.mask).toBe(0b1111)
})

test("2.1 bubble: entering a ring needs room for two packets, going on for one", () => {
  const { built } = walker("torus", { sides: "8x8" }, "torus.bubble")
  const room = (inPort: number, port: number) => built.routing.room!(0, inPort, port)
  // ports: +x -x +y -y, then the endpoint
  expect(room(4, 0)).toBe(2)
  expect(room(1, 0)).toBe(1)
  expect(room(1, 2)).toBe(2)
  expect(room(3, 2)).toBe(1)
  expect(room(3, 4)).toBe(1)
})

describe("2.2 destination digits on trees", () => {
  const digits = (steps: readonly Step[]) => steps.map((s) => [s.at, s.port])
  test("4-ary 3-tree, 0 -> 57: <0,0> up 1, <1,1> up 2, <2,9> down 3, <1,13> down 2, <0,14> down 1", () => {
    const { walk } = walker("tree", { k: 4, n: 3 }, "tree.destination-digit")
    // switch <s, w> has number 16 s + w, up port u is port 4 + u
    expect(digits(walk(0, 57))).toEqual([
      [0, 5],
      [17, 6],
      [41, 3],
      [29, 2],
      [14, 1],
    ])
    expect(walk(21, 57)[2].at).toBe(41)
  })
  test("2-ary 3-tree, 1 -> 6: up 0, up 1, <2,2>, down 1, 1, 0", () => {
    const { walk } = walker("tree", { k: 2, n: 3 }, "tree.destination-digit")
    const steps = walk(1, 6)
    expect(steps.map((s) => s.port)).toEqual([2, 3, 1, 1, 0])
    expect(steps[2].at).toBe(2 * 4 + 2)
  })
  test.each([
    [4, 3],
    [4, 4],
    [24, 2],
  ])("%i-ary %i-tree: a down link carries one destination, an up link out of stage s k^(n-1-s) - 1", (k, n) => {
    const { built, walk } = walker("tree", { k, n }, "tree.destination-digit")
    const carried = new Map<number, Set<number>>()
    const { ends, firstChan } = built.topology.graph
    for (let to = 0; to < ends; to++) {
      // one source under every leaf switch is enough: the way depends on the destination alone
      for (let from = 0; from < ends; from += k) {
        for (const s of walk(from, to)) carried.set(s.chan, (carried.get(s.chan) ?? new Set()).add(to))
      }
    }
    const width = k ** (n - 1)
    for (const [chan, to] of carried) {
      const r = built.topology.graph.routerOf[chan]
      const stage = Math.floor(r / width)
      expect(to.size).toBe(chan - firstChan[r] < k ? 1 : k ** (n - 1 - stage) - 1)
    }
  })
})

test(
  "2.3 Valiant on a 4-ary 3-tree, 0 -> 57, digits 3 and 0 drawn: <0,0> up 3, " +
    "<1,3> up 0, <2,3> down 3, <1,15> down 2, <0,14> down 1",
  () => {
    const { walk } = walker("tree", { k: 4, n: 3 }, "tree.valiant")
    for (let key = 0; key < 1000; key++) {
      const steps = walk(0, 57, key)
      if (steps[0].port !== 7 || steps[1].port !== 4) continue
      expect(steps.map((s) => [s.at, s.port])).toEqual([
        [0, 7],
        [16 + 3, 4],
        [32 + 3, 3],
        [16 + 15, 2],
        [14, 1],
      ])
      return
    }
    throw new Error("digits 3, 0 were never drawn")
  },
)

test("2.3 same leaf: one switch", () => {
  const { walk } = walker("tree", { k: 4, n: 3 }, "tree.valiant")
  expect(walk(0, 1).length).toBe(1)
})

describe("2.4 UGAL on a line of 4 routers with 1 endpoint each", () => {
  // ports: endpoint 0, then peers 1..3; the only choice of a detour from 0 to 1 is over 2 or 3
  const went = (raw: Raw, routing: string, load: (queue: (r: number, port: number, flits: number) => void) => void) => {
    const { walk, queue } = walker("hyperx", { sides: "4" }, routing, raw, 2)
    load(queue)
    return new Set(Array.from({ length: 200 }, (_, key) => walk(0, 1, key).length - 1))
  }
  test("H_min 1, Q 20; H_non 2, Q 8: 20 <= 18 is false, non-minimal", () => {
    const links = went({}, "hyperx.ugal-l", (queue) => {
      queue(0, 1, 20)
      queue(0, 2, 8)
      queue(0, 3, 8)
    })
    // an intermediate in the own or the destination's router stays minimal
    expect(links).toEqual(new Set([1, 2]))
  })
  test("one flit less: 18 <= 18, minimal", () => {
    const links = went({}, "hyperx.ugal-l", (queue) => {
      queue(0, 1, 18)
      queue(0, 2, 8)
      queue(0, 3, 8)
    })
    expect(links).toEqual(new Set([1]))
  })
  test("UGAL-G weighs whole paths: 5 <= 2 + 9 + 2, minimal; 14 is not", () => {
    const load = (minimal: number) => (queue: (r: number, port: number, flits: number) => void) => {
      queue(0, 1, minimal)
      for (const via of [2, 3]) {
        queue(0, via, 2)
        queue(via, 2, 9)
      }
    }
    expect(went({}, "hyperx.ugal-g", load(5))).toEqual(new Set([1]))
    expect(went({}, "hyperx.ugal-g", load(13))).toEqual(new Set([1]))
    expect(went({}, "hyperx.ugal-g", load(14))).toEqual(new Set([1, 2]))
  })
  test("minimal packets and second legs use the upper half, first legs the lower", () => {
    const { walk, queue } = walker("hyperx", { sides: "4" }, "hyperx.ugal-l", {}, 2)
    expect(walk(0, 1)[0].mask).toBe(0b1100)
    queue(0, 1, 60)
    const detour = Array.from({ length: 50 }, (_, key) => walk(0, 1, key)).find((s) => s.length === 3)!
    expect(detour.slice(0, -1).map((s) => s.mask)).toEqual([0b0011, 0b1100])
  })
})

describe(
  "2.5 PAR6/2 without local misrouting on the palmtree dragonfly a = 11, h = 5: " +
    "switch (0, 0) to group 55 by its own global port 0",
  () => {
    const on = { p: 1, a: 11, h: 5 }
    // port 0 is the endpoint, 1..10 local, 11..15 global; endpoint = switch
    const goal = 55 * 11 + 3
    const diverted = (minimal: number, other: number) => {
      const { walk, queue, built } = walker("dragonfly", on, "dragonfly.par62-direct")
      queue(0, 11, minimal)
      for (let j = 1; j < 5; j++) queue(0, 11 + j, other)
      const { graph } = built.topology
      return Array.from({ length: 200 }, (_, key) => walk(0, goal, key)).filter(
        (s) => s[0].chan !== graph.firstChan[0] + 11,
      )
    }
    test("Q_min 272, Q_non 40, T 192: 272 <= 272, minimal; one more: diverted", () => {
      expect(diverted(272, 40).length).toBe(0)
      expect(diverted(273, 40).length).toBeGreaterThan(0)
    })
    test("a diverted packet uses G0, L2, L3, G1, L4 as far as it needs them: VCs 2, 2, 3, 4, 4", () => {
      const longest = diverted(300, 40).find((s) => s.length === 7)
      expect(longest).toBeUndefined()
      const five = diverted(300, 40).filter((s) => s.length === 6)
      expect(five.length).toBeGreaterThan(0)
      for (const steps of five) expect(vcs(steps)).toEqual([2, 2, 3, 4, 4])
    })
    test("minimal l g l uses L0 G0 L2, inside one group L0", () => {
      const { walk } = walker("dragonfly", on, "dragonfly.par62-direct")
      const steps = walk(3, 55 * 11 + 3)
      expect([vcs(steps), steps.length]).toEqual([[0, 2, 2], 4])
      expect(vcs(walk(3, 4))).toEqual([0])
    })
  },
)

describe("2.5 PAR6/2 with local misrouting, a = 11, h = 5", () => {
  const on = { p: 1, a: 11, h: 5 }
  const { walk, queue, built } = walker("dragonfly", on, "dragonfly.par62")
  const { firstChan, far, routerOf } = built.topology.graph
  const walks = (from: number, to: number) => Array.from({ length: 100 }, (_, key) => walk(from, to, key))
  /** a full local port from one switch to another of its group */
  const crowd = (at: number, peer: number, flits: number) =>
    queue(at, 1 + (peer % 11 < at % 11 ? peer % 11 : (peer % 11) - 1), flits)
  const entry = routerOf[far[firstChan[0] + 11]]
  const goal = entry - (entry % 11) + ((entry + 3) % 11)

  test("idle: L0 inside a group, G0 L2 to another: no second local hop", () => {
    expect(vcs(walk(0, 4))).toEqual([0])
    expect(vcs(walk(0, goal))).toEqual([2, 2])
  })
  test("192 flits in the way are not enough, 193 are: L0 L1 inside a group, L2 L3 in the destination's", () => {
    crowd(0, 4, 192)
    expect(new Set(walks(0, 4).map((s) => s.length - 1))).toEqual(new Set([1]))
    crowd(0, 4, 193)
    crowd(entry, goal, 193)
    for (const steps of walks(0, 4)) expect(vcs(steps)).toEqual([0, 1])
    for (const steps of walks(0, goal)) expect(vcs(steps)).toEqual([2, 2, 3])
    // over any of the nine others
    expect(new Set(walks(0, 4).map((s) => s[1].at)).size).toBe(9)
  })
  test("the longest way with candidates of its own switch: L0 G0 L2 L3 G1 L4 L5", () => {
    // group 30 is behind a global port of switch 5, all of whose others are idle; of the local ports of other groups
    // two of three are crowded
    for (let port = 11; port < 16; port++)
      queue(
        5,
        port,
        routerOf[far[firstChan[5] + port]] < 31 * 11 && routerOf[far[firstChan[5] + port]] >= 30 * 11 ? 400 : 0,
      )
    for (let r = 11; r < 56 * 11; r++)
      for (let port = 1; port <= 10; port++) if ((r + port) % 3 !== 0) queue(r, port, 400)
    const all = walks(1, 30 * 11 + 4).map(vcs)
    for (const path of all) for (let i = 1; i < path.length; i++) expect(path[i] >= path[i - 1]).toBe(true)
    expect(new Set(all.map((path) => path.join()))).toContain("0,2,2,3,4,4,5")
  })
})

test("2.5 PAR re-decides at the second switch of the source group and climbs L0 L1 G0 ...", () => {
  const { walk, queue } = walker("dragonfly", { p: 1, a: 4, h: 2 }, "dragonfly.par", {}, 1)
  // switch 3 reaches group 8 (palmtree l = 0) over switch 0, whose global port 0 is full: port 0 endpoint, 1..3 local,
  // 4..5 global
  queue(0, 4, 300)
  const paths = Array.from({ length: 100 }, (_, key) => walk(3, 8 * 4 + 1, key)).filter(
    (s) => s[0].port === 1 && s[1].port !== 4,
  )
  expect(paths.length).toBeGreaterThan(0)
  for (const steps of paths) {
    const masks = steps.slice(0, -1).map((s) => vcsOf(s.mask, 6))
    expect(masks[0]).toEqual([0])
    if (steps[1].port < 4) expect(masks[1]).toEqual([1])
  }
})

describe("2.6 Slim Fly", () => {
  // q = 5: routers 0 and 1 are neighbours, 0 and 2 are two links apart; one endpoint each
  const weighed = (minimal: number, other: number) => {
    const { w, walk, built } = walker("slimfly", { q: 5, p: 1 }, "slimfly.ugal-l")
    const { firstChan, routers } = built.topology.graph
    const goal = Array.from({ length: routers }, (_, r) => r).find((r) => built.topology.hops(0, r) === 2)!
    const first = walk(0, goal)[0].port
    // capacity is 64 flits on each VC; the first hop's VC is 0
    for (let port = 1; port < firstChan[1]; port++)
      w.credits[port * built.vcs] = 64 - (port === first ? minimal : other)
    return Array.from({ length: 100 }, (_, key) => walk(0, goal, key)).filter((s) => s.length - 1 === 4).length
  }
  test("H_min 2, Q 32; H_i 4, Q 16: cost 32 = 32, tie -> minimal", () => expect(weighed(32, 16)).toBe(0))
  test("one flit less, 60 < 64: the detour", () => expect(weighed(32, 15)).toBeGreaterThan(0))
  test("an empty detour wins", () => expect(weighed(32, 0)).toBeGreaterThan(50))
  test("the VC is the hop, 4 for detours", () => {
    const { walk } = walker("slimfly", { q: 5, p: 1 }, "slimfly.valiant")
    const longest = Array.from({ length: 100 }, (_, key) => walk(0, 2, key)).find((s) => s.length === 5)!
    expect(vcs(longest)).toEqual([0, 1, 2, 3])
  })
  test("q = 13: 312 routers at two links have one common neighbour, 6 have three", () => {
    const { built } = walker("slimfly", { q: 13, p: 1 }, "slimfly.minimal")
    const { graph } = built.topology
    const near = (r: number) => {
      const found = new Set<number>()
      for (let c = graph.firstChan[r]; c < graph.firstChan[r + 1]; c++)
        if (graph.far[c] >= 0) found.add(graph.routerOf[graph.far[c]])
      return found
    }
    const mine = near(0)
    const counts = new Map<number, number>()
    for (let r = 1; r < graph.routers; r++) {
      if (mine.has(r)) continue
      const common = [...near(r)].filter((m) => mine.has(m)).length
      counts.set(common, (counts.get(common) ?? 0) + 1)
    }
    expect([...counts].sort()).toEqual([
      [1, 312],
      [3, 6],
    ])
  })
})

describe("2.7 megafly, 10 groups of 18 + 18", () => {
  const on = { groups: 10, leaves: 18, spines: 18, p: 1 }
  test("leaf 0 of group 0 to leaf 5 of group 3, all idle: 4 routers, all on the lower VCs", () => {
    const { walk } = walker("megafly", on, "megafly.par")
    const steps = walk(0, 3 * 18 + 5)
    expect([steps.length, vcs(steps)]).toEqual([4, [0, 0, 0]])
  })
  test("same group: 3 routers; same leaf: 1", () => {
    const { walk } = walker("megafly", { ...on, p: 2 }, "megafly.par")
    expect([walk(0, 2).length, walk(0, 1).length]).toEqual([3, 1])
  })
  test.each([
    ["leaf", 7, [0, 0, 0, 1, 1, 1]],
    ["spine", 5, [0, 0, 1, 1]],
  ] as const)("turn at a %s: a diverted packet visits %i routers", (turn, routers, expected) => {
    const { walk, queue, built } = walker("megafly", on, "megafly.par", { turn })
    // every global port of group 0 to group 3 has flits waiting: the source spine diverts
    const { graph } = built.topology
    const group = built.topology.group!
    for (let c = 0; c < graph.chans; c++) {
      const [from, far] = [graph.routerOf[c], graph.far[c]]
      if (group[from] === 0 && far >= 0 && group[graph.routerOf[far]] === 3) queue(from, c - graph.firstChan[from], 20)
    }
    const steps = walk(0, 3 * 18 + 5)
    expect([steps.length, vcs(steps)]).toEqual([routers, expected])
  })
})
