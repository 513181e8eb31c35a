// The command line of a task: the path of Node and of lacewing.
import { realpathSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Orders } from "../executor.ts"
import type { Job } from "../job.ts"
import { quoted } from "./command.ts"

/** Returns the path of lacewing: next to this file in the bundle; from source, the last build. */
function program(): string {
  const here = import.meta.url
  const way = here.endsWith(".ts")
    ? "../../../dist/app/main.js"
    : here.includes("/cluster/executors/")
      ? "../../app/main.js"
      : "./main.js"
  const path = fileURLToPath(new URL(way, here))
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * Returns the shell command of a task. `index`: a shell word. `exec` replaces the shell, which would not forward
 * signals.
 */
export function taskCommand(job: Pick<Job, "dir">, index: string, { node, setup, args = [] }: Orders): string {
  const runtime = node ?? (setup === undefined ? process.execPath : "node")
  const given = [...args, job.dir].map(quoted).join(" ")
  return `exec ${quoted(runtime)} ${quoted(program())} task ${given} ${index}`.trimEnd()
}
