// Colour for a terminal, or none: NO_COLOR, FORCE_COLOR and a pipe are respected. The escape codes are written here
// once.
export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan"
export type Paint = Readonly<Record<Style, (text: string) => string>>

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

function paintWith(apply: (style: Style, text: string) => string): Paint {
  const of = (style: Style) => (text: string) => apply(style, text)
  return {
    bold: of("bold"),
    dim: of("dim"),
    red: of("red"),
    green: of("green"),
    yellow: of("yellow"),
    blue: of("blue"),
    magenta: of("magenta"),
    cyan: of("cyan"),
  }
}

export const plainPaint: Paint = paintWith((_, text) => text)
export const colourPaint: Paint = paintWith(
  (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`,
)

export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return plainPaint
  if (env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0") return colourPaint
  return stream.isTTY === true && env["TERM"] !== "dumb" ? colourPaint : plainPaint
}
