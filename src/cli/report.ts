// lacewing report DIR: writes the report page and the exported files of a results folder.
import { type Command, InvalidArgumentError, Option } from "commander"
import { type ExportKind, exportKinds, writeReport } from "../draw/report/files.ts"
import { warningsOf } from "../draw/report/warnings.ts"
import { Catalog } from "../experiment/catalog.ts"
import { othersAmong } from "../results/origin.ts"
import { readResults } from "../results/read.ts"
import type { Io } from "./command.ts"
import { describe } from "./help.ts"
import { openFile } from "./manual/open.ts"
import { refusePlain, sayPlain } from "./plain.ts"

type Options = {
  readonly out?: string
  readonly export?: readonly ExportKind[]
  readonly theme: "light" | "dark"
  readonly width: number
  readonly json?: boolean
  readonly open?: boolean
}

function pixels(text: string): number {
  const n = Number(text)
  if (!(n >= 200 && n <= 4000)) throw new InvalidArgumentError("Write a number from 200 to 4000.")
  return n
}

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: [
      "lacewing report results/first-curve --open",
      "lacewing report results/first-curve --export csv svg --out figures",
    ],
  })
  command
    .argument("<folder>", "Results folder")
    .option("--out <folder>", "Folder to write to (default: the results folder)")
    .addOption(
      new Option("--export <kinds...>", "Also write tables (csv, json) or figures (svg, png)").choices(exportKinds),
    )
    .addOption(new Option("--theme <theme>", "Colours of svg and png").choices(["light", "dark"]).default("light"))
    .option("--width <pixels>", "Width of svg. A png has twice as many pixels", pixels, 640)
    .option("--open", "Open report.html in the browser")
    .option("--json", "Print the paths and the warnings as JSON")
    .action((folder: string, options: Options) => reportCommand(folder, options, io))
}

async function reportCommand(folder: string, o: Options, io: Io): Promise<void> {
  const read = await readResults(folder)
  if ("bad" in read) refusePlain(read.bad, io, o.json === true)
  const again = "run the experiment again to replace them"
  const said = [...read.ok.said, ...othersAmong(folder, read.ok.records, new Catalog(), again)]
  for (const c of said) sayPlain(c, io)
  const paths = await writeReport({ ...read.ok, said }, o.out ?? folder, o.export, { theme: o.theme, width: o.width })
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
