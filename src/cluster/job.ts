// The folder of one sweep, RESULTS/jobs/JOB. The process that submits writes tasks.json, round-N.json and over.json;
// one process at a time holds lock.json. Each task writes its own results folder tasks/INDEX. `lacewing sweeps cancel`
// writes cancelled.json. The state of a sweep is read from these files only.
import { randomBytes } from "node:crypto"
import { dirname, join, resolve } from "node:path"
import { type Checked, complain } from "../core/complaint.ts"
import type { Plan } from "../experiment/plan.ts"
import { disk } from "../results/calls.ts"
import { attempt, entries, makeFolder, textOf, writeAtomic } from "../results/disk.ts"
import { parsed } from "../results/folder/folder.ts"
import { isMap } from "../results/json.ts"
import { type Asked, type Frozen, frozenOf, frozenText } from "./frozen.ts"

export const JOBS = "jobs"
const PLAN = "tasks.json"
const MOST = 2 ** 29

/** The work of one task: indices of runs in the plan. */
export interface TaskPlan {
  readonly runs: readonly number[]
  /** predicted CPU seconds, and megabytes of the largest run */
  readonly seconds: number
  readonly megabytes: number
}

/** Tasks that are submitted together as an array. */
export interface Piece {
  /** unique name of the submission */
  readonly name: string
  /** number of its first task */
  readonly first: number
  readonly count: number
  /** megabytes of each task */
  readonly memory: number
  /** identifier from the scheduler, if known */
  readonly id?: string
  /** time of the last submission without a response, in seconds since 1970 */
  readonly tried?: number
}

export interface Round {
  readonly number: number
  readonly made: string
  readonly tasks: readonly TaskPlan[]
  readonly pieces: readonly Piece[]
}

export type Over = { readonly why: "done" | "refused"; readonly says: readonly string[] }

export class Job {
  readonly dir: string
  readonly id: string
  constructor(dir: string) {
    this.dir = resolve(dir)
    this.id = this.dir.slice(dirname(this.dir).length + 1)
  }

  /** the results folder of the sweep */
  get results(): string {
    return dirname(dirname(this.dir))
  }

  /** Returns a job with a unique name. Nothing is written yet. */
  static in(results: string): Job {
    const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-")
    return new Job(join(results, JOBS, `${stamp}-${randomBytes(3).toString("hex")}`))
  }

  /** Creates the folder. The plan is written last, because a folder without one is not a sweep. */
  make(plan: Plan, asked: Asked, first: Round): Promise<Checked<void>> {
    return attempt(this.dir, () => {
      for (const folder of ["tasks", "logs"]) makeFolder(join(this.dir, folder))
      this.writeRound(first)
      writeAtomic(join(this.dir, PLAN), frozenText({ ...plan, folder: resolve(plan.folder) }, asked))
    })
  }

  /** Returns the plan. It also checks the rounds, whose tasks must refer to runs of the plan. */
  async frozen(): Promise<Checked<Frozen>> {
    const path = join(this.dir, PLAN)
    const text = await attempt(path, () => textOf(path, MOST))
    if ("bad" in text) return text
    if (text.ok === undefined)
      return { bad: [complain(path, "does not exist", "name the folder of a sweep; `lacewing sweeps` lists them")] }
    const found = frozenOf(text.ok)
    if (typeof found !== "string") {
      const odd = this.roundFiles().find(
        ({ round }) => round?.tasks.every((t) => t.runs.every((run) => run < found.plan.runs.length)) !== true,
      )
      if (odd === undefined) return { ok: found }
      return {
        bad: [
          complain(
            join(this.dir, odd.name),
            "is not what was written",
            "cancel the sweep and run the same command again; finished runs are kept",
          ),
        ],
      }
    }
    const fix = found.startsWith("The plan was made by")
      ? "use the same version of lacewing on all machines, or cancel the sweep and submit it again"
      : "cancel the sweep and run the same command again; finished runs are kept"
    return { bad: [complain(path, found, fix)] }
  }

  /** Returns the valid rounds; `frozen` complains about the others. */
  rounds(): Round[] {
    return this.roundFiles()
      .flatMap(({ round }) => round ?? [])
      .sort((a, b) => a.number - b.number)
  }

  /** Returns all round files; `round` is undefined if the content is invalid. */
  private roundFiles(): { readonly name: string; readonly round: Round | undefined }[] {
    return entries(this.dir)
      .filter((name) => /^round-\d+\.json$/.test(name))
      .map((name) => ({ name, round: roundIn(parsed(textOf(join(this.dir, name), MOST) ?? "")) }))
  }

  writeRound(round: Round): void {
    writeAtomic(
      join(this.dir, `round-${String(round.number).padStart(4, "0")}.json`),
      `${JSON.stringify(round, null, 1)}\n`,
    )
  }

  taskDir(index: number): string {
    return join(this.dir, "tasks", String(index).padStart(5, "0"))
  }

  /** the final record of the sweep, if it has ended */
  get over(): Over | undefined {
    const raw = parsed(textOf(join(this.dir, "over.json"), MOST) ?? "")
    if (!isMap(raw) || !Array.isArray(raw["says"])) return undefined
    return raw["why"] === "done" || raw["why"] === "refused"
      ? { why: raw["why"], says: raw["says"].map(String) }
      : undefined
  }

  end(over: Over): void {
    writeAtomic(join(this.dir, "over.json"), `${JSON.stringify(over)}\n`)
  }

  get cancelled(): boolean {
    return disk.kind(join(this.dir, "cancelled.json")) === "file"
  }

  set cancelled(yes: boolean) {
    const path = join(this.dir, "cancelled.json")
    if (yes) writeAtomic(path, `${JSON.stringify({ at: new Date().toISOString() })}\n`)
    else disk.remove(path)
  }

  /** Removes the final record: the sweep continues. */
  reopen(): void {
    this.cancelled = false
    disk.remove(join(this.dir, "over.json"))
  }
}

/**
 * Checks a round. Its numbers and names become parts of scripts and arguments of programs, so every value is validated.
 */
function roundIn(raw: unknown): Round | undefined {
  if (!isMap(raw) || !isCount(raw["number"]) || typeof raw["made"] !== "string") return undefined
  const { tasks, pieces } = raw
  if (!Array.isArray(tasks) || !Array.isArray(pieces) || !tasks.every(isTask) || !pieces.every(isPiece))
    return undefined
  let next = (pieces as Piece[])[0]?.first ?? 1
  for (const { first, count } of pieces as Piece[]) {
    if (first !== next) return undefined
    next += count
  }
  return next - ((pieces as Piece[])[0]?.first ?? 1) === tasks.length ? (raw as unknown as Round) : undefined
}

function isTask(raw: unknown): boolean {
  if (!isMap(raw) || !Array.isArray(raw["runs"])) return false
  return (
    raw["runs"].every((run) => Number.isSafeInteger(run) && run >= 0) &&
    isSize(raw["seconds"]) &&
    isSize(raw["megabytes"])
  )
}

function isPiece(raw: unknown): boolean {
  if (!isMap(raw)) return false
  const { name, first, count, memory, id = "1", tried = 0 } = raw
  // No argument of a program may begin with a dash.
  const named =
    typeof name === "string" &&
    /^lacewing-[\w.-]+$/.test(name) &&
    typeof id === "string" &&
    /^[^-\p{C}][^\p{C}]{0,199}$/u.test(id)
  return named && isCount(first) && isCount(count) && isCount(memory) && isSize(tried)
}

function isCount(raw: unknown): boolean {
  return Number.isSafeInteger(raw) && (raw as number) >= 1
}

/** A prediction may be infinite, which JSON writes as null. */
function isSize(raw: unknown): boolean {
  return raw === null || (typeof raw === "number" && raw >= 0)
}

/** Returns all sweeps of a results folder, the oldest first. */
export function jobsIn(results: string): Job[] {
  const dir = join(results, JOBS)
  return entries(dir)
    .filter((name) => /^[\w.-]+$/.test(name) && disk.kind(join(dir, name, PLAN)) === "file")
    .map((name) => new Job(join(dir, name)))
}

/** Returns all tasks of all rounds with their numbers. */
export function tasksOf(
  rounds: readonly Round[],
): { readonly index: number; readonly task: TaskPlan; readonly piece: Piece }[] {
  return rounds.flatMap((r) => {
    const first = r.pieces[0]?.first ?? 1
    return r.tasks.map((task, i) => {
      const index = first + i
      return { index, task, piece: r.pieces.find((p) => index >= p.first && index < p.first + p.count)! }
    })
  })
}
