// lacewing interference FILE: what the jobs of an experiment do to each other.
import type { Command } from "commander"
import { hostAt } from "../../experiment/disk/host.ts"
import { loadPlan } from "../../experiment/load.ts"
import { deadlockComplaints } from "../../inspect/quick-proof.ts"
import { type Interference, interferenceOf } from "../../run/interference.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import { short, table } from "../../terminal/table.ts"
import type { Io } from "../command.ts"
import { anyway, collect, noCode, refuse, settingsOf } from "../options.ts"
import { refusePlain } from "../plain.ts"

interface Options {
  readonly set?: readonly string[]
  readonly anyway?: boolean
  readonly json?: boolean
  readonly code: boolean
}

export default function (command: Command, io: Io): void {
  command
    .argument("<file>", "experiment with two jobs or more and measure: { until: jobs }; its first run is taken")
    .option("--set <key=value>", "set a key (may be repeated)", collect)
    .option(...anyway)
    .option("--json", "print one JSON object")
    .option(...noCode)
    .action(async (file: string, o: Options) => {
      const loaded = await loadPlan(file, { ...settingsOf(o), code: o.code })
      if ("bad" in loaded) return refuse(loaded.bad, io, o.json === true)
      const { runs, folder } = loaded.ok
      const { spec } = runs[0]!
      const deadlocks = o.anyway === true ? [] : deadlockComplaints(runs.slice(0, 1), folder)
      if (deadlocks.length > 0) return refuse(deadlocks, io, o.json === true)
      const machine = { prepare, simulate: (p: Parameters<typeof simulate>[0]) => simulate(p, { threads: false }) }
      const got = await interferenceOf(spec, hostAt(folder, spec.plugins), machine, (what) => io.err(io.paint.dim(what)))
      if ("bad" in got) return refusePlain(got.bad, io, o.json === true)
      io.out(o.json === true ? JSON.stringify(got.ok) : words(got.ok))
    })
}

const text = (head: string) => ({ head })
const number = (head: string) => ({ head, align: "right" as const })

function words({ jobs, matrix, shared, why, explains }: Interference): string {
  const names = jobs.map((j) => j.name)
  const times = table(
    [text("job"), ...["ranks", "alone, cycles", "together, cycles", "slowdown"].map(number)],
    jobs.map((j) => [j.name, String(j.ranks), short(j.alone, 6), short(j.together, 6), short(j.slowdown)]),
  )
  const beside = table(
    [text("slowdown of the row's job next to the column's"), ...names.map(number)],
    matrix.map((row, i) => [names[i]!, ...row.map((x, j) => (i === j ? "" : short(x)))]),
  )
  const channels =
    shared.length === 0
      ? "no channel is used by two jobs"
      : table(
          [...["shared channel", "to", "class"].map(text), ...names.map((n) => number(`${n}, flits`))],
          shared.map((c) => [c.at, c.to, c.class, ...c.flits.map((f) => f.toLocaleString("en"))]),
        )
  return [times, beside, channels, `all together: ${why}: ${explains}`].join("\n\n")
}
