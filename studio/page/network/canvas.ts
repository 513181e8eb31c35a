// Draws networks that are too large for single packets: heat maps, and groups with the hottest channel between two.

import { inkOf, palette, rgbOf, STEPS, stepOf } from "./colours.ts"
import { type Links, names } from "./links.ts"
import { type Groups, type HeatMap, hottest } from "./shape.ts"

/** Draws the heat map: the hottest channel of each cell. Drawn one pixel per cell, then scaled. */
export function paintMap(
  g: CanvasRenderingContext2D,
  width: number,
  height: number,
  { heat, blocked, dark }: Links,
  map: HeatMap,
): void {
  const { cells } = map
  const most = hottest(map, heat)
  const colours = palette(dark).map(rgbOf)
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
  hatch(g, width, height, blocked, map, inkOf(dark).warn)
  g.strokeStyle = inkOf(dark).line
  g.lineWidth = 1
  g.strokeRect(left - 0.5, upper - 0.5, side + 1, side + 1)
  g.fillStyle = inkOf(dark).soft
  g.font = "12px system-ui, sans-serif"
  g.textAlign = "center"
  g.fillText(map.says, width / 2, upper - 8)
}

/** Hatches the cells with a blocked channel, if cells are large enough. */
function hatch(
  g: CanvasRenderingContext2D,
  width: number,
  height: number,
  blocked: Uint8Array,
  map: HeatMap,
  colour: string,
): void {
  const { left, upper, side } = mapBox(width, height)
  const size = side / map.cells
  if (size < 4 || blocked.length !== map.cell.length) return
  const most = hottest(map, blocked)
  g.strokeStyle = colour
  g.lineWidth = Math.max(1.2, size * 0.14)
  g.beginPath()
  for (let at = 0; at < most.length; at++) {
    if (most[at] < BLOCKED) continue
    const [x, y] = [left + (at % map.cells) * size, upper + Math.floor(at / map.cells) * size]
    for (const part of [0.3, 0.75]) {
      g.moveTo(x, y + size * part)
      g.lineTo(x + size * part, y)
      g.moveTo(x + size * (1 - part), y + size)
      g.lineTo(x + size, y + size * (1 - part))
    }
  }
  g.stroke()
}
/** Share of cycles, of 255, from which a cell counts as blocked. */
const BLOCKED = 120

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
  p: Links,
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
    g.strokeStyle = inkOf(dark).nodeLine
    g.lineWidth = 1
    g.beginPath()
    g.arc(px, py, r, 0, 7)
    g.fill()
    g.stroke()
  }
  names(g, width, p)
}
