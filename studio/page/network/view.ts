// The geometry of the view: zoom, translation, and the object at a screen position.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"
import { LINE, pointAt } from "./paths.ts"
import { isLarge } from "./shape.ts"

/** Returns the camera that shows the whole network with a margin. */
export function fitted({ kind, x, y, step, rings }: Scene, width: number, height: number): Camera {
  const [left, right] = bounds(x)
  const [upper, lower] = bounds(y)
  // On a ring, the names of groups are outside of the endpoints.
  const margin =
    Math.max(step * 1.2, kind === "ring" ? 48 : 0) + (rings.length > 0 ? Math.max(...rings.map((r) => r.r)) * 0.5 : 0)
  // The names of groups are outside of their rings.
  const names = areNamed(rings) ? 20 : 0
  const wide = kind === "ring" && areNamed(rings) && rings.length <= 24 ? 40 : names
  const scale = Math.min(
    Math.max(1, width - 2 * wide) / Math.max(1, right - left + 2 * margin),
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
 * control point, kind (paths.ts). The two directions of a link are next to each other. The control point of a wrap is
 * the vector over which it leaves. Empty for networks that are too large to draw as lines.
 */
export function linesOf(scene: Scene): Float32Array {
  if (isLarge(scene)) return new Float32Array(0)
  const { chans, routerOf, farRouter, x, y, step, straight } = scene
  const lines = new Float32Array(chans * 8)
  const fan = fanOf(scene)
  for (let c = 0; c < chans; c++) {
    const a = routerOf[c]
    const b = farRouter[c]
    const k = c * 8
    const [ax, ay] = [x[a], y[a]]
    if (b < 0) {
      if (b > -2) continue
      lines.set([ax, ay, ax + fan.x(c), ay + fan.y(c), 0, 0, LINE.endpoint], k)
      continue
    }
    const [dx, dy] = [x[b] - ax, y[b] - ay]
    const length = Math.hypot(dx, dy) || 1
    const [nx, ny] = [-dy / length, dx / length]
    if (scene.kind === "ring") {
      const inside = scene.group![a] === scene.group![b]
      const reach = length / Math.hypot(ax, ay)
      const pull = inside ? 1 - 0.34 * reach : Math.max(0.1, 0.88 - 0.38 * reach)
      const [away, side] = inside ? [step * 0.08, step * 0.04] : [8, 2]
      const [cx, cy] = [((ax + x[b]) / 2) * pull + nx * away, ((ay + y[b]) / 2) * pull + ny * away]
      lines.set([ax + nx * side, ay + ny * side, x[b] + nx * side, y[b] + ny * side, cx, cy, LINE.curve], k)
      continue
    }
    const side = step * 0.05
    const ends = [ax + nx * side, ay + ny * side, x[b] + nx * side, y[b] + ny * side]
    if (straight[c] === 2) {
      const out = -(step * STUB) / length
      lines.set([...ends, dx * out, dy * out, LINE.wrap], k)
      continue
    }
    // A link that would cross a third router is bent.
    const bend = straight[c] === 1 ? 0 : Math.min(length * 0.16, step * 2.2)
    const [cx, cy] = [(ax + x[b]) / 2 + nx * (side + bend), (ay + y[b]) / 2 + ny * (side + bend)]
    lines.set([...ends, cx, cy, bend === 0 ? LINE.straight : LINE.curve], k)
  }
  return lines
}

/** Length of the visible part of a wrap, in steps. */
const STUB = 0.48

/** Returns the offsets of endpoints from their router. They fan out on its free side. */
function fanOf({ chans, routerOf, farRouter, out, step, routers, kind }: Scene) {
  const count = new Int32Array(routers)
  const place = new Int32Array(chans)
  for (let c = 0; c < chans; c++) if (farRouter[c] <= -2) place[c] = count[routerOf[c]]++
  // On a ring, endpoints of neighbouring routers must not cross.
  const reach = kind === "ring" ? 37 : step * 0.38
  const spread = kind === "ring" ? Math.min(0.6, (0.9 * step) / reach) : 0.64
  const angle = (c: number) => {
    const n = count[routerOf[c]]
    return out[routerOf[c]] + (n < 2 ? 0 : (place[c] / (n - 1) - 0.5) * (n > 3 ? 1.6 : 1) * spread)
  }
  return { x: (c: number) => Math.cos(angle(c)) * reach, y: (c: number) => Math.sin(angle(c)) * reach }
}

/** Returns the channel, router or endpoint within `reach` pixels of a point; -1: none of this kind. */
export function pick(
  scene: Scene,
  lines: Float32Array,
  camera: Camera,
  px: number,
  py: number,
  reach = 9,
): { chan: number; router: number; end: number } {
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
  if (router >= 0) return { chan: -1, router, end: -1 }
  let end = -1
  best = Math.min(far, scene.step * 0.14)
  for (let e = 0; e < scene.ends; e++) {
    const k = scene.home[e] * 8
    if (lines[k + 6] !== LINE.endpoint) continue
    const d = Math.hypot(lines[k + 2] - wx, lines[k + 3] - wy)
    if (d < best) {
      best = d
      end = e
    }
  }
  if (end >= 0) return { chan: -1, router: -1, end }
  let chan = -1
  best = far
  for (let c = 0; c < scene.chans; c++) {
    const k = c * 8
    if (lines[k + 6] === LINE.none) continue
    const d = lineDistance(lines, c, wx, wy)
    if (d < best) {
      best = d
      chan = c
    }
  }
  return { chan, router: -1, end: -1 }
}

/** Returns the distance of a point from a line segment. */
function distance(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(ax + t * dx - px, ay + t * dy - py)
}

/** Returns the distance of a point from the line of a channel; curves are approximated by eight segments. */
function lineDistance(l: Float32Array, c: number, px: number, py: number): number {
  const k = c * 8
  const kind = l[k + 6]
  if (kind !== LINE.curve && kind !== LINE.wrap) return distance(l[k], l[k + 1], l[k + 2], l[k + 3], px, py)
  const [a, b] = [new Float32Array(2), new Float32Array(2)]
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 8; i++) {
    // The two halves of a wrap do not touch.
    if (kind === LINE.wrap && i === 4) continue
    pointAt(l, c, i / 8, a)
    pointAt(l, c, (i + 1) / 8 - (kind === LINE.wrap && i === 3 ? 1e-3 : 0), b)
    least = Math.min(least, distance(a[0], a[1], b[0], b[1], px, py))
  }
  return least
}
