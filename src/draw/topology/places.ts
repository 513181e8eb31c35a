// Where a picture puts the routers of a network, so that one sees its structure: grids as grids, rings as rings, trees
// in levels, groups in a ring, all else in a circle.
import { neighbours } from "../../model/neighbours.ts"
import type { Topology } from "../../model/topology.ts"

export interface Places {
  readonly kind: "grid" | "levels" | "groups" | "circle"
  readonly x: Float64Array
  readonly y: Float64Array
  /** direction in which a router's endpoints hang, as an angle */
  readonly out: Float64Array
  /** rings that frame groups: centre and radius */
  readonly rings: readonly { x: number; y: number; r: number; name: string }[]
  /** whether a straight line between two routers crosses no third */
  straight(a: number, b: number): boolean
  /** distance between two neighbouring routers, the measure of dots and lines */
  readonly step: number
}

const DOWN = Math.PI / 2
const UP = -Math.PI / 2

export function placesOf(topology: Topology): Places {
  const { routers } = topology.graph
  const places = {
    x: new Float64Array(routers),
    y: new Float64Array(routers),
    out: new Float64Array(routers).fill(DOWN),
  }
  // one line of routers that is more than a line is a ring
  if (topology.sides?.length === 1 && !isLine(topology))
    return { kind: "circle", ...places, ...circle(routers, places) }
  if (topology.sides !== undefined && topology.sides.length > 0)
    return { kind: "grid", ...places, ...grid(topology.sides, places) }
  if (topology.group !== undefined && new Set(topology.group).size > 1)
    return { kind: "groups", ...places, ...groups(topology, topology.group, places) }
  const levels = levelsOf(topology)
  if (levels.some((l) => l > 0)) return { kind: "levels", ...places, ...rows(levels, places) }
  return { kind: "circle", ...places, ...circle(routers, places) }
}

/** Every router is linked to the next ones at most. */
function isLine({ graph: { far, routerOf } }: Topology): boolean {
  return far.every((other, c) => other < 0 || Math.abs(routerOf[other] - routerOf[c]) <= 1)
}

type Columns = { x: Float64Array; y: Float64Array; out: Float64Array }
type Rest = Pick<Places, "rings" | "step" | "straight">

/** Dimensions 0 and 1 lie in the plane of the paper, 2 goes back into it, further ones repeat the whole picture to the
 *  right and downwards. */
function grid(sides: readonly number[], { x, y, out }: Columns): Rest {
  const deep = sides[2] ?? 1
  const step = 48 * Math.max(1, Math.sqrt(deep) * 0.9)
  const back = { x: step / (deep + 0.7), y: -step / (deep + 2.2) }
  const shift: { x: number; y: number }[] = [{ x: step, y: 0 }, { x: 0, y: step }, back]
  let width = (sides[0] - 1) * step + (deep - 1) * back.x
  let height = ((sides[1] ?? 1) - 1) * step - (deep - 1) * back.y
  for (let d = 3; d < sides.length; d++) {
    const right = d % 2 === 1
    shift.push(right ? { x: width + 1.4 * step, y: 0 } : { x: 0, y: height + 1.4 * step })
    if (right) width += (sides[d] - 1) * (width + 1.4 * step)
    else height += (sides[d] - 1) * (height + 1.4 * step)
  }
  for (let r = 0; r < x.length; r++) {
    let rest = r
    for (let d = 0; d < sides.length; d++) {
      const at = rest % sides[d]
      rest = Math.floor(rest / sides[d])
      x[r] += at * shift[d].x
      y[r] += at * shift[d].y
    }
  }
  out.fill(Math.PI / 4)
  return {
    rings: [],
    step: deep > 1 ? Math.hypot(back.x, back.y) * 1.2 : step,
    straight: (a, b) => besideOnGrid(a, b, sides),
  }
}

/** One step apart in one of the three dimensions that are drawn as such. */
function besideOnGrid(a: number, b: number, sides: readonly number[]): boolean {
  let steps = 0
  for (let d = 0; d < sides.length; d++) {
    const apart = Math.abs((a % sides[d]) - (b % sides[d]))
    if (apart > 1 || (apart === 1 && d > 2)) return false
    steps += apart
    a = Math.floor(a / sides[d])
    b = Math.floor(b / sides[d])
  }
  return steps === 1
}

/** Groups around a circle, their routers around a small one; routers without endpoints (spines) on an inner ring of the
 *  group. Planes side by side. */
function groups(topology: Topology, group: Int32Array, { x, y, out }: Columns): Rest {
  const members = new Map<number, number[]>()
  group.forEach((g, r) => {
    if (!members.has(g)) members.set(g, [])
    members.get(g)!.push(r)
  })
  const { graph } = topology
  const on = new Int32Array(graph.routers)
  for (const c of graph.home) on[graph.routerOf[c]]++
  const step = 22
  const widest = Math.max(...Array.from(members.values(), (m) => m.length))
  const small = Math.max(20, (widest * step) / (2 * Math.PI))
  const perPlane = members.size / graph.rails
  const rails = Number.isInteger(perPlane) ? graph.rails : 1
  const count = members.size / rails
  // the rings (with space for endpoints) stay clear of each other
  const frame = small + 16
  const large = (frame * 1.12) / Math.sin(Math.PI / Math.max(2, count))
  const rings: { x: number; y: number; r: number; name: string }[] = []
  Array.from(members).forEach(([g, all], i) => {
    const plane = Math.floor(i / count)
    const angle = (2 * Math.PI * (i % count)) / count + UP
    const centre = { x: plane * (2 * large + 2 * frame + 60) + large * Math.cos(angle), y: large * Math.sin(angle) }
    rings.push({ ...centre, r: frame, name: `group ${g}` })
    const outer = all.filter((r) => on[r] > 0)
    const inner = all.filter((r) => on[r] === 0)
    const put = (list: readonly number[], radius: number, middle: number, span: number) => {
      list.forEach((r, k) => {
        const a = middle + span * ((k + 0.5) / list.length - 0.5)
        x[r] = centre.x + radius * Math.cos(a)
        y[r] = centre.y + radius * Math.sin(a)
        out[r] = a
      })
    }
    // leaves on the side that faces outwards, spines on the side of the other groups
    put(outer, small, angle, inner.length === 0 ? 2 * Math.PI : 1.15 * Math.PI)
    put(inner, small * 0.75, angle + Math.PI, 0.9 * Math.PI)
  })
  return { rings, step, straight: () => true }
}

/** Links from the nearest router where endpoints come in: 0 for leaves, and for all routers of a network without inner
 *  ones. */
function levelsOf({ graph }: Topology): Int32Array {
  const { first, to } = neighbours(graph)
  const levels = new Int32Array(graph.routers).fill(-1)
  let current = [...new Set(Array.from(graph.entry, (c) => graph.routerOf[c]))]
  for (const r of current) levels[r] = 0
  for (let level = 1; current.length > 0; level++) {
    const next: number[] = []
    for (const r of current) {
      for (let k = first[r]; k < first[r + 1]; k++) {
        if (levels[to[k]] !== -1) continue
        levels[to[k]] = level
        next.push(to[k])
      }
    }
    current = next
  }
  return levels.map((l) => Math.max(0, l))
}

function rows(levels: Int32Array, { x, y, out }: Columns): Rest {
  const byLevel: number[][] = []
  levels.forEach((l, r) => {
    byLevel[l] ??= []
    byLevel[l].push(r)
  })
  const widest = Math.max(...byLevel.map((row) => row.length))
  const step = Math.max(16, Math.min(60, 1600 / widest))
  const width = widest * step
  const apart = Math.max(110, Math.min(260, width / 6))
  byLevel.forEach((row, level) => {
    row.forEach((r, i) => {
      x[r] = ((i + 0.5) * width) / row.length
      y[r] = -level * apart
      out[r] = level === 0 ? DOWN : UP
    })
  })
  return { rings: [], step, straight: () => true }
}

function circle(routers: number, { x, y, out }: Columns): Rest {
  const step = 28
  const radius = routers === 1 ? 0 : Math.max(40, (routers * step) / (2 * Math.PI))
  for (let r = 0; r < routers; r++) {
    const a = (2 * Math.PI * r) / routers + UP
    x[r] = radius * Math.cos(a)
    y[r] = radius * Math.sin(a)
    out[r] = a
  }
  return { rings: [], step, straight: () => false }
}
