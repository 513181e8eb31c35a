// What `run --on` asks a scheduler for: the command line over the experiment over the user's own file.
import { type Command, InvalidArgumentError, Option } from "commander"
import type { Checked } from "../../core/complaint.ts"
import { secondsOf } from "../../core/duration.ts"
import { firstOf, userConfig } from "../../experiment/cluster/config.ts"
import { type ClusterKeys, clusterKeys } from "../../experiment/cluster/keys.ts"
import type { Plan } from "../../experiment/plan.ts"
import { executors } from "../../run/cluster/executors/index.ts"
import type { Asked } from "../../run/cluster/frozen.ts"

/** Options of the command line that are keys of `cluster:`, by their names there. */
export interface ClusterOptions extends Readonly<Partial<Record<keyof ClusterKeys, string>>> {
  readonly on?: Asked["on"]
  /** seconds between two looks, the shortest and the longest */
  readonly poll?: readonly [number, number]
}

const keys = Object.keys(clusterKeys.fields) as (keyof ClusterKeys)[]

function flagOf(key: string): string {
  return key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)
}

export function addClusterOptions(command: Command): void {
  command.addOption(
    new Option("--on <executor>", "hand the runs over in tasks: to Slurm, to a script, or to a process of this machine").choices(executors),
  )
  for (const key of keys) command.option(`--${flagOf(key)} <value>`, `with --on: ${clusterKeys.fields[key]!.info.about}`)
  command.addOption(new Option("--poll <times>", "seconds between two looks, for tests").hideHelp().argParser(polls))
}

function polls(text: string): [number, number] {
  const [least, most] = text.split(",").map(secondsOf)
  if (least === undefined) throw new InvalidArgumentError("Write two times such as 2s,60s.")
  return [least, Math.max(least, most ?? least)]
}

/** Options that were given and mean nothing without --on. */
export function withoutOn(o: ClusterOptions): readonly string[] {
  return o.on !== undefined ? [] : keys.filter((k) => o[k] !== undefined).map((k) => `--${flagOf(k)}`)
}

export function clusterFor(plan: Pick<Plan, "cluster">, o: ClusterOptions): Checked<ClusterKeys> {
  const given = Object.fromEntries(keys.flatMap((k) => (o[k] === undefined ? [] : [[k, o[k]]])))
  const own = clusterKeys.parse(given, "")
  if ("bad" in own) return { bad: own.bad.map((c) => ({ ...c, path: `--${flagOf(c.path)}` })) }
  const user = userConfig()
  return "bad" in user ? user : { ok: firstOf(own.ok, plan.cluster, user.ok) }
}
