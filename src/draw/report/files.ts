// The files that a set of results becomes: report.html, and tables and figures on request.
import { join } from "node:path"
import type { Checked } from "../../core/complaint.ts"
import { attempt, writeAtomic } from "../../results/disk.ts"
import { exportCsv, exportJson } from "../../results/export.ts"
import type { Results } from "../../results/folder/read.ts"
import { withSlowdowns } from "../../results/references.ts"
import { figuresOf } from "../figure/choose.ts"
import { type PictureFormat, writeFigures } from "../figure/file.ts"
import { type PictureOptions, usualPicture } from "../figure/picture.ts"
import { type Choice, chosenOf } from "../print/chosen.ts"
import { reportHtml } from "./report.ts"
import type { LinkOf } from "./tables.ts"

export type ExportKind = "csv" | "json" | PictureFormat
export const exportKinds: readonly ExportKind[] = ["csv", "json", "svg", "png", "pdf", "tikz"]

/** Writes report.html and the other requested files into `out`. Returns the paths. */
export async function writeReport(
  results: Pick<Results, "records" | "about" | "said"> & { readonly link?: LinkOf },
  out: string,
  kinds: readonly ExportKind[] = [],
  options: PictureOptions = usualPicture,
  choice: Choice = {},
): Promise<Checked<readonly string[]>> {
  const records = withSlowdowns(results.records)
  const chosen = kinds.some((kind) => kind !== "csv" && kind !== "json")
    ? chosenOf(figuresOf(records), choice)
    : { ok: [] }
  if ("bad" in chosen) return chosen
  const done = await attempt(out, async (): Promise<Checked<readonly string[]>> => {
    const paths = [join(out, "report.html")]
    writeAtomic(paths[0], reportHtml({ ...results, records }))
    for (const kind of new Set(kinds)) {
      if (kind === "csv") paths.push(...exportCsv(records, join(out, "csv")))
      else if (kind === "json") paths.push(...exportJson(records, out))
      else {
        const drawn = await writeFigures(chosen.ok, join(out, "figures"), kind, options)
        if ("bad" in drawn) return drawn
        paths.push(...drawn.ok)
      }
    }
    return { ok: paths }
  })
  return "bad" in done ? done : done.ok
}
