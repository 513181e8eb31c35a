// Executes one command line: finds the command, imports its file, runs it and returns the exit code. Only the file of
// the called command is imported, so that start-up stays fast.
import { env, stderr, stdout } from "node:process"
import { Command } from "commander"
import { nearest } from "../core/complaint.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { paintFor } from "../terminal/paint.ts"
import { hung } from "../terminal/wrap.ts"
import { Exit, exit, type Io } from "./command.ts"
import { commands, renamedCommands } from "./commands.ts"
import { laidOut, renamedText } from "./help.ts"
import { ended, Watched } from "./outcome.ts"

/** Returns the terminal of this process. Tests pass their own object instead. */
export function terminal(): Io {
  const columns = Number(env["COLUMNS"])
  const fits = columns >= 20 ? columns : stdout.isTTY === true && stdout.columns > 0 ? stdout.columns : undefined
  // Data that is written to a file or to another program keeps its lines.
  const shown = (text: string, isTerminal: boolean) => (isTerminal && fits !== undefined ? hung(text, fits) : text)
  return {
    out: (text) => void stdout.write(`${shown(text, stdout.isTTY === true)}\n`),
    err: (text) => void stderr.write(`${shown(text, stderr.isTTY === true)}\n`),
    raw: (text) => void stderr.write(text),
    paint: paintFor(stdout, env),
    live: stderr.isTTY === true && env["TERM"] !== "dumb" && env["CI"] === undefined,
    width: fits ?? stderr.columns ?? 100,
    ...(fits === undefined ? {} : { fits }),
  }
}

/** Returns the message about an unknown command, with the most similar name. */
function unknownCommand(name: string): string {
  const near = nearest(
    name,
    commands.filter((c) => c.hidden !== true).map((c) => c.name),
  )
  const fix = near !== undefined ? `did you mean "lacewing ${near}"?` : "lacewing --help lists all commands"
  return `${name}: there is no such command.\n  fix: ${fix}`
}

/** Returns the arguments with the current name of the command, and warns about an old name. */
function withNewName(args: readonly string[], io: Io): readonly string[] {
  const at = args.findIndex((a) => !a.startsWith("-") && a !== "help")
  const old = args[at]
  const now = old !== undefined && Object.hasOwn(renamedCommands, old) ? renamedCommands[old] : undefined
  if (now === undefined) return args
  io.err(renamedText(`lacewing ${old}`, `lacewing ${now}`))
  return args.with(at, now)
}

export async function main(given: readonly string[], terminalGiven: Io = terminal()): Promise<number> {
  const io = new Watched(terminalGiven)
  const args = withNewName(given, io)
  const program = laidOut(new Command("lacewing"), Math.min(io.width, 110))
    .description("lacewing simulates the interconnection networks of supercomputers and AI clusters.")
    .usage("<command> [options]")
    .version(buildVersion, "-V, --version", "Print the version")
    .exitOverride()
    .configureOutput({ writeOut: (s) => io.out(s.trimEnd()), writeErr: (s) => io.err(s.trimEnd()) })
    .addHelpText("after", "\nFirst time here? Run: lacewing run first-curve")
  const called = args.find((a) => !a.startsWith("-"))
  try {
    for (const name of called === "help"
      ? args.filter((a) => a !== "help" && !a.startsWith("-"))
      : called !== undefined
        ? [called]
        : [])
      if (!commands.some((c) => c.name === name)) throw new Exit(exit.wrongInput, unknownCommand(name))
    for (const listed of commands) {
      const command = program
        .command(listed.name, { hidden: listed.hidden === true })
        .description(listed.about)
        .helpGroup(listed.group)
      // A completion script contains all commands, so it imports all of them.
      if (listed.name === called || called === "completion" || (called === "help" && args.includes(listed.name)))
        (await listed.load()).default(command, io)
    }
    program.addHelpCommand(
      new Command("help").argument("[command]").description("Show help for a command").helpGroup("Other"),
    )
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync([...args], { from: "user" })
    return exit.done
  } catch (e) {
    return ended(e, args, io)
  }
}
