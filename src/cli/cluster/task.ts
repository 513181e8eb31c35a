// lacewing task JOB INDEX: executes one task of a submitted sweep on a compute node. The batch script calls it. The
// task stores each finished run in its own folder, which the follower collects.
import process from "node:process"
import { type Command, InvalidArgumentError } from "commander"
import { Job } from "../../cluster/job.ts"
import { type Given, indexFrom, runTask } from "../../cluster/task.ts"
import { moduleFrom } from "../../experiment/gate.ts"
import { cores } from "../../run/cores.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe } from "../help.ts"
import { positive, simulatorOption, wholeNumber } from "../options.ts"
import { refusePlain, sayPlain } from "../plain.ts"

interface Options {
  readonly after: number
  readonly code?: ReadonlySet<string>
  readonly simulator?: string
}

function hashes(text: string): ReadonlySet<string> {
  const all = text.split(",")
  if (!all.every((h) => /^[0-9a-f]{64}$/.test(h)))
    throw new InvalidArgumentError("Write the SHA-256 of modules, separated by commas.")
  return new Set(all)
}

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: ["lacewing task results/first-curve/jobs/JOB 1"],
    exits: { 1: "failed", 130: "stopped before its time limit; the rest is left to another task" },
  })
  command
    .argument("<job>", "Folder of the sweep: RESULTS/jobs/SWEEP")
    .argument("[index]", "Number of the task (default: from the environment of the array job)", positive)
    .option("--after <n>", "Number of tasks before the array", wholeNumber, 0)
    .option(
      "--code <hashes>",
      "Execute plug-ins with these SHA-256 hashes, separated by commas. Rejects others",
      hashes,
    )
    .addOption(simulatorOption())
    .action(async (folder: string, index: number | undefined, o: Options) => {
      const found = index === undefined ? indexFrom(process.env) : { ok: index }
      if ("bad" in found) refusePlain(found.bad, io, false)
      const ended = await stoppable((signal) =>
        runTask(new Job(folder), o.after + found.ok, {
          ...givenBy(process.env),
          ...(o.code === undefined ? {} : { code: o.code }),
          ...(o.simulator === undefined ? {} : { simulator: moduleFrom("command line", o.simulator).ok }),
          signal,
          note: (text) => io.err(text),
        }),
      )
      for (const c of ended.says) sayPlain(c, io)
      io.err(`task ${o.after + found.ok}: ${ended.why} after ${ended.seconds.toFixed(1)} s`)
      const codes = { done: exit.done, left: exit.interrupted, refused: exit.wrongInput, trouble: exit.failed }
      if (ended.why !== "done") throw new Exit(codes[ended.why])
    })
}

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const

/**
 * Calls `act` with a signal that is aborted by SIGTERM and similar. A scheduler sends its signal more than once; later
 * signals do not interrupt the final writes.
 */
async function stoppable<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const told = () => stop.abort()
  for (const s of signals) process.on(s, told)
  try {
    return await act(stop.signal)
  } finally {
    for (const s of signals) process.off(s, told)
  }
}

/** Returns the cores and the memory that the scheduler has allocated, because Node sees those of the whole machine. */
export function givenBy(env: Readonly<Record<string, string | undefined>>): Pick<Given, "cpus" | "megabytes"> {
  const number = (...names: readonly string[]) =>
    names.map((n) => Number(env[n])).find((n) => Number.isInteger(n) && n > 0)
  const cpus =
    number("LACEWING_CPUS", "SLURM_CPUS_PER_TASK", "PBS_NCPUS", "NCPUS", "LSB_DJOB_NUMPROC", "NSLOTS") ?? cores
  const perCpu = number("SLURM_MEM_PER_CPU")
  const megabytes =
    number("LACEWING_MEMORY_MB", "SLURM_MEM_PER_NODE") ?? (perCpu === undefined ? undefined : perCpu * cpus)
  return { cpus, ...(megabytes === undefined ? {} : { megabytes }) }
}
