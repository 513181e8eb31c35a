import { join } from "node:path"
import { entries, textOf } from "../results/disk.ts"
import { lastLines } from "./executors/command.ts"
import type { Job } from "./job.ts"
import type { TaskState } from "./judge.ts"

/** Returns the last lines that a task printed; "" if there is no log. */
export function logOf(job: Job, { index, piece }: Pick<TaskState, "index" | "piece">): string {
  const dir = join(job.dir, "logs")
  const names = [`${piece.name}.${index - piece.first + 1}.out`, `${piece.name}.out`, `${piece.name}.submit`]
  const name = entries(dir).find((n) => names.includes(n))
  return name === undefined ? "" : lastLines(textOf(join(dir, name), 2 ** 24) ?? "", 3).replaceAll("\n", " / ")
}
