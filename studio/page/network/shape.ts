// Which picture a network gets. Few routers: all of them and their links. More than fit: groups, with the hottest channel between two of them, until one comes
// nearer. More than a picture can hold: groups by groups, or routers by routers, as a map of heat.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"

export type Shape = "routers" | "groups" | "map"

/** more routers than this are drawn as groups while they are close together, and more than that as a map, unless somebody asks otherwise */
export const MOST_ROUTERS = 2000
export const MOST_PLACED = 20_000
/** pixels between two routers from which on they are told apart */
const APART = 5

export const isLarge = ({ routers }: Pick<Scene, "routers">): boolean => routers > MOST_PLACED

export function shapeOf(scene: Scene, { scale }: Camera, map: boolean): Shape {
  if (map || isLarge(scene)) return "map"
  return scene.routers > MOST_ROUTERS && scene.rings.length > 1 && scene.step * scale < APART ? "groups" : "routers"
}

/** Rows of a map: groups where there are few enough, else routers, several in a row where there are more than `most`. */
export interface HeatMap {
  readonly cells: number
  readonly unit: string
  /** [router] -> its row */
  readonly row: Int32Array
  /** [row] -> some channels, [row of the one, row of the other] -> has any */
  readonly any: Uint8Array
  /** [channel] -> cell, -1: leads to no router */
  readonly cell: Int32Array
}

/** Groups of a network in the order of its routers, so that rows next to each other are near each other; undefined where it has none. */
function groupRows({ group, routers }: Scene): { row: Int32Array; count: number } | undefined {
  if (group === undefined) return undefined
  const known = new Map<number, number>()
  const row = new Int32Array(routers)
  for (let r = 0; r < routers; r++) {
    const g = group[r]!
    if (!known.has(g)) known.set(g, known.size)
    row[r] = known.get(g)!
  }
  return known.size > 1 ? { row, count: known.size } : undefined
}

export function mapOf(scene: Scene, most: number): HeatMap {
  const groups = scene.routers > most ? groupRows(scene) : undefined
  const plain = groups === undefined || groups.count > most
  const cells = Math.max(1, plain ? Math.min(scene.routers, most) : groups.count)
  const row = plain ? Int32Array.from({ length: scene.routers }, (_, r) => Math.floor((r * cells) / scene.routers)) : groups.row
  const any = new Uint8Array(cells * cells)
  const cell = new Int32Array(scene.chans)
  for (let c = 0; c < scene.chans; c++) {
    const far = scene.farRouter[c]!
    cell[c] = far < 0 ? -1 : row[scene.routerOf[c]!]! * cells + row[far]!
    if (cell[c]! >= 0) any[cell[c]!] = 1
  }
  const each = scene.routers / cells
  return { cells, unit: plain ? (each === 1 ? "router" : `${Math.ceil(each)} routers`) : "group", row, any, cell }
}

/** [cell] -> the hottest of its channels. */
export function hottest({ cells, cell }: HeatMap, heat: Uint8Array): Uint8Array {
  const most = new Uint8Array(cells * cells)
  for (let c = 0; c < cell.length; c++) {
    const at = cell[c]!
    if (at >= 0 && heat[c]! > most[at]!) most[at] = heat[c]!
  }
  return most
}

/** Groups as places: [group by its ring] -> centre; channels between two of them, and inside each. */
export interface Groups {
  readonly count: number
  /** [channel] -> first group * count + second, -1: to an endpoint */
  readonly pair: Int32Array
}

/** Rings stand in the order in which groups first occur among the routers. */
export function groupsOf(scene: Scene): Groups | undefined {
  const rows = groupRows(scene)
  if (rows === undefined || rows.count !== scene.rings.length) return undefined
  const pair = Int32Array.from(scene.farRouter, (far, c) => (far < 0 ? -1 : rows.row[scene.routerOf[c]!]! * rows.count + rows.row[far]!))
  return { count: rows.count, pair }
}
