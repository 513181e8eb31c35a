// Moves the camera to what was inspected, and back afterwards. The move takes a quarter of a second, or no time for
// readers who avoid motion.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"
import type { Marks } from "./marks.ts"
import { LINE, pointAt } from "./paths.ts"

/** The nearest view, in units of the scale that shows the whole network, and the part of the picture that is filled. */
const NEAREST = 2.9
const FILLED = 0.62
/** Milliseconds after which about two thirds of a move are done. */
const PACE = 75

/** Returns the corners of everything that the marks of a packet or a channel show; undefined if there is nothing. */
function boxOf(scene: Scene, lines: Float32Array, marks: Marks): readonly number[] | undefined {
  const point = new Float32Array(2)
  let box: number[] | undefined
  const add = (x: number, y: number) => {
    box ??= [x, y, x, y]
    box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]
  }
  const channels = [...marks.path, ...marks.chain, ...(marks.chosen >= 0 ? [marks.chosen] : [])]
  for (const c of channels) {
    if (lines[c * 8 + 6] === LINE.none) continue
    for (const u of [0, 0.5, 1]) {
      pointAt(lines, c, u, point)
      add(point[0], point[1])
    }
  }
  for (const { end } of marks.ends) {
    const k = scene.home[end] * 8
    add(lines[k + 2], lines[k + 3])
  }
  if (marks.router >= 0) add(scene.x[marks.router], scene.y[marks.router])
  return box
}

/** Returns the camera that shows what is marked, or the whole network if that is larger than half of it. */
export function framed(
  scene: Scene,
  lines: Float32Array,
  marks: Marks,
  whole: Camera,
  width: number,
  height: number,
): Camera {
  const box = boxOf(scene, lines, marks)
  if (box === undefined) return whole
  const [left, upper, right, lower] = box
  const fits = Math.min((FILLED * width) / (right - left || 1), (FILLED * height) / (lower - upper || 1))
  const scale = Math.min(NEAREST * whole.scale, fits)
  if (scale < 1.2 * whole.scale) return whole
  return { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((upper + lower) / 2) * scale }
}

/** Returns the camera after some milliseconds of a move, or the goal itself at its end. */
export function moved(from: Camera, to: Camera, passed: number): Camera {
  const part = 1 - Math.exp(-passed / PACE)
  const near = Math.abs(from.scale / to.scale - 1) < 0.003 && Math.hypot(from.x - to.x, from.y - to.y) < 0.7
  if (near) return to
  const mix = (a: number, b: number) => a + (b - a) * part
  return { scale: mix(from.scale, to.scale), x: mix(from.x, to.x), y: mix(from.y, to.y) }
}
