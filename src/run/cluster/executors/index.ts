// Executors by name.
import type { Checked } from "../../../core/complaint.ts"
import { type Granted, granted, type Layer, withoutCommands } from "../../../experiment/cluster/granted.ts"
import { type ClusterKeys, type CommandKey, commandKeys } from "../../../experiment/cluster/keys.ts"
import type { Executor, Orders } from "../executor.ts"
import type { Asked } from "../frozen.ts"
import { local } from "./local.ts"
import { script } from "./script.ts"
import { slurm } from "./slurm.ts"

export const executors = ["local", "slurm", "script"] as const satisfies readonly Asked["on"][]

/** Commands that each executes. */
export const commandsOf: Readonly<Record<Asked["on"], readonly CommandKey[]>> = {
  local: ["setup", "node"],
  slurm: ["setup", "node"],
  script: commandKeys,
}

export function executorFor(on: Asked["on"], orders: Orders): Executor {
  return { local, slurm, script }[on](orders)
}

/**
 * The executor of a job that was handed over before. What a scheduler is asked for comes from the job's folder. Commands never do: they come
 * from `line` (the command line) or the user's own configuration, or the scheduler is asked with its own programs.
 */
export function executorOf(
  { on, cluster }: Asked,
  line: ClusterKeys,
  user: ClusterKeys,
  args: readonly string[] = [],
): Checked<Executor & { readonly orders: Granted }> {
  const layers: readonly Layer[] = [
    { from: "command line", keys: line },
    { from: "results folder", keys: withoutCommands(cluster) },
    { from: "configuration", keys: user },
  ]
  const got = granted(layers, { used: commandsOf[on] })
  return "bad" in got ? got : { ok: { ...executorFor(on, { ...got.ok, args }), orders: got.ok } }
}
