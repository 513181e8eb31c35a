// A figure as PDF of one page: paths as vectors, text as text in a standard font, so that it can be searched and
// edited. The file has no date, so that equal figures give equal files.

import type { Place } from "./path.ts"
import { encoded, fontNames, type PrintFont } from "./pdf-fonts.ts"
import type { Picture, Shape } from "./shapes.ts"

/** Points (1/72 inch) in a millimetre. */
const POINTS = 72 / 25.4

/** Returns the bytes of the file. `width` in mm; the height follows from the picture. */
export function pdfOf(picture: Picture, width: number, font: PrintFont, title: string): Uint8Array {
  const scale = (width * POINTS) / picture.width
  const height = picture.height * scale
  const states = new Map<string, string>()
  const at = ([x, y]: Place): string => `${n(x * scale)} ${n(height - y * scale)}`
  const content = picture.shapes.map((s) =>
    s.kind === "path" ? pathOf(s, at, scale, states) : textOf(s, at, scale, font),
  )
  const fonts = fontNames[font].map(
    (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
  )
  const transparent = [...states].map(([values, name]) => `/${name} << ${values} >>`)
  const stream = content.join("\n")
  return fileOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${n(width * POINTS)} ${n(height)}] /Contents 4 0 R\n` +
      `/Resources << /Font << /F0 5 0 R /F1 6 0 R >> /ExtGState << ${transparent.join(" ")} >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ...fonts,
    `<< /Title ${literal(encoded(title, font).codes)} /Producer (lacewing) >>`,
  ])
}

/** Numbers the objects and adds the table of their places. All text is Latin-1, so a letter is a byte. */
function fileOf(objects: readonly string[]): Uint8Array {
  let file = "%PDF-1.4\n"
  const places = objects.map((object, i) => {
    const place = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  const start = file.length
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0))
}

function pathOf(
  { segments, fill, line }: Extract<Shape, { kind: "path" }>,
  at: (place: Place) => string,
  scale: number,
  states: Map<string, string>,
): string {
  const steps = segments.map((s) => {
    if (s.kind === "close") return "h"
    if (s.kind === "curve") return `${at(s.first)} ${at(s.second)} ${at(s.to)} c`
    return `${at(s.to)} ${s.kind === "move" ? "m" : "l"}`
  })
  const paint = [
    ...(fill === undefined ? [] : [`${rgb(fill.colour)} rg`]),
    ...(line === undefined
      ? []
      : [
          `${rgb(line.colour)} RG ${n(line.width * scale)} w ${line.round ? 1 : 0} J ${line.round ? 1 : 0} j`,
          `[${line.dash.map((part) => n(part * scale)).join(" ")}] 0 d`,
        ]),
  ]
  const opacity = `/ca ${n(fill?.opacity ?? 1)} /CA ${n(line?.opacity ?? 1)}`
  const state = states.get(opacity) ?? `G${states.size}`
  states.set(opacity, state)
  const end = fill === undefined ? "S" : line === undefined ? "f" : "B"
  return `/${state} gs ${paint.join(" ")} ${steps.join(" ")} ${end}`
}

function textOf(
  { text, at: place, anchor, colour, size, bold, angle }: Extract<Shape, { kind: "text" }>,
  at: (place: Place) => string,
  scale: number,
  font: PrintFont,
): string {
  const { codes, width } = encoded(text, font)
  const size_ = size * scale
  const back = (anchor === "start" ? 0 : anchor === "end" ? 1 : 0.5) * (width / 1000) * size_
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const [x = 0, y = 0] = at(place).split(" ").map(Number)
  const matrix = [cos, sin, -sin, cos, x - back * cos, y - back * sin].map(n).join(" ")
  return `BT ${rgb(colour)} rg /F${bold ? 1 : 0} ${n(size_)} Tf ${matrix} Tm ${literal(codes)} Tj ET`
}

/** Returns a string of PDF; brackets and backslashes are escaped. */
function literal(codes: readonly number[]): string {
  return `(${codes.map((code) => (/[()\\]/.test(String.fromCharCode(code)) ? "\\" : "") + String.fromCharCode(code)).join("")})`
}

function rgb(colour: string): string {
  return [1, 3, 5].map((from) => n(Number.parseInt(colour.slice(from, from + 2), 16) / 255)).join(" ")
}

function n(value: number): string {
  return String(Number(value.toFixed(3)))
}
