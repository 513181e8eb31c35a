// What a switch or an engine would accept and not do is refused before cycle 0, with the place, the finding and a way
// out.
import { describe, expect, test } from "vitest"
import type { NetworkSpec, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import type { RoutingFunction } from "../../src/model/routing.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { complaintsOf, engineOf, pair, small, specOf } from "../support/tiled.ts"

describe("VCs that links carry", () => {
  test("the paper's lists are those of its routing", () => {
    expect(complaintsOf(small({ load: 0.1 }))).toEqual([])
  })
  test("eight VCs: the routing numbers them otherwise, and the VCs that are missing are named with their links", () => {
    const said = complaintsOf(small({ load: 0.1, switch: { vcs: 8 } }))
    expect(said.join("\n")).toMatch(
      /^network\.switch\.carries\.global: "dragonfly\.par62-direct" sends packets on VC \d.* of global links, which carry 2, 4/m,
    )
    expect(complaintsOf(small({ load: 0.1, switch: { vcs: 8, carries: {} } }))).toEqual([])
  })
  test("another routing: global links get VC 0 and 3", () => {
    const spec = small({ load: 0.1 })
    const ugal = { ...spec, network: { ...spec.network, routing: { name: "dragonfly.ugal-l" } } }
    expect(complaintsOf(ugal)).toEqual([
      'network.switch.carries.global: "dragonfly.ugal-l" sends packets on VC 0 ' +
        "and VC 3 of global links, which carry 2, 4 | " +
        "write global: [0, 2, 3, 4], or leave global out: then they carry all",
    ])
  })
  test("what the lists of the complaint say is enough", () => {
    const spec = small({ load: 0.1, switch: { carries: { local: [0, 1, 2, 3, 4], global: [0, 2, 3, 4] } } })
    const engine = engineOf({ ...spec, network: { ...spec.network, routing: { name: "dragonfly.ugal-l" } } }, 1)
    engine.advance(2000)
    expect(engine.audit()).toEqual([])
    expect(engine.stat("delivered")).toBeGreaterThan(50)
  })
  test("a packet that the walk did not foresee stops the run; it is not written past the end of a column", () => {
    const astray: RoutingFunction = { route: (_p, at, _port, _vc, _net, out) => out.add(local(at), 1 << 5, 0) }
    const engine = engineOf(small({ load: 0.1 }), 1, astray)
    const { graph } = engine.layout
    const local = (at: number) => {
      let port = 0
      while (graph.classes[graph.linkClass[graph.firstChan[at] + port]] !== "local") port++
      return port
    }
    expect(() => engine.advance(500)).toThrow(/VC 5 of local links.*carries\.local/)
  })
  test("endpoints' links have no list", () => {
    expect(complaintsOf(small({ load: 0.1, switch: { carries: { end: [0] } } })).join()).toMatch(/carries\.end/)
  })
})

describe("what nobody would do", () => {
  const mesh: NetworkSpec = pair(40, {}, []).network
  const run = (network: Partial<NetworkSpec>, traffic: Partial<TrafficSpec> = {}, engine = "flit"): RunSpec => ({
    ...specOf({ ...mesh, ...network }, [stream("all", 0.1, traffic)]),
    engine: { name: engine },
  })
  const torus = { topology: { name: "torus", sides: "4x4", p: 2 }, links: { end: "5ns", link: "40ns" } }
  const iq = { switch: { name: "input-queued", buffer: "32flits" }, endpoint: { name: "simple" } }
  test.each<[string, RunSpec, RegExp]>([
    [
      "escape VCs on tiled",
      run({ ...torus, routing: { name: "torus.adaptive" } }),
      /^network\.routing\.name: .*escape.*switch "tiled"/,
    ],
    [
      "drawn VCs on tiled",
      run({ endpoint: { name: "simple", vc: "random" } }),
      /^network\.endpoint\.name: .*switch "tiled"/,
    ],
    [
      "windows with plain endpoints",
      run({ endpoint: { name: "simple" }, congestion: { name: "ecn-window" } }),
      /^network\.congestion\.name: .*endpoint "simple"/,
    ],
    [
      "windows in the packet engine",
      run({ ...iq, congestion: { name: "ecn-window" } }, {}, "packet"),
      /^network\.congestion\.name: /,
    ],
    [
      "queue pairs in the packet engine",
      run({ ...iq, endpoint: { name: "queue-pairs" } }, {}, "packet"),
      /^network\.endpoint\.name: /,
    ],
    [
      "drawn VCs in the packet engine",
      run({ ...iq, endpoint: { name: "simple", vc: "random" } }, {}, "packet"),
      /^network\.endpoint\.name: /,
    ],
    [
      "a turnaround in the packet engine",
      run({ ...iq, endpoint: { name: "simple", turnaround: "3cycles" } }, {}, "packet"),
      /^network\.endpoint\.name: /,
    ],
    [
      "answers in the packet engine",
      run(iq, { reply: "1flit" }, "packet"),
      /^traffic\.0\.reply: .*packet engine.*set engine: flit/,
    ],
    [
      "bubbles in the packet engine",
      run({ ...iq, ...torus, routing: { name: "torus.bubble" } }, {}, "packet"),
      /^network\.routing\.name: /,
    ],
    [
      "an allocator in the packet engine",
      run({ ...iq, switch: { name: "input-queued", buffer: "32flits", swAllocator: "wavefront" } }, {}, "packet"),
      /^network\.switch\.swAllocator: .*packet engine.*set engine: flit/,
    ],
  ])("%s", (_name, spec, finding) => {
    const said = complaintsOf(spec)
    expect(said[0]).toMatch(finding)
  })
})

describe("classes of traffic", () => {
  const on = (switched: Record<string, unknown>, traffic: Partial<TrafficSpec>, ack = "1flit"): string[] => {
    const { network } = pair(40, switched, [])
    return complaintsOf(specOf({ ...network, endpoint: { name: "queue-pairs", ack } }, [stream("all", 0.1, traffic)]))
  }
  test("more classes than VCs", () => {
    // class 3 and its answers: five classes
    expect(on({ vcs: 4 }, { class: 3, reply: "1flit" })).toEqual([
      'network.routing: "mesh.dimension-order" needs 1 VC for each of the 5 classes of traffic, but the switch has 4 | ' +
        "set network.switch.vcs to at least 5, or choose another routing",
    ])
  })
  test("acknowledgements need a VC of their own in every class", () => {
    expect(on({ vcs: 3 }, { class: 1 })).toEqual([
      "network.switch.vcs: data and acknowledgements need a VC each at the end " +
        "ports, each of the 2 classes of traffic has 1 | " +
        "set it to at least 4, or network.endpoint.ack to 0flits",
    ])
    expect(on({ vcs: 4 }, { class: 1 })).toEqual([])
    expect(on({ vcs: 3 }, { class: 1 }, "0flits")).toEqual([])
  })
  test("the reserve of the VCs on which endpoints send", () => {
    // three classes, two VCs each, 24 flits: 144 of 125
    expect(on({ vcs: 6, buffer: "250flits", stash: { end: 0.5 }, absorb: true }, { class: 2 })).toEqual([
      "network.switch.reserve: 6 VCs x 24 flits is more than the 125 of a port " +
        "of class end | set reserve to at most 20flits",
    ])
  })
  test("links carry VCs of every class", () => {
    const spec = small({ load: 0.1, switch: { vcs: 12 } })
    const [said] = complaintsOf({ ...spec, traffic: [stream("all", 0.1), stream("more", 0.1, { class: 1 })] })
    expect(said).toMatch(
      /^network\.switch\.carries\.local: "dragonfly\.par62-direct" sends packets on VC 6 and VC 8 and VC 9 and VC 10 .* \| write local: \[0, 1, 2, 3, 4, 6, 8, 9, 10\]/,
    )
  })
  test("streams of one class have one priority", () => {
    const { network } = pair(40, {}, [])
    const said = complaintsOf(specOf(network, [stream("a", 0.1), stream("b", 0.1, { priority: 2 })]))
    expect(said.join()).toMatch(/^traffic\.1\.priority: "b" has priority 2, "a" of the same class 0 has 0/)
  })
})

describe("copies of packets", () => {
  const stash = { name: "tiled", vcs: 2, rows: 1, columns: 1, stash: { end: 0.5 }, reliability: true }
  const on = (topology: NetworkSpec["topology"], routing: string, more: object = {}): string[] => {
    const mesh = pair(40, {}, [])
    const links = { end: "5cycles" }
    const network: NetworkSpec = {
      ...mesh.network,
      topology,
      routing: { name: routing },
      switch: { ...stash, ...more },
      links,
    }
    return complaintsOf(specOf(network, [stream("all", 0.1, {})]))
  }
  test("a network of one direction: answers do not pass where the copies lie", () => {
    // stage 0 has routers 0 and 1, stage 1 has 2 and 3; endpoint 0 enters at 0 and leaves at 2
    expect(on({ name: "butterfly", k: 2, n: 2 }, "butterfly.destination-tag")).toEqual([
      "network.switch.reliability: packets of endpoint 0 enter at router 0, answers to it " +
        "leave at router 2: the copies would never be deleted | " +
        "choose a topology whose endpoints send and receive at one router, or set reliability: false",
    ])
    expect(on({ name: "butterfly", k: 2, n: 2 }, "butterfly.destination-tag", { reliability: false })).toEqual([])
  })
})
