// The geometry of the view: zoom, translation, and the object at a screen position.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"
import { isLarge } from "./shape.ts"

/** Returns the camera that shows the whole network with a margin. */
export function fitted({ x, y, step, rings }: Scene, width: number, height: number): Camera {
  const [left, right] = bounds(x)
  const [upper, lower] = bounds(y)
  const margin = step * 1.2 + (rings.length > 0 ? Math.max(...rings.map((r) => r.r)) * 0.5 : 0)
  // The names of groups are outside of their rings.
  const names = areNamed(rings) ? 16 : 0
  const scale = Math.min(
    Math.max(1, width - 2 * names) / Math.max(1, right - left + 2 * margin),
    Math.max(1, height - 2 * names) / Math.max(1, lower - upper + 2 * margin),
  )
  return { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((upper + lower) / 2) * scale }
}

/** More names than this would overlap. */
export const areNamed = (rings: Scene["rings"]): boolean => rings.length > 0 && rings.length <= 80

function bounds(of: Float64Array): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const v of of) {
    if (v < least) least = v
    if (v > most) most = v
  }
  return [least, most]
}

/** Zooms by a factor and keeps the point (atX, atY) fixed. */
export function zoomed(c: Camera, by: number, atX: number, atY: number): Camera {
  const scale = Math.max(1e-3, Math.min(200, c.scale * by))
  const k = scale / c.scale
  return { scale, x: atX - (atX - c.x) * k, y: atY - (atY - c.y) * k }
}

/**
 * Returns the end points and the bend of every channel, in the coordinates of the network. [8 * channel]: from, to,
 * control point, kind (0 none, 1 between routers, 2 to an endpoint). Empty for networks that are too large to draw as
 * lines.
 */
export function linesOf(scene: Scene): Float32Array {
  if (isLarge(scene)) return new Float32Array(0)
  const { chans, routerOf, farRouter, x, y, out, step, straight, firstChan } = scene
  const lines = new Float32Array(chans * 8)
  for (let c = 0; c < chans; c++) {
    const a = routerOf[c]
    const b = farRouter[c]
    const k = c * 8
    const [ax, ay] = [x[a], y[a]]
    lines[k] = ax
    lines[k + 1] = ay
    if (b >= 0) {
      const [bx, by] = [x[b], y[b]]
      const [dx, dy] = [bx - ax, by - ay]
      const length = Math.hypot(dx, dy) || 1
      // The two directions of a link are next to each other. A link that would cross a third router is bent.
      const side = step * 0.05
      const bend = straight[c] === 1 ? 0 : Math.min(length * 0.16, step * 2.2)
      const [nx, ny] = [-dy / length, dx / length]
      lines[k] = ax + nx * side
      lines[k + 1] = ay + ny * side
      lines[k + 2] = bx + nx * side
      lines[k + 3] = by + ny * side
      lines[k + 4] = (ax + bx) / 2 + nx * (side + bend)
      lines[k + 5] = (ay + by) / 2 + ny * (side + bend)
      lines[k + 6] = bend === 0 ? 1 : 3
    } else if (b <= -2) {
      // Endpoints fan out on the free side of the router.
      const place = c - firstChan[a]
      const angle = out[a] + ((place % 8) - 1.5) * 0.32
      lines[k + 2] = ax + Math.cos(angle) * step * 0.38
      lines[k + 3] = ay + Math.sin(angle) * step * 0.38
      lines[k + 6] = 2
    }
  }
  return lines
}

/** Returns the channel or router within `reach` pixels of a point, or -1. */
export function pick(
  scene: Scene,
  lines: Float32Array,
  camera: Camera,
  px: number,
  py: number,
  reach = 9,
): { chan: number; router: number } {
  const [wx, wy] = [(px - camera.x) / camera.scale, (py - camera.y) / camera.scale]
  const far = reach / camera.scale
  let router = -1
  let best = Math.min(far, scene.step * 0.22)
  for (let r = 0; r < scene.routers; r++) {
    const d = Math.hypot(scene.x[r] - wx, scene.y[r] - wy)
    if (d < best) {
      best = d
      router = r
    }
  }
  if (router >= 0) return { chan: -1, router }
  let chan = -1
  best = far
  for (let c = 0; c < scene.chans; c++) {
    const k = c * 8
    if (lines[k + 6] === 0) continue
    const d =
      lines[k + 6] === 3
        ? curveDistance(lines, k, wx, wy)
        : distance(lines[k], lines[k + 1], lines[k + 2], lines[k + 3], wx, wy)
    if (d < best) {
      best = d
      chan = c
    }
  }
  return { chan, router: -1 }
}

/** Returns the distance of a point from a line segment. */
function distance(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(ax + t * dx - px, ay + t * dy - py)
}

/** Returns the distance of a point from a curve, which is approximated by eight segments. */
function curveDistance(l: Float32Array, k: number, px: number, py: number): number {
  let least = Number.POSITIVE_INFINITY
  let [fx, fy] = [l[k], l[k + 1]]
  for (let i = 1; i <= 8; i++) {
    const t = i / 8
    const [u, v, w] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t]
    const [tx, ty] = [u * l[k] + v * l[k + 4] + w * l[k + 2], u * l[k + 1] + v * l[k + 5] + w * l[k + 3]]
    least = Math.min(least, distance(fx, fy, tx, ty, px, py))
    ;[fx, fy] = [tx, ty]
  }
  return least
}
