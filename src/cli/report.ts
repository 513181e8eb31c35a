// lacewing report DIR: writes the report page and the exported files of a results folder.
import { type Command, InvalidArgumentError, Option } from "commander"
import { usualPrint } from "../draw/figure/file.ts"
import { type PictureOptions, type Print, usualPicture } from "../draw/figure/picture.ts"
import { type PrintFont, printFonts } from "../draw/print/pdf-fonts.ts"
import { type ExportKind, exportKinds, writeReport } from "../draw/report/files.ts"
import { warningsOf } from "../draw/report/warnings.ts"
import { Catalog } from "../experiment/catalog.ts"
import { liveLink, wrongHost } from "../results/live/link.ts"
import { othersAmong } from "../results/origin.ts"
import { readResults } from "../results/read.ts"
import type { RunRecord } from "../results/record.ts"
import type { Io } from "./command.ts"
import { describe } from "./help.ts"
import { openFile } from "./manual/open.ts"
import { refusePlain, sayPlain } from "./plain.ts"

type Options = {
  readonly out?: string
  readonly export?: readonly ExportKind[]
  readonly theme: "light" | "dark"
  readonly width?: Size
  readonly figures?: readonly string[]
  readonly curves?: readonly string[]
  readonly log?: readonly ("x" | "y")[]
  readonly font?: PrintFont
  readonly fontSize?: number
  readonly json?: boolean
  readonly open?: boolean
  readonly host?: string
}

type Size = { readonly pixels: number } | { readonly mm: number }

function size(text: string): Size {
  const mm = /^([\d.]+) ?mm$/.exec(text)?.[1]
  const n = Number(mm ?? text)
  if (mm !== undefined && n >= 30 && n <= 1000) return { mm: n }
  if (mm === undefined && n >= 200 && n <= 4000) return { pixels: n }
  throw new InvalidArgumentError("Write 30mm to 1000mm, or a number of pixels from 200 to 4000.")
}

function points(text: string): number {
  const n = Number(text)
  if (!(n >= 4 && n <= 40)) throw new InvalidArgumentError("Write a number from 4 to 40.")
  return n
}

/** Reads the address of a studio. */
export function hostOption(text: string): string {
  const wrong = wrongHost(text)
  if (wrong !== undefined) throw new InvalidArgumentError(wrong)
  return text
}

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: [
      "lacewing report results/first-curve --open",
      "lacewing report results/first-curve --export csv svg --out figures",
      "lacewing report results/first-curve --export pdf tikz --width 85mm --figures latency accepted",
    ],
  })
  command
    .argument("<folder>", "Results folder")
    .optionsGroup("What to write")
    .option("--out <folder>", "Folder to write to (default: the results folder)")
    .addOption(new Option("--export <kinds...>", "Also write tables (csv, json) or figures").choices(exportKinds))
    .option("--figures <ids...>", "Figures to export, by their ids (default: all)")
    .option("--curves <names...>", "Curves to export in this order, each as NAME or NAME=LABEL (default: all)")
    .addOption(new Option("--log <axes...>", "Logarithmic axes of exported curves").choices(["x", "y"]))
    .option("--host <url>", "Address of a studio; the report links its points to live runs there", hostOption)
    .optionsGroup("How figures look")
    .addOption(new Option("--theme <theme>", "Colours of svg and png").choices(["light", "dark"]).default("light"))
    .option("--width <size>", "Width of figures: 85mm and 178mm for print, or pixels (default: 640, print: 85mm)", size)
    .addOption(new Option("--font <font>", "Font of figures for print (default: sans)").choices(printFonts))
    .option("--font-size <points>", "Size of the text in figures for print (default: 8)", points)
    .optionsGroup("Output")
    .option("--open", "Open report.html in the browser")
    .option("--json", "Print the paths and the warnings as JSON")
    .action((folder: string, options: Options) => reportCommand(folder, options, io))
}

/** A width in mm, a font or its size make figures for print. PDF and TikZ are always for print. */
function pictureOf({ theme, width, font, fontSize }: Options): PictureOptions {
  const isPrint = (width !== undefined && "mm" in width) || font !== undefined || fontSize !== undefined
  const mm = width !== undefined && "mm" in width ? width.mm : usualPrint.mm
  const print: Print = { mm, pt: fontSize ?? usualPrint.pt, font: font ?? usualPrint.font }
  const pixels = width !== undefined && "pixels" in width ? width.pixels : usualPicture.width
  return { theme, width: pixels, ...(isPrint ? { print } : {}) }
}

async function reportCommand(folder: string, o: Options, io: Io): Promise<void> {
  const read = await readResults(folder)
  if ("bad" in read) refusePlain(read.bad, io, o.json === true)
  const again = "run the experiment again to replace them"
  const said = [...read.ok.said, ...othersAmong(folder, read.ok.records, new Catalog(), again)]
  for (const c of said) sayPlain(c, io)
  const { host } = o
  const title = read.ok.about.title ?? "Results"
  const link = host === undefined ? {} : { link: (r: RunRecord) => liveLink(host, r, title) }
  const paths = await writeReport({ ...read.ok, said, ...link }, o.out ?? folder, o.export, pictureOf(o), o)
  if ("bad" in paths) refusePlain(paths.bad, io, o.json === true)
  const warnings = warningsOf(read.ok.records)
  if (o.json === true) io.out(JSON.stringify({ files: paths.ok, runs: read.ok.records.length, warnings }))
  else {
    for (const w of warnings) io.err(`${io.paint.yellow(w.title)}: ${w.text}`)
    for (const path of paths.ok) io.out(path)
  }
  const page = paths.ok.find((path) => path.endsWith("report.html"))
  if (o.open === true && page !== undefined) await openFile(page, io)
}
