// The executors by name.
import type { Checked } from "../../core/complaint.ts"
import { type Granted, granted, type Layer, withoutCommands } from "../../experiment/cluster/granted.ts"
import { type ClusterKeys, type CommandKey, commandKeys } from "../../experiment/cluster/keys.ts"
import type { Executor, Orders } from "../executor.ts"
import type { Asked } from "../frozen.ts"
import { local } from "./local.ts"
import { script } from "./script.ts"
import { slurm } from "./slurm.ts"

export const executors = ["local", "slurm", "script"] as const satisfies readonly Asked["on"][]

/** Keys with commands that each executor runs. */
export const commandsOf: Readonly<Record<Asked["on"], readonly CommandKey[]>> = {
  local: ["setup", "node"],
  slurm: ["setup", "node"],
  script: commandKeys,
}

export function executorFor(on: Asked["on"], orders: Orders): Executor {
  return { local, slurm, script }[on](orders)
}

/**
 * Returns the executor of a sweep that was submitted before. Settings of the scheduler come from its folder. Commands
 * never do, because a results folder is data. They come from the command line (`line`) or the user's configuration;
 * otherwise the scheduler is polled with its own programs.
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
