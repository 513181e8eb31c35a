// The options of `run --on`. The command line overrides the experiment, which overrides the configuration file of the
// user.
import { type Command, InvalidArgumentError, Option } from "commander"
import { commandsOf, executors } from "../../cluster/executors/index.ts"
import type { Asked } from "../../cluster/frozen.ts"
import type { Checked } from "../../core/complaint.ts"
import { secondsOf } from "../../core/duration.ts"
import { userConfig } from "../../experiment/cluster/config.ts"
import { type Granted, granted, type Layer } from "../../experiment/cluster/granted.ts"
import { type ClusterKeys, type CommandKey, clusterKeys, commandKeys } from "../../experiment/cluster/keys.ts"
import type { Plan } from "../../experiment/plan.ts"
import type { Io } from "../command.ts"
import { renamedOption } from "../help.ts"

/**
 * The option of each key of `cluster:`, with its value and its description. An option has a longer name where the key
 * would be unclear on a command line.
 */
const flags = {
  partition: ["partition", "name", "Scheduler partition or queue (default: the scheduler's)"],
  account: ["account", "name", "Account to charge (default: the user's)"],
  time: ["time", "time", "Time limit of a task (default: three times --per-task)"],
  mem: ["mem", "size", "Memory of a task (default: predicted)"],
  cpus: ["cpus", "n", "Cores of a task (default: 1)"],
  perTask: ["per-task", "time", "Predicted computing time of a task (default: 20min)"],
  maxTasks: ["max-tasks", "n", "Maximum number of tasks; with fewer tasks, each takes longer (default: no limit)"],
  setup: ["setup", "line", 'Shell line to run before Node.js, e.g. "module load node"'],
  node: ["node", "path", "Node.js on the compute nodes (default: this one; with --setup, the one on PATH)"],
  template: ["template", "file", "Script template with {command} and optionally {index} and {count}"],
  submit: ["submit-command", "command", "Command that submits {script} (default: sh {script})"],
  look: ["poll-command", "command", "Command that succeeds and prints text while job {id} is queued or running"],
  cancel: ["cancel-command", "command", "Command that cancels job {id}"],
} as const satisfies Readonly<Record<keyof ClusterKeys, readonly [flag: string, value: string, about: string]>>

type Key = keyof typeof flags

/** Names of options in version 0.1. */
const oldFlags: Partial<Record<Key, string>> = { submit: "submit", look: "look", cancel: "cancel" }

const ofScripts: readonly Key[] = ["template", "submit", "look", "cancel"]

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
type Attribute = Camel<(typeof flags)[Key][0]>

/** Options of the command line that are keys of `cluster:`. */
export interface ClusterOptions extends Readonly<Partial<Record<Attribute, string>>> {
  readonly on?: Asked["on"]
  /** Minimum and maximum time in seconds between two polls of the scheduler. */
  readonly poll?: readonly [number, number]
}

const keys = Object.keys(flags) as Key[]

function flagOf(key: string): string {
  return Object.hasOwn(flags, key) ? flags[key as Key][0] : key
}

function givenFor(o: ClusterOptions, key: Key): string | undefined {
  return o[flags[key][0].replace(/-(.)/g, (_, c: string) => c.toUpperCase()) as Attribute]
}

function add(command: Command, key: Key, io: Io): void {
  const [flag, value, about] = flags[key]
  command.option(`--${flag} <${value}>`, about)
  const old = oldFlags[key]
  if (old !== undefined) renamedOption(command, old, flag, io)
}

export function addClusterOptions(command: Command, io: Io): void {
  command.optionsGroup("Submit to a cluster")
  command.addOption(new Option("--on <where>", "Submit the runs as tasks to this executor").choices(executors))
  for (const key of keys.filter((k) => !ofScripts.includes(k))) add(command, key, io)
  command.option("--allow-commands", "Execute commands that the experiment names under cluster (setup, submit, …)")
  command.optionsGroup("Submit with your own script (--on script)")
  for (const key of ofScripts) add(command, key, io)
  command.addOption(new Option("--poll <times>", "Seconds between two polls, for tests").hideHelp().argParser(polls))
}

function polls(text: string): [number, number] {
  const [least, most] = text.split(",").map(secondsOf)
  if (least === undefined) throw new InvalidArgumentError("Write two times such as 2s,60s.")
  return [least, Math.max(least, most ?? least)]
}

/** Returns the given options that have no effect without --on. */
export function withoutOn(o: ClusterOptions): readonly string[] {
  return o.on !== undefined ? [] : keys.filter((k) => givenFor(o, k) !== undefined).map((k) => `--${flagOf(k)}`)
}

/** Adds options for the commands of a scheduler, which the folder of a sweep does not contain. */
export function addCommandOptions(command: Command, names: readonly CommandKey[], io: Io): Command {
  command.optionsGroup("Commands of the scheduler")
  for (const key of names) add(command, key, io)
  return command
}

/** Keys from this user: of the command line, and of the user's configuration file. */
export interface Own {
  readonly line: ClusterKeys
  readonly user: ClusterKeys
}

export function ownKeys(o: ClusterOptions): Checked<Own> {
  const given = Object.fromEntries(keys.flatMap((k) => (givenFor(o, k) === undefined ? [] : [[k, givenFor(o, k)]])))
  const line = clusterKeys.parse(given, "")
  if ("bad" in line) return { bad: line.bad.map((c) => ({ ...c, path: `--${flagOf(c.path)}` })) }
  const user = userConfig()
  return "bad" in user ? user : { ok: { line: line.ok, user: user.ok } }
}

/** Merges the keys: command line, then experiment, then user file. Commands of the experiment need consent. */
export function clusterFor(
  plan: Pick<Plan, "cluster">,
  { line, user }: Own,
  o: {
    readonly on: Asked["on"]
    readonly code: boolean
    readonly allowCommands?: boolean
    readonly set?: readonly string[]
  },
): Checked<Granted> {
  const layers: readonly Layer[] = [
    { from: "command line", keys: line },
    { from: "experiment", keys: plan.cluster },
    { from: "configuration", keys: user },
  ]
  const set = (o.set ?? []).map((text) => text.slice(0, text.indexOf("=")).trim())
  const typed = commandKeys.filter((k) => set.includes(`cluster.${k}`))
  return granted(layers, {
    consent: { code: o.code, commands: o.allowCommands === true },
    used: commandsOf[o.on],
    typed,
  })
}
