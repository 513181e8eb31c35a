// lacewing compare A B: matches the points of two results folders and prints each difference with its confidence
// interval: better, worse, same or unsure. The exit code is 1 if a value is worse.
import { type Command, InvalidArgumentError, Option } from "commander"
import { counted } from "../core/wording.ts"
import { pointText } from "../draw/report/warnings.ts"
import { valueInfo } from "../experiment/values/list.ts"
import { unitText } from "../model/values.ts"
import { type Comparison, compare, type Difference, usual } from "../results/compare/compare.ts"
import { buildsAndRevisions } from "../results/origin.ts"
import { readResults } from "../results/read.ts"
import { slowdownsIn, withSlowdowns } from "../results/references.ts"
import { short, table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
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

/** Parses key=value of --at and adds it to the earlier ones. */
function atValue(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const eq = text.indexOf("=")
  if (eq < 1) throw new InvalidArgumentError("Write key=value, for example load=0.4.")
  return { ...before, [text.slice(0, eq).trim()]: text.slice(eq + 1).trim() }
}

function fractionBetween(text: string): number {
  const n = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text.trim() === "" || !(n >= 0 && n < 1))
    throw new InvalidArgumentError("Write a fraction such as 0.95 or a percentage such as 95%.")
  return n
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes: "Points with the same swept keys are matched. A difference counts if it exceeds its confidence interval.",
    examples: [
      "lacewing compare results/a results/b",
      "lacewing compare results/a results/b --value latency.p99 --at load=0.4",
    ],
    exits: { 1: "a value is worse in B" },
  })
  command
    .argument("<a>", "Results folder A, the reference")
    .argument("<b>", "Results folder B, which is compared with A")
    .optionsGroup("What to compare")
    .addOption(
      new Option("--value <names>", "Values to compare, separated by commas")
        .argParser(list)
        .default(usual.values, usual.values.join(",")),
    )
    .option("--without <keys>", "Swept keys to ignore when points are matched, separated by commas", list, [])
    .option("--at <key=value>", "Compare only points with this value of a swept key. Repeatable", atValue, {})
    .optionsGroup("Statistics")
    .option("--confidence <fraction>", "Confidence level of the intervals", fractionBetween, usual.confidence)
    .option(
      "--tolerance <fraction>",
      "Relative difference up to which values are the same",
      fractionBetween,
      usual.tolerance,
    )
    .optionsGroup("Output")
    .option("--all", "Also show values that are the same")
    .option("--json", "Print the comparison as JSON")
    .action((a: string, b: string, options: Options) => compareCommand(a, b, options, io))
}

async function compareCommand(a: string, b: string, o: Options, io: Io): Promise<void> {
  const [left, right] = [await readResults(a, { tables: false }), await readResults(b, { tables: false })]
  if ("bad" in left) refusePlain(left.bad, io, o.json === true)
  if ("bad" in right) refusePlain(right.bad, io, o.json === true)
  for (const c of [...left.ok.said, ...right.ok.said]) sayPlain(c, io)
  const met = buildsAndRevisions([
    { name: "A", records: left.ok.records },
    { name: "B", records: right.ok.records },
  ])
  const [first, second] = [withSlowdowns(left.ok.records), withSlowdowns(right.ok.records)]
  const compared = compare(first, second, {
    values: o.value === usual.values ? [...o.value, ...slowdownsIn(first, second)] : o.value,
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
    if (met.length > 0)
      io.out(io.paint.yellow(`A and B were simulated with different versions of the model: ${met.join("; ")}`))
  }
  if (worse) throw new Exit(exit.failed)
}

/**
 * Returns a value name with its unit. The value of a stream ("victim.latency.p99") has the unit of the part after the
 * first dot.
 */
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
      ...["A", "B", "B - A", `± (${Math.round(o.confidence * 100)} %)`, "relative"].map((head) => ({
        head,
        align: "right" as const,
      })),
      { head: "verdict" },
    ]
    const cells = rows.map((r) => [
      pointText(r.point) || "(the only point)",
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
    `${counted(c.matched, "point")} in both: ${counted(count("better"), "value")} better, ${count("worse")} worse, ${count("same")} the same, ${count("unsure")} not decided`,
  )
  const left = [
    ...(c.onlyA.length > 0 ? [`${counted(c.onlyA.length, "point")} only in A`] : []),
    ...(c.onlyB.length > 0 ? [`${counted(c.onlyB.length, "point")} only in B`] : []),
  ]
  if (left.length > 0) io.out(`Not compared: ${left.join(", ")}`)
  const expected = c.rows.length * (1 - o.confidence)
  if (count("worse") > 0 && expected >= 1)
    io.out(
      io.paint.dim(
        `Of ${c.rows.length} comparisons, about ${Math.round(expected)} exceed their interval by random variation.`,
      ),
    )
}
