// Figures as files: SVG, and PNG by resvg, an optional package.
import { join } from "node:path"
import { type Checked, complain } from "../../core/complaint.ts"
import { fileName } from "../../experiment/disk/safe-names.ts"
import { writeAtomic } from "../../results/disk.ts"
import type { Figure } from "./figure.ts"
import { type PictureOptions, picture, usualPicture } from "./picture.ts"
import { dark, light } from "./theme.ts"

type Resvg = typeof import("@resvg/resvg-js")
export type LoadResvg = () => Promise<Resvg>

/** Twice the size of the SVG, for screens and slides. */
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
    fitTo: { mode: "width", value: options.width * 2 },
    background,
  })
  return { ok: renderer.render().asPng() }
}

/** Writes all figures into a folder; returns the paths. */
export async function writeFigures(
  figures: readonly Figure[],
  folder: string,
  format: "svg" | "png",
  options: PictureOptions = usualPicture,
): Promise<Checked<string[]>> {
  const paths: string[] = []
  for (const figure of figures) {
    const path = join(folder, `${fileName(figure.id)}.${format}`)
    if (format === "svg") writeAtomic(path, picture(figure, options))
    else {
      const png = await pngFile(figure, options)
      if ("bad" in png) return png
      writeAtomic(path, png.ok)
    }
    paths.push(path)
  }
  return { ok: paths }
}
