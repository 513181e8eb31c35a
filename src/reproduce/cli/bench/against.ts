// lacewing bench SUITE --against BUILD: compares the speed of this build with another build, in alternating pairs on
// this machine.

import { Exit, exit, type Io } from "../../../cli/command.ts"
import { refusePlain } from "../../../cli/plain.ts"
import { openBuild } from "../../peers/bench/builds.ts"
import { against, fewestPairs } from "../../peers/bench/ratio.ts"

export interface AgainstOptions {
  readonly against: string
  readonly pairs: number
  readonly least: number
  readonly match?: RegExp
  readonly json?: boolean
}

export async function benchAgainstCommand(suite: string, o: AgainstOptions, io: Io): Promise<void> {
  const { subjects } = await import("../../peers/bench/subjects.ts")
  const { benchAgainst } = await import("../../peers/bench/against.ts")
  const suites = Object.keys(subjects)
  if (!suites.includes(suite))
    throw new Exit(
      exit.wrongInput,
      `The suite "${suite}" cannot be compared with another build.\n  fix: choose one of ${suites.join(", ")}`,
    )
  const chosen = subjects[suite]().filter((s) => (o.match ?? /(?:)/).test(s.name))
  if (chosen.length === 0)
    throw new Exit(exit.wrongInput, `No configuration of ${suite} matches ${o.match?.source}.\n  fix: remove --match`)
  if (!(o.pairs >= fewestPairs))
    throw new Exit(
      exit.wrongInput,
      `--pairs: a confidence interval needs at least ${fewestPairs} pairs.\n  fix: write --pairs 20`,
    )
  const opened = openBuild(o.against)
  if ("bad" in opened) refusePlain(opened.bad, io, o.json === true)
  const other = opened.ok
  const leave = () => other.close()
  process.once("exit", leave)
  const ended = (code: number) => () => process.exit(code)
  const [interrupted, terminated] = [ended(exit.interrupted), ended(exit.interrupted)]
  process.once("SIGINT", interrupted)
  process.once("SIGTERM", terminated)
  const rows = []
  try {
    if (o.json !== true)
      io.out(`Speed of this build relative to ${other.name}: ${o.pairs} alternating pairs, 95 % confidence intervals`)
    for (const subject of chosen) {
      const row = await benchAgainst(subject, other, o.pairs).catch((e: unknown) => {
        throw new Exit(
          exit.wrongInput,
          `${subject.name}: one of the two builds cannot run this configuration.\n${e instanceof Error ? e.message : String(e)}`,
        )
      })
      const verdict = against(o.least, row)
      rows.push({ ...row, verdict })
      if (o.json === true) continue
      const paint = { above: io.paint.green, below: io.paint.red, "not decided": io.paint.yellow }[verdict]
      const said =
        verdict === "not decided" ? `not decided whether above ${o.least}; use more --pairs` : `${verdict} ${o.least}`
      const work =
        row.work === row.otherWork ? "" : `; the amount of work differs: ${row.work} here, ${row.otherWork} there`
      const seconds = `${row.cpuSeconds.toFixed(2)} s here, ${row.otherSeconds.toFixed(2)} s there`
      io.out(
        `${row.name.padEnd(32)} ${row.ratio.toFixed(3)} (${row.low.toFixed(3)} to ${row.high.toFixed(3)}), ${seconds}: ${paint(said)}${work}`,
      )
    }
  } finally {
    process.off("SIGINT", interrupted)
    process.off("SIGTERM", terminated)
    process.off("exit", leave)
    other.close()
  }
  const above = rows.every((r) => r.verdict === "above")
  if (o.json === true) io.out(JSON.stringify({ suite, against: other.name, least: o.least, rows, above }))
  if (!above) throw new Exit(exit.failed)
}
