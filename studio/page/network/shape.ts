// Selects the picture of a network. A small network shows all routers and links. A larger one shows groups, with the
// hottest channel between two of them, until the user zooms in. A network that is too large for lines is a heat map of
// groups by groups or of routers by routers; grids keep the positions of their routers.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"

export type Shape = "routers" | "groups" | "map"

/** Above this number, routers are drawn as groups while they are close together. */
export const MOST_ROUTERS = 2000
export const MOST_PLACED = 20_000
/** Minimum distance of routers, in pixels, at which they are drawn individually. */
const APART = 5

export const isLarge = ({ routers }: Pick<Scene, "routers">): boolean => routers > MOST_PLACED

export function shapeOf(scene: Scene, { scale }: Camera, map: boolean): Shape {
  if (map || isLarge(scene)) return "map"
  return scene.routers > MOST_ROUTERS && scene.rings.length > 1 && scene.step * scale < APART ? "groups" : "routers"
}

/**
 * A heat map. Its rows are routers, groups if there are more than `most` routers, several groups if there are still
 * more, or positions.
 */
export interface HeatMap {
  /** Number of rows and columns. */
  readonly cells: number
  readonly unit: string
  /** Routers or groups of each row; 0: a cell is a position. */
  readonly each: number
  /** A note about the cells. */
  readonly says: string
  /** [router] -> its row, or the cell of its position. */
  readonly row: Int32Array
  /** [cell] -> 1 if it has a channel. */
  readonly any: Uint8Array
  /** [channel] -> cell; -1: it leads to no router. */
  readonly cell: Int32Array
}

/**
 * Returns the groups in the order of the routers, so that adjacent rows are close to each other; undefined if there are
 * none.
 */
function groupRows({ group, routers }: Scene): { row: Int32Array; count: number } | undefined {
  if (group === undefined) return undefined
  const known = new Map<number, number>()
  const row = new Int32Array(routers)
  for (let r = 0; r < routers; r++) {
    const g = group[r]
    if (!known.has(g)) known.set(g, known.size)
    row[r] = known.get(g)!
  }
  return known.size > 1 ? { row, count: known.size } : undefined
}

export function mapOf(scene: Scene, most: number): HeatMap {
  const groups = scene.routers > most ? groupRows(scene) : undefined
  const count = groups?.count ?? scene.routers
  const cells = Math.max(1, Math.min(count, most))
  // If there are too many groups, several share a row.
  const row = Int32Array.from({ length: scene.routers }, (_, r) => Math.floor(((groups?.row[r] ?? r) * cells) / count))
  const any = new Uint8Array(cells * cells)
  const cell = new Int32Array(scene.chans)
  for (let c = 0; c < scene.chans; c++) {
    const far = scene.farRouter[c]
    cell[c] = far < 0 ? -1 : row[scene.routerOf[c]] * cells + row[far]
    if (cell[c] >= 0) any[cell[c]] = 1
  }
  const one = groups === undefined ? "router" : "group"
  const each = count / cells
  return {
    cells,
    unit: one,
    each,
    says: each === 1 ? "" : `about ${Math.round(each)} ${one}s in each row`,
    row,
    any,
    cell,
  }
}

/**
 * Returns the map of a large grid: every router at its position with its hottest channel. A matrix of routers by
 * routers would be a thin diagonal.
 */
export function placesOf(scene: Scene, most: number): HeatMap {
  const { x, y, step, routers, chans, routerOf, farRouter } = scene
  let [left, right, upper, lower] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let r = 0; r < routers; r++) {
    left = Math.min(left, x[r])
    right = Math.max(right, x[r])
    upper = Math.min(upper, y[r])
    lower = Math.max(lower, y[r])
  }
  const extent = Math.max(right - left, lower - upper)
  const cells = Math.max(1, Math.min(most, Math.round(extent / step) + 1))
  const place = (v: number, from: number, to: number) =>
    Math.min(
      cells - 1,
      Math.max(0, Math.floor(((v - from + (extent - (to - from)) / 2) / (extent + step)) * cells + 0.5)),
    )
  const row = Int32Array.from(
    { length: routers },
    (_, r) => place(y[r], upper, lower) * cells + place(x[r], left, right),
  )
  const any = new Uint8Array(cells * cells)
  const cell = Int32Array.from({ length: chans }, (_, c) => (farRouter[c] < 0 ? -1 : row[routerOf[c]]))
  for (const at of cell) if (at >= 0) any[at] = 1
  return {
    cells,
    unit: "router",
    each: 0,
    says: "each router at its position, with the heat of its hottest channel",
    row,
    any,
    cell,
  }
}

/** [cell] -> the hottest of its channels. */
export function hottest({ cells, cell }: HeatMap, heat: Uint8Array): Uint8Array {
  const most = new Uint8Array(cells * cells)
  for (let c = 0; c < cell.length; c++) {
    const at = cell[c]
    if (at >= 0 && heat[c] > most[at]) most[at] = heat[c]
  }
  return most
}

/** Groups as positions: channels between two groups, and inside each. */
export interface Groups {
  readonly count: number
  /** [channel] -> first group * count + second; -1: to an endpoint. */
  readonly pair: Int32Array
}

/** Returns the groups. Rings are in the order in which groups first occur among the routers. */
export function groupsOf(scene: Scene): Groups | undefined {
  const rows = groupRows(scene)
  if (rows === undefined || rows.count !== scene.rings.length) return undefined
  const pair = Int32Array.from(scene.farRouter, (far, c) =>
    far < 0 ? -1 : rows.row[scene.routerOf[c]] * rows.count + rows.row[far],
  )
  return { count: rows.count, pair }
}
