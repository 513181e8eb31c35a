// The interface of a topology: its graph, distances and labels. topologies/ implements it; routing functions, patterns
// and reports use it.
import type { Graph } from "./graph.ts"
import type { Router } from "./ids.ts"

export interface Topology {
  /** name of the plug-in; `topologies` of a routing plug-in refers to it */
  readonly name: string
  readonly graph: Graph
  /** Returns the router-to-router links of a shortest path (0 for a router and itself). */
  hops(a: Router, b: Router): number
  /** Returns the name of this router for reports: its coordinates, group, level. */
  label(r: Router): string
  /** [router] -> group, if the family has groups (dragonfly, megafly, Slim Fly) */
  readonly group?: Int32Array
  /** digits of an endpoint number that patterns such as tornado shift: radix and count, and endpoints per router */
  readonly digits?: { readonly radix: number; readonly count: number; readonly ends: number }
  /** routers are numbered along a grid with these sides, dimension 0 fastest */
  readonly sides?: readonly number[]
  /** one router of each symmetry class; absent: unknown, all routers are examined */
  readonly representatives?: readonly Router[]
  /** number of routers in each class; absent: all classes are equally large */
  readonly classSizes?: readonly number[]
}

/** The name of the topology plug-in that makes a `Subnet`. */
export const SUBNET = "ibnetdiscover"

/** Largest unicast LID. */
export const MOST_LID = 0xbfff

/**
 * A topology that was read from a subnet of real switches: it also knows the LIDs and physical ports of the devices.
 * The routing by forwarding tables needs it.
 */
export interface Subnet extends Topology {
  /** [router] -> GUID of the switch, sixteen hexadecimal digits. Physical port p of a switch is its port p - 1. */
  readonly guids: readonly string[]
  /** [endpoint] -> base LID of its port; 0 if the file has none */
  readonly lids: readonly number[]
  /** [endpoint] -> node description, or GUID */
  readonly endNames: readonly string[]
}
