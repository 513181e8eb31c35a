// lacewing validate [suite]: compares results with closed forms and with other simulators, row by row. The suites are
// in src/reproduce/peers.
import { type Command, Option } from "commander"
import { Exit, exit, type Io } from "../../cli/command.ts"
import { describe, listOf } from "../../cli/help.ts"
import { junitOption, pattern, workerCount } from "../../cli/options.ts"
import { counted } from "../../core/wording.ts"
import { type Case, writeJunit } from "../../results/junit.ts"
import type { Row, Validation } from "../peers/validate/rows.ts"

type Options = { json?: boolean; junit?: string; full?: boolean; match?: RegExp; workers?: number; quiet?: boolean }
type Suite = (o: {
  full: boolean
  match?: RegExp
  workers?: number
  onRow?(row: Row, done: number, of: number): void
}) => Promise<Validation>

const suites: Readonly<Record<string, () => Promise<Suite>>> = {
  booksim2: async () => (await import("../peers/validate/booksim2.ts")).validateBookSim2,
  "booksim-srp": async () => (await import("../peers/validate/booksim-srp.ts")).validateBookSimSrp,
  codes: async () => (await import("../peers/validate/codes.ts")).validateCodes,
  htsim: async () => (await import("../peers/validate/htsim.ts")).validateHtsim,
  loggops: async () => (await import("../peers/validate/loggops.ts")).validateLogGOPS,
  twins: async () => (await import("../peers/validate/twins.ts")).validateTwins,
}

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: [
      "lacewing validate",
      "lacewing validate booksim2 --match ^torus --quiet",
      "lacewing validate codes --full",
    ],
    exits: { 1: "a row failed" },
  })
  command
    .argument("[suite]", `Suite: ${listOf(Object.keys(suites))}`, "booksim2")
    .option("--full", "Check every entry of the reference (default: a sample that takes about a minute)")
    .option("--match <pattern>", "Check only entries whose id matches this regular expression", pattern)
    .addOption(
      new Option("--workers <n>", "Number of parallel runs").argParser(workerCount).default(undefined, "all cores"),
    )
    .option("--json", "Print one JSON object")
    .option(...junitOption)
    .option("--quiet", "Print only rows that fail, and the counts")
    .action(async (name: string, o: Options) => {
      const load = Object.hasOwn(suites, name) ? suites[name] : undefined
      if (load === undefined) {
        throw new Exit(exit.wrongInput, `There is no suite "${name}".\n  fix: choose ${listOf(Object.keys(suites))}`)
      }
      const suite = await load()
      const show = (r: Row) => {
        if (o.json === true || (o.quiet === true && r.pass !== false)) return
        const mark =
          r.pass === true
            ? io.paint.green("pass     ")
            : r.pass === false
              ? io.paint.red("fail     ")
              : io.paint.yellow("unchecked")
        io.out(
          `${mark} ${r.id}  ${r.claim}: ${short(r.value)}, reference ${short(r.reference)}${r.note !== undefined ? `  (${r.note})` : ""}`,
        )
      }
      const result = await suite({
        full: o.full === true,
        onRow: show,
        ...(o.match !== undefined ? { match: o.match } : {}),
        ...(o.workers !== undefined ? { workers: o.workers } : {}),
      })
      for (const r of result.rows.filter((x) => x.id.startsWith("aggregate"))) show(r)
      if (o.json === true) io.out(JSON.stringify(result))
      else {
        const count = (p: Row["pass"]) => result.rows.filter((r) => r.pass === p).length
        io.out(
          `${name}: ${counted(count(true), "row passes", "rows pass")}, ${counted(count(false), "fails", "fail")}, ${count("unchecked")} not checked`,
        )
      }
      if (o.junit !== undefined) writeJunit(o.junit, `validate ${name}`, result.rows.map(caseOf))
      if (!result.pass) throw new Exit(exit.failed)
    })
}

function caseOf({ id, claim, value, reference, pass, note }: Row): Case {
  const said = `${short(value)}, reference ${short(reference)}${note === undefined ? "" : ` (${note})`}`
  const head = { group: id, name: claim }
  if (pass === true) return head
  return pass === false ? { ...head, failed: said } : { ...head, skipped: said }
}

function short(x: number | string): string {
  return typeof x === "number" ? String(Number(x.toPrecision(5))) : x
}
