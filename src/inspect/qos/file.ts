// Reads a file for `lacewing qos`: goals or traffic classes in YAML or JSON, an options file of OpenSM, an opafm.xml,
// or the ETS configuration of an Ethernet port as Linux prints it.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { readText } from "../../experiment/disk/user-file.ts"
import { plainCopy } from "../../experiment/plain-copy.ts"
import { yamlSource } from "../../experiment/source.ts"
import { mostText } from "../../experiment/text.ts"
import { looksLikeEts, readEts } from "./dcb.ts"
import { withDistances } from "./distances.ts"
import { looksLikeClasses, readClasses } from "./ets.ts"
import { fabricOfOpenSm, type QosFabric } from "./fabric.ts"
import { type Goals, readGoals } from "./goals.ts"
import { looksLikeOpafm, readOpafm } from "./opafm.ts"
import { looksLikeOpenSm, type OpenSm, readOpenSm } from "./opensm.ts"
import { readPolicy } from "./policy.ts"
import { qosReport } from "./report.ts"

export type QosFile =
  | { readonly goals: Goals }
  | { readonly opensm: readonly OpenSm[] }
  | { readonly fabric: QosFabric }

/** Reads the configuration of a fabric: opensm.conf, opafm.xml, traffic classes, or the goals of one. */
export function fabricFile(path: string): Checked<QosFabric> {
  const read = qosFile(path)
  if ("bad" in read) return read
  if ("fabric" in read.ok) return { ok: read.ok.fabric }
  return "opensm" in read.ok ? { ok: fabricOfOpenSm(read.ok.opensm) } : fabricOfGoals(read.ok.goals)
}

/** Returns the fabric that the OpenSM lines of goals configure, so that a mix can check the goals by simulation. */
function fabricOfGoals(goals: Goals): Checked<QosFabric> {
  const report = qosReport(goals)
  if ("bad" in report) return report
  if (!report.ok) return { bad: [...report.complaints] }
  const lines = readOpenSm(report.opensm)
  if ("bad" in lines) return lines
  const names = Object.fromEntries(goals.levels.map((l) => [l.name, l.sl]))
  const required = Object.fromEntries(goals.levels.map((l) => [l.sl, l.share]))
  const waits = Object.fromEntries(
    goals.levels.flatMap((l) => (l.waitNs === undefined ? [] : [[l.sl, l.waitNs] as const])),
  )
  return { ok: { ...fabricOfOpenSm(lines.ok), names, required, waits } }
}

/** Reads a YAML file as plain data. */
export function yamlFile(path: string): Checked<unknown> {
  try {
    return yamlValue(path, readText(path, mostText))
  } catch (e) {
    return { bad: [complain(path, unreadable(e), "name a YAML file")] }
  }
}

export function policyFile(path: string): Checked<Readonly<Record<string, number>>> {
  try {
    const got = readPolicy(readText(path, mostText))
    return "bad" in got ? { bad: got.bad.map((c) => ({ ...c, path: `${path}: ${c.path}` })) } : got
  } catch (e) {
    return { bad: [complain(path, unreadable(e), "name a qos-policy.conf")] }
  }
}

function yamlValue(file: string, text: string): Checked<unknown> {
  const source = yamlSource(file, text)
  if ("bad" in source)
    return { bad: source.bad.map(({ says, fix, spot }) => complain(`${file}:${spot?.line ?? 1}`, says, fix)) }
  const bad: Complaint[] = []
  const value = plainCopy(source.ok.value, (c) => bad.push(c))
  return bad.length > 0 ? { bad } : { ok: value }
}

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
  if (looksLikeOpafm(text)) {
    const got = readOpafm(text)
    return "bad" in got
      ? { bad: got.bad.map((c) => ({ ...c, path: `${file}: ${c.path}` })) }
      : { ok: { fabric: got.ok } }
  }
  if (looksLikeEts(text)) {
    const got = readEts(text)
    return "bad" in got
      ? { bad: got.bad.map((c) => ({ ...c, path: `${file}: ${c.path}` })) }
      : { ok: { fabric: got.ok } }
  }
  const value = yamlValue(file, text)
  if ("bad" in value) return value
  if (looksLikeClasses(value.ok)) {
    const got = readClasses(value.ok)
    return "bad" in got ? got : { ok: { fabric: got.ok } }
  }
  const got = readGoals(value.ok)
  if ("bad" in got) return got
  const goals = withDistances(got.ok)
  return "bad" in goals ? goals : { ok: { goals: goals.ok } }
}
