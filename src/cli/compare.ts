// lacewing compare A B: matched points, differences with their intervals, better, worse or same. Exit code 1 when anything is worse.
import { type Command, InvalidArgumentError } from "commander"
import { pointText } from "../draw/report/warnings.ts"
import { unitText, valueInfo } from "../model/values.ts"
import { type Comparison, compare, type Difference, usual } from "../results/compare/compare.ts"
import { meetings } from "../results/origin.ts"
import { readResults } from "../results/read.ts"
import { short, table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { refusePlain, sayPlain } from "./plain.ts"

type Options = {
  readonly value: readonly string[]
  readonly without: readonly string[]
  readonly at: Readonly<Record<string, string>>
  readonly confidence: number
  readonly tolerance: number
  readonly all?: boolean
  readonly json?: boolean
}

const list = (text: string): string[] => text.split(",").map((s) => s.trim())

function atValue(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const eq = text.indexOf("=")
  if (eq < 1) throw new InvalidArgumentError("Write key=value, for example load=0.4.")
  return { ...before, [text.slice(0, eq).trim()]: text.slice(eq + 1).trim() }
}

function fractionBetween(text: string): number {
  const n = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text.trim() === "" || !(n >= 0 && n < 1)) throw new InvalidArgumentError("Write a fraction such as 0.95 or a percentage such as 95%.")
  return n
}

export default function (command: Command, io: Io): void {
  command
    .argument("<a>", "results folder: the old, or the reference")
    .argument("<b>", "results folder: the new")
    .option("--value <names>", "values to compare, with commas between", list, [...usual.values])
    .option("--without <keys>", "swept keys that do not tell points apart, with commas between", list, [])
    .option("--at <key=value>", "only the points with this value of a swept key (may be repeated)", atValue, {})
    .option("--confidence <fraction>", "of the intervals", fractionBetween, usual.confidence)
    .option("--tolerance <fraction>", "a smaller relative difference is the same", fractionBetween, usual.tolerance)
    .option("--all", "show the points that are the same, too")
    .option("--json", "print the comparison as JSON")
    .action((a: string, b: string, options: Options) => compareCommand(a, b, options, io))
}

async function compareCommand(a: string, b: string, o: Options, io: Io): Promise<void> {
  const [left, right] = [await readResults(a, { tables: false }), await readResults(b, { tables: false })]
  if ("bad" in left) refusePlain(left.bad, io, o.json === true)
  if ("bad" in right) refusePlain(right.bad, io, o.json === true)
  for (const c of [...left.ok.said, ...right.ok.said]) sayPlain(c, io)
  const met = meetings([
    { name: "A", records: left.ok.records },
    { name: "B", records: right.ok.records },
  ])
  const compared = compare(left.ok.records, right.ok.records, {
    values: o.value,
    confidence: o.confidence,
    tolerance: o.tolerance,
    without: o.without,
    at: o.at,
  })
  if ("bad" in compared) refusePlain(compared.bad, io, o.json === true)
  const worse = compared.ok.rows.some((r) => r.verdict === "worse")
  if (o.json === true) io.out(JSON.stringify({ ...compared.ok, worse, models: met }))
  else {
    show(compared.ok, o, io)
    if (met.length > 0) io.out(io.paint.yellow(`A and B were made by different models: ${met.join("; ")}`))
  }
  if (worse) throw new Exit(exit.failed)
}

/** A value with its unit; a stream's ("victim.latency.p99") has that of the value behind its name. */
function unit(value: string): string {
  const info = valueInfo(value) ?? valueInfo(value.slice(value.indexOf(".") + 1))
  const of = info === undefined ? "" : unitText(info)
  return of === "" ? value : `${value} (${of})`
}

function show(c: Comparison, o: Options, io: Io): void {
  const count = (v: Difference["verdict"]): number => c.rows.filter((r) => r.verdict === v).length
  const rows = o.all === true ? c.rows : c.rows.filter((r) => r.verdict !== "same")
  const colour = { better: io.paint.green, worse: io.paint.red, same: io.paint.dim, unsure: io.paint.yellow }
  if (rows.length > 0) {
    const columns = [
      { head: "point" },
      { head: "value" },
      ...["A", "B", "B - A", `± (${Math.round(o.confidence * 100)} %)`, "relative"].map((head) => ({ head, align: "right" as const })),
      { head: "verdict" },
    ]
    const cells = rows.map((r) => [
      pointText(r.point) || "the only one",
      unit(r.value),
      short(r.a),
      short(r.b),
      short(r.difference, 3),
      short(r.half, 3),
      r.a === null || r.a === 0 || r.difference === null ? "–" : `${(100 * (r.difference / r.a)).toFixed(1)} %`,
      colour[r.verdict](r.verdict) + (r.note === "" ? "" : ` (${r.note})`),
    ])
    io.out(table(columns, cells, io.paint, io.fits))
  }
  io.out(
    `${c.matched} points in both: ${count("better")} values better, ${count("worse")} worse, ${count("same")} the same, ${count("unsure")} unsure`,
  )
  const left = [
    ...(c.onlyA.length > 0 ? [`${c.onlyA.length} only in A`] : []),
    ...(c.onlyB.length > 0 ? [`${c.onlyB.length} only in B`] : []),
  ]
  if (left.length > 0) io.out(`not compared: ${left.join(", ")}`)
  const chance = c.rows.length * (1 - o.confidence)
  if (count("worse") > 0 && chance >= 1)
    io.out(io.paint.dim(`of ${c.rows.length} comparisons about ${Math.round(chance)} leave their interval by chance alone`))
}
