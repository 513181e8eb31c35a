import { describe, expect, test } from "vitest"
import { site } from "../../../test/support/site.ts"
import { broken } from "../../core/complaint.ts"
import { plainScale } from "../../core/units.ts"
import { bind } from "../../experiment/bind.ts"
import type { TransferSwitchModel } from "../../fabric/switch-model.ts"
import { congestions, endpoints, schedulers, switches } from "../../library.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import type { NetworkSpec } from "../../model/experiment.ts"
import { compileNetwork } from "../build-network.ts"
import { carried } from "./carried.ts"
import { partsRules } from "./parts.ts"
import { routingRules } from "./routing.ts"
import { classPriorities, trafficRules } from "./traffic.ts"
import { routingVcs, vcRules } from "./vcs.ts"

const buffer = { flits: 24, reserve: 24, reservedVcs: 1, cap: 0, part: 0 }
const packets: TransferSwitchModel = {
  moves: "packets",
  vcs: 6,
  layout: {
    clock: { link: 1, core: 1 },
    hold: new Uint16Array(25),
    pass: new Uint16Array(1),
    maxPacket: 24,
    innerFlits: 0,
    input: () => buffer,
    output: () => buffer,
  },
  build: () => () => {
    throw new Error("is not built here")
  },
}
const { topology } = site(2)
const said = (bad: readonly { path: string; says: string; fix: string }[]) =>
  bad.map((c) => `${c.path}: ${c.says} | ${c.fix}`)
const crowded = (congestion: CongestionModel, classes: number, needs: number) =>
  said(broken(vcRules, { switch: packets, congestion, name: "srp", topology, classes, needs }))

describe("priorities", () => {
  const stream = (name: string, vcFirst: number, priority: number) => ({ name, vcFirst, priority })
  const streams = [stream("a", 0, 0), stream("b", 2, 1), stream("c", 2, 0)]
  const wrong = (moves: string) =>
    said(broken([classPriorities], { streams, network: { switch: { moves }, vcsPerClass: 2 } }))
  test("one for each class if packets are distinguished by their VCs", () => {
    expect(wrong("packets")).toEqual([
      'traffic.2.priority: "c" has priority 0, "b" of the same class 1 has 1: this switch has one ' +
        "for each class | set it to 1, or give the stream a separate class",
    ])
  })
  test("one for each stream where flits are moved", () => {
    expect(wrong("flits")).toEqual([])
  })
})

describe("classes of a protocol", () => {
  const control = { name: "control", vcs: 2, priority: 1, direct: true }
  const speculative = { name: "speculative", vcs: 1, priority: -1, direct: false }
  test("must leave the VCs that data needs", () => {
    expect(crowded({ classes: [control] }, 2, 2)).toEqual([])
    expect(crowded({ classes: [control] }, 1, 5)).toEqual([
      'network.switch.vcs: "srp" needs 2 VCs for its packets and data ' +
        "needs 5, but the switch has 6 | set it to at least 7",
    ])
  })
  test("and be large enough for detours, with one complaint for all of them", () => {
    expect(crowded({ classes: [speculative] }, 1, 2)).toEqual([
      'network.congestion: class "speculative" of "srp" has 1 VC, but the routing needs 2 | give it at least 2 VCs',
    ])
    expect(crowded({ classes: [speculative, { ...speculative, name: "hot" }] }, 1, 2)).toEqual([
      'network.congestion: "srp" has 1 VC for its "speculative" and "hot" packets, but the routing needs 2 for ' +
        "each | give each at least 2 VCs",
    ])
  })
  test("and its packets must fit", () => {
    expect(crowded({ controlFlits: 30 }, 1, 5)).toEqual([
      'network.switch.packet: packets of "srp" have 30 flits, but the switch accepts at most 24 | set it to at least 30flits',
    ])
  })
})

test("classes of a protocol on shortest paths get as many VCs as data if those paths need more than they have", () => {
  const network = (vcs: number, congestion: NetworkSpec["congestion"]): NetworkSpec => ({
    topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
    routing: { name: "dragonfly.minimal" },
    switch: { name: "combined", vcs },
    endpoint: { name: "queue-pairs", ack: "0flits" },
    congestion,
    links: {},
    cycle: "1ns",
    flit: "8B",
  })
  const got = (vcs: number, congestion: NetworkSpec["congestion"]) =>
    compileNetwork(network(vcs, congestion), 1, 1, { read: () => "" })
  const refused = (vcs: number, congestion: NetworkSpec["congestion"]) => {
    const made = got(vcs, congestion)
    return "bad" in made ? said(made.bad) : []
  }
  // dragonfly.minimal needs 2 VCs: 2 for data, 2 for control, 2 for hot packets
  expect(refused(5, { name: "cbcm" })).toEqual([
    'network.switch.vcs: "cbcm" needs 4 VCs for its packets and data needs 2, but the switch has 5 | set it to at least 6',
  ])
  const made = got(9, { name: "cbcm" })
  expect("ok" in made && [made.ok.vcsPerClass, made.ok.congestion.classes?.map((c) => c.vcs)]).toEqual([3, [3, 3]])
  // A class of another size than data that has enough VCs stays as it is, and is refused once for all such classes.
  expect(refused(6, { name: "ideal", to: [0], vcs: 3 })).toEqual([])
  expect(refused(5, { name: "ideal", to: [0], vcs: 2 })).toEqual([
    'network.routing.name: "ideal" has 2 VCs for its "hot" packets, with which the minimal paths of ' +
      '"dragonfly.minimal" may deadlock | choose a routing whose minimal paths need one VC, as on hyperx, mesh or tree',
  ])
})

describe("what rules read", () => {
  const fieldsOf = (family: readonly { readonly params: { readonly fields: object } }[]) =>
    new Set(family.flatMap((p) => Object.keys(p.params.fields)))
  const parts: Readonly<Record<string, ReadonlySet<string>>> = {
    switch: fieldsOf(switches),
    endpoint: fieldsOf(endpoints),
    congestion: fieldsOf(congestions),
    qos: fieldsOf(schedulers),
  }
  const known = (path: string, own = parts) => {
    const [top, part, key = "*"] = path.split(".")
    return top === "traffic" || key === "*" || key === "name" || part === "topology" || own[part].has(key)
  }
  test("are keys that exist", () => {
    const reads = [...partsRules, ...vcRules, routingVcs, ...routingRules, carried, ...trafficRules].flatMap(
      (rule) => rule.reads,
    )
    expect(reads.length).toBeGreaterThan(30)
    expect(reads.filter((path) => !known(path))).toEqual([])
  })
  test.each(switches.map((s) => [s.name, s] as const))("and of %s, keys of this switch", (_, plugin) => {
    const found = bind([plugin], { name: plugin.name }, "network.switch", plainScale)
    if ("bad" in found) throw new Error(found.bad[0].says)
    const model = found.ok.make({ topology: site(1).topology })
    if (model.moves !== "packets") return
    const { congestion = [], routing = [], traffic = [] } = model.rules ?? {}
    const reads = [...congestion, ...routing, ...traffic].flatMap((rule) => rule.reads)
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.filter((path) => !known(path, { ...parts, switch: fieldsOf([plugin]) }))).toEqual([])
  })
})
