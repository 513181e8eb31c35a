// What every importer answers: the text of an experiment, what of the other file it left out, or complaints by the
// other program's keys.
import { type Checked, type Complaint, complain } from "../../../core/complaint.ts"
import { plan } from "../../../experiment/plan.ts"
import { yamlSource } from "../../../experiment/source.ts"
import { prepare } from "../../../run/open.ts"
import type { Told } from "../provenance.ts"
import { lookOf } from "./detect.ts"

const host = { read: () => "" }
type Source = Parameters<typeof plan>[0]["source"]

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
    : [
        complain(
          file,
          `is ${look.says}${look.tool === undefined ? "" : `, not one of ${name}`}`,
          look.fix.replace("FILE", file),
        ),
      ]
}

/** An experiment that `run` would refuse is not returned: its complaints name the keys that the values came from. */
export function accepted(file: string, made: Imported, leaves: readonly Told[]): Checked<Imported> {
  const source = yamlSource(file, made.yaml)
  if ("bad" in source) return source
  const complaints = refusedRun(source.ok)
  if (complaints.length === 0) return { ok: made }
  const bad = complaints.map((c) => {
    const keys = keysAt(c.path, leaves)
    return complain(keys.length > 0 ? keys.join(", ") : c.path, `as ${c.path}: ${c.says}`, c.fix)
  })
  return { bad }
}

/** What `run` would say before cycle 0. A network without traffic is planned only: its user adds the traffic. */
function refusedRun(source: Source): readonly Complaint[] {
  const got = plan({ source, host, name: "imported" })
  if ("bad" in got) return got.bad
  for (const { spec } of got.ok.runs) {
    if (spec.traffic.length === 0) continue
    const ready = prepare(spec, host)
    if ("bad" in ready) return ready.bad
  }
  return []
}

/** Keys that the value at a path was made from, or those of the values below it. */
function keysAt(path: string, leaves: readonly Told[]): readonly string[] {
  const at = leaves.filter((l) => l.path.join(".") === path)
  const below = leaves.filter((l) => l.path.join(".").startsWith(`${path}.`))
  return [...new Set((at.length > 0 ? at : below).flatMap((l) => l.keys))]
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
