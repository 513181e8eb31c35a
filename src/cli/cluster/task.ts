// lacewing task JOB INDEX: what a batch script calls on a compute node.
import process from "node:process"
import { type Command, InvalidArgumentError, Option } from "commander"
import { moduleFrom } from "../../experiment/gate.ts"
import { Job } from "../../run/cluster/job.ts"
import { type Given, indexFrom, runTask } from "../../run/cluster/task.ts"
import { cores } from "../../run/cores.ts"
import { Exit, exit, type Io } from "../command.ts"
import { positive, wholeNumber } from "../options.ts"
import { refusePlain, sayPlain } from "../plain.ts"

interface Options {
  readonly after: number
  readonly code?: ReadonlySet<string>
  readonly simulator?: string
}

function hashes(text: string): ReadonlySet<string> {
  const all = text.split(",")
  if (!all.every((h) => /^[0-9a-f]{64}$/.test(h))) throw new InvalidArgumentError("Write the SHA-256 of modules, with commas between.")
  return new Set(all)
}

export default function (command: Command, io: Io): void {
  command
    .argument("<job>", "folder of the job: RESULTS/jobs/JOB")
    .argument("[index]", "number of the task; from the environment of an array unless given", positive)
    .option("--after <n>", "the array begins after this task", wholeNumber, 0)
    .option("--code <hashes>", "execute plug-ins with these contents (SHA-256, with commas between); others are refused", hashes)
    .addOption(new Option("--simulator <url>", "another simulator module, for tests").hideHelp())
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

/** A scheduler sends its signal more than once: what is being written down is finished all the same. */
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

/** Node counts the cores of the machine; the scheduler gave some of them. */
export function givenBy(env: Readonly<Record<string, string | undefined>>): Pick<Given, "cpus" | "megabytes"> {
  const number = (...names: readonly string[]) => names.map((n) => Number(env[n])).find((n) => Number.isInteger(n) && n > 0)
  const cpus = number("LACEWING_CPUS", "SLURM_CPUS_PER_TASK", "PBS_NCPUS", "NCPUS", "LSB_DJOB_NUMPROC", "NSLOTS") ?? cores
  const perCpu = number("SLURM_MEM_PER_CPU")
  const megabytes = number("LACEWING_MEMORY_MB", "SLURM_MEM_PER_NODE") ?? (perCpu === undefined ? undefined : perCpu * cpus)
  return { cpus, ...(megabytes === undefined ? {} : { megabytes }) }
}
