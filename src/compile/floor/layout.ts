// Floor layout: positions of routers and lengths of the cables between them. Cabinets hold a fixed number of routers.
// Groups are kept together; a group that fits into a cabinet is not split. Cabinets are placed in rows, in numerical
// order, on a floor that is as square as possible. Cables run along the two directions of the floor. An endpoint is in
// the cabinet of its rail 0. Limits: there are no cable trays or aisles, and the placement is not optimised.
import type { Topology } from "../../model/topology.ts"
import type { Layout } from "./pricebook.ts"

export interface Placed {
  readonly cabinets: number
  /** [router] -> metres across and along the floor, and cabinet */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly cabinet: Int32Array
  metres(a: number, b: number): number
}

/**
 * Fills cabinets in order of groups and numbers. A group that fits into an empty cabinet starts a new one if the
 * current one is too full.
 */
export function place({ graph, group }: Topology, layout: Layout): Placed {
  const { routers } = graph
  const capacity = Math.floor(layout.routers)
  const cabinet = new Int32Array(routers)
  const order = Int32Array.from({ length: routers }, (_, r) => r)
  if (group !== undefined) order.sort((a, b) => group[a] - group[b] || a - b)
  let current = 0
  let used = 0
  for (let i = 0; i < routers; ) {
    let end = i + 1
    if (group !== undefined) while (end < routers && group[order[end]] === group[order[i]]) end++
    if (end - i <= capacity && used + end - i > capacity) {
      current++
      used = 0
    }
    for (; i < end; i++) {
      if (used === capacity) {
        current++
        used = 0
      }
      cabinet[order[i]] = current
      used++
    }
  }
  const cabinets = current + 1
  const perRow = Math.max(
    1,
    Math.ceil(Math.sqrt((cabinets * Math.max(layout.depth, 0.1)) / Math.max(layout.width, 0.1))),
  )
  const x = Float64Array.from(cabinet, (c) => (c % perRow) * layout.width)
  const y = Float64Array.from(cabinet, (c) => Math.floor(c / perRow) * layout.depth)
  return {
    cabinets,
    x,
    y,
    cabinet,
    metres: (a, b) =>
      cabinet[a] === cabinet[b] ? layout.inside : Math.abs(x[a] - x[b]) + Math.abs(y[a] - y[b]) + layout.overhead,
  }
}
