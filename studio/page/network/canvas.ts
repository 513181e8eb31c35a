// The network on Canvas 2D: lines in sixteen colours, one path for each, cold ones first, so that heat lies on top. Without a GPU this is faster than WebGL in software.
import type { Scene } from "../../shared/messages.ts"
import { chosenColour, palette, STEPS, stepOf } from "./colours.ts"
import type { Camera } from "./view.ts"

export interface Marks {
  /** the channel that is asked about; those of its chain or circle; trees of congestion */
  readonly chosen: number
  readonly chain: readonly number[]
  readonly trees: readonly { readonly colour: string; readonly channels: readonly number[] }[]
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

/** beyond this many lines those without heat are left out while they would be a grey square */
const MOST_COLD = 40_000

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
    const kind = lines[k + 6]!
    if (kind === 0 || (kind === 2 && !showEnds) || !seen(k)) continue
    const step = stepOf(heat[c]!)
    if (step === 0 && scene.chans > MOST_COLD && scene.step * scale < 10) continue
    byStep[step]!.push(k)
  }
  g.lineCap = "round"
  byStep.forEach((list, step) => {
    if (list.length === 0) return
    g.strokeStyle = colours[step]!
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
  for (const { colour, channels } of marks.trees) trace(channels, colour, Math.max(2, dot * 0.7))
  trace(marks.chain, dark ? "#ff6b4a" : "#b32418", Math.max(2.5, dot * 0.8))
  if (marks.chosen >= 0) trace([marks.chosen], chosenColour(dark), Math.max(3, dot))
  g.fillStyle = dark ? "#aab4c3" : "#3a4452"
  g.beginPath()
  for (let r = 0; r < scene.routers; r++) {
    const [px, py] = [scene.x[r]! * scale + ox, scene.y[r]! * scale + oy]
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
    g.arc(scene.x[marks.router]! * scale + ox, scene.y[marks.router]! * scale + oy, dot + 4, 0, 7)
    g.stroke()
  }
  names(g, p, dot)
}

/** Groups by name, routers when there is room. */
function names(g: CanvasRenderingContext2D, { scene, camera: { scale, x, y }, dark }: Painted, dot: number): void {
  g.fillStyle = dark ? "#8c97a8" : "#5b6675"
  g.textAlign = "center"
  g.font = "11px system-ui, sans-serif"
  if (scene.rings.length <= 80)
    for (const ring of scene.rings) g.fillText(ring.name, ring.x * scale + x, (ring.y + ring.r) * scale + y + 10)
  if (scene.step * scale < 44) return
  for (let r = 0; r < scene.routers; r++) g.fillText(String(r), scene.x[r]! * scale + x, scene.y[r]! * scale + y - dot - 3)
}

function line(g: CanvasRenderingContext2D, l: Float32Array, k: number, s: number, ox: number, oy: number): void {
  g.moveTo(l[k]! * s + ox, l[k + 1]! * s + oy)
  if (l[k + 6] === 3) g.quadraticCurveTo(l[k + 4]! * s + ox, l[k + 5]! * s + oy, l[k + 2]! * s + ox, l[k + 3]! * s + oy)
  else g.lineTo(l[k + 2]! * s + ox, l[k + 3]! * s + oy)
}

function inside(l: Float32Array, k: number, { scale, x, y }: Camera, width: number, height: number): boolean {
  const [ax, ay, bx, by] = [l[k]! * scale + x, l[k + 1]! * scale + y, l[k + 2]! * scale + x, l[k + 3]! * scale + y]
  return !((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > width && bx > width) || (ay > height && by > height))
}

/** Routers by routers: how hot the hottest channel between two of them is. For networks whose lines would be a square of one colour. */
export function paintMatrix(g: CanvasRenderingContext2D, width: number, height: number, { scene, heat, dark }: Painted): void {
  const side = Math.min(width, height)
  const cells = Math.max(1, Math.min(scene.routers, Math.floor(side)))
  const most = new Uint8Array(cells * cells)
  const any = new Uint8Array(cells * cells)
  for (let c = 0; c < scene.chans; c++) {
    const b = scene.farRouter[c]!
    if (b < 0) continue
    const at = Math.floor((scene.routerOf[c]! * cells) / scene.routers) * cells + Math.floor((b * cells) / scene.routers)
    any[at] = 1
    if (heat[c]! > most[at]!) most[at] = heat[c]!
  }
  g.clearRect(0, 0, width, height)
  const size = side / cells
  const [left, upper] = [(width - side) / 2, (height - side) / 2]
  const colours = palette(dark)
  for (let at = 0; at < any.length; at++) {
    if (any[at] === 0) continue
    g.fillStyle = colours[stepOf(most[at]!)]!
    g.fillRect(left + (at % cells) * size, upper + Math.floor(at / cells) * size, Math.max(1, size), Math.max(1, size))
  }
}
