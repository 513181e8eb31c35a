// What every importer answers: the text of an experiment, what of the other file it left out, or complaints by the other program's keys.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { plan } from "../../experiment/plan.ts"
import { yamlSource } from "../../experiment/source.ts"
import type { Told } from "../told.ts"
import { lookOf } from "./looks.ts"

export interface Imported {
  /** the experiment */
  readonly yaml: string
  /** keys of the file that have no line, each with its reason */
  readonly without: readonly { readonly key: string; readonly value: string; readonly why: string }[]
}

/** A file that another program reads is refused as a whole. */
export function refusedFile(tool: "booksim2" | "codes", file: string, text: string): Complaint[] {
  const look = lookOf(text)
  const name = { booksim2: "BookSim2", codes: "CODES" }[tool]
  return look.tool === tool
    ? []
    : [complain(file, `is ${look.says}${look.tool === undefined ? "" : `, not one of ${name}`}`, look.fix.replace("FILE", file))]
}

/** An experiment that lacewing itself refuses is not handed out: its complaints are told by the keys that the values came from. */
export function accepted(file: string, made: Imported, leaves: readonly Told[]): Checked<Imported> {
  const source = yamlSource(file, made.yaml)
  if ("bad" in source) return source
  const got = plan({ source: source.ok, host: { read: () => "" }, name: "imported" })
  if ("ok" in got) return { ok: made }
  const bad = got.bad.map((c) => {
    const keys = leaves.find((l) => l.path.join(".") === c.path)?.keys ?? []
    return complain(keys.length > 0 ? keys.join(", ") : c.path, `as ${c.path}: ${c.says}`, c.fix)
  })
  return { bad }
}

/** The head of the file: where it comes from and what is not in it. */
export function headOf(file: string, from: string, without: Imported["without"]): string {
  const list = without.map(({ key, value, why }) => `#   ${key} = ${value}: ${why}`)
  return [
    `# ${file}, a configuration of ${from}; behind each line the keys that it came from.`,
    ...(list.length === 0
      ? ["# Every key of that file has its line here."]
      : ["# Keys of that file that have no line here, and why:", ...list]),
    "",
  ]
    .map((line) => line.replaceAll(/[\r\n]+/g, " "))
    .join("\n")
}
