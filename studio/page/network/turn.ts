// A torus has no border: its picture can be turned, so that the cycle of a deadlock does not leave it at one side and
// enter at the other.
import type { Scene } from "../../shared/messages.ts"

/** Longer links than this, in steps, lead around the torus. */
const NEAR = 1.5
/** A cycle in the middle is better than one at the border, but not as important as one without wraps. */
const CENTRED = 0.02

/** Returns the scene, turned so that the fewest of these channels wrap around; the scene itself if it has no wraps. */
export function turned(scene: Scene, channels: readonly number[]): Scene {
  if (scene.kind !== "grid" || !scene.straight.includes(2) || channels.length === 0) return scene
  const [columns, rows] = [distinct(scene.x), distinct(scene.y)]
  let best = { scene, cost: Number.POSITIVE_INFINITY }
  for (let across = 0; across < columns.length; across++)
    for (let down = 0; down < rows.length; down++) {
      const x = shifted(scene.x, columns, across)
      const y = shifted(scene.y, rows, down)
      const cost = costOf({ ...scene, x, y }, channels, columns, rows)
      if (cost < best.cost) best = { scene: { ...scene, x, y }, cost }
    }
  const { x, y, step, routerOf, farRouter } = best.scene
  const wraps = (c: number, far: number) => Math.hypot(x[far] - x[routerOf[c]], y[far] - y[routerOf[c]]) > NEAR * step
  return { ...best.scene, straight: Uint8Array.from(farRouter, (far, c) => (far >= 0 && wraps(c, far) ? 2 : 1)) }
}

function costOf(
  { x, y, step, routerOf, farRouter }: Scene,
  channels: readonly number[],
  columns: readonly number[],
  rows: readonly number[],
): number {
  let [wraps, mx, my] = [0, 0, 0]
  for (const c of channels) {
    const [a, b] = [routerOf[c], farRouter[c]]
    if (b >= 0 && Math.hypot(x[b] - x[a], y[b] - y[a]) > NEAR * step) wraps++
    mx += x[a] - (columns[0] + columns[columns.length - 1]) / 2
    my += y[a] - (rows[0] + rows[rows.length - 1]) / 2
  }
  return wraps + (CENTRED * Math.hypot(mx, my)) / (channels.length * step)
}

const distinct = (of: Float64Array): number[] => [...new Set(of)].sort((a, b) => a - b)

function shifted(of: Float64Array, places: readonly number[], by: number): Float64Array {
  const at = new Map(places.map((p, i) => [p, places[(i + by) % places.length]]))
  return of.map((v) => at.get(v) ?? v)
}
