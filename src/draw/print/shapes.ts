// The SVG of a figure as a list of painted paths and texts with absolute coordinates. PDF and TikZ are written from it.
// It knows the elements and attributes that src/draw/figure produces, and no others.
import { parseHTML } from "linkedom"
import { identity, type Matrix, matrixOf, type Place, placed, type Segment, segmentsOf, times } from "./path.ts"

export type Line = {
  readonly colour: string
  readonly opacity: number
  readonly width: number
  readonly dash: readonly number[]
  readonly round: boolean
}
export type Shape =
  | {
      readonly kind: "path"
      readonly segments: readonly Segment[]
      readonly fill?: { readonly colour: string; readonly opacity: number }
      readonly line?: Line
    }
  | {
      readonly kind: "text"
      readonly text: string
      readonly at: Place
      readonly anchor: "start" | "middle" | "end"
      readonly colour: string
      /** font size in units of the picture */
      readonly size: number
      readonly bold: boolean
      /** counter-clockwise, in degrees */
      readonly angle: number
    }

export type Picture = { readonly width: number; readonly height: number; readonly shapes: readonly Shape[] }

/** Attributes that children inherit. */
const inherited = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "fill-opacity",
  "stroke-opacity",
  "opacity",
  "text-anchor",
  "font-size",
  "font-weight",
  "color",
] as const
type Style = Readonly<Partial<Record<(typeof inherited)[number], string>>>

export function shapesOf(svg: string): Picture {
  const { document } = parseHTML(`<!doctype html><html><body>${svg}</body></html>`)
  const root = document.querySelector("svg")
  if (root === null) throw new Error("A figure is not an SVG. This is a bug in lacewing; please report it.")
  const [, , width = 0, height = 0] = (root.getAttribute("viewBox") ?? "").split(/\s+/).map(Number)
  const shapes: Shape[] = []
  collect(root, {}, identity, shapes)
  return { width, height, shapes }
}

function collect(element: Element, above: Style, around: Matrix, shapes: Shape[]): void {
  const style = styleOf(element, above)
  const matrix = times(around, matrixOf(element.getAttribute("transform")))
  const outline = outlineOf(element)
  if (outline !== undefined) {
    const open = element.localName === "line" ? { ...style, fill: "none" } : style
    add(shapes, open, moved(segmentsOf(outline), matrix), scaleIn(matrix))
  } else if (element.localName === "text") shapes.push(textOf(element, style, matrix))
  else if (element.localName !== "title") for (const child of element.children) collect(child, style, matrix, shapes)
}

/** Returns the outline of a path, line, rectangle or circle as a path; undefined for other elements. */
function outlineOf(element: Element): string | undefined {
  const number = (name: string): number => Number(element.getAttribute(name) ?? 0)
  switch (element.localName) {
    case "path":
      return element.getAttribute("d") ?? ""
    case "line":
      return `M${number("x1")},${number("y1")}L${number("x2")},${number("y2")}`
    case "rect":
      return `M${number("x")},${number("y")}h${number("width")}v${number("height")}h${-number("width")}Z`
    case "circle": {
      const [x, y, r] = [number("cx"), number("cy"), number("r")]
      return `M${x + r},${y}A${r},${r} 0 1 1 ${x - r},${y}A${r},${r} 0 1 1 ${x + r},${y}Z`
    }
    default:
      return undefined
  }
}

function styleOf(element: Element, above: Style): Style {
  const own: Partial<Record<(typeof inherited)[number], string>> = { ...above }
  const declared = new Map(
    (element.getAttribute("style") ?? "").split(";").map((part) => {
      const [name = "", value = ""] = part.split(":")
      return [name.trim(), value.trim()] as const
    }),
  )
  for (const name of inherited) {
    const value = declared.get(name) ?? element.getAttribute(name)
    // The opacity of a group applies to all of its parts.
    if (value !== null) own[name] = name === "opacity" ? String(Number(value) * Number(above.opacity ?? 1)) : value
  }
  return own
}

const scaleIn = ([a, b]: Matrix): number => Math.hypot(a, b)

function moved(segments: readonly Segment[], matrix: Matrix): Segment[] {
  const to = (place: Place): Place => placed(matrix, place)
  return segments.map((s) => {
    if (s.kind === "close") return s
    if (s.kind !== "curve") return { kind: s.kind, to: to(s.to) }
    return { kind: "curve", first: to(s.first), second: to(s.second), to: to(s.to) }
  })
}

function add(shapes: Shape[], style: Style, segments: readonly Segment[], scale: number): void {
  const all = Number(style.opacity ?? 1)
  const [fill, stroke] = [colourIn(style.fill ?? "#000000", style), colourIn(style.stroke ?? "none", style)]
  const dash = style["stroke-dasharray"] ?? "none"
  const line: Line | undefined =
    stroke === undefined
      ? undefined
      : {
          colour: stroke,
          opacity: all * Number(style["stroke-opacity"] ?? 1),
          width: scale * Number(style["stroke-width"] ?? 1),
          dash: dash === "none" ? [] : dash.split(/[\s,]+/).map((part) => scale * Number(part)),
          round: style["stroke-linecap"] === "round",
        }
  if (segments.length === 0 || (fill === undefined && line === undefined)) return
  shapes.push({
    kind: "path",
    segments,
    ...(fill === undefined ? {} : { fill: { colour: fill, opacity: all * Number(style["fill-opacity"] ?? 1) } }),
    ...(line === undefined ? {} : { line }),
  })
}

function colourIn(text: string, style: Style): string | undefined {
  if (text === "none" || text === "transparent") return undefined
  if (text === "currentColor") return style.color ?? "#000000"
  if (text === "black" || text === "white") return text === "black" ? "#000000" : "#ffffff"
  return /^#[0-9a-f]{3}$/i.test(text) ? text.replace(/[0-9a-f]/gi, "$&$&") : text
}

function textOf(element: Element, style: Style, matrix: Matrix): Shape {
  const size = Number.parseFloat(style["font-size"] ?? "12")
  const length = (name: string): number => {
    const text = element.getAttribute(name) ?? "0"
    return Number.parseFloat(text) * (text.endsWith("em") ? size : 1)
  }
  const at = placed(matrix, [length("x") + length("dx"), length("y") + length("dy")])
  const anchor = style["text-anchor"]
  return {
    kind: "text",
    text: element.textContent ?? "",
    at,
    anchor: anchor === "middle" || anchor === "end" ? anchor : "start",
    colour: colourIn(style.fill ?? "#000000", style) ?? "#000000",
    size: size * scaleIn(matrix),
    bold: style["font-weight"] === "bold" || Number(style["font-weight"]) >= 600,
    angle: (-Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI,
  }
}
