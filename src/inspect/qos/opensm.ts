// Reads and writes the lines of OpenSM's options file that configure arbitration: qos_max_vls, qos_high_limit,
// qos_vlarb_high, qos_vlarb_low, qos_sl2vl, and the same for one kind of port (qos_ca_…, qos_swe_…, qos_sw0_…,
// qos_rtr_…). Other options are ignored, unless they look like one of these.
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import { plainScale } from "../../core/units.ts"
import { MOST_VL, tableField, tableText } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"

export interface OpenSm {
  /** kind of port, "" = all */
  readonly ports: string
  readonly maxVls?: number
  readonly highLimit?: number
  readonly high?: readonly TableEntry[]
  readonly low?: readonly TableEntry[]
  /** [SL] -> VL */
  readonly sl2vl?: readonly number[]
}

const kinds = ["", "ca_", "swe_", "sw0_", "rtr_"]
const words = ["max_vls", "high_limit", "vlarb_high", "vlarb_low", "sl2vl"] as const
const keys = kinds.flatMap((kind) => words.map((word) => `qos_${kind}${word}`))
const SLS = 16

/** Options that enable QoS as a whole (`qos yes`). */
const others = new Set(["qos", "qos_policy_file"])

/** Returns true if a text is meant to be such a file. */
export function looksLikeOpenSm(text: string): boolean {
  return /^\s*qos\w*[ \t]+[^\s:]/m.test(text)
}

/** Returns one record for each kind of port in the file. */
export function readOpenSm(text: string): Checked<OpenSm[]> {
  const bad: Complaint[] = []
  const found = new Map<string, Record<string, unknown>>()
  for (const [i, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.replace(/#.*/, "").trim()
    if (line === "") continue
    const at = `line ${i + 1}`
    const [, key, value] = /^(\S+)\s+(.*\S)$/.exec(line) ?? []
    if (key === undefined || value === undefined) {
      bad.push(complain(at, `"${clip(line)}" is not an option with a value`, `write for example qos_high_limit 255`))
      continue
    }
    const known = keys.includes(key)
    if (!known) {
      const near = nearest(key, keys)
      if (!others.has(key) && (key.startsWith("qos_") || near !== undefined))
        bad.push(
          complain(
            at,
            `"${clip(key)}" is not an option`,
            near === undefined ? `known are ${words.map((w) => `qos_${w}`).join(", ")}` : `did you mean ${near}?`,
          ),
        )
      continue
    }
    const [, ports = "", word = ""] = /^qos_(ca_|swe_|sw0_|rtr_)?(.*)$/.exec(key) ?? []
    const got = readValue(word as (typeof words)[number], value, `${at}, ${key}`)
    if ("bad" in got) bad.push(...got.bad)
    else found.set(ports, { ...found.get(ports), ...got.ok })
  }
  if (bad.length === 0 && found.size === 0)
    bad.push(
      complain("file", "The file has no option about quality of service.", "write for example qos_vlarb_high 0:4,1:8"),
    )
  return bad.length > 0 ? { bad } : { ok: [...found].map(([ports, of]) => ({ ports: ports.replace("_", ""), ...of })) }
}

/** Parses the value of one option. */
function readValue(word: (typeof words)[number], value: string, path: string): Checked<Partial<OpenSm>> {
  if (word === "vlarb_high" || word === "vlarb_low") {
    const got = tableField({ about: "", most: MOST_VL, default: "" }).parse(value, path, plainScale)
    return "bad" in got ? got : { ok: word === "vlarb_high" ? { high: got.ok } : { low: got.ok } }
  }
  if (word === "sl2vl") return readSl2Vl(value, path)
  const most = word === "max_vls" ? MOST_VL + 1 : 255
  const number = /^\d+$/.test(value) ? Number(value) : undefined
  if (number === undefined)
    return { bad: [complain(path, `"${clip(value)}" is not a whole number`, `write a number from 0 to ${most}`)] }
  if (number > most) return { bad: [complain(path, `${value} is too large`, `write ${most}`)] }
  return { ok: word === "max_vls" ? { maxVls: number } : { highLimit: number } }
}

/** VL15 carries management packets; a service level that is mapped to it is dropped. */
const DROP = 15

/** Parses the list of 16 VLs. */
function readSl2Vl(value: string, path: string): Checked<Partial<OpenSm>> {
  const vls = value.split(",").map((v) => v.trim())
  const bad: Complaint[] = vls.flatMap((v, sl) => {
    if (!/^\d+$/.test(v))
      return [complain(path, `"${clip(v)}" is not the VL of SL ${sl}`, `write a VL from 0 to ${MOST_VL}`)]
    return Number(v) > DROP
      ? [complain(path, `there is no VL ${v}: SL ${sl} would have no VL`, `write ${MOST_VL} at most, or 15 to drop it`)]
      : []
  })
  if (vls.length > SLS)
    bad.push(complain(path, `has ${vls.length} VLs, and there are ${SLS} SLs`, `keep the first ${SLS}`))
  if (vls.length < SLS)
    bad.push(
      complain(
        path,
        `SL ${vls.length} has no VL`,
        `write ${SLS} VLs: ${[...vls, ...new Array<string>(SLS - vls.length).fill("0")].join(",")}`,
      ),
    )
  return bad.length > 0 ? { bad } : { ok: { sl2vl: vls.map(Number) } }
}

/** Returns the lines of the options file. */
export function writeOpenSm(o: OpenSm): string {
  const prefix = `qos_${o.ports === "" ? "" : `${o.ports}_`}`
  return [
    ...(o.maxVls === undefined ? [] : [`${prefix}max_vls ${o.maxVls}`]),
    ...(o.highLimit === undefined ? [] : [`${prefix}high_limit ${o.highLimit}`]),
    ...(o.high === undefined ? [] : [`${prefix}vlarb_high ${tableText(o.high)}`]),
    ...(o.low === undefined ? [] : [`${prefix}vlarb_low ${tableText(o.low)}`]),
    ...(o.sl2vl === undefined ? [] : [`${prefix}sl2vl ${o.sl2vl.join(",")}`]),
  ].join("\n")
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
