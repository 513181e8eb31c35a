// Draws networks that are too large for single packets: heat maps, and groups with the hottest channel between two.

import { type Ink, inkOf, palette, rgbOf, STEPS, stepOf } from "./colours.ts"
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
  const ink = inkOf(dark)
  const most = hottest(map, heat)
  const { left, upper, side } = mapBox(width, height)
  const size = side / cells
  g.clearRect(0, 0, width, height)
  if (size >= SEPARATE) {
    for (let at = 0; at < most.length; at++) {
      if (map.any[at] === 0) continue
      g.fillStyle = ink.heat[stepOf(most[at])]
      const [x, y] = [left + (at % cells) * size, upper + Math.floor(at / cells) * size]
      g.fillRect(x + 0.6, y + 0.6, size - 1.2, size - 1.2)
    }
  } else {
    const colours = palette(dark).map(rgbOf)
    const image = new ImageData(cells, cells)
    for (let at = 0; at < most.length; at++) {
      if (map.any[at] === 0) continue
      const [red, green, blue] = colours[stepOf(most[at])]
      image.data.set([red!, green!, blue!, 255], at * 4)
    }
    const small = new OffscreenCanvas(cells, cells)
    small.getContext("2d")!.putImageData(image, 0, 0)
    g.imageSmoothingEnabled = false
    g.drawImage(small, left, upper, side, side)
  }
  hatch(g, width, height, blocked, map, ink.warn)
  g.strokeStyle = ink.line
  g.lineWidth = 1
  g.strokeRect(left - 0.5, upper - 0.5, side + 1, side + 1)
  axes(g, left, upper, side, map, ink)
}

/** Writes the numbers of routers or groups at the rows, which send, and the columns, which receive. */
function axes(
  g: CanvasRenderingContext2D,
  left: number,
  upper: number,
  side: number,
  { cells, each, unit, says }: HeatMap,
  ink: Ink,
): void {
  g.fillStyle = ink.soft
  g.font = "12px system-ui, sans-serif"
  g.textAlign = "left"
  g.fillText(each === 0 ? says : `to ${unit} →`, left, upper - 7)
  if (each === 0) return
  g.textAlign = "right"
  if (says !== "") g.fillText(says, left + side, upper - 7)
  g.save()
  g.translate(left - 26, upper)
  g.rotate(-Math.PI / 2)
  g.fillText(`← from ${unit}`, 0, 0)
  g.restore()
  g.fillStyle = ink.faint
  g.font = "10.5px system-ui, sans-serif"
  const step = tick(cells * each)
  const size = side / cells
  for (let n = 0; n < cells * each; n += step) {
    const at = (Math.floor(n / each) + 0.5) * size
    g.textAlign = "right"
    g.fillText(n.toLocaleString("en"), left - 6, upper + at + 4)
    g.textAlign = "center"
    g.fillText(n.toLocaleString("en"), left + at, upper + side + 14)
  }
}

/** Returns a round distance of at most about nine numbers. */
function tick(count: number): number {
  for (let unit = 1; ; unit *= 10) for (const m of [1, 2, 4, 8]) if (count / (m * unit) <= 9) return m * unit
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

/** Smallest cell, in pixels, with a gap around it. */
const SEPARATE = 6
/** Pixels around a map for its axes. */
const MARGIN = { left: 46, upper: 24, right: 14, lower: 22 }

/** Returns the position of a map on the screen. */
export function mapBox(width: number, height: number): { left: number; upper: number; side: number } {
  const [across, down] = [width - MARGIN.left - MARGIN.right, height - MARGIN.upper - MARGIN.lower]
  const side = Math.max(1, Math.min(across, down))
  return { left: MARGIN.left + (across - side) / 2, upper: MARGIN.upper + (down - side) / 2, side }
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
