// Exports the picture of a network as SVG, in its current shape (lines or map).

import { chainColour, palette, stepOf } from "../network/colours.ts"
import { hottest } from "../network/shape.ts"
import { isDark, painted, type Shown } from "../network.ts"

export const shown = (): Shown | undefined => painted.get("A") ?? [...painted.values()][0]

const n = (v: number): string => String(Math.round(v * 10) / 10)

export function networkSvg(p: Shown): string {
  const [w, h] = [p.canvas.clientWidth, p.canvas.clientHeight]
  const dark = isDark()
  const inner = p.shape === "map" && p.map !== undefined ? mapSvg(p, Math.min(w, h)) : linesSvg(p)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="${dark ? "#12161c" : "#ffffff"}"/>${inner}</svg>`
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

function linesSvg({ scene, lines, heat, camera, marks }: Shown): string {
  const X = (v: number) => n(v * camera.scale + camera.x)
  const Y = (v: number) => n(v * camera.scale + camera.y)
  const colours = palette(isDark())
  const way = (c: number) => {
    const k = c * 8
    const bend = lines[k + 6] === 3 ? `Q${X(lines[k + 4])} ${Y(lines[k + 5])} ` : "L"
    return `M${X(lines[k])} ${Y(lines[k + 1])}${bend}${X(lines[k + 2])} ${Y(lines[k + 3])}`
  }
  const drawn = (c: number) => (lines[c * 8 + 6] ?? 0) !== 0
  const byStep = new Map<number, string[]>()
  for (let c = 0; c < scene.chans; c++) {
    if (!drawn(c)) continue
    const list = byStep.get(stepOf(heat[c])) ?? []
    list.push(way(c))
    byStep.set(stepOf(heat[c]), list)
  }
  const paths = [...byStep]
    .sort(([a], [b]) => a - b)
    .map(
      ([step, d]) =>
        `<path stroke="${colours[step]}" stroke-width="${(0.6 + step / 8).toFixed(1)}" d="${d.join("")}"/>`,
    )
  const over = [...marks.trees, { colour: chainColour(isDark()), channels: marks.chain }]
    .filter(({ channels }) => channels.length > 0)
    .map(
      ({ colour, channels }) =>
        `<path stroke="${colour}" stroke-width="2.5" d="${channels.filter(drawn).map(way).join("")}"/>`,
    )
  const dots = Array.from(
    { length: scene.routers },
    (_, r) =>
      `<circle cx="${X(scene.x[r])}" cy="${Y(scene.y[r])}" r="${n(Math.max(1, scene.step * 0.13 * camera.scale))}"/>`,
  )
  return `<g fill="none" stroke-linecap="round">${paths.join("")}${over.join("")}</g><g fill="${isDark() ? "#aab4c3" : "#3a4452"}">${dots.join("")}</g>`
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
