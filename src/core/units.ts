// Values carry units; inside, each quantity has one unit: durations in link cycles (or picoseconds), sizes in flits (or
// bytes), rates in bits per second.

/** How a network's own units relate to the world's; only needed when a file mixes `ns` with cycles or `KiB` with flits.
 *  */
export interface Scale {
  /** picoseconds in one link cycle */
  readonly cycle: number
  /** bytes in one flit */
  readonly flit: number
}

export const plainScale: Scale = { cycle: 1000, flit: 8 }

const time: Record<string, number> = { ps: 1, ns: 1e3, us: 1e6, µs: 1e6, ms: 1e9, s: 1e12 }
const size: Record<string, number> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
}
const bits: Record<string, number> = { bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9, Tbps: 1e12 }
const multiple: Record<string, number> = { "": 1, k: 1e3, M: 1e6, G: 1e9 }

export type Dimension = "cycles" | "flits" | "time" | "bytes" | "rate" | "packets" | "length"

/** Units that a value of this dimension may be written in, for help and complaints. */
export const writtenIn: Record<Dimension, string> = {
  cycles: "cycles, kcycles, Mcycles, ps, ns, us, ms or s",
  flits: "flits, kflits, B, kB or KiB",
  time: "ps, ns, us, ms or s",
  bytes: "B, kB, KiB, MB, MiB, GB or GiB",
  rate: "bps, kbps, Mbps, Gbps, Tbps, MB/s, GB/s, MiB/s or GiB/s",
  packets: "packets or kpackets",
  length: "m or cm",
}

/** The unit of a value after reading. */
export const inner: Record<Dimension, string> = {
  cycles: "cycles",
  flits: "flits",
  time: "ps",
  bytes: "B",
  rate: "bps",
  packets: "packets",
  length: "m",
}

export const example: Record<Dimension, string> = {
  cycles: "100cycles",
  flits: "64flits",
  time: "90ns",
  bytes: "64KiB",
  rate: "25Gbps",
  packets: "4packets",
  length: "2m",
}

/** A longer text is no number; the patterns below take time in proportion to the square of its length. */
const longest = 200

/** Reads `5cycles`, `64KiB`, `25Gbps`, `90ns`, `3%`; answers a number in the dimension's inner unit, or a sentence that
 *  says what is wrong. */
export function quantity(raw: unknown, as: Dimension, scale: Scale = plainScale): number | string {
  if (raw === 0) return 0
  if (typeof raw === "number") return `${raw} has no unit`
  if (typeof raw !== "string" || raw.length > longest) return `expected a value with a unit, found ${kindOf(raw)}`
  const m = /^\s*([+-]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([^\s\d]*)\s*$/i.exec(raw)
  if (m === null) return `"${raw}" is not a number with a unit`
  const value = Number(m[1].replaceAll("_", ""))
  const unit = m[2]
  if (unit === "") return value === 0 ? 0 : `"${raw}" has no unit`
  const factor = unitFactor(unit, as, scale)
  if (factor === undefined) return `"${unit}" is not a unit of ${nameOf[as]}`
  return value * factor
}

const nameOf: Record<Dimension, string> = {
  cycles: "duration",
  flits: "size",
  time: "time",
  bytes: "size",
  rate: "bandwidth",
  packets: "packet count",
  length: "length",
}

function unitFactor(unit: string, as: Dimension, scale: Scale): number | undefined {
  if (as === "cycles") return counted(unit, "cycle") ?? times(of(time, unit), 1 / scale.cycle)
  if (as === "flits") return counted(unit, "flit") ?? times(of(size, unit), 1 / scale.flit)
  if (as === "packets") return counted(unit, "packet")
  if (as === "time") return of(time, unit) ?? times(counted(unit, "cycle"), scale.cycle)
  if (as === "bytes") return of(size, unit) ?? times(counted(unit, "flit"), scale.flit)
  if (as === "length") return unit === "m" ? 1 : unit === "cm" ? 0.01 : undefined
  return of(bits, unit) ?? times(of(size, /^(.*)\/s$/.exec(unit)?.[1] ?? ""), 8)
}

/** Own entries only: "constructor" is no unit. */
function of(table: Readonly<Record<string, number>>, unit: string): number | undefined {
  return Object.hasOwn(table, unit) ? table[unit] : undefined
}

/** Units of each dimension, for the types and the schema of editors. */
export function unitsOf(as: Dimension): string[] {
  const of = (noun: string) => Object.keys(multiple).flatMap((k) => [`${k}${noun}`, `${k}${noun}s`])
  if (as === "cycles" || as === "time") return [...of("cycle"), ...Object.keys(time)]
  if (as === "flits" || as === "bytes") return [...of("flit"), ...Object.keys(size)]
  if (as === "packets") return of("packet")
  if (as === "length") return ["m", "cm"]
  return [...Object.keys(bits), ...Object.keys(size).map((unit) => `${unit}/s`)]
}

/** The regular expression of a text that `quantity` reads, for editors. */
export function quantityPattern(as: Dimension): string {
  const units = unitsOf(as).join("|")
  return `^\\s*[+-]?(\\d+(_\\d+)*\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*(${units})\\s*$`
}

function counted(unit: string, noun: string): number | undefined {
  const m = new RegExp(`^([kMG]?)${noun}s?$`).exec(unit)
  return m === null ? undefined : multiple[m[1]]
}

function times(a: number | undefined, b: number): number | undefined {
  return a === undefined ? undefined : a * b
}

/** Reads `0.4` or `40%` as a fraction. */
export function fractionOf(raw: unknown): number | string {
  if (typeof raw === "number") return Number.isFinite(raw) ? raw : `${raw} is not a number`
  if (typeof raw !== "string" || raw.length > longest) return `expected a number or a percentage, found ${kindOf(raw)}`
  const m = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)\s*$/i.exec(raw)
  if (m === null) return `"${raw}" is neither a number nor a percentage`
  return Number(m[1]) / (m[2] === "%" ? 100 : 1)
}

export function kindOf(raw: unknown): string {
  if (raw === null || raw === undefined) return "nothing"
  if (typeof raw === "function") return "a function"
  if (Array.isArray(raw)) return "a list"
  if (typeof raw === "object") return "a map"
  if (typeof raw === "string") return `the text "${raw.length > 40 ? `${raw.slice(0, 40)}…` : raw}"`
  return `${typeof raw} ${String(raw)}`
}
