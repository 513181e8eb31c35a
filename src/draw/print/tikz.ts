// Figures as TikZ. Lines become an axis of pgfplots, which a document can restyle. Other figures become paths and
// nodes of TikZ, with the same places as in the SVG.
import type { Figure, LinesFigure, Spot } from "../figure/figure.ts"
import { domainOf, drawnSpots } from "../figure/lines.ts"
import { dashOf, light } from "../figure/theme.ts"
import type { Place } from "./path.ts"
import type { PrintFont } from "./pdf-fonts.ts"
import { type Picture, type Shape, shapesOf } from "./shapes.ts"

export type TikzOptions = { readonly mm: number; readonly pt: number; readonly font: PrintFont }

/** Returns a tikzpicture that a document reads with \input. `svg`: the same figure, drawn at the same width. */
export function tikzOf(figure: Figure, svg: string, options: TikzOptions): string {
  const plain = figure.kind === "lines" && figure.right === undefined
  const packages = plain ? "\\usepackage{pgfplots} \\pgfplotsset{compat=1.16}" : "\\usepackage{tikz}"
  const { pt, font } = options
  const letters = `\\fontsize{${pt}}{${n(1.2 * pt)}}\\selectfont${font === "sans" ? "\\sffamily" : "\\rmfamily"}`
  return [
    `% ${figure.title}`,
    `% Preamble: ${packages}`,
    `\\begingroup${letters}`,
    ...(plain ? axisOf(figure, options) : pathsOf(shapesOf(svg), options)),
    "\\endgroup",
    "",
  ].join("\n")
}

const markers = [
  "mark=*",
  "mark=square*",
  "mark=triangle*",
  "mark=diamond*",
  "mark=triangle*, mark options={solid, rotate=180}",
]

function axisOf(figure: LinesFigure, { mm }: TikzOptions): string[] {
  const domain = domainOf(figure)
  const [floor, edge] = domain.y
  const options = [
    `width=${n(mm)}mm`,
    `height=${n(0.68 * mm)}mm`,
    `xlabel={${escaped(figure.x.label)}}`,
    `ylabel={${escaped(figure.y.label)}}`,
    `xmode=${figure.x.log === true ? "log" : "linear"}`,
    `ymode=${figure.y.log === true ? "log" : "linear"}`,
    `xmin=${value(domain.x[0])}, xmax=${value(domain.x[1])}`,
    `ymin=${value(floor)}, ymax=${value(edge)}`,
    "axis lines=left, axis line style={-}, clip=false",
    "ymajorgrids, grid style={lightgray, very thin}",
    "legend style={at={(0,1.05)}, anchor=south west, draw=none, fill=none, legend columns=1}",
    "legend cell align=left",
    // digits in the font of the text, not in that of mathematics
    "tick label style={/pgf/number format/assume math mode}",
    "mark size=1.6pt",
  ]
  return [
    ...Array.from({ length: 8 }, (_, i) => `\\definecolor{lacewing${i}}{HTML}{${html(light[`c${i}`] ?? "#000000")}}`),
    "\\begin{tikzpicture}",
    `\\begin{axis}[\n  ${options.join(",\n  ")},\n]`,
    ...figure.lines.flatMap((line, i) => lineOf(figure, i, line.name, drawnSpots(line), domain)),
    ...(figure.diagonal === true ? diagonal(domain) : []),
    ...(figure.marks ?? []).map(({ x, y }) => {
      if (x !== undefined && y !== undefined)
        return `\\addplot[only marks, mark=x, mark size=3pt, black, forget plot] coordinates {${spot(x, y)}};`
      const ends =
        x === undefined ? [spot(domain.x[0], y ?? 0), spot(domain.x[1], y ?? 0)] : [spot(x, floor), spot(x, edge)]
      return `\\addplot[black, dashed, forget plot] coordinates {${ends.join(" ")}};`
    }),
    "\\end{axis}",
    "\\end{tikzpicture}",
  ]
}

type Domain = ReturnType<typeof domainOf>

function lineOf(
  figure: LinesFigure,
  i: number,
  name: string,
  spots: readonly Spot[],
  { y: [floor, edge] }: Domain,
): string[] {
  const colour = `lacewing${i % 8}`
  const inside = spots.filter((s) => s.off !== true && s.stands === undefined)
  const left = spots.find((s) => s.off === true)
  const still = spots.filter((s) => s.stands !== undefined)
  const style = [
    colour,
    "thick",
    ...(dashOf(i) === undefined ? [] : ["dashed"]),
    figure.markers ? markers[i % markers.length] : "no marks",
    "error bars/.cd, y dir=both, y explicit",
  ]
  const rows = inside.map((s) => {
    const [low, high] = [Math.max(floor, s.low ?? s.y), Math.min(edge, s.high ?? s.y)]
    return `  ${value(s.x)} ${value(s.y)} ${value(Math.max(0, high - s.y))} ${value(Math.max(0, s.y - low))}`
  })
  const last = inside.at(-1)
  const leaving = left === undefined || last === undefined ? [] : [spot(last.x, last.y), spot(left.x, edge)]
  return [
    `\\addplot[${style.join(", ")}]`,
    "  table[x index=0, y index=1, y error plus index=2, y error minus index=3, header=false] {",
    ...rows,
    "};",
    `\\addlegendentry{${escaped(name)}}`,
    ...(leaving.length === 0
      ? []
      : [`\\addplot[${colour}, densely dotted, forget plot] coordinates {${leaving.join(" ")}};`]),
    ...(left === undefined || left.stands !== undefined || !figure.markers
      ? []
      : [`\\addplot[${colour}, only marks, mark=o, forget plot] coordinates {${spot(left.x, edge)}};`]),
    ...(still.length === 0
      ? []
      : [
          `\\addplot[${colour}, only marks, mark=x, mark size=3pt, very thick, forget plot] coordinates ` +
            `{${still.map((s) => spot(s.x, s.off === true ? edge : s.y)).join(" ")}};`,
        ]),
  ]
}

function diagonal({ x, y }: Domain): string[] {
  const [begin, end] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])]
  const ends = `${spot(begin, begin)} ${spot(end, end)}`
  return begin < end ? [`\\addplot[gray, densely dotted, forget plot] coordinates {${ends}};`] : []
}

/** Returns the shapes as paths and nodes; units are those of the picture. */
function pathsOf({ width, height, shapes }: Picture, { mm, pt }: TikzOptions): string[] {
  const unit = mm / width
  const usual = (pt * 25.4) / 72.27 / unit
  const at = ([x, y]: Place): string => `(${n(x)},${n(height - y)})`
  const colours = [...new Set(shapes.flatMap(coloursOf))]
  const nameOf = (colour: string): string => `lacewing${html(colour)}`
  const drawn = shapes.map((s) => {
    if (s.kind === "text") {
      const size = Math.abs(s.size / usual - 1) < 0.05 ? "" : `, scale=${n(s.size / usual)}`
      const anchor = { start: "base west", middle: "base", end: "base east" }[s.anchor]
      const turn = s.angle === 0 ? "" : `, rotate=${n(s.angle)}`
      return `\\node[anchor=${anchor}, inner sep=0, text=${nameOf(s.colour)}${size}${turn}] at ${at(s.at)} {${escaped(s.text)}};`
    }
    const paint = [
      ...(s.fill === undefined ? [] : [`fill=${nameOf(s.fill.colour)}, fill opacity=${n(s.fill.opacity)}`]),
      ...(s.line === undefined ? [] : [strokeOf(s.line, unit, nameOf)]),
    ]
    const path = s.segments.map((g) => {
      if (g.kind === "close") return "-- cycle"
      if (g.kind === "curve") return `.. controls ${at(g.first)} and ${at(g.second)} .. ${at(g.to)}`
      return `${g.kind === "move" ? "" : "-- "}${at(g.to)}`
    })
    return `\\path[${paint.join(", ")}] ${path.join(" ")};`
  })
  return [
    ...colours.map((c) => `\\definecolor{${nameOf(c)}}{HTML}{${html(c)}}`),
    `\\begin{tikzpicture}[x=${n(unit)}mm, y=${n(unit)}mm]`,
    ...drawn,
    "\\end{tikzpicture}",
  ]
}

function strokeOf(
  line: NonNullable<Extract<Shape, { kind: "path" }>["line"]>,
  unit: number,
  name: (c: string) => string,
) {
  const dash = line.dash.map((part, i) => `${i % 2 === 0 ? "on" : "off"} ${n(part * unit)}mm`)
  return [
    `draw=${name(line.colour)}, draw opacity=${n(line.opacity)}, line width=${n(line.width * unit)}mm`,
    ...(dash.length === 0 ? [] : [`dash pattern=${dash.join(" ")}`]),
    ...(line.round ? ["line cap=round, line join=round"] : []),
  ].join(", ")
}

function coloursOf(s: Shape): string[] {
  if (s.kind === "text") return [s.colour]
  return [s.fill?.colour, s.line?.colour].filter((c) => c !== undefined)
}

const spot = (x: number, y: number): string => `(${value(x)},${value(y)})`
const html = (colour: string): string => colour.slice(1).toUpperCase()
/** Seven digits, without an exponent that TeX would not read. */
const value = (v: number): string => String(Number(v.toPrecision(7)))
const n = (v: number): string => String(Number(v.toFixed(4)))

const special: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "−": "$-$",
  "±": "$\\pm$",
  "×": "$\\times$",
  "·": "$\\cdot$",
  "≥": "$\\ge$",
  "≤": "$\\le$",
  "→": "$\\to$",
  "∞": "$\\infty$",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "“": "``",
  "”": "''",
  "’": "'",
  "‘": "`",
  "–": "--",
  "—": "---",
  "…": "\\dots{}",
  "&": "\\&",
  "%": "\\%",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "\u202f": "\\,",
  "\u2009": "\\,",
}
function escaped(text: string): string {
  return text.replace(/./gu, (letter) => special[letter] ?? letter)
}
