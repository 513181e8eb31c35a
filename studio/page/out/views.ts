// Exports every view as SVG, PNG and CSV. A view is a table of its content. Its picture is its chart, or the table
// itself.
import { h, render } from "preact"
import { csvCell } from "../../../src/core/csv.ts"
import { missingText } from "../../../src/model/missing.ts"
import { traceParts } from "../../../src/observe/packet-trace.ts"
import { rowOf } from "../results.ts"
import { partedWords, rowsOfPlan } from "../run.ts"
import * as s from "../state.ts"
import { Picture } from "../sweep/chart.ts"
import { axisOf, curvesOf, measures, type Row } from "../sweep/points.ts"
import { channelRows, networkSvg, shown } from "./network.ts"

type Rows = readonly (readonly (string | number)[])[]

export interface View {
  /** File name without extension. */
  readonly name: string
  readonly title: string
  rows(): Rows
  svg(): string
}

/** Returns the finished runs of the tab that is open. */
function rowsOfCurve(): readonly Row[] {
  const isStored = s.sheet.value && s.tab.value === "results" && s.results.value !== undefined
  const rows = isStored ? s.results.value!.rows.map(rowOf) : rowsOfPlan()
  return rows.filter((r) => r.result !== undefined)
}

/** Returns the views that have content. */
export function views(): View[] {
  const found: View[] = []
  const add = (name: string, title: string, rows: () => Rows, svg?: () => string) =>
    void found.push({ name, title, rows, svg: svg ?? (() => tableSvg(title, rows())) })
  const network = shown()
  if (network !== undefined)
    add(
      "network",
      "Network",
      () => channelRows(shown() ?? network),
      () => networkSvg(shown() ?? network),
    )
  const rows = rowsOfCurve()
  const { value: measure } = s.measure
  if (rows.length > 0)
    add(
      "curve",
      "Curves",
      () => [
        ["line", axisOf(rows), measures[measure] ?? measure, "state", "runs"],
        ...curvesOf(rows, measure).flatMap((c) => c.points.map((p) => [c.name, p.x, p.y ?? "", p.state, p.n])),
      ],
      () => curveSvg(rows),
    )
  const { value: answer } = s.answer
  if (answer !== undefined) add(answer.kind, answerTitle(answer), () => answerRows(answer))
  const { channels, packets } = s.top.value
  if (channels.length > 0)
    add("heat", "Busiest channels", () => [
      ["channel", "label", "busy", "flits", "blocked flits"],
      ...channels.map((c) => [c.chan, c.label, c.utilisation, c.queued, c.stalled]),
      ...packets.map((p) => ["packet", `from ${p.from} to ${p.to}`, p.createdAt, "", ""]),
    ])
  const { value: first } = s.first
  if (first !== undefined) add("difference", "First difference of A and B", () => partedWords(first).map((w) => [w]))
  const { value: results } = s.results
  if (results !== undefined)
    add("results", results.title, () => {
      const keys = [...new Set(results.rows.flatMap((r) => Object.keys(r.point)))]
      const values = [...new Set(results.rows.flatMap((r) => Object.keys(r.values)))]
      return [
        [...keys, "seed", "ended", "fingerprint", ...values, "missing"],
        ...results.rows.map((r) => [
          ...keys.map((k) => r.point[k] ?? ""),
          r.seed,
          r.why,
          r.fingerprint,
          ...values.map((v) => r.values[v] ?? ""),
          missingText(r.missing),
        ]),
      ]
    })
  return found
}

function answerTitle(answer: s.Answer): string {
  if (answer.kind === "packet") return `Packet from ${answer.is.from} to ${answer.is.to}, cycle ${answer.is.now}`
  if (answer.kind === "diagnosis") return "Waiting packets"
  if (answer.kind === "endpoint") return `Endpoint ${answer.is.end}, cycle ${answer.is.now}`
  return `${answer.kind === "router" ? `Router ${answer.is.router}: ` : ""}${answer.is.label}, cycle ${answer.is.now}`
}

function answerRows(answer: s.Answer): Rows {
  if (answer.kind === "packet")
    return [
      ["part", "cycles"],
      ...traceParts.map((p) => [p, answer.is.parts[p]]),
      ["age", answer.is.age],
      ...answer.is.stays.map((x) => [x.label, x.wires + x.pipelines + x.credits + x.output + x.behind]),
      ...answer.is.says.map((w) => [w, ""]),
    ]
  if (answer.kind === "channel")
    return [
      ["from", "to", "VC", "flits", "created", "free space"],
      ...answer.is.fronts.map((f) => [f.from, f.to, f.vc, f.queue, f.createdAt, f.hasCredits ? 1 : 0]),
      ...answer.is.says.map((w) => [w]),
    ]
  if (answer.kind === "router")
    return [
      ["what", "port", "VC", "flits", "of", "says"],
      ...answer.is.ports.map((p, i) => [
        "output",
        i,
        "",
        p.queued,
        "",
        `to ${p.to}, utilisation ${p.utilisation.toFixed(3)}, blocked flits ${p.stalled}`,
      ]),
      ...answer.is.inside.buffers.map((b) => ["buffer", b.input, b.vc, b.flits, b.of, b.does]),
      ...answer.is.inside.outputs.map((o) => [
        "output VC",
        o.port,
        o.vc,
        o.credits,
        o.of,
        o.input < 0 ? "" : `held by input ${o.input}, VC ${o.inputVc}`,
      ]),
      ...answer.is.inside.pools.map((p) => ["pool", p.port, "", p.flits, p.of, ""]),
      ...answer.is.inside.arbiters.map((a) => ["arbiter", a.name, "", "", "", a.says]),
    ]
  if (answer.kind === "endpoint") {
    const { is } = answer
    const packets = [...is.from.oldest, ...is.to.oldest]
    return [
      ["packet", "from", "to", "created", "hops"],
      ...packets.map((p) => [p.key, p.from, p.to, p.createdAt, p.hops]),
      [`received ${is.received} flits; its oldest packet waits ${is.waited} cycles to enter`],
    ]
  }
  return [
    ["root", "channels that wait for it"],
    ...answer.is.trees.map((t) => [t.label, t.channels.length]),
    ...answer.is.words.map((w) => [w, ""]),
  ]
}

export function csvOf(rows: Rows): string {
  return `${rows.map((r) => r.map(csvCell).join(",")).join("\n")}\n`
}

/** Maximum number of table rows in a picture. */
const MOST_ROWS = 200

const safe = (v: string | number): string =>
  String(v).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
const plain = (v: string | number): string => (typeof v === "number" && !Number.isInteger(v) ? v.toFixed(3) : String(v))

export function tableSvg(title: string, rows: Rows): string {
  const some = rows.slice(0, MOST_ROWS)
  const columns = Math.max(1, ...some.map((r) => r.length))
  const wide = Array.from({ length: columns }, (_, k) =>
    Math.max(4, ...some.filter((r) => r.length > 1).map((r) => plain(r[k] ?? "").length)),
  )
  // A row with a single text may extend over the other columns.
  const width =
    Math.max(
      title.length * 9,
      wide.reduce((a, b) => a + b + 2, 0) * 7.3,
      ...some.filter((r) => r.length === 1).map((r) => plain(r[0]).length * 7.3),
    ) + 24
  const height = 44 + some.length * 18 + 8
  const left = wide.map((_, k) => 12 + wide.slice(0, k).reduce((a, b) => a + b + 2, 0) * 7.3)
  const lines = some.map((r, i) =>
    r
      .map(
        (v, k) =>
          `<text x="${left[k].toFixed(1)}" y="${56 + i * 18}"${i === 0 && r.length > 1 ? ' font-weight="bold"' : ""}>${safe(plain(v))}</text>`,
      )
      .join(""),
  )
  const more =
    rows.length > some.length ? `<text x="12" y="${height - 2}">and ${rows.length - some.length} more</text>` : ""
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height + 14}" width="${width.toFixed(0)}" height="${height + 14}" font-family="monospace" font-size="12" fill="#1b2330"><rect width="100%" height="100%" fill="#ffffff"/><text x="12" y="26" font-family="sans-serif" font-size="15" font-weight="bold">${safe(title)}</text>${lines.join("")}${more}</svg>`
}

const curveStyle =
  "text{fill:#4d5868;font:11px sans-serif}.grid{stroke:#cfd6df}polyline{fill:none;stroke:currentColor;stroke-width:1.6}.mark{fill:currentColor;font-size:12px}.name tspan{fill:currentColor}.line0{color:#3b6fb6}.line1{color:#c8553d}.line2{color:#4f9d69}.line3{color:#8f5aa8}.line4{color:#c39a2f}.line5{color:#4aa3a2}"

function curveSvg(rows: readonly Row[]): string {
  const container = document.createElement("div")
  render(h(Picture, { rows, measure: s.measure.value, width: 640 }), container)
  const svg = container.querySelector("svg")
  const [, , w, height] = (svg?.getAttribute("viewBox") ?? "0 0 460 260").split(" ")
  const inner = svg?.innerHTML ?? ""
  render(null, container)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${height}" width="${w}" height="${height}"><style>${curveStyle}</style><rect width="100%" height="100%" fill="#ffffff"/>${inner}</svg>`
}
