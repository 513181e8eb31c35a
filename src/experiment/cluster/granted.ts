// Combines the cluster settings of several layers (command line, experiment, configuration): for each key the first
// layer that has it. Keys whose text is executed must pass the gate (gate.ts).
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { type Consent, commandFrom, type Executable, type Origin } from "../gate.ts"
import { type ClusterKeys, type CommandKey, commandKeys } from "./keys.ts"

/** Cluster keys whose commands may be executed. */
export type Granted = Omit<ClusterKeys, CommandKey> & {
  readonly [Key in CommandKey]: Executable<"command"> | undefined
}

/** Keys that were written in one place. */
export interface Layer {
  readonly from: Origin
  readonly keys: ClusterKeys
}

export interface GrantOptions {
  readonly consent?: Consent
  /** commands that will be executed; others are left out */
  readonly used?: readonly CommandKey[]
  /** keys of the experiment that the command line set */
  readonly typed?: readonly CommandKey[]
}

export function granted(
  layers: readonly Layer[],
  { consent, used = commandKeys, typed = [] }: GrantOptions = {},
): Checked<Granted> {
  const bad: Complaint[] = []
  const made: Partial<Record<CommandKey, Executable<"command">>> = {}
  for (const key of used) {
    const layer = layers.find((l) => l.keys[key] !== undefined)
    const text = layer?.keys[key]
    if (layer === undefined || text === undefined) continue
    const got = commandFrom(
      layer.from === "experiment" && typed.includes(key) ? "command line" : layer.from,
      text,
      consent,
    )
    if ("ok" in got) made[key] = got.ok
    else bad.push(complain(`cluster.${key}`, `"${text}" ${got.says}`, got.fix))
  }
  const { setup, node, template, submit, look, cancel } = made
  return bad.length > 0
    ? { bad }
    : { ok: { ...firstOf(layers.map((l) => l.keys)), setup, node, template, submit, look, cancel } }
}

/** Returns, for each key, the value of the first layer that has it. */
function firstOf(all: readonly ClusterKeys[]): ClusterKeys {
  const made: Record<string, unknown> = {}
  for (const keys of [...all].reverse()) for (const [k, v] of Object.entries(keys)) if (v !== undefined) made[k] = v
  return { ...all[0], ...made }
}

/**
 * Returns complaints about commands that a sweep was submitted with and that are missing now. They are not read from
 * the results folder, because it is data.
 */
export function notGiven(recorded: ClusterKeys, now: Granted, needed: readonly CommandKey[]): Complaint[] {
  return needed.flatMap((key) => {
    const text = recorded[key]
    if (text === undefined || now[key] !== undefined) return []
    const got = commandFrom("results folder", text)
    return "ok" in got
      ? []
      : [complain(`cluster.${key}`, `the job was submitted with "${text}". This ${got.says}`, got.fix)]
  })
}

/** Returns the keys without commands. */
export function withoutCommands(keys: ClusterKeys): ClusterKeys {
  return {
    ...keys,
    setup: undefined,
    node: undefined,
    template: undefined,
    submit: undefined,
    look: undefined,
    cancel: undefined,
  }
}
