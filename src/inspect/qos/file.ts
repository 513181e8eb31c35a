// Reads a file for `lacewing qos`: goals in YAML or JSON, or an options file of OpenSM.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { readText } from "../../experiment/disk/user-file.ts"
import { plainCopy } from "../../experiment/plain-copy.ts"
import { yamlSource } from "../../experiment/source.ts"
import { mostText } from "../../experiment/text.ts"
import { type Goals, readGoals } from "./goals.ts"
import { looksLikeOpenSm, type OpenSm, readOpenSm } from "./opensm.ts"

export type QosFile = { readonly goals: Goals } | { readonly opensm: readonly OpenSm[] }

export function qosFile(path: string): Checked<QosFile> {
  try {
    return qosText(path, readText(path, mostText))
  } catch (e) {
    return { bad: [complain(path, unreadable(e), "name a YAML file with goals, or an options file of OpenSM")] }
  }
}

/** `file`: its name, for complaints. */
export function qosText(file: string, text: string): Checked<QosFile> {
  if (looksLikeOpenSm(text)) {
    const got = readOpenSm(text)
    return "bad" in got
      ? { bad: got.bad.map((c) => ({ ...c, path: `${file}: ${c.path}` })) }
      : { ok: { opensm: got.ok } }
  }
  const source = yamlSource(file, text)
  if ("bad" in source)
    return { bad: source.bad.map(({ says, fix, spot }) => complain(`${file}:${spot?.line ?? 1}`, says, fix)) }
  const bad: Complaint[] = []
  const value = plainCopy(source.ok.value, (c) => bad.push(c))
  if (bad.length > 0) return { bad }
  const got = readGoals(value)
  return "bad" in got ? got : { ok: { goals: got.ok } }
}
