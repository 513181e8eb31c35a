import type { Graph } from "./graph.ts"
import type { Router } from "./ids.ts"

export interface Topology {
  /** the plug-in's name: what a routing's `needs.topology` asks for */
  readonly name: string
  readonly graph: Graph
  /** router-to-router links on a shortest path (0 for a router and itself) */
  hops(a: Router, b: Router): number
  /** what a person calls this router: its coordinates, group, level */
  label(r: Router): string
  /** [router] -> group, where the family has groups (dragonfly, megafly, Slim Fly) */
  readonly group?: Int32Array
  /** digits of an endpoint number that patterns such as tornado shift: radix and count, and endpoints per router */
  readonly digits?: { readonly radix: number; readonly count: number; readonly ends: number }
  /** routers are numbered along a grid of these sides, dimension 0 fastest */
  readonly sides?: readonly number[]
  /** one router of each class of routers that look alike; absent = none known, all are examined */
  readonly representatives?: readonly Router[]
  /** how many routers each representative stands for; absent = all classes are equally large */
  readonly classSizes?: readonly number[]
}
