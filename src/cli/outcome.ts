// The end of every command: a message on standard error, and with --json one line of JSON on standard output. It also
// protects the terminal: control characters in texts of a user are shown, not executed.
import { CommanderError } from "commander"
import { withoutControls } from "../core/control.ts"
import { isTrouble, systemComplaint } from "../experiment/disk/system-error.ts"
import { faultOf } from "../experiment/outside/fault.ts"
import { Exit, exit, type Io } from "./command.ts"

/** The escape codes that `paint` produces. Any other escape code comes from a file or a name, and is shown as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are made of them
const colours = /(\u001b\[(?:1|2|22|3[1-6]|39)m)/

/** Returns the text with all control characters replaced, except colours of `paint`. */
export function shown(text: string): string {
  if (!text.includes("\u001b[")) return withoutControls(text)
  return text
    .split(colours)
    .map((part, i) => (i % 2 === 1 ? part : withoutControls(part)))
    .join("")
}

/** A terminal whose output is filtered by `shown`. `said` is true after the first line on standard output. */
export class Watched implements Io {
  said = false
  readonly fits?: number
  private readonly io: Io
  constructor(io: Io) {
    this.io = io
    if (io.fits !== undefined) this.fits = io.fits
  }
  out(text: string): void {
    this.said = true
    this.io.out(shown(text))
  }
  err(text: string): void {
    this.io.err(shown(text))
  }
  raw(text: string): void {
    this.io.raw(text)
  }
  get paint(): Io["paint"] {
    return this.io.paint
  }
  get live(): boolean {
    return this.io.live
  }
  get width(): number {
    return this.io.width
  }
}

/** Returns true if `--json` is an option: not the value of another option, and not after `--`. */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--")
  return (end < 0 ? args : args.slice(0, end)).includes("--json")
}

/** Reports an exception of a command. Returns its exit code. */
export function ended(e: unknown, args: readonly string[], io: Watched): number {
  const json = wantsJson(args)
  const tell = (code: number, says: string, fix: string, path = ""): number => {
    if (json && !io.said)
      io.out(JSON.stringify({ ok: false, exit: code, complaints: says === "" ? [] : [{ path, says, fix }] }))
    return code
  }
  if (e instanceof CommanderError) {
    // The parser has already printed its message.
    if (e.exitCode === 0) return exit.done
    const command = args.find((a) => !a.startsWith("-"))
    return tell(
      exit.wrongInput,
      e.message.replace(/^error: /, ""),
      `lacewing ${command ?? ""} --help`.replace("  ", " "),
      "command line",
    )
  }
  if (e instanceof Exit) {
    if (e.message !== "") io.err(e.message)
    const [says = "", fix = ""] = e.message.split(/\n\s*fix: /)
    return tell(e.code, says, fix)
  }
  const system = systemComplaint(e, "file system")
  if (system !== undefined) {
    io.err(`${io.paint.bold(system.path)}: ${io.paint.red(system.says)}\n  ${io.paint.green("fix:")} ${system.fix}`)
    return tell(isTrouble(e) ? exit.failed : exit.wrongInput, system.says, system.fix, system.path)
  }
  const fault = faultOf(e)
  if (fault !== undefined) {
    io.err(`${io.paint.bold(fault.path)}: ${io.paint.red(fault.says)}\n  ${io.paint.green("fix:")} ${fault.fix}`)
    return tell(exit.wrongInput, fault.says, fault.fix, fault.path)
  }
  const text = e instanceof Error ? (e.stack ?? e.message) : String(e)
  io.err(`This is a bug in lacewing. Please report it with the command and the experiment file:\n${text}`)
  return tell(
    exit.failed,
    `This is a bug in lacewing: ${e instanceof Error ? e.message : String(e)}`,
    "report it with the command and the experiment file",
  )
}
