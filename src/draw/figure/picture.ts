// A figure as a picture that stands alone: no style sheet, no custom properties.
import { draw } from "./draw.ts"
import type { Figure } from "./figure.ts"
import { FONT, SERIF } from "./plot.ts"
import { coloured, dark, light } from "./theme.ts"

export type PictureOptions = {
  readonly theme: "light" | "dark"
  /** in pixels; figures for print have the width that follows from `print` */
  readonly width: number
  readonly print?: Print
}
/** A figure for a page: its width in mm, and the size of its text in points (1/72 inch). */
export type Print = { readonly mm: number; readonly pt: number; readonly font: "sans" | "serif" }
export const usualPicture: PictureOptions = { theme: "light", width: 640 }

/** SVG with its colours written out. */
export function picture(figure: Figure, { theme, width: pixels, print }: PictureOptions = usualPicture): string {
  const width = print === undefined ? pixels : unitsOf(print)
  const palette = theme === "dark" ? dark : light
  const svg = coloured(draw(figure, width).svg, palette)
  const open = svg.indexOf(">")
  const whole = `${svg.slice(0, open)} color="${palette["ink"]}">${svg.slice(open + 1)}\n`
  return print === undefined ? whole : printed(whole, print, width)
}

/** Text has 12 units, so the width in units follows from the size of the text on the page. */
function unitsOf({ mm, pt }: Print): number {
  return Math.round((mm / pt) * 12 * (72 / 25.4))
}

/** Writes the size in mm. The view box keeps the units. */
function printed(svg: string, { mm, font }: Print, width: number): string {
  const height = Number(/ height="([\d.]+)"/.exec(svg)?.[1])
  const end = svg.indexOf(">")
  const head = svg
    .slice(0, end)
    .replace(/ height="[\d.]+"/, ` height="${((mm * height) / width).toFixed(2)}mm"`)
    .replace(/ width="[\d.]+"/, ` width="${mm}mm"`)
    .replace(FONT, font === "serif" ? SERIF : FONT)
  return head + svg.slice(end)
}
