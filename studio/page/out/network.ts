// Exports the picture of a network as SVG, in its current shape (lines or map).

import { inkOf, palette, stepOf } from "../network/colours.ts"
import { addLine, LINE } from "../network/paths.ts"
import { hottest } from "../network/shape.ts"
import { isDark, painted, type Shown } from "../network.ts"

export const shown = (): Shown | undefined => painted.get("A") ?? [...painted.values()][0]

const n = (v: number): string => String(Math.round(v * 10) / 10)

export function networkSvg(p: Shown): string {
  const [w, h] = [p.canvas.clientWidth, p.canvas.clientHeight]
  const dark = isDark()
  const inner = p.shape === "map" && p.map !== undefined ? mapSvg(p, Math.min(w, h)) : linesSvg(p)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="${inkOf(dark).back}"/>${inner}</svg>`
}

function mapSvg({ map, heat }: Shown, side: number): string {
  const { cells, any } = map!
  const most = hottest(map!, heat)
  const colours = palette(isDark())
  const size = side / cells
  const rects: string[] = []
  for (let at = 0; at < most.length; at++)
    if (any[at] === 1)
      rects.push(
        `<rect x="${n((at % cells) * size)}" y="${n(Math.floor(at / cells) * size)}" width="${n(Math.max(0.3, size))}" height="${n(Math.max(0.3, size))}" fill="${colours[stepOf(most[at])]}"/>`,
      )
  return rects.join("")
}

function linesSvg(shown: Shown): string {
  const { scene, lines, heat, blocked, camera, marks } = shown
  const X = (v: number) => n(v * camera.scale + camera.x)
  const Y = (v: number) => n(v * camera.scale + camera.y)
  const ink = inkOf(isDark())
  const way = (c: number) => {
    const d: string[] = []
    const path = {
      moveTo: (x: number, y: number) => void d.push(`M${n(x)} ${n(y)}`),
      lineTo: (x: number, y: number) => void d.push(`L${n(x)} ${n(y)}`),
      quadraticCurveTo: (...v: [number, number, number, number]) => void d.push(`Q${v.map(n).join(" ")}`),
    }
    addLine(path, lines, c, camera.scale, camera.x, camera.y)
    return d.join("")
  }
  const drawn = (c: number) => c >= 0 && (lines[c * 8 + 6] ?? LINE.none) !== LINE.none
  const path = (channels: readonly number[], style: string) =>
    channels.some(drawn) ? `<path ${style} d="${channels.filter(drawn).map(way).join("")}"/>` : ""
  const all = Array.from({ length: scene.chans }, (_, c) => c)
  const byStep = ink.heat.map((colour, step) =>
    path(
      all.filter((c) => stepOf(heat[c]) === step),
      `stroke="${colour}" stroke-width="${(0.6 + step / 8).toFixed(1)}"`,
    ),
  )
  const ties = path(
    all.filter((c) => blocked[c] >= 90),
    `stroke="${ink.warn}" stroke-width="9" stroke-dasharray="1.6 4.4" stroke-linecap="butt" stroke-opacity="0.6"`,
  )
  const over = [
    ...marks.trees.map(({ colour, channels }) => path(channels, `stroke="${colour}" stroke-width="2.5"`)),
    path(marks.path, `stroke="${ink.accent}" stroke-width="3"`),
    path(marks.chain, `stroke="${ink.warn}" stroke-width="3" stroke-dasharray="6 6"`),
    path(
      marks.cycle.map((l) => l.chan),
      `stroke="${ink.dead}" stroke-width="8"`,
    ),
  ]
  const dots = Array.from(
    { length: scene.routers },
    (_, r) =>
      `<circle cx="${X(scene.x[r])}" cy="${Y(scene.y[r])}" r="${n(Math.max(1, scene.step * 0.12 * camera.scale))}"/>`,
  )
  const routers = `<g fill="${ink.nodeLine}">${dots.join("")}</g>`
  return `<g fill="none" stroke-linecap="round">${byStep.join("")}${ties}</g>${routers}<g fill="none">${over.join("")}</g>`
}

/** Returns every channel with its heat, 0 to 255. */
export function channelRows({ scene, heat }: Shown): (string | number)[][] {
  const rows: (string | number)[][] = [["channel", "from", "to", "class", "heat"]]
  for (let c = 0; c < heat.length; c++) {
    const far = scene.farRouter[c]
    const to = far >= 0 ? far : far <= -2 ? `endpoint ${-2 - far}` : ""
    rows.push([c, scene.routerOf[c], to, scene.classes[scene.linkClass[c]] ?? "", heat[c]])
  }
  return rows
}
