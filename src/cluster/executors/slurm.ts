// The executor for Slurm: arrays of tasks are submitted with sbatch, polled with squeue and cancelled with scancel. A
// submission has a unique name, so that it is found again if the response of sbatch was lost.
import { join } from "node:path"
import { type Complaint, complain } from "../../core/complaint.ts"
import { writeAtomic } from "../../results/disk.ts"
import { type Executor, type HandedOver, type Look, type Orders, type Seen, settled } from "../executor.ts"
import type { Job, Piece } from "../job.ts"
import { type Ask, ask, lastLines } from "./command.ts"
import { against, configOf, noAnswer, refusal, secondsLeft } from "./limits.ts"
import { taskCommand } from "./program.ts"

/** Slurm's states of jobs that wait and that run; all others have ended. */
const waiting = new Set([
  "PENDING",
  "CONFIGURING",
  "REQUEUED",
  "REQUEUE_FED",
  "REQUEUE_HOLD",
  "RESV_DEL_HOLD",
  "SPECIAL_EXIT",
])
const running = new Set(["RUNNING", "COMPLETING", "SIGNALING", "STAGE_OUT", "STOPPED", "SUSPENDED", "RESIZING"])

/** Returns the state of a task. Slurm appends details, such as "CANCELLED by 1000". */
export function stateOf(word: string): Seen["state"] {
  const first = word.split(/[ +]/)[0]
  return waiting.has(first) ? "waiting" : running.has(first) ? "running" : "ended"
}

/** Messages of sbatch after which the same command may succeed later. */
const later =
  /temporarily unable|contact slurm controller|Unable to contact|Socket timed out|Connection (refused|timed out)|try again/i

/** Returns the executor. `run`: replaced in tests. */
export function slurm(keys: Orders, run: Ask = ask): Executor {
  const { time, lead, cpus } = settled(keys, "slurm")
  const config = once(async () => configOf(await run("scontrol", ["show", "config"])))

  function script(job: Pick<Job, "dir">, { name, first, count, memory }: Piece): string {
    const options = [
      `--job-name=${name}`,
      `--array=1-${count}`,
      ...(keys.partition === undefined ? [] : [`--partition=${keys.partition}`]),
      ...(keys.account === undefined ? [] : [`--account=${keys.account}`]),
      ...["--nodes=1", "--ntasks=1", `--cpus-per-task=${cpus}`, `--mem=${memory}M`, `--time=${Math.ceil(time / 60)}`],
      // The signal goes to Node, which replaces the shell. Lost tasks are submitted again in other tasks: --no-requeue.
      ...[
        `--signal=B:TERM@${lead}`,
        "--no-requeue",
        `--chdir="${job.dir}"`,
        "--output=logs/%x.%a.out",
        "--open-mode=append",
      ],
    ]
    const lines = [
      "#!/bin/sh",
      ...options.map((o) => `#SBATCH ${o}`),
      ...(keys.setup === undefined ? [] : [keys.setup]),
    ]
    return [...lines, taskCommand(job, `$((${first - 1} + SLURM_ARRAY_TASK_ID))`, keys), ""].join("\n")
  }

  /** Searches the queue for a submission by its name. */
  async function find(name: string): Promise<HandedOver | "none"> {
    const found = await run("squeue", ["-h", "-t", "all", "-n", name, "-o", "%F"])
    if (found.code !== 0) return { unsure: noAnswer("squeue", found) }
    const id = found.out.trim().split(/\s+/)[0]
    return id === undefined || id === "" ? "none" : { id }
  }

  return {
    name: "slurm",
    script,
    async most() {
      const found = await config()
      return "bad" in found ? 1000 : Math.max(1, found.ok.maxArray - 1)
    },
    async check(job, pieces) {
      const version = await run("sbatch", ["--version"])
      if (version.missing)
        return [
          complain(
            "sbatch",
            "is not on this machine",
            "run this on a machine with Slurm, such as a login node, or use --on script",
          ),
        ]
      const found = await config()
      if ("bad" in found) return found.bad
      const largest = pieces.reduce<Piece | undefined>(
        (most, p) => (most === undefined || p.memory > most.memory ? p : most),
        undefined,
      )
      if (largest === undefined) return []
      const bad = await against(run, keys, { time, cpus, megabytes: largest.memory })
      if (bad.length > 0) return bad
      // Only the piece with the most memory and the largest array are tested: all others need less.
      for (const piece of pieces.length > 1
        ? [largest, ...pieces.filter((p) => p.count > largest.count).slice(0, 1)]
        : [largest]) {
        // The folder of a sweep that is only tested does not exist.
        const text = script(job, piece).replace(/^#SBATCH --chdir=.*\n/m, "")
        const tried = await run("sbatch", ["--test-only"], { input: text })
        if (tried.code !== 0) return [refusal(tried, keys)]
      }
      return []
    },
    async submit(job, piece) {
      // A line of the script contains the folder name, and would end at such a character.
      if (/[\p{Cc}"]/u.test(job.dir))
        return {
          bad: [
            complain(
              job.dir,
              "The name of the folder contains a quote or a control character.",
              "choose another folder with --out",
            ),
          ],
        }
      // An earlier process may have submitted this piece and been killed before it recorded the identifier.
      const before = await find(piece.name)
      if (before !== "none") return before
      const path = join(job.dir, `${piece.name}.sh`)
      writeAtomic(path, script(job, piece))
      const sent = await run("sbatch", ["--parsable", path], { cwd: job.dir })
      const id = sent.code === 0 ? /^(\d+)/m.exec(sent.out)?.[1] : undefined
      if (id !== undefined) return { id }
      if (sent.missing)
        return {
          bad: [complain("sbatch", "is no longer on this machine", "run the same command on a machine with Slurm")],
        }
      // Without a clear response the submission may have succeeded: it must not be repeated blindly.
      if (sent.code === undefined || sent.code === 0 || later.test(sent.err))
        return { unsure: noAnswer("sbatch", sent) }
      return { bad: [refusal(sent, keys)] }
    },
    async look(_, pieces) {
      const names = pieces.map((p) => p.name)
      const seen = await run("squeue", ["-h", "-r", "-t", "all", "-n", names.join(","), "-o", "%j|%K|%T|%L|%r"])
      return seen.code === 0 ? rows(seen.out, pieces) : undefined
    },
    async past(_, pieces) {
      const found = await config()
      const ids = pieces.flatMap((p) => (/^\d+$/.test(p.id ?? "") ? [p.id!] : []))
      if ("bad" in found || !found.ok.accounting || ids.length === 0) return undefined
      const told = await run("sacct", ["-n", "-P", "-X", "-j", ids.join(","), "-o", "JobName,JobID,State,ExitCode"])
      if (told.code !== 0) return undefined
      return rows(told.out.replace(/^([^|]*)\|\d+_(\d+)\|([^|]*)\|(.*)$/gm, "$1|$2|$3|-|exit code $4"), pieces)
    },
    async cancel(_, pieces) {
      const bad: Complaint[] = []
      for (const { name } of pieces) {
        const told = await run("scancel", [`--name=${name}`])
        if (told.code !== 0)
          bad.push(
            complain("scancel", noAnswer("scancel", told), `run scancel --name=${name} when the controller responds`),
          )
      }
      return bad
    },
  }
}

/** Parses lines of name, array index, state, time left and reason. */
function rows(text: string, pieces: readonly Piece[]): Look {
  const byName = new Map(pieces.map((p) => [p.name, p]))
  const seen = new Map<number, Seen>()
  for (const line of text.split("\n")) {
    const [name = "", index = "", word = "", left = "", ...reason] = line.split("|")
    const piece = byName.get(name.trim())
    if (piece === undefined || !/^\d+$/.test(index.trim())) continue
    const seconds = secondsLeft(left.trim())
    const told = {
      state: stateOf(word.trim()),
      word: word.trim(),
      reason: lastLines(reason.join("|"), 1).replace(/^None$/, ""),
    }
    seen.set(piece.first - 1 + Number(index), { ...told, ...(seconds === undefined ? {} : { left: seconds }) })
  }
  return seen
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
