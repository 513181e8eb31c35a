// The gate for code execution: only here does a text become a module or a shell command. Functions that execute take an
// `Executable`, and only this file creates one, depending on where the text was written and on the consent of the user.
// SECURITY.md states the rule.

/**
 * Where the text was written. "this process": another thread of it, whose modules passed the gate in the first thread.
 */
export type Origin = "command line" | "configuration" | "experiment" | "results folder" | "this process"

/** The consent of the user. */
export interface Consent {
  /** false: no module or command of a file is executed (--no-code); true: plug-ins of a results folder, too (--code) */
  readonly code?: boolean
  /** true: commands in an experiment are executed (--allow-commands) */
  readonly commands?: boolean
}

declare const passed: unique symbol
/**
 * The path or address of a module, or a shell command, that may be executed. The brand exists only in the type system.
 */
export type Executable<Kind extends "module" | "command"> = string & { readonly [passed]: Kind }

/** Message about a module where code is not allowed. */
export const isCode = "is a module, and modules are code"
const isCommand = "is a command for a shell"

export type Passed<Kind extends "module" | "command"> =
  | { readonly ok: Executable<Kind> }
  | { readonly says: string; readonly fix: string }

/** Returns true for the file name extension of a module. */
export function isModule(path: string): boolean {
  return /\.(mjs|js|ts|mts)$/.test(path)
}

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
  if (from !== "experiment")
    return { says: `${isCommand}, and a results folder is data`, fix: `if you trust it, ${yourself}` }
  if (code === false) return { says: `${isCommand}, and --no-code refuses it`, fix: yourself }
  if (commands === true) return { ok: text as Executable<"command"> }
  return {
    says: `${isCommand}, and experiments are data`,
    fix: `${yourself}, or add --allow-commands if you trust the experiment`,
  }
}
