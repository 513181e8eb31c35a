// What `run --on` asks a scheduler for: the command line over the experiment over the user's own file.
import { type Command, InvalidArgumentError, Option } from "commander"
import type { Checked } from "../../core/complaint.ts"
import { secondsOf } from "../../core/duration.ts"
import { userConfig } from "../../experiment/cluster/config.ts"
import { type Granted, granted, type Layer } from "../../experiment/cluster/granted.ts"
import { type ClusterKeys, type CommandKey, clusterKeys, commandKeys } from "../../experiment/cluster/keys.ts"
import type { Plan } from "../../experiment/plan.ts"
import { commandsOf, executors } from "../../run/cluster/executors/index.ts"
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

/** Adds options for commands of a scheduler, which a job's folder does not give. */
export function addCommandOptions(command: Command, names: readonly CommandKey[]): Command {
  for (const key of names) command.option(`--${flagOf(key)} <value>`, clusterKeys.fields[key]!.info.about)
  return command
}

/** Keys that this user gives: on the command line, and in a file of their own. */
export interface Own {
  readonly line: ClusterKeys
  readonly user: ClusterKeys
}

export function ownKeys(o: ClusterOptions): Checked<Own> {
  const given = Object.fromEntries(keys.flatMap((k) => (o[k] === undefined ? [] : [[k, o[k]]])))
  const line = clusterKeys.parse(given, "")
  if ("bad" in line) return { bad: line.bad.map((c) => ({ ...c, path: `--${flagOf(c.path)}` })) }
  const user = userConfig()
  return "bad" in user ? user : { ok: { line: line.ok, user: user.ok } }
}

/** The command line over the experiment over the user's own file; commands of the experiment only with consent. */
export function clusterFor(
  plan: Pick<Plan, "cluster">,
  { line, user }: Own,
  o: { readonly on: Asked["on"]; readonly code: boolean; readonly allowCommands?: boolean; readonly set?: readonly string[] },
): Checked<Granted> {
  const layers: readonly Layer[] = [
    { from: "command line", keys: line },
    { from: "experiment", keys: plan.cluster },
    { from: "configuration", keys: user },
  ]
  const set = (o.set ?? []).map((text) => text.slice(0, text.indexOf("=")).trim())
  const typed = commandKeys.filter((k) => set.includes(`cluster.${k}`))
  return granted(layers, { consent: { code: o.code, commands: o.allowCommands === true }, used: commandsOf[o.on], typed })
}
