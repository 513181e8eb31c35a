// Draws the network with Canvas 2D. There is one path for each of the sixteen colours, drawn from cold to hot, so that
// hot links are on top. Without a GPU this is faster than WebGL in software.
import type { Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"
import { chainColour, chosenColour, palette, STEPS, stepOf } from "./colours.ts"
import { type Groups, type HeatMap, hottest } from "./shape.ts"
import { areNamed } from "./view.ts"

export interface Marks {
  /** The inspected channel, the channels of its chain or deadlock cycle, and the congestion trees. */
  readonly chosen: number
  readonly chain: readonly number[]
  readonly trees: readonly { readonly colour: string; readonly root: number; readonly channels: readonly number[] }[]
  readonly router: number
}

export interface Painted {
  readonly scene: Scene
  readonly lines: Float32Array
  readonly heat: Uint8Array
  readonly camera: Camera
  readonly dark: boolean
  readonly marks: Marks
}

/** Above this number of lines, idle ones are not drawn while they would cover the picture in grey. */
const MOST_COLD = 40_000
const MOST_THICK = 300

export function paint(g: CanvasRenderingContext2D, width: number, height: number, p: Painted): void {
  const { scene, lines, heat, camera, dark, marks } = p
  const { scale, x: ox, y: oy } = camera
  const colours = palette(dark)
  g.clearRect(0, 0, width, height)
  const dot = Math.max(0.8, Math.min(9, scene.step * 0.13 * scale))
  const showEnds = scene.step * scale > 14 && scene.ends <= 4000
  const byStep: number[][] = Array.from({ length: STEPS }, () => [])
  const seen = (k: number) => inside(lines, k, camera, width, height)
  for (let c = 0; c < scene.chans; c++) {
    const k = c * 8
    const kind = lines[k + 6]
    if (kind === 0 || (kind === 2 && !showEnds) || !seen(k)) continue
    const step = stepOf(heat[c])
    if (step === 0 && scene.chans > MOST_COLD && scene.step * scale < 10) continue
    byStep[step].push(k)
  }
  g.lineCap = "round"
  byStep.forEach((list, step) => {
    if (list.length === 0) return
    g.strokeStyle = colours[step]
    g.lineWidth = Math.max(0.5, Math.min(6, scene.step * 0.05 * scale)) * (0.5 + (1.4 * step) / STEPS)
    g.beginPath()
    for (const k of list) line(g, lines, k, scale, ox, oy)
    g.stroke()
  })
  const trace = (channels: readonly number[], colour: string, thick: number) => {
    g.strokeStyle = colour
    g.lineWidth = thick
    g.beginPath()
    for (const c of channels) if (lines[c * 8 + 6] !== 0) line(g, lines, c * 8, scale, ox, oy)
    g.stroke()
  }
  // A tree may have hundreds of channels, so its lines are thin and its root has a frame.
  for (const { colour, channels } of marks.trees)
    trace(channels, colour, channels.length > MOST_THICK ? 1 : Math.max(2, dot * 0.7))
  for (const { colour, root } of marks.trees) {
    trace([root], chosenColour(dark), Math.max(6, dot * 1.4))
    trace([root], colour, Math.max(3, dot * 0.7))
  }
  trace(marks.chain, chainColour(dark), Math.max(2.5, dot * 0.8))
  if (marks.chosen >= 0) trace([marks.chosen], chosenColour(dark), Math.max(3, dot))
  g.fillStyle = dark ? "#aab4c3" : "#3a4452"
  g.beginPath()
  for (let r = 0; r < scene.routers; r++) {
    const [px, py] = [scene.x[r] * scale + ox, scene.y[r] * scale + oy]
    if (px < -9 || py < -9 || px > width + 9 || py > height + 9) continue
    g.moveTo(px + dot, py)
    if (dot < 1.4) g.rect(px - dot, py - dot, 2 * dot, 2 * dot)
    else g.arc(px, py, dot, 0, 7)
  }
  g.fill()
  if (marks.router >= 0) {
    g.strokeStyle = chosenColour(dark)
    g.lineWidth = 2
    g.beginPath()
    g.arc(scene.x[marks.router] * scale + ox, scene.y[marks.router] * scale + oy, dot + 4, 0, 7)
    g.stroke()
  }
  names(g, p, dot)
}

/** Draws the names of groups, and those of routers if there is enough space. */
function names(g: CanvasRenderingContext2D, { scene, camera: { scale, x, y }, dark }: Painted, dot: number): void {
  g.fillStyle = dark ? "#8c97a8" : "#5b6675"
  g.textAlign = "center"
  g.font = "11px system-ui, sans-serif"
  if (areNamed(scene.rings)) {
    // On the outer side of the ring.
    const n = scene.rings.length
    const [cx, cy] = [
      scene.rings.reduce((sum, r) => sum + r.x, 0) / n,
      scene.rings.reduce((sum, r) => sum + r.y, 0) / n,
    ]
    for (const ring of scene.rings) {
      const away = Math.hypot(ring.x - cx, ring.y - cy) || 1
      const [ux, uy] = [(ring.x - cx) / away, (ring.y - cy) / away]
      const far = ring.r * scale + 9
      g.textAlign = ux > 0.3 ? "left" : ux < -0.3 ? "right" : "center"
      const at = ring.x * scale + x + ux * far
      const wide = g.measureText(ring.name).width
      const leaves = ux > 0.3 ? at + wide > g.canvas.clientWidth : ux < -0.3 && at - wide < 0
      const name = n > 24 || leaves ? ring.name.replace("group ", "") : ring.name
      g.fillText(name, at, ring.y * scale + y + uy * far + 4)
    }
    g.textAlign = "center"
  }
  if (scene.step * scale < 44) return
  for (let r = 0; r < scene.routers; r++)
    g.fillText(String(r), scene.x[r] * scale + x, scene.y[r] * scale + y - dot - 3)
}

function line(g: CanvasRenderingContext2D, l: Float32Array, k: number, s: number, ox: number, oy: number): void {
  g.moveTo(l[k] * s + ox, l[k + 1] * s + oy)
  if (l[k + 6] === 3) g.quadraticCurveTo(l[k + 4] * s + ox, l[k + 5] * s + oy, l[k + 2] * s + ox, l[k + 3] * s + oy)
  else g.lineTo(l[k + 2] * s + ox, l[k + 3] * s + oy)
}

function inside(l: Float32Array, k: number, { scale, x, y }: Camera, width: number, height: number): boolean {
  const [ax, ay, bx, by] = [l[k] * scale + x, l[k + 1] * scale + y, l[k + 2] * scale + x, l[k + 3] * scale + y]
  return !((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > width && bx > width) || (ay > height && by > height))
}

/** Draws the heat map: the hottest channel of each cell. Drawn one pixel per cell, then scaled. */
export function paintMap(
  g: CanvasRenderingContext2D,
  width: number,
  height: number,
  { heat, dark }: Painted,
  map: HeatMap,
): void {
  const { cells } = map
  const most = hottest(map, heat)
  const colours = palette(dark).map((c) => [1, 3, 5].map((i) => Number.parseInt(c.slice(i, i + 2), 16)))
  const image = new ImageData(cells, cells)
  for (let at = 0; at < most.length; at++) {
    if (map.any[at] === 0) continue
    const [red, green, blue] = colours[stepOf(most[at])]
    image.data.set([red!, green!, blue!, 255], at * 4)
  }
  const small = new OffscreenCanvas(cells, cells)
  small.getContext("2d")!.putImageData(image, 0, 0)
  const { left, upper, side } = mapBox(width, height)
  g.clearRect(0, 0, width, height)
  g.imageSmoothingEnabled = false
  g.drawImage(small, left, upper, side, side)
  g.strokeStyle = dark ? "#36404d" : "#cfd6df"
  g.lineWidth = 1
  g.strokeRect(left - 0.5, upper - 0.5, side + 1, side + 1)
  g.fillStyle = dark ? "#aeb8c6" : "#4d5868"
  g.font = "12px system-ui, sans-serif"
  g.textAlign = "center"
  g.fillText(map.says, width / 2, upper - 8)
}

/** Returns the position of a map on the screen. */
export function mapBox(width: number, height: number): { left: number; upper: number; side: number } {
  const side = Math.max(1, Math.min(width, height - 24) - 16)
  return { left: (width - side) / 2, upper: (height - side) / 2 + 8, side }
}

/**
 * Draws groups as discs with the colour of the hottest channel inside. A line between two groups shows their hottest
 * channel. If there are many, cold lines are omitted.
 */
export function paintGroups(
  g: CanvasRenderingContext2D,
  width: number,
  height: number,
  p: Painted,
  groups: Groups,
): void {
  const { scene, heat, camera, dark } = p
  const { count, pair } = groups
  const { scale, x, y } = camera
  const colours = palette(dark)
  const most = new Uint8Array(count * count)
  for (let c = 0; c < pair.length; c++) if (pair[c] >= 0 && heat[c] > most[pair[c]]) most[pair[c]] = heat[c]
  const at = (i: number) => ({
    px: scene.rings[i].x * scale + x,
    py: scene.rings[i].y * scale + y,
    r: Math.max(2, scene.rings[i].r * scale),
  })
  g.clearRect(0, 0, width, height)
  for (let step = count > 64 ? 1 : 0; step < STEPS; step++) {
    g.strokeStyle = colours[step]
    g.lineWidth = 0.5 + step / 6
    // Thousands of lines with little load would hide the ring, so they are transparent.
    g.globalAlpha = count > 64 && step < 3 ? 0.15 * step : 1
    g.beginPath()
    for (let a = 0; a < count; a++)
      for (let b = 0; b < count; b++) {
        if (a === b || stepOf(most[a * count + b]) !== step) continue
        g.moveTo(at(a).px, at(a).py)
        g.lineTo(at(b).px, at(b).py)
      }
    g.stroke()
  }
  g.globalAlpha = 1
  for (let a = 0; a < count; a++) {
    const { px, py, r } = at(a)
    g.fillStyle = colours[stepOf(most[a * count + a])]
    g.strokeStyle = dark ? "#aab4c3" : "#3a4452"
    g.lineWidth = 1
    g.beginPath()
    g.arc(px, py, r, 0, 7)
    g.fill()
    g.stroke()
  }
  names(g, p, 0)
}
