// Pictures and tables as files.

import { palette, stepOf } from "./network/colours.ts"
import { isDark, painted } from "./network.ts"

const first = () => painted.get("A") ?? [...painted.values()][0]

export function svgOf(): string {
  const p = first()
  if (p === undefined) return '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const { scene, lines, heat, camera, canvas } = p
  const [w, h] = [canvas.clientWidth, canvas.clientHeight]
  const n = (v: number) => String(Math.round(v * 10) / 10)
  const X = (v: number) => n(v * camera.scale + camera.x)
  const Y = (v: number) => n(v * camera.scale + camera.y)
  const colours = palette(isDark())
  const byStep = new Map<number, string[]>()
  for (let c = 0; c < scene.chans; c++) {
    const k = c * 8
    if (lines[k + 6] === 0) continue
    const bend = lines[k + 6] === 3 ? `Q${X(lines[k + 4]!)} ${Y(lines[k + 5]!)} ` : "L"
    const list = byStep.get(stepOf(heat[c]!)) ?? []
    list.push(`M${X(lines[k]!)} ${Y(lines[k + 1]!)}${bend}${X(lines[k + 2]!)} ${Y(lines[k + 3]!)}`)
    byStep.set(stepOf(heat[c]!), list)
  }
  const paths = [...byStep]
    .sort(([a], [b]) => a - b)
    .map(([step, d]) => `<path stroke="${colours[step]}" stroke-width="${(0.6 + step / 8).toFixed(1)}" d="${d.join("")}"/>`)
  const dots = Array.from(
    { length: scene.routers },
    (_, r) => `<circle cx="${X(scene.x[r]!)}" cy="${Y(scene.y[r]!)}" r="${n(Math.max(1, scene.step * 0.13 * camera.scale))}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}"><rect width="${w}" height="${h}" fill="${isDark() ? "#12161c" : "#ffffff"}"/><g fill="none" stroke-linecap="round">${paths.join("")}</g><g fill="${isDark() ? "#aab4c3" : "#3a4452"}">${dots.join("")}</g></svg>`
}

export function pngOf(): Promise<Blob | null> {
  const p = first()
  return p === undefined ? Promise.resolve(null) : new Promise((made) => p.canvas.toBlob(made, "image/png"))
}

/** Every channel with its heat, 0 to 255. */
export function csvOf(): string {
  const p = first()
  if (p === undefined) return "channel,from,to,heat\n"
  const { scene, heat } = p
  const rows = Array.from(heat, (v, c) => {
    const far = scene.farRouter[c]!
    return `${c},${scene.routerOf[c]},${far >= 0 ? far : far <= -2 ? `endpoint ${-2 - far}` : ""},${v}`
  })
  return `channel,from,to,heat\n${rows.join("\n")}\n`
}
