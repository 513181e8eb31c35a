// A figure as a picture that stands alone: no style sheet, no custom properties.
import { draw } from "./draw.ts"
import type { Figure } from "./figure.ts"
import { coloured, dark, light } from "./theme.ts"

export type PictureOptions = { readonly theme: "light" | "dark"; readonly width: number }
export const usualPicture: PictureOptions = { theme: "light", width: 640 }

/** SVG with its colours written out. */
export function picture(figure: Figure, { theme, width }: PictureOptions = usualPicture): string {
  const palette = theme === "dark" ? dark : light
  const svg = coloured(draw(figure, width).svg, palette)
  const open = svg.indexOf(">")
  return `${svg.slice(0, open)} color="${palette["ink"]}">${svg.slice(open + 1)}\n`
}
