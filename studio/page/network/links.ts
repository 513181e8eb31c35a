// The layer of links: brighter with use, with ties like a railway where packets are blocked, endpoints with a bar for
// packets that wait to enter, routers and the names of groups. It changes slowly, so it is drawn into a layer of its own.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"
import { type Ink, inkOf, STEPS, stepOf } from "./colours.ts"
import { addLine, LINE } from "./paths.ts"
import { areNamed } from "./view.ts"

export interface Links {
  readonly scene: Scene
  readonly lines: Float32Array
  readonly heat: Uint8Array
  readonly blocked: Uint8Array
  readonly outside: Uint16Array
  readonly camera: Camera
  readonly dark: boolean
}

/** Above this number of lines, idle ones are not drawn while they would cover the picture in grey. */
const MOST_COLD = 40_000
/** More visible links than this are drawn transparent, idle ones down to this opacity. */
const CROWD = 700
const FAINTEST = 0.22
/** A channel is hatched strongly or faintly if it was blocked in more than this share (of 255) of the last cycles. */
const TIES = [
  { from: 153, to: 256, alpha: 0.65 },
  { from: 90, to: 153, alpha: 0.3 },
] as const
/** A bar shows packets that have waited longer than this. */
const WAITED = 12

/** Returns the radius of a router in pixels. */
export const dotOf = ({ scene, camera }: Pick<Links, "scene" | "camera">): number =>
  Math.max(0.8, Math.min(9, scene.step * (scene.kind === "ring" ? 0.15 : 0.12) * camera.scale))

export function paintLinks(g: CanvasRenderingContext2D, width: number, height: number, p: Links): void {
  const { scene, lines, heat, camera, dark } = p
  const { scale, x: ox, y: oy } = camera
  const ink = inkOf(dark)
  const showEnds = scene.step * scale > 14 && scene.ends <= 4000
  const byStep: number[][] = Array.from({ length: STEPS }, () => [])
  for (let c = 0; c < scene.chans; c++) {
    const kind = lines[c * 8 + 6]
    if (kind === LINE.none || (kind === LINE.endpoint && !showEnds) || !inside(lines, c * 8, camera, width, height))
      continue
    const step = stepOf(heat[c])
    if (step === 0 && scene.chans > MOST_COLD && scene.step * scale < 10) continue
    byStep[step].push(c)
  }
  const stroke = (channels: readonly number[]) => {
    g.beginPath()
    for (const c of channels) addLine(g, lines, c, scale, ox, oy)
    g.stroke()
  }
  const thick = Math.max(0.5, Math.min(1.7, scene.step * 0.05 * scale))
  // Thousands of links would hide the packets, so they are transparent, and the busiest ones stay visible.
  const clear = Math.min(1, CROWD / byStep.reduce((sum, channels) => sum + channels.length, 0))
  g.lineCap = "round"
  byStep.forEach((channels, step) => {
    if (channels.length === 0) return
    g.strokeStyle = ink.heat[step]
    g.globalAlpha = Math.max(clear, FAINTEST + (1 - FAINTEST) * (step / (STEPS - 1)) ** 3)
    if (dark && step > 8 && clear === 1) {
      g.globalAlpha = 0.13
      g.lineWidth = 6 * thick
      stroke(channels)
      g.globalAlpha = 1
    }
    g.lineWidth = thick * (0.7 + (1.3 * step) / (STEPS - 1))
    stroke(channels)
  })
  g.globalAlpha = 1
  ties(g, p, ink, showEnds)
  if (showEnds) outsiders(g, p, ink)
  routers(g, width, height, p, ink)
  names(g, width, p)
}

/** Hatches blocked channels with short bars across the line. */
function ties(g: CanvasRenderingContext2D, { scene, lines, blocked, camera }: Links, ink: Ink, ends: boolean): void {
  if (blocked.length === 0) return
  g.lineCap = "butt"
  g.strokeStyle = ink.warn
  g.lineWidth = Math.max(4, Math.min(9, scene.step * 0.36 * camera.scale))
  g.setLineDash([1.6, 4.4])
  for (const { from, to, alpha } of TIES) {
    g.globalAlpha = alpha
    g.beginPath()
    for (let c = 0; c < blocked.length; c++) {
      const kind = lines[c * 8 + 6]
      if (blocked[c] < from || blocked[c] >= to || kind === LINE.none || (kind === LINE.endpoint && !ends)) continue
      addLine(g, lines, c, camera.scale, camera.x, camera.y)
    }
    g.stroke()
  }
  g.setLineDash([])
  g.globalAlpha = 1
}

/** Draws endpoints, and a bar whose length is the logarithm of the age of the oldest packet that waits to enter. */
function outsiders(g: CanvasRenderingContext2D, p: Links, ink: Ink): void {
  const { scene, lines, outside, camera } = p
  const { scale, x, y } = camera
  const at = (e: number) => {
    const k = scene.home[e] * 8
    const [px, py] = [lines[k + 2] * scale + x, lines[k + 3] * scale + y]
    const [dx, dy] = [lines[k + 2] - lines[k], lines[k + 3] - lines[k + 1]]
    const length = Math.hypot(dx, dy) || 1
    return { px, py, ux: dx / length, uy: dy / length }
  }
  g.strokeStyle = ink.faint
  g.lineWidth = Math.max(1.5, Math.min(3, scene.step * 0.05 * scale))
  g.lineCap = "round"
  g.beginPath()
  for (let e = 0; e < outside.length; e++) {
    if (outside[e] < WAITED) continue
    const { px, py, ux, uy } = at(e)
    const length = Math.min(16, 2.7 * Math.log2(outside[e] / 8)) * Math.min(1, (scene.step * scale) / 24)
    g.moveTo(px, py)
    g.lineTo(px + ux * length, py + uy * length)
  }
  g.stroke()
  const r = Math.max(1.2, Math.min(2.4, scene.step * 0.05 * scale))
  g.fillStyle = ink.faint
  g.beginPath()
  for (let e = 0; e < scene.ends; e++) {
    const { px, py } = at(e)
    g.moveTo(px + r, py)
    g.arc(px, py, r, 0, 7)
  }
  g.fill()
}

function routers(g: CanvasRenderingContext2D, width: number, height: number, p: Links, ink: Ink): void {
  const { scene, camera } = p
  const dot = dotOf(p)
  g.fillStyle = ink.node
  g.strokeStyle = ink.nodeLine
  g.lineWidth = Math.min(1.4, dot * 0.5)
  g.beginPath()
  for (let r = 0; r < scene.routers; r++) {
    const [px, py] = [scene.x[r] * camera.scale + camera.x, scene.y[r] * camera.scale + camera.y]
    if (px < -9 || py < -9 || px > width + 9 || py > height + 9) continue
    g.moveTo(px + dot, py)
    if (dot < 1.4) g.rect(px - dot, py - dot, 2 * dot, 2 * dot)
    else g.arc(px, py, dot, 0, 7)
  }
  g.fill()
  g.stroke()
}

/** Draws the names of groups, and those of routers if there is enough space. */
export function names(g: CanvasRenderingContext2D, width: number, p: Pick<Links, "scene" | "camera" | "dark">): void {
  const { scene, camera, dark } = p
  const { scale, x, y } = camera
  g.fillStyle = inkOf(dark).faint
  g.textAlign = "center"
  g.font = "11.5px system-ui, sans-serif"
  const n = scene.rings.length
  if (areNamed(scene.rings)) {
    // On the outer side of the ring.
    const middle = (of: "x" | "y") => scene.rings.reduce((sum, r) => sum + r[of], 0) / n
    const [cx, cy] = [middle("x"), middle("y")]
    const ring = scene.kind === "ring"
    for (const { x: rx, y: ry, r, name } of scene.rings) {
      const away = Math.hypot(rx - cx, ry - cy) || 1
      const [ux, uy] = [(rx - cx) / away, (ry - cy) / away]
      const far = r * scale + (ring ? 16 : 9)
      g.textAlign = ux > 0.3 ? "left" : ux < -0.3 ? "right" : "center"
      const at = rx * scale + x + ux * far
      const wide = g.measureText(name).width
      const leaves = ux > 0.3 ? at + wide > width : ux < -0.3 && at - wide < 0
      g.fillText(n > 24 || leaves ? name.replace("group ", "") : name, at, ry * scale + y + uy * far + 4)
    }
    g.textAlign = "center"
  }
  if (scene.step * scale < 60 || scene.kind === "ring") return
  for (let r = 0; r < scene.routers; r++)
    g.fillText(String(r), scene.x[r] * scale + x, scene.y[r] * scale + y - dotOf(p) - 3)
}

function inside(l: Float32Array, k: number, { scale, x, y }: Camera, width: number, height: number): boolean {
  const [ax, ay, bx, by] = [l[k] * scale + x, l[k + 1] * scale + y, l[k + 2] * scale + x, l[k + 3] * scale + y]
  return !((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > width && bx > width) || (ay > height && by > height))
}
