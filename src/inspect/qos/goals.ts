// The requirements on a link for each service level: a share of its bandwidth, the largest distance between two entries
// of the table (a bound on latency), and the largest message. They are read from YAML with complaints about all errors.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { json } from "../../core/json-schema.ts"
import type { Field } from "../../core/schema.ts"
import {
  bytes,
  choice,
  fraction,
  int,
  join,
  mapOf,
  maybe,
  nested,
  rate,
  schema,
  text,
  time,
} from "../../core/schema.ts"
import { MOST_ENTRIES, MOST_VL, WEIGHT_BYTES } from "../../model/arbitration.ts"

export interface Level {
  readonly name: string
  readonly sl: number
  readonly vl: number
  /** share of the link */
  readonly share: number
  /** decimal digits of the written share; undefined for "rest" */
  readonly digits: number | undefined
  /** maximum distance from one of its entries to the next; with a wait, until distances.ts finds it: the whole table */
  readonly distance: number
  /** longest wait for other levels at a link, in nanoseconds; undefined: the distance is given */
  readonly waitNs?: number | undefined
  /** credits (64 bytes) of the largest message */
  readonly mtu: number
}

export interface Goals {
  readonly title: string
  readonly entries: number
  /** credits of the general MTU */
  readonly gmtu: number
  /** bytes per second; undefined: waits are given in bytes only */
  readonly link: number | undefined
  readonly levels: readonly Level[]
}

const MOST_SL = 15
/** in a nanosecond */
const PICOSECONDS = 1000

/** A fraction with its written digits, or an equal part of the remainder. */
type Share = { readonly part: number; readonly digits: number } | "rest"

const share: Field<Share> = (() => {
  const part = fraction({ about: "Share of the link: 0.3, 30%, or rest for an equal part of the remainder" })
  return {
    info: { ...part.info, type: 'fraction | "rest"' },
    json: json.union([part.json, json.literal("rest")]),
    parse(raw, path, scale) {
      if (raw === "rest") return { ok: raw }
      const got = part.parse(raw, path, scale)
      return "bad" in got ? got : { ok: { part: got.ok, digits: digitsOf(raw) } }
    },
  }
})()

const level = schema({
  share,
  distance: maybe(
    int({
      about: "Maximum distance between two entries of this level, a power of two",
      min: 1,
      max: MOST_ENTRIES,
    }),
  ),
  wait: maybe(
    time({ about: "Instead of a distance: longest wait of its head packet for other levels at a link, e.g. 2us" }),
  ),
  mtu: bytes({ about: "Maximum message size", min: 1 }),
  sl: maybe(int({ about: "Service level (default: the position in the list)", min: 0, max: MOST_SL })),
  vl: maybe(int({ about: "Virtual lane (default: the same as sl)", min: 0 })),
})

const file = schema({
  title: text({ about: "Title of these requirements", default: "" }),
  entries: choice(["16", "32", "64"], { about: "Number of entries of the table", default: "64" }),
  gmtu: maybe(bytes({ about: "General MTU (default: the largest of all levels)", min: WEIGHT_BYTES })),
  link: maybe(rate({ about: "Bandwidth of the link, for waiting times in seconds" })),
  levels: mapOf(nested(level), { about: "Service levels by name, the most urgent first", default: {} }),
})

/** Checks the requirements and fills in defaults. SLs follow the order of the levels, VLs equal SLs. */
export function readGoals(raw: unknown): Checked<Goals> {
  const given = raw as { entries?: unknown } | null
  const got = file.parse(typeof given?.entries === "number" ? { ...given, entries: String(given.entries) } : raw, "")
  if ("bad" in got) return got
  const p = got.ok
  const names = Object.keys(p.levels)
  if (names.length === 0)
    return {
      bad: [complain("levels", "there is none", "write levels: { NC: { share: 0.1, distance: 2, mtu: 192B } }")],
    }
  const entries = Number(p.entries)
  const fixed = names.reduce((sum, n) => sum + partOf(p.levels[n].share), 0)
  const free = names.filter((n) => p.levels[n].share === "rest").length
  const made = names.map((name, i): Level => {
    const l = p.levels[name]
    const sl = l.sl ?? i
    return {
      name,
      sl,
      vl: l.vl ?? sl,
      share: l.share === "rest" ? (1 - fixed) / free : l.share.part,
      digits: l.share === "rest" ? undefined : l.share.digits,
      distance: l.distance ?? entries,
      waitNs: l.wait === undefined ? undefined : l.wait / PICOSECONDS,
      mtu: Math.ceil(l.mtu / WEIGHT_BYTES),
    }
  })
  const gmtu = p.gmtu === undefined ? Math.max(...made.map((l) => l.mtu)) : Math.ceil(p.gmtu / WEIGHT_BYTES)
  const bad = [
    ...names.flatMap((name) => wrongLatency(name, p.levels[name], p.link)),
    ...made.flatMap((l) => wrongLevel(l, entries, gmtu)),
    ...wrongTogether(made, entries),
  ]
  return bad.length > 0
    ? { bad }
    : { ok: { title: p.title, entries, gmtu, link: p.link === undefined ? undefined : p.link / 8, levels: made } }
}

function partOf(share: Share): number {
  return share === "rest" ? 0 : share.part
}

/** Returns the decimal digits of the fraction: 0.094 has 3, 9.4% has 3. */
function digitsOf(written: unknown): number {
  const m = /\.(\d+)/.exec(String(written))
  return (m?.[1]?.length ?? 0) + (String(written).includes("%") ? 2 : 0)
}

/** Returns complaints about the distance or the wait of a level: it has one of them, and a wait needs a link. */
function wrongLatency(
  name: string,
  { distance, wait }: { distance?: number | undefined; wait?: number | undefined },
  link: number | undefined,
): Complaint[] {
  const at = join("levels", name)
  if ((distance === undefined) === (wait === undefined))
    return [complain(at, "needs a distance or a wait, and not both", "write for example distance: 4")]
  if (wait !== undefined && link === undefined)
    return [complain(join(at, "wait"), "needs the bandwidth of the link", "write link: 12.5GB/s above the levels")]
  return []
}

/** Returns complaints about one level. Distances must be powers of two, because table-layout.ts relies on it. */
function wrongLevel(l: Level, entries: number, gmtu: number): Complaint[] {
  const at = (key: string) => join(join("levels", l.name), key)
  const bad: Complaint[] = []
  if (l.share <= 0)
    bad.push(complain(at("share"), `${shown(l.share)} leaves no bandwidth for this level`, "set a share above 0"))
  const lower = 2 ** Math.floor(Math.log2(l.distance))
  if (lower !== l.distance)
    bad.push(
      complain(
        at("distance"),
        `${l.distance} is not a power of two, so its entries cannot be spaced evenly`,
        `write ${lower} or ${2 * lower}`,
      ),
    )
  if (l.distance > entries)
    bad.push(complain(at("distance"), `${l.distance} is longer than the table`, `write ${entries} at most`))
  if (l.vl === 15)
    bad.push(
      complain(at("vl"), "VL15 is reserved for management and carries no data", `choose a VL from 0 to ${MOST_VL}`),
    )
  else if (l.vl > MOST_VL)
    bad.push(
      complain(at("vl"), `there is no VL ${l.vl}: ${l.name} would have no VL`, `choose a VL from 0 to ${MOST_VL}`),
    )
  if (l.mtu > gmtu)
    bad.push(
      complain(
        at("mtu"),
        `${l.mtu * WEIGHT_BYTES} bytes are more than the general MTU`,
        `write ${gmtu * WEIGHT_BYTES}B at most, or a larger gmtu`,
      ),
    )
  return bad
}

/** Returns complaints about all levels together: duplicate SLs or VLs, shares above 1, too many entries. */
export function wrongTogether(all: readonly Level[], entries: number): Complaint[] {
  const bad: Complaint[] = []
  for (const key of ["sl", "vl"] as const)
    for (const [i, l] of all.entries()) {
      const other = all.slice(0, i).find((o) => o[key] === l[key])
      if (other === undefined) continue
      const free = Array.from({ length: MOST_VL + 1 }, (_, n) => n).find((n) => !all.some((o) => o[key] === n))
      bad.push(
        complain(
          join(join("levels", l.name), key),
          `${key.toUpperCase()} ${l[key]} is also used by ${other.name}, so their shares would not be separate`,
          free === undefined ? "use fewer levels" : `write ${key}: ${free}`,
        ),
      )
    }
  const sum = all.reduce((s, l) => s + l.share, 0)
  if (sum > 1 + 1e-9)
    bad.push(
      complain(
        "levels",
        `the shares add up to ${shown(sum)}, above 1`,
        `subtract ${shown(sum - 1)}, or divide each by ${shown(sum)}`,
      ),
    )
  const wanted = all.reduce((s, l) => s + entries / l.distance, 0)
  if (wanted > entries) {
    const densest = all.reduce((a, b) => (b.distance < a.distance ? b : a))
    bad.push(
      complain(
        "levels",
        `the distances require ${wanted} entries, but the table has ${entries}`,
        `make distances longer: ${densest.name} with ${2 * densest.distance} would ` +
          `need ${entries / densest.distance / 2} entries fewer`,
      ),
    )
  }
  return bad
}

function shown(value: number): string {
  return String(Number(value.toFixed(6)))
}
