// Transfers checkpoints between tasks. The newest state of each run, from any task or sweep of the results folder, is
// linked into the folder of the task that continues with it. A state is never changed in place, so a hard link is
// enough where the file system supports it.
import { join } from "node:path"
import { disk } from "../results/calls.ts"
import { CHECKPOINTS, checkpointPath, readCheckpoint, writeCheckpoint } from "../results/checkpoints.ts"
import { codeOf, entries, makeFolder } from "../results/disk.ts"
import { type Job, jobsIn, type Round, tasksOf } from "./job.ts"

/**
 * Collects the states of the runs in `wanted`; undefined: all, for a search, whose runs are known once they are tried.
 */
export function bringStates(
  job: Job,
  rounds: readonly Round[],
  index: number,
  wanted: ReadonlySet<string> | undefined,
  note: (text: string) => void,
): void {
  const dir = job.taskDir(index)
  const own = statesIn(dir)
  const newest = new Map<string, { readonly at: number; readonly from: string }>()
  for (const from of places(job, rounds, index))
    for (const [hash, at] of statesIn(from))
      if ((wanted?.has(hash) ?? true) && at > (newest.get(hash)?.at ?? own.get(hash) ?? 0))
        newest.set(hash, { at, from })
  for (const [hash, { from }] of newest) bring(hash, from, dir, note)
}

/**
 * Returns the folders that may contain a state: the results folder, earlier sweeps, and earlier tasks with some of the
 * same runs.
 */
function places(job: Job, rounds: readonly Round[], index: number): string[] {
  const tasks = tasksOf(rounds)
  const mine = new Set(tasks.find((t) => t.index === index)?.task.runs)
  const earlier = tasks
    .filter((t) => t.index < index && t.task.runs.some((r) => mine.has(r)))
    .map((t) => job.taskDir(t.index))
  const jobs = jobsIn(job.results).filter((j) => j.id !== job.id)
  return [job.results, ...jobs.flatMap((j) => tasksOf(j.rounds()).map((t) => j.taskDir(t.index))), ...earlier]
}

/** Returns the hash of each run with a state in this folder, and when it was written. */
export function statesIn(dir: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const name of entries(join(dir, CHECKPOINTS))) {
    const hash = /^([0-9a-f]+)\.bin$/.exec(name)?.[1]
    try {
      if (hash !== undefined) found.set(hash, disk.changed(checkpointPath(dir, hash)))
    } catch (e) {
      // The run was stored meanwhile, and its state removed.
      if (codeOf(e) !== "ENOENT") throw e
    }
  }
  return found
}

function bring(hash: string, from: string, dir: string, note: (text: string) => void): void {
  const to = checkpointPath(dir, hash)
  makeFolder(join(dir, CHECKPOINTS))
  disk.remove(to)
  try {
    disk.link(checkpointPath(from, hash), to)
  } catch (e) {
    if (codeOf(e) === undefined) throw e
    const bytes = readCheckpoint(from, hash)
    if (bytes instanceof Uint8Array) writeCheckpoint(dir, hash, bytes)
    else if (bytes === "damaged")
      note(`${checkpointPath(from, hash)}: The checkpoint is not complete.\n  fix: nothing; the run starts again`)
  }
}
