// BookSim2's topologies and routing functions by the names that they have here.
import type { Complaint } from "../../core/complaint.ts"
import type { Named } from "../../model/experiment.ts"
import { type Config, numberOf, refuse, textOf } from "./keys.ts"

interface Network {
  readonly topology: Named
  readonly routing: Named
  readonly endpoint: Named
  readonly links: Record<string, string>
}

/** [topology] -> its routing functions that have a counterpart */
const routings: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  mesh: both(["dor", "dim_order"], { name: "mesh.dimension-order" }),
  torus: { dim_order: { name: "torus.dimension-order", dateline: "fixed", tie: "coin", odd: "shared" } },
  cmesh: { dor: { name: "cmesh.dimension-order", express: true }, dor_no_express: { name: "cmesh.dimension-order", express: false } },
  fattree: { nca: { name: "tree.nearest-ancestor", up: "random" }, anca: { name: "tree.nearest-ancestor", up: "adaptive" } },
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
    return [refuse("topology", topology, "there is no counterpart", `choose one of ${Object.keys(routings).join(", ")}`)]
  const bad: Complaint[] = []
  if (known[routing] === undefined)
    bad.push(
      refuse("routing_function", routing, `there is no counterpart on ${topology}`, `choose one of ${Object.keys(known).join(", ")}`),
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

export function networkOf(c: Config): Network {
  const k = numberOf(c, "k")
  const n = numberOf(c, "n")
  const kind = textOf(c, "topology")
  const routing = routings[kind]![textOf(c, "routing_function")]!
  const unit = numberOf(c, "use_noc_latency") === 0
  // a reply leaves in the cycle after its request has come
  const endpoint: Named = numberOf(c, "use_read_write") > 0 ? { name: "simple", turnaround: "1cycle" } : { name: "simple" }
  switch (kind) {
    case "torus":
      return { topology: { name: "torus", k, n }, routing, endpoint, links: unit ? { link: "1cycle" } : {} }
    case "cmesh":
      return {
        topology: { name: "cmesh", k, express: true },
        routing,
        endpoint,
        links: unit ? { link: "1cycle", express: "1cycle" } : {},
      }
    case "flatfly": {
      const block = [numberOf(c, "xr"), numberOf(c, "yr")]
      const latency = unit ? "unit" : "distance"
      return { topology: { name: "hyperx", k, n, p: numberOf(c, "c"), block, latency, inputs: "source" }, routing, endpoint, links: {} }
    }
    case "dragonflynew":
      return {
        topology: { name: "dragonfly", p: k, a: 2 * k, h: k, arrangement: "absolute" },
        endpoint: { ...endpoint, vc: "random" },
        routing,
        links: {},
      }
  }
  const name = { mesh: "mesh", fattree: "tree", fly: "butterfly" }[kind]!
  return { topology: { name, k, n }, routing, endpoint, links: {} }
}
