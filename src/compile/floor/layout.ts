// Where routers stand and how long the cables between them are. Cabinets hold a fixed number of routers, groups are kept together (one that fits into a
// cabinet is not torn apart), and the cabinets stand in rows on a floor as square as it gets, in order. A cable runs along the floor's two directions.
// An endpoint stands in the cabinet of its rail 0. Limits: no trays, no aisles, nothing optimised: the order is the numbering.
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

export function place({ graph, group }: Topology, layout: Layout): Placed {
  const { routers } = graph
  const room = Math.floor(layout.routers)
  const cabinet = new Int32Array(routers)
  const order = Int32Array.from({ length: routers }, (_, r) => r)
  if (group !== undefined) order.sort((a, b) => group[a]! - group[b]! || a - b)
  let current = 0
  let used = 0
  for (let i = 0; i < routers; ) {
    let end = i + 1
    if (group !== undefined) while (end < routers && group[order[end]!] === group[order[i]!]) end++
    if (end - i <= room && used + end - i > room) {
      current++
      used = 0
    }
    for (; i < end; i++) {
      if (used === room) {
        current++
        used = 0
      }
      cabinet[order[i]!] = current
      used++
    }
  }
  const cabinets = current + 1
  const perRow = Math.max(1, Math.ceil(Math.sqrt((cabinets * Math.max(layout.depth, 0.1)) / Math.max(layout.width, 0.1))))
  const x = Float64Array.from(cabinet, (c) => (c % perRow) * layout.width)
  const y = Float64Array.from(cabinet, (c) => Math.floor(c / perRow) * layout.depth)
  return {
    cabinets,
    x,
    y,
    cabinet,
    metres: (a, b) => (cabinet[a] === cabinet[b] ? layout.inside : Math.abs(x[a]! - x[b]!) + Math.abs(y[a]! - y[b]!) + layout.overhead),
  }
}
