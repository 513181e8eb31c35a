// lacewing validate [suite]: our numbers beside closed forms and peers, row by row.
import type { Command } from "commander"
import type { Row, Validation } from "../peers/validate/rows.ts"
import { Exit, exit, type Io } from "./command.ts"
import { pattern, workerCount } from "./options.ts"

type Options = { json?: boolean; full?: boolean; match?: RegExp; workers?: number; quiet?: boolean }
type Suite = (o: {
  full: boolean
  match?: RegExp
  workers?: number
  onRow?(row: Row, done: number, of: number): void
}) => Promise<Validation>

const suites: Readonly<Record<string, () => Promise<Suite>>> = {
  booksim2: async () => (await import("../peers/validate/booksim2.ts")).validateBookSim2,
  codes: async () => (await import("../peers/validate/codes.ts")).validateCodes,
  loggops: async () => (await import("../peers/validate/loggops.ts")).validateLogGOPS,
  twins: async () => (await import("../peers/validate/twins.ts")).validateTwins,
}

export default function (command: Command, io: Io): void {
  command
    .argument("[suite]", `one of ${Object.keys(suites).join(", ")}`, "booksim2")
    .option("--full", "every entry of the reference (default: a spread of about a minute)")
    .option("--match <pattern>", "only entries whose id matches", pattern)
    .option("--workers <n>", "runs at the same time", workerCount)
    .option("--json", "print one JSON object")
    .option("--quiet", "print only rows that fail, and the count")
    .action(async (name: string, o: Options) => {
      const load = Object.hasOwn(suites, name) ? suites[name] : undefined
      if (load === undefined) {
        throw new Exit(exit.wrongInput, `there is no suite "${name}"\n  fix: choose one of ${Object.keys(suites).join(", ")}`)
      }
      const suite = await load()
      const show = (r: Row) => {
        if (o.json === true || (o.quiet === true && r.pass !== false)) return
        const mark =
          r.pass === true ? io.paint.green("pass     ") : r.pass === false ? io.paint.red("fail     ") : io.paint.yellow("unchecked")
        io.out(`${mark} ${r.id}  ${r.claim}: ${short(r.value)} beside ${short(r.reference)}${r.note !== undefined ? `  (${r.note})` : ""}`)
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
        io.out(`${name}: ${count(true)} rows pass, ${count(false)} fail, ${count("unchecked")} unchecked`)
      }
      if (!result.pass) throw new Exit(exit.failed)
    })
}

function short(x: number | string): string {
  return typeof x === "number" ? String(Number(x.toPrecision(5))) : x
}
