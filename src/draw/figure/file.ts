// Figures as files: SVG, PDF and TikZ, and PNG by resvg, an optional package.
import { join } from "node:path"
import { type Checked, complain } from "../../core/complaint.ts"
import { isReserved } from "../../experiment/disk/safe-names.ts"
import { writeAtomic } from "../../results/disk.ts"
import { pdfOf } from "../print/pdf.ts"
import { shapesOf } from "../print/shapes.ts"
import { tikzOf } from "../print/tikz.ts"
import type { Figure } from "./figure.ts"
import { type PictureOptions, type Print, picture, usualPicture } from "./picture.ts"
import { dark, light } from "./theme.ts"

type Resvg = typeof import("@resvg/resvg-js")
export type LoadResvg = () => Promise<Resvg>

export type PictureFormat = "svg" | "png" | "pdf" | "tikz"

/** Pixels of an inch in a PNG for print. */
const DPI = 300

/** Twice the size of the SVG, for screens and slides. For print, the size in mm with 300 pixels per inch. */
export async function pngFile(
  figure: Figure,
  options: PictureOptions = usualPicture,
  load: LoadResvg = () => import("@resvg/resvg-js"),
): Promise<Checked<Uint8Array>> {
  const resvg = await load().catch(() => undefined)
  if (resvg === undefined) {
    return {
      bad: [
        complain(
          "png",
          "resvg is not installed.",
          "run npm install @resvg/resvg-js, or export SVG, which needs no package",
        ),
      ],
    }
  }
  const background = (options.theme === "dark" ? dark : light)["paper"]
  const renderer = new resvg.Resvg(picture(figure, options), {
    fitTo: { mode: "width", value: pixelsOf(options) },
    background,
  })
  return { ok: renderer.render().asPng() }
}

function pixelsOf({ width, print }: PictureOptions): number {
  return print === undefined ? width * 2 : Math.round((print.mm / 25.4) * DPI)
}

/** Writes all figures into a folder; returns the paths. */
export async function writeFigures(
  figures: readonly Figure[],
  folder: string,
  format: PictureFormat,
  options: PictureOptions = usualPicture,
): Promise<Checked<string[]>> {
  const paths: string[] = []
  const names = namesOf(figures.map((f) => f.id))
  for (const [i, figure] of figures.entries()) {
    const path = join(folder, `${names[i]}.${format === "tikz" ? "tex" : format}`)
    const made = await bytesOf(figure, format, options)
    if ("bad" in made) return made
    writeAtomic(path, made.ok)
    paths.push(path)
  }
  return { ok: paths }
}

/** A column of a page with two columns. */
export const usualPrint: Print = { mm: 85, pt: 8, font: "sans" }

async function bytesOf(
  figure: Figure,
  format: PictureFormat,
  options: PictureOptions,
): Promise<Checked<string | Uint8Array>> {
  if (format === "png") return pngFile(figure, options)
  if (format === "svg") return { ok: picture(figure, options) }
  const print = options.print ?? usualPrint
  const svg = picture(figure, { ...options, print })
  if (format === "tikz") return { ok: tikzOf(figure, svg, print) }
  return { ok: pdfOf(shapesOf(svg), print.mm, print.font, figure.title) }
}

/**
 * Returns file names of figures: lower case, digits and . _ - of their ids. Equal names get numbers. File systems that
 * ignore case see different names.
 */
export function namesOf(ids: readonly string[]): string[] {
  const taken = new Set<string>()
  return ids.map((id) => {
    const safe = id
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
      .slice(0, 64)
    const base = safe === "" || isReserved(safe) ? `figure-${safe}`.replace(/-$/, "") : safe
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
    taken.add(name)
    return name
  })
}
