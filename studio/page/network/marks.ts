// What is drawn above everything else: the selected object, the path of a packet, a chain of waits, and the cycle of a
// deadlock with the numbers of its list. Congestion trees are below them, and not drawn at a deadlock.
import type { CycleLink, PacketName } from "../../shared/messages.ts"
import { inkOf } from "./colours.ts"
import { dotOf, type Links } from "./links.ts"
import { addLine, LINE, pointAt } from "./paths.ts"

export interface Marks {
  /** The inspected channel, and a chain of waits or a path. */
  readonly chosen: number
  readonly chain: readonly number[]
  /** The path of a packet so far. */
  readonly path: readonly number[]
  readonly trees: readonly { readonly colour: string; readonly root: number; readonly channels: readonly number[] }[]
  readonly router: number
  /** The packets of a deadlock, in the order of the list. */
  readonly cycle: readonly CycleLink[]
  /** Endpoints with a ring and a label. */
  readonly ends: readonly { readonly end: number; readonly label: string }[]
  /** The inspected packet, whose dot has a ring if it is drawn. */
  readonly packet: PacketName | undefined
}
export const noMarks: Marks = {
  ...{ chosen: -1, chain: [], path: [], trees: [], router: -1, cycle: [], ends: [], packet: undefined },
}

const MOST_THICK = 300
/** The opacity of everything else below marks. */
export const fading = (marks: Marks): number =>
  marks.cycle.length > 0 ? 0.16 : marks.packet !== undefined || marks.chain.length > 1 ? 0.3 : 1

/** `dotAt`: the place of the dot of the inspected packet on the canvas. */
export function paintMarks(
  g: CanvasRenderingContext2D,
  p: Links,
  marks: Marks,
  dotAt?: { readonly x: number; readonly y: number },
): void {
  const { scene, lines, camera, dark } = p
  const ink = inkOf(dark)
  const dot = dotOf(p)
  const trace = (channels: readonly number[], colour: string, thick: number) => {
    g.strokeStyle = colour
    g.lineWidth = thick
    g.beginPath()
    for (const c of channels) if (lines[c * 8 + 6] !== LINE.none) addLine(g, lines, c, camera.scale, camera.x, camera.y)
    g.stroke()
  }
  g.lineCap = "round"
  g.lineJoin = "round"
  if (marks.cycle.length > 0) {
    cycle(g, p, marks.cycle, trace)
    return
  }
  labels(g, p, marks.ends)
  // A tree may have hundreds of channels, so its lines are thin and its root has a frame.
  for (const { colour, channels } of marks.trees)
    trace(channels, colour, channels.length > MOST_THICK ? 1 : Math.max(2, dot * 0.7))
  for (const { colour, root } of marks.trees) {
    trace([root], ink.strong, Math.max(6, dot * 1.4))
    trace([root], colour, Math.max(3, dot * 0.7))
  }
  trace(marks.path, ink.accent, Math.max(3, dot * 0.8))
  g.setLineDash([6, 6])
  trace(marks.chain, ink.warn, Math.max(3, dot * 0.8))
  g.setLineDash([])
  for (const c of marks.chain) arrow(g, p, c, 6, ink.warn)
  if (marks.chosen >= 0) trace([marks.chosen], ink.strong, Math.max(3, dot))
  const ring = (x: number, y: number, r: number) => {
    g.strokeStyle = ink.strong
    g.lineWidth = 2.5
    g.beginPath()
    g.arc(x, y, r, 0, 7)
    g.stroke()
  }
  if (dotAt !== undefined) ring(dotAt.x, dotAt.y, 10)
  else if (marks.router >= 0)
    ring(scene.x[marks.router] * camera.scale + camera.x, scene.y[marks.router] * camera.scale + camera.y, dot + 4)
}

/** Draws a ring around endpoints, and their labels on the outer side. */
function labels(g: CanvasRenderingContext2D, { scene, lines, camera, dark }: Links, ends: Marks["ends"]): void {
  const ink = inkOf(dark)
  g.font = "650 12px system-ui, sans-serif"
  g.textBaseline = "middle"
  g.textAlign = "left"
  for (const { end, label } of ends) {
    const k = scene.home[end] * 8
    if (lines[k + 6] === LINE.none) continue
    const [x, y] = [lines[k + 2] * camera.scale + camera.x, lines[k + 3] * camera.scale + camera.y]
    g.strokeStyle = ink.strong
    g.lineWidth = 2
    g.beginPath()
    g.arc(x, y, 7, 0, 7)
    g.stroke()
    const wide = g.measureText(label).width + 12
    const outwards = lines[k + 2] >= lines[k] ? 9 : -9 - wide
    const up = lines[k + 3] > lines[k + 1] ? 3 : -22
    g.fillStyle = ink.strong
    g.beginPath()
    g.roundRect(x + outwards, y + up, wide, 19, 5)
    g.fill()
    g.fillStyle = ink.back
    g.fillText(label, x + outwards + 6, y + up + 10)
  }
  g.textBaseline = "alphabetic"
}

/** Draws the cycle of a deadlock: a white casing, arrows, and at the start of each channel its number in the list. */
function cycle(
  g: CanvasRenderingContext2D,
  p: Links,
  links: readonly CycleLink[],
  trace: (channels: readonly number[], colour: string, thick: number) => void,
): void {
  const { lines, camera, dark } = p
  const ink = inkOf(dark)
  const channels = links.map((l) => l.chan).filter((c) => c >= 0)
  trace(channels, dark ? "#ffffff" : "#5c0a28", 13)
  trace(channels, ink.dead, 9)
  for (const c of channels) arrow(g, p, c, 6.5, "#ffffff")
  const at = new Float32Array(2)
  g.font = "700 10px system-ui, sans-serif"
  g.textAlign = "center"
  g.textBaseline = "middle"
  links.forEach(({ chan }, i) => {
    if (chan < 0 || lines[chan * 8 + 6] === LINE.none) return
    pointAt(lines, chan, 0, at)
    const [x, y] = [at[0] * camera.scale + camera.x, at[1] * camera.scale + camera.y]
    for (const [fill, r] of [
      ["#ffffff", 10],
      [ink.deadFill, 8.5],
    ] as const) {
      g.fillStyle = fill
      g.beginPath()
      g.arc(x, y, r, 0, 7)
      g.fill()
    }
    g.fillStyle = "#ffffff"
    g.fillText(String(i + 1), x, y + 0.5)
  })
  g.textBaseline = "alphabetic"
}

/** Draws an arrowhead on the line of a channel. */
function arrow(g: CanvasRenderingContext2D, { lines, camera }: Links, chan: number, size: number, fill: string): void {
  const kind = lines[chan * 8 + 6]
  if (kind === LINE.none) return
  const u = kind === LINE.wrap ? 0.4 : 0.6
  const points = new Float32Array(4)
  pointAt(lines, chan, u - 0.02, points)
  pointAt(lines, chan, u + 0.02, points, 2)
  const angle = Math.atan2(points[3] - points[1], points[2] - points[0])
  const [x, y] = [points[2] * camera.scale + camera.x, points[3] * camera.scale + camera.y]
  g.fillStyle = fill
  g.beginPath()
  for (const turn of [0, 2.5, -2.5]) {
    const [px, py] = [x + Math.cos(angle + turn) * size, y + Math.sin(angle + turn) * size]
    if (turn === 0) g.moveTo(px, py)
    else g.lineTo(px, py)
  }
  g.fill()
}
