// lacewing interference FILE: measures the interference between the jobs of an experiment. It runs each job alone, each
// pair, and all jobs together, and prints the slowdowns.
import type { Command } from "commander"
import { stopText } from "../../core/wording.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import { loadPlan } from "../../experiment/load.ts"
import { deadlockComplaints } from "../../inspect/quick-proof.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import { type Interference, interferenceOf } from "../../sweep/interference.ts"
import { short, table } from "../../terminal/table.ts"
import type { Io } from "../command.ts"
import { describe } from "../help.ts"
import { anyway, experimentArgument, noCode, refuse, setOption, settingsOf } from "../options.ts"
import { refusePlain } from "../plain.ts"

interface Options {
  readonly set?: readonly string[]
  readonly anyway?: boolean
  readonly json?: boolean
  readonly code: boolean
}

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      "Runs each job alone, each pair of jobs, and all jobs together. The experiment needs at least two jobs and measure: { until: jobs }. If it is a sweep, its first run is used.",
    examples: [
      "lacewing interference interference",
      "lacewing interference my.yaml --set network.routing=any.shortest",
    ],
  })
  command
    .argument("<experiment>", experimentArgument)
    .option(...setOption)
    .option(...anyway)
    .option("--json", "Print one JSON object")
    .option(...noCode)
    .action(async (file: string, o: Options) => {
      const loaded = await loadPlan(file, { ...settingsOf(o), code: o.code })
      if ("bad" in loaded) return refuse(loaded.bad, io, o.json === true)
      const { runs, folder } = loaded.ok
      const { spec } = runs[0]
      const deadlocks = o.anyway === true ? [] : deadlockComplaints(runs.slice(0, 1), folder)
      if (deadlocks.length > 0) return refuse(deadlocks, io, o.json === true)
      const machine = { prepare, simulate: (p: Parameters<typeof simulate>[0]) => simulate(p, { threads: false }) }
      const got = await interferenceOf(spec, hostAt(folder, spec.plugins), machine, (what) =>
        io.err(io.paint.dim(what)),
      )
      if ("bad" in got) return refusePlain(got.bad, io, o.json === true)
      io.out(o.json === true ? JSON.stringify(got.ok) : words(got.ok))
    })
}

const text = (head: string) => ({ head })
const number = (head: string) => ({ head, align: "right" as const })

/** Returns a time in ms with four digits. */
function milliseconds(cycles: number, cycle: number): string {
  return short((cycles * cycle) / 1e9, 4)
}

function words({ cycle, jobs, matrix, shared, why, explains }: Interference): string {
  const names = jobs.map((j) => j.name)
  const times = table(
    [text("job"), ...["ranks", "alone (ms)", "together (ms)", "slowdown"].map(number)],
    jobs.map((j) => [
      j.name,
      String(j.ranks),
      milliseconds(j.alone, cycle),
      milliseconds(j.together, cycle),
      short(j.slowdown),
    ]),
  )
  const beside = table(
    [text("slowdown of the row's job next to the column's job"), ...names.map(number)],
    matrix.map((row, i) => [names[i], ...row.map((x, j) => (i === j ? "" : short(x)))]),
  )
  const channels =
    shared.length === 0
      ? "No channel is used by more than one job."
      : table(
          [...["shared channel", "to", "class"].map(text), ...names.map((n) => number(`${n} (flits)`))],
          shared.map((c) => [c.at, c.to, c.class, ...c.flits.map((f) => f.toLocaleString("en"))]),
        )
  return [times, beside, channels, `All jobs together: ${stopText(why)}: ${explains}`].join("\n\n")
}
