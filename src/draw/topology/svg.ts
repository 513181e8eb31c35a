// A picture of a network as SVG: routers as dots, links as lines coloured by class, endpoints as small dots where there
// are not too many. Links between routers that are not adjacent on a grid are bent, so that rings and rows of
// all-to-all links remain distinguishable. Groups of a large network are drawn as discs; one line joins two groups, and
// its width shows the number of links. Limits: at most 60,000 lines.
import { type Checked, complain } from "../../core/complaint.ts"
import type { Topology } from "../../model/topology.ts"
import { xml } from "./export.ts"
import { bundles, endpointsOn, type LinkBundle } from "./links.ts"
import { type Places, placesOf } from "./places.ts"

const MOST_LINES = 60_000
/** beyond this many lines groups become discs */
const MOST_IN_GROUPS = 9_000
const MOST_ENDPOINTS = 700
/** how far a line on a grid departs from the straight path, as part of its length */
const BEND = 0.16
const colours = ["#3b6fb6", "#c8553d", "#4f9d69", "#8f5aa8", "#c39a2f", "#4aa3a2"]
/** classes that are called by a colour */
const named: Readonly<Record<string, string>> = { green: "#4f9d69", black: "#444444", blue: "#3b6fb6" }

/** A path through the network, drawn above its links: routers in order, and the share of the traffic that takes it. */
export interface DrawnPath {
  readonly routers: readonly number[]
  readonly share: number
}

export function draw(topology: Topology, title: string, ways: readonly DrawnPath[] = []): Checked<string> {
  const { graph, group } = topology
  const aggregate = group !== undefined && (graph.chans - graph.ends * graph.rails) / 2 > MOST_IN_GROUPS
  if (aggregate && ways.length > 0)
    return {
      bad: [
        complain(
          "svg",
          "The paths would not be visible, because groups are drawn as discs.",
          "draw a smaller network of the family",
        ),
      ],
    }
  if (aggregate) return { ok: drawGroups(topology, group, title) }
  const links = bundles(topology)
  if (links.length > MOST_LINES)
    return {
      bad: [
        complain(
          "export",
          `${links.length.toLocaleString("en")} lines are too many to draw.`,
          "draw a smaller network of the family, or export edges",
        ),
      ],
    }
  const places = placesOf(topology)
  const parts = [
    ...places.rings.map(ring),
    ...lines(topology, links, places, ways.length > 0 ? 0.4 : 1),
    ...ends(topology, places),
    ...pathLines(ways, places),
    ...dots(topology, places),
  ]
  // space for endpoints, and for the longest bent line outside a grid
  const margin = places.kind === "grid" ? 30 + (BEND / 2) * Math.max(extent(places.x), extent(places.y)) : 40
  return { ok: page(places.x, places.y, margin, title, legend(topology, links), parts) }
}

function ring({ x, y, r, name }: Places["rings"][number]): string {
  return `<circle class="ring" cx="${n(x)}" cy="${n(y)}" r="${n(r)}"><title>${xml(name)}</title></circle>`
}

/** One path for all links of a class and number of cables. */
function lines(topology: Topology, links: readonly LinkBundle[], places: Places, shade: number): string[] {
  const { classes } = topology.graph
  const byStyle = new Map<string, string[]>()
  for (const link of links) {
    const style = `${classes.indexOf(link.linkClass)} ${link.count}`
    if (!byStyle.has(style)) byStyle.set(style, [])
    byStyle.get(style)!.push(line(link.a, link.b, places))
  }
  const faint = shade * Math.max(0.12, Math.min(0.75, 14 / Math.sqrt(links.length)))
  // local links last, above the global ones
  return [...byStyle]
    .sort((a, b) => Number.parseInt(b[0], 10) - Number.parseInt(a[0], 10))
    .map(([style, paths]) => {
      const [cls, count] = style.split(" ").map(Number) as [number, number]
      const width = Math.min(4, 0.9 * Math.sqrt(count))
      return (
        `<path fill="none" stroke="${colourOf(cls, classes)}" ` +
        `stroke-opacity="${n(faint)}" stroke-width="${n(width)}" d="${paths.join("")}"/>`
      )
    })
}

function line(a: number, b: number, { x, y, kind, step, straight }: Places): string {
  const [x0, y0, x1, y1] = [x[a], y[a], x[b], y[b]]
  if (straight(a, b)) return `M${n(x0)} ${n(y0)}L${n(x1)} ${n(y1)}`
  // bent to one side of a row or column, or towards the centre of a circle
  const length = Math.hypot(x1 - x0, y1 - y0)
  const bend = kind === "grid" ? BEND : 0
  const pull = kind === "grid" ? 0 : 0.25 * Math.min(1, length / (12 * step))
  const qx = ((x0 + x1) / 2) * (1 - pull) + bend * (y1 - y0)
  const qy = ((y0 + y1) / 2) * (1 - pull) - bend * (x1 - x0)
  return `M${n(x0)} ${n(y0)}Q${n(qx)} ${n(qy)} ${n(x1)} ${n(y1)}`
}

/**
 * Draws a path from the first router (a ring) to the last (a disc). Paths that are taken only if queues are long are
 * dashed.
 */
function pathLines(ways: readonly DrawnPath[], places: Places): string[] {
  const r = Math.max(2, Math.min(6, places.step / 5)) + 4
  const ends = ways[0]?.routers
  const circle = (at: number, fill: string) =>
    `<circle cx="${n(places.x[at])}" cy="${n(places.y[at])}" r="${n(r)}" ` +
    `fill="${fill}" stroke="#d6006c" stroke-width="2"/>`
  return [
    ...ways
      .filter((w) => w.routers.length > 1)
      .map(({ routers, share }) => {
        const d = routers
          .slice(1)
          .map((to, i) => line(routers[i], to, places))
          .join("")
        const dash = share > 0 ? "" : ' stroke-dasharray="5 4"'
        return (
          `<path fill="none" stroke="#d6006c" stroke-opacity="${n(share > 0 ? 0.9 : 0.5)}" ` +
          `stroke-width="${n(share > 0 ? 1.6 + 2.4 * share : 1.2)}"${dash} d="${d}"/>`
        )
      }),
    ...(ends === undefined ? [] : [circle(ends[0], "#fff"), circle(ends.at(-1)!, "#d6006c")]),
  ]
}

function dots(topology: Topology, { x, y, step }: Places): string[] {
  const on = endpointsOn(topology)
  const r = Math.max(2, Math.min(6, step / 5))
  return Array.from(x, (_, i) => {
    const kind = on[i] > 0 || topology.graph.rails > 1 ? "router" : "router inner"
    const about = `${topology.label(i)}: router ${i}, ${on[i]} endpoints`
    return `<circle class="${kind}" cx="${n(x[i])}" cy="${n(y[i])}" r="${n(r)}"><title>${xml(about)}</title></circle>`
  })
}

/** Endpoints as a fan on the far side of their router. */
function ends({ graph }: Topology, { x, y, out, step }: Places): string[] {
  if (graph.ends * graph.rails > MOST_ENDPOINTS) return []
  const hung = new Map<number, number[]>()
  for (let i = 0; i < graph.home.length; i++) {
    const r = graph.routerOf[graph.home[i]]
    if (!hung.has(r)) hung.set(r, [])
    hung.get(r)!.push(Math.floor(i / graph.rails))
  }
  const reach = Math.max(9, Math.min(20, step * 0.45))
  const parts: string[] = []
  let stems = ""
  for (const [r, all] of hung) {
    const spread = Math.min(1.5, 0.45 * (all.length - 1))
    all.forEach((e, i) => {
      const angle = out[r] + (all.length === 1 ? 0 : spread * (i / (all.length - 1) - 0.5))
      const [ex, ey] = [x[r] + reach * Math.cos(angle), y[r] + reach * Math.sin(angle)]
      stems += `M${n(x[r])} ${n(y[r])}L${n(ex)} ${n(ey)}`
      parts.push(`<circle class="end" cx="${n(ex)}" cy="${n(ey)}" r="1.8"><title>endpoint ${e}</title></circle>`)
    })
  }
  return [`<path class="stem" d="${stems}"/>`, ...parts]
}

/** Groups of a large network: a disc for each, a line for each pair that is linked. */
function drawGroups(topology: Topology, group: Int32Array, title: string): string {
  const { graph } = topology
  const numbers = [...new Set(group)]
  const index = new Map(numbers.map((g, i) => [g, i]))
  const size = new Map<number, number>()
  for (const g of group) size.set(g, (size.get(g) ?? 0) + 1)
  const radius = Math.max(160, numbers.length * 8)
  const at = (i: number): [number, number] => {
    const a = (2 * Math.PI * i) / numbers.length - Math.PI / 2
    return [radius * Math.cos(a), radius * Math.sin(a)]
  }
  const between = new Map<number, number>()
  let most = 1
  for (let c = 0; c < graph.chans; c++) {
    if (graph.far[c] < 0) continue
    const [a, b] = [index.get(group[graph.routerOf[c]])!, index.get(group[graph.routerOf[graph.far[c]]])!]
    if (a >= b) continue
    const key = a * numbers.length + b
    between.set(key, (between.get(key) ?? 0) + 1)
    most = Math.max(most, between.get(key)!)
  }
  const shown =
    between.size <= MOST_LINES
      ? between
      : new Map([...between].filter(([key]) => Math.floor(key / numbers.length) === 0))
  const faint = Math.max(0.06, Math.min(0.7, 18 / Math.sqrt(shown.size)))
  const chords = Array.from(shown, ([key, count]) => {
    const [[x0, y0], [x1, y1]] = [at(Math.floor(key / numbers.length)), at(key % numbers.length)]
    return (
      `<path fill="none" stroke="${colours[1]}" stroke-opacity="${n(faint)}" ` +
      `stroke-width="${n(Math.max(0.5, (3 * count) / most))}" d="M${n(x0)} ${n(y0)}L${n(x1)} ${n(y1)}"/>`
    )
  })
  const discs = numbers.map((g, i) => {
    const [x, y] = at(i)
    return (
      `<circle class="router" cx="${n(x)}" cy="${n(y)}" ` +
      `r="${n(Math.min(14, (2 * radius) / numbers.length))}"><title>group ${g}: ${size.get(g)} ` +
      "routers</title></circle>"
    )
  })
  const text = [
    `${numbers.length} groups of ${Math.max(...size.values())} routers; a line is all links between two groups`,
    ...(shown.size < between.size ? ["only the links of the first group are drawn"] : []),
  ]
  const [xs, ys] = [numbers.map((_, i) => at(i)[0]), numbers.map((_, i) => at(i)[1])]
  return page(
    xs,
    ys,
    40,
    title,
    text.map((t) => ({ text: t, colour: undefined })),
    [...chords, ...discs],
  )
}

interface Note {
  readonly text: string
  readonly colour: string | undefined
}

function legend({ graph }: Topology, links: readonly LinkBundle[]): Note[] {
  const count = (name: string) => links.reduce((sum, l) => sum + (l.linkClass === name ? l.count : 0), 0)
  const notes: Note[] = graph.classes
    .slice(1)
    .flatMap((name, i) =>
      count(name) === 0 ? [] : [{ text: `${name}: ${count(name)} links`, colour: colourOf(i + 1, graph.classes) }],
    )
  const shown = graph.ends * graph.rails <= MOST_ENDPOINTS
  return [
    ...notes,
    { text: `${graph.ends} endpoints${shown ? "" : " (not drawn)"}`, colour: shown ? "#999" : undefined },
  ]
}

function colourOf(cls: number, classes: readonly string[]): string {
  return named[classes[cls]] ?? colours[Math.max(0, cls - 1) % colours.length]
}

function page(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  margin: number,
  title: string,
  notes: readonly Note[],
  parts: readonly string[],
): string {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < xs.length; i++) {
    left = Math.min(left, xs[i])
    right = Math.max(right, xs[i])
    top = Math.min(top, ys[i])
    bottom = Math.max(bottom, ys[i])
  }
  const head = 30 + 18 * notes.length
  const width = Math.max(right - left + 2 * margin, 9.5 * title.length + 40, 360)
  const x0 = (left + right - width) / 2
  const y0 = top - margin - head
  const height = bottom - top + 2 * margin + head
  const scale = Math.max(0.5, Math.min(2, 1000 / Math.max(width, height)))
  const texts = [
    `<text class="title" x="${n(x0 + 16)}" y="${n(y0 + 24)}">${xml(title)}</text>`,
    ...notes.map(({ text, colour }, i) => {
      const y = y0 + 44 + 18 * i
      const mark =
        colour === undefined ? "" : `<rect x="${n(x0 + 16)}" y="${n(y - 8)}" width="14" height="6" fill="${colour}"/>`
      return `${mark}<text x="${n(x0 + (colour === undefined ? 16 : 36))}" y="${n(y)}">${xml(text)}</text>`
    }),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width * scale)}" ` +
      `height="${n(height * scale)}" viewBox="${n(x0)} ${n(y0)} ${n(width)} ${n(height)}">`,
    "<style>text{font:12px " +
      "sans-serif;fill:#333}.title{font-size:15px;font-weight:bold}.router{fill:#243447}" +
      ".inner{fill:#fff;stroke:#243447;stroke-width:1.5}.end{fill:#999}" +
      ".stem{fill:none;stroke:#bbb;stroke-width:.7}.ring{fill:#f3f4f6;stroke:#d5d9de}</style>",
    `<rect x="${n(x0)}" y="${n(y0)}" width="${n(width)}" height="${n(height)}" fill="#fff"/>`,
    ...parts,
    ...texts,
    "</svg>\n",
  ].join("\n")
}

function extent(of: Float64Array): number {
  return of.reduce((a, b) => Math.max(a, b)) - of.reduce((a, b) => Math.min(a, b))
}

/** A coordinate with one digit: a tenth of a pixel. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10)
}
