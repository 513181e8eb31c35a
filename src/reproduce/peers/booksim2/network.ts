// BookSim2's topologies and routing functions by the names that they have here.
import type { Complaint } from "../../../core/complaint.ts"
import type { Named } from "../../../model/experiment.ts"
import { Said, type Tree } from "../provenance.ts"
import { type Config, isAnswered, numberOf, refuse, textOf } from "./keys.ts"

/** [topology] -> its routing functions that have a counterpart */
const routings: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  mesh: both(["dor", "dim_order"], { name: "mesh.dimension-order" }),
  torus: { dim_order: { name: "torus.dimension-order", dateline: "fixed", tie: "coin", odd: "shared" } },
  cmesh: {
    dor: { name: "cmesh.dimension-order", express: true },
    dor_no_express: { name: "cmesh.dimension-order", express: false },
  },
  fattree: {
    nca: { name: "tree.nearest-ancestor", up: "random" },
    anca: { name: "tree.nearest-ancestor", up: "adaptive" },
  },
  fly: { dest_tag: { name: "butterfly.destination-tag" } },
  flatfly: {
    ran_min: { name: "hyperx.minimal" },
    valiant: { name: "hyperx.valiant", odd: "shared" },
    ugal: { name: "hyperx.ugal-l", odd: "shared" },
  },
  dragonflynew: { min: { name: "dragonfly.booksim-minimal" }, ugal: { name: "dragonfly.booksim-ugal" } },
}

function both(names: readonly string[], routing: Named): Readonly<Record<string, Named>> {
  return Object.fromEntries(names.map((name) => [name, routing]))
}

export function refusedNetwork(c: Config): Complaint[] {
  const topology = textOf(c, "topology")
  const routing = textOf(c, "routing_function")
  const known = routings[topology]
  if (known === undefined)
    return [
      refuse("topology", topology, "there is no counterpart", `choose one of ${Object.keys(routings).join(", ")}`),
    ]
  const bad: Complaint[] = []
  if (known[routing] === undefined)
    bad.push(
      refuse(
        "routing_function",
        routing,
        `there is no counterpart on ${topology}`,
        `choose one of ${Object.keys(known).join(", ")}`,
      ),
    )
  if (topology === "dragonflynew" && textOf(c, "n") !== "1")
    bad.push(refuse("n", textOf(c, "n"), "BookSim2's dragonfly has n = 1", "set n = 1"))
  if (topology === "cmesh" && textOf(c, "c") !== "4")
    bad.push(refuse("c", textOf(c, "c"), "BookSim2's cmesh has four nodes on a router", "set c = 4"))
  if (topology === "flatfly") bad.push(...refusedBlock(c))
  return bad
}

function refusedBlock(c: Config): Complaint[] {
  const bad: Complaint[] = []
  for (const key of ["x", "y"])
    if (numberOf(c, key) !== numberOf(c, "k"))
      bad.push(refuse(key, textOf(c, key), "a flattened butterfly is laid out k by k", "set it to k"))
  if (numberOf(c, "xr") * numberOf(c, "yr") !== numberOf(c, "c"))
    bad.push(refuse("xr", textOf(c, "xr"), "xr x yr nodes are those of a router", "choose xr x yr = c"))
  return bad
}

/** [topology] -> its name here */
const names: Readonly<Record<string, string>> = {
  ...{
    mesh: "mesh",
    torus: "torus",
    cmesh: "cmesh",
    fattree: "tree",
    fly: "butterfly",
    flatfly: "hyperx",
    dragonflynew: "dragonfly",
  },
}

export function networkOf(c: Config): Record<"topology" | "routing" | "endpoint" | "links", Tree> {
  const kind = textOf(c, "topology")
  const unit = () => numberOf(c, "use_noc_latency") === 0
  const oneCycle = () => (unit() ? "1cycle" : undefined)
  // what a topology of BookSim2's always has
  const always = (value: unknown) => () => textOf(c, "topology") && value
  const has = routings[kind][textOf(c, "routing_function")]
  const ofRouting = (key: string) => () => routings[textOf(c, "topology")][textOf(c, "routing_function")][key]
  const routing = Object.fromEntries(Object.keys(has).map((key) => [key, ofRouting(key)]))
  const name = () => names[textOf(c, "topology")]
  const k = () => numberOf(c, "k")
  const n = () => numberOf(c, "n")
  const endpoint = endpointOf(c)
  switch (kind) {
    case "torus":
      return { topology: { name, k, n }, routing, endpoint, links: unit() ? { link: oneCycle } : {} }
    case "cmesh":
      return {
        topology: { name, k, express: always(true) },
        routing,
        endpoint,
        links: unit() ? { link: oneCycle, express: oneCycle } : {},
      }
    case "flatfly": {
      const block = () => [numberOf(c, "xr"), numberOf(c, "yr")]
      const latency = () => (unit() ? "unit" : "distance")
      return {
        topology: { name, k, n, p: () => numberOf(c, "c"), block, latency, inputs: always("source") },
        routing,
        endpoint,
        links: {},
      }
    }
    case "dragonflynew":
      return {
        topology: { name, p: k, a: () => 2 * k(), h: k, arrangement: always("absolute") },
        routing,
        endpoint,
        links: {},
      }
  }
  return { topology: { name, k, n }, routing, endpoint, links: {} }
}

/** Routing functions of the dragonfly give a packet the VC of its phase and enter on any VC, whatever its type. */
export function ignoresTypes(c: Config): boolean {
  return textOf(c, "topology") === "dragonflynew"
}

function endpointOf(c: Config): Record<string, Tree> {
  const answered = () => isAnswered(c)
  const drawn = () => ignoresTypes(c)
  const several = () => isAnswered(c) || numberOf(c, "classes") > 1
  return {
    name: new Said("simple", "terminals of BookSim2 are as simple"),
    // a reply leaves in the cycle after its request has come
    ...(answered() ? { turnaround: () => answered() && "1cycle" } : {}),
    ...(drawn() ? { vc: () => drawn() && "random" } : several() ? { vc: () => several() && "booksim2" } : {}),
    ...(drawn() && answered() ? { replyClass: () => drawn() && answered() && "same" } : {}),
  }
}
