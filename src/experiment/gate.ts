// The gate: a text becomes a module or a command of a shell here, and nowhere else. Functions that execute take an `Executable`, and only
// this file makes one; it asks where the text was written and what the user agreed to. SECURITY.md states the rule.

/** Who wrote the text. "this process": another thread of it, whose modules passed the gate in the first one. */
export type Origin = "command line" | "configuration" | "experiment" | "results folder" | "this process"

/** What the user agreed to. */
export interface Consent {
  /** false: nothing that a file names is executed (--no-code); true: plug-ins of a results folder, too (--code) */
  readonly code?: boolean
  /** true: commands in an experiment are executed (--allow-commands) */
  readonly commands?: boolean
}

declare const passed: unique symbol
/** The path or address of a module, or a line for a shell, that may be executed. */
export type Executable<Kind extends "module" | "command"> = string & { readonly [passed]: Kind }

/** What is said of a module where code is not allowed. */
export const isCode = "is a module, and modules are code"
const isCommand = "is a command for a shell"

export type Passed<Kind extends "module" | "command"> = { readonly ok: Executable<Kind> } | { readonly says: string; readonly fix: string }

/** Naming a module on the command line is the consent. */
export function moduleFrom(from: "command line" | "this process", path: string): { readonly ok: Executable<"module"> }
export function moduleFrom(from: Origin, path: string, consent?: Consent): Passed<"module">
export function moduleFrom(from: Origin, path: string, { code }: Consent = {}): Passed<"module"> {
  if (from === "results folder" && code !== true) return { says: isCode, fix: "give --code if you trust it" }
  if (from !== "this process" && code === false) return { says: isCode, fix: "leave it out, or allow code" }
  return { ok: path as Executable<"module"> }
}

export function commandFrom(from: Origin, text: string, { code, commands }: Consent = {}): Passed<"command"> {
  if (from === "command line" || from === "configuration") return { ok: text as Executable<"command"> }
  const yourself = "give it on the command line, or write it into ~/.config/lacewing"
  if (from !== "experiment") return { says: `${isCommand}, and a results folder is data`, fix: `if you trust it, ${yourself}` }
  if (code === false) return { says: `${isCommand}, and --no-code refuses it`, fix: yourself }
  if (commands === true) return { ok: text as Executable<"command"> }
  return { says: `${isCommand}, and experiments are data`, fix: `${yourself}, or add --allow-commands if you trust the experiment` }
}
