// The layout of all help texts: description, usage, notes, arguments, options in groups, examples, exit codes. Also the
// old names of options, which stay for one release.
import type { EventEmitter } from "node:events"
import type { Command, Help, Option } from "commander"
import type { Io } from "./command.ts"

export interface HelpExtras {
  /** Full sentences below the usage line. */
  readonly notes?: string
  /** Lists below the options, such as the templates of `init`. */
  readonly lists?: Readonly<Record<string, readonly (readonly [name: string, about: string])[]>>
  /** Two or three command lines that can be copied and run. */
  readonly examples: readonly string[]
  /** Exit codes other than 0 (done) and 2 (invalid input), with their meaning. */
  readonly exits?: Readonly<Record<number, string>>
}

const extras = new WeakMap<Command, HelpExtras>()

/** Adds the parts of a help text that commander does not know. Returns the command. */
export function describe(command: Command, extra: HelpExtras): Command {
  extras.set(command, extra)
  return command
}

export function extrasOf(command: Command): HelpExtras | undefined {
  return extras.get(command)
}

/** Widest column of names; longer names have their description on the next line. */
const widestTerm = 26

type Item = readonly [term: string, about: string]

/** Sets this layout and `-h` for the command and its subcommands. Returns the command. */
export function laidOut(command: Command, width: number): Command {
  return command
    .helpOption("-h, --help", "Print this help")
    .configureHelp({ helpWidth: width, optionDescription, argumentDescription, formatHelp })
}

/** Returns the description of an option with its choices and its default in parentheses. */
function optionDescription(o: Option): string {
  const choices = o.argChoices === undefined ? [] : [listOf(o.argChoices)]
  return noted(o.description, [...choices, ...defaultOf(o.defaultValue, o.defaultValueDescription)])
}

function argumentDescription(a: {
  readonly description: string
  readonly defaultValue?: unknown
  readonly defaultValueDescription?: string | undefined
}): string {
  return noted(a.description, defaultOf(a.defaultValue, a.defaultValueDescription))
}

/** Returns the default as text; flags and objects have none. */
function defaultOf(value: unknown, shown: string | undefined): string[] {
  if (shown !== undefined) return shown === "" ? [] : [`default: ${shown}`]
  if (value === undefined || value === true || value === false) return []
  if (typeof value === "object") return []
  return [`default: ${String(value)}`]
}

function noted(about: string, notes: readonly string[]): string {
  return notes.length === 0 ? about : `${about} (${notes.join("; ")})`
}

/** Returns `a, b or c`. */
export function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
}

/** Formats a help text. Commander calls it in place of its own layout. */
function formatHelp(command: Command, helper: Help): string {
  const width = helper.helpWidth ?? 100
  const extra = extras.get(command)
  const groups: (readonly [heading: string, items: readonly Item[]])[] = [
    ["Arguments", helper.visibleArguments(command).map((a) => [a.name(), helper.argumentDescription(a)])],
    ...Object.entries(extra?.lists ?? {}),
    ...commandGroups(command, helper),
    ...optionGroups(command, helper),
  ]
  const filled = groups.filter(([, items]) => items.length > 0)
  const widths = filled.flatMap(([, items]) => items.map(([term]) => term.length)).filter((w) => w <= widestTerm)
  const column = Math.max(...widths)
  const examples = extra?.examples ?? []
  const parts = [
    sentence(command.description()),
    `Usage: ${helper.commandUsage(command)}`,
    ...(extra?.notes === undefined
      ? []
      : [
          extra.notes
            .split("\n")
            .map((line) => helper.boxWrap(line, width))
            .join("\n"),
        ]),
    ...filled.map(([heading, items]) => [heading, ...items.map((item) => formatItem(item, column, width))].join("\n")),
    ...(examples.length === 0 ? [] : [["Examples", ...examples.map((line) => `  ${line}`)].join("\n")]),
    ...(extra === undefined ? [] : [helper.boxWrap(exitCodes(extra), width)]),
  ]
  return `${parts.filter((p) => p !== "").join("\n\n")}\n`
}

function exitCodes({ exits = {} }: HelpExtras): string {
  const all: Readonly<Record<number, string>> = { 0: "done", 2: "invalid input", ...exits }
  const codes = Object.entries(all).map(([code, meaning]) => `${code} ${meaning}`)
  return `Exit codes: ${codes.join("; ")}.`
}

function sentence(text: string): string {
  return text === "" || text.endsWith(".") ? text : `${text}.`
}

/** Returns the subcommands by group, in the order of definition. */
function commandGroups(command: Command, helper: Help): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const sub of helper.visibleCommands(command)) {
    const heading = sub.helpGroup() || "Commands"
    groups.set(heading, [...(groups.get(heading) ?? []), [sub.name(), helper.subcommandDescription(sub)]])
  }
  return [...groups]
}

/** Returns the options by group; --help comes last. */
function optionGroups(command: Command, helper: Help): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  const add = (heading: string, o: Option) =>
    groups.set(heading, [...(groups.get(heading) ?? []), [helper.optionTerm(o), helper.optionDescription(o)]])
  const [own, help] = [
    helper.visibleOptions(command).filter((o) => o.long !== "--help"),
    helper.visibleOptions(command).filter((o) => o.long === "--help"),
  ]
  for (const o of own) add(o.helpGroupHeading ?? "Options", o)
  const grouped = own.some((o) => o.helpGroupHeading !== undefined)
  for (const o of help) add(grouped ? "Other" : "Options", o)
  return [...groups]
}

/** Formats one row. A name that is wider than the column has its description on the next line. */
function formatItem([term, about]: Item, column: number, width: number): string {
  const indent = " ".repeat(column + 4)
  const text = wrapped(about, Math.max(30, width - indent.length)).join(`\n${indent}`)
  return term.length > column ? `  ${term}\n${indent}${text}` : `  ${term.padEnd(column)}  ${text}`
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** The warning about an old name. */
export function renamedText(old: string, now: string): string {
  return `${old} is now called ${now}. The old name works until version 0.3.`
}

/** Adds `--old <value>` as a hidden name of `--now`, which warns when it is used. */
export function renamedOption(command: Command, old: string, now: string, io: Pick<Io, "err">): void {
  command.addOption(command.createOption(`--${old} <value>`).hideHelp())
  command.on(`option:${old}`, (value: string) => {
    io.err(renamedText(`--${old}`, `--${now}`))
    // The types of commander omit that a command is an event emitter. Emitting the event sets the value under the new
    // name.
    ;(command as Command & Pick<EventEmitter, "emit">).emit(`option:${now}`, value)
  })
}
