// Reads the ETS configuration of an Ethernet port as Linux prints it: `dcb ets show dev DEV` (iproute2), or
// `mlnx_qos -i DEV`. Priorities map to traffic classes. Classes with `strict` go first, the highest number before all,
// and those with `ets` share the rest by their bandwidth. Limits: the algorithms cbs and vendor, and limits of rates,
// are refused or noted, because they are not modelled.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import type { TrafficClass } from "./class-rules.ts"
import { fabricOfClasses, type QosFabric } from "./fabric.ts"

const PRIORITIES = 8
const HUNDRED = 100

/** [traffic class] -> algorithm and percent; [priority] -> class, with the lines that say it. */
interface Ets {
  readonly algorithm: Map<number, { readonly word: string; readonly line: number }>
  readonly percent: Map<number, number>
  readonly classOf: Map<number, number>
  readonly limited: boolean
}

export function looksLikeEts(text: string): boolean {
  return /^\s*(prio-tc|tc-tsa|tc-bw)\s+\S/m.test(text) || isMlnxQos(text)
}

const isMlnxQos = (text: string): boolean => /^\s*tc:\s*\d+\s.*\btsa:/m.test(text)

export function readEts(text: string): Checked<QosFabric> {
  const bad: Complaint[] = []
  const ets = isMlnxQos(text) ? ofMlnxQos(text, bad) : ofDcb(text, bad)
  if (ets.classOf.size === 0)
    bad.push(complain("file", "No priority has a traffic class.", "add the output of prio-tc, or of all of mlnx_qos"))
  const used = [...new Set(ets.classOf.values())].sort((a, b) => a - b)
  const classes = used.map((tc): TrafficClass => {
    const { word, line } = ets.algorithm.get(tc) ?? { word: "strict", line: 0 }
    if (word !== "strict" && word !== "ets")
      bad.push(complain(`line ${line}`, `TC ${tc} has "${word}", which is not modelled`, "set it to strict or ets"))
    return {
      name: `TC ${tc}`,
      vl: tc,
      priority: word === "strict" ? 1 + tc : 0,
      share: word === "strict" ? 1 : (ets.percent.get(tc) ?? 0) / HUNDRED,
    }
  })
  const sum = classes.reduce((s, c) => s + (c.priority === 0 ? HUNDRED * c.share : 0), 0)
  if (sum > HUNDRED + 1e-6)
    bad.push(complain("file", `The classes with ets have ${sum} %.`, `write at most ${HUNDRED} % in all`))
  if (bad.length > 0) return { bad }
  const notes = [
    ...(ets.limited ? ["limits of rates (maxrate, ratelimit) are not modelled"] : []),
    ...classes
      .filter((c) => c.priority === 0 && c.share === 0)
      .map((c) => `${c.name} has 0 %: it is simulated with the smallest share`),
  ]
  const names = Object.fromEntries(classes.map((c) => [c.name, [...ets.classOf].find(([, tc]) => tc === c.vl)![0]]))
  return { ok: fabricOfClasses(classes, Object.fromEntries(ets.classOf), names, notes) }
}

function ofDcb(text: string, bad: Complaint[]): Ets {
  const found: Ets = { algorithm: new Map(), percent: new Map(), classOf: new Map(), limited: /tc-maxrate/.test(text) }
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [, what, rest = ""] = /^\s*(prio-tc|tc-tsa|tc-bw)\s+(.*)$/.exec(line) ?? []
    if (what === undefined) continue
    for (const pair of rest.trim().split(/\s+/)) {
      const [, key, value] = /^([0-7]):([\w.]+)$/.exec(pair) ?? []
      const n = Number(value)
      const fits =
        key !== undefined &&
        (what === "tc-tsa" || (Number.isFinite(n) && n >= 0 && n <= (what === "prio-tc" ? PRIORITIES - 1 : HUNDRED)))
      if (!fits) {
        bad.push(complain(`line ${i + 1}`, `"${pair.slice(0, 40)}" is not a pair for ${what}`, "write for example 0:0"))
        continue
      }
      if (what === "tc-tsa") found.algorithm.set(Number(key), { word: value!, line: i + 1 })
      else (what === "tc-bw" ? found.percent : found.classOf).set(Number(key), n)
    }
  }
  return found
}

function ofMlnxQos(text: string, bad: Complaint[]): Ets {
  const found: Ets = { algorithm: new Map(), percent: new Map(), classOf: new Map(), limited: false }
  let limited = false
  let tc = -1
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [, number, rate, word, percent] =
      /^\s*tc:\s*(\d+)\s+ratelimit:\s*(.+?),\s*tsa:\s*(\w+)(?:,\s*bw:\s*([\d.]+)\s*%)?/.exec(line) ?? []
    if (number !== undefined) {
      tc = Number(number)
      if (tc >= PRIORITIES) bad.push(complain(`line ${i + 1}`, `there is no TC ${tc}`, "write a number from 0 to 7"))
      found.algorithm.set(tc, { word: word!, line: i + 1 })
      if (percent !== undefined) found.percent.set(tc, Number(percent))
      if (rate !== "unlimited") limited = true
    }
    const [, list] = /^\s*priority:\s*((?:[0-7]\s*)+)$/.exec(line) ?? []
    if (list !== undefined && tc >= 0) for (const p of list.trim().split(/\s+/)) found.classOf.set(Number(p), tc)
  }
  return { ...found, limited }
}
