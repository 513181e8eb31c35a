// Executors by name.
import type { ClusterKeys } from "../../../experiment/cluster/keys.ts"
import type { Executor } from "../executor.ts"
import type { Asked } from "../frozen.ts"
import { local } from "./local.ts"
import { script } from "./script.ts"
import { slurm } from "./slurm.ts"

export const executors = ["local", "slurm", "script"] as const satisfies readonly Asked["on"][]

export function executorFor(on: Asked["on"], keys: ClusterKeys): Executor {
  return { local, slurm, script }[on](keys)
}
