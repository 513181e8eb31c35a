// The command line of a task: which Node, which lacewing.
import { realpathSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Orders } from "../executor.ts"
import type { Job } from "../job.ts"
import { quoted } from "./command.ts"

/** Beside this file in the bundle; from source or its plain translation, the last build. */
function program(): string {
  const here = import.meta.url
  const way = here.endsWith(".ts") ? "../../../../dist/app/main.js" : here.includes("/run/cluster/") ? "../../../app/main.js" : "./main.js"
  const path = fileURLToPath(new URL(way, here))
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** `index`: a word of a shell. It takes the place of the shell, which would keep signals to itself. */
export function taskCommand(job: Pick<Job, "dir">, index: string, { node, setup, args = [] }: Orders): string {
  const runtime = node ?? (setup === undefined ? process.execPath : "node")
  return `exec ${quoted(runtime)} ${quoted(program())} task ${[...args, job.dir].map(quoted).join(" ")} ${index}`.trimEnd()
}
