// One command line: finds the command, imports its file, runs it, answers the exit code.
import { env, stderr, stdout } from "node:process"
import { Command } from "commander"
import { nearest } from "../core/complaint.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { paintFor } from "../terminal/paint.ts"
import { Exit, exit, type Io } from "./command.ts"
import { commands } from "./commands.ts"
import { ended, Watched } from "./outcome.ts"

export function terminal(): Io {
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    raw: (text) => void stderr.write(text),
    paint: paintFor(stdout, env),
    live: stderr.isTTY === true && env["TERM"] !== "dumb" && env["CI"] === undefined,
    width: stdout.columns ?? stderr.columns ?? 100,
    ...(stdout.isTTY === true && stdout.columns > 0 ? { fits: stdout.columns } : {}),
  }
}

function unknownCommand(name: string): string {
  const near = nearest(
    name,
    commands.map((c) => c.name),
  )
  return `${name}: there is no such command\n  fix: ${near !== undefined ? `did you mean "lacewing ${near}"?` : "lacewing --help lists all commands"}`
}

export async function main(args: readonly string[], given: Io = terminal()): Promise<number> {
  const io = new Watched(given)
  const program = new Command("lacewing")
    .description("Simulator of supercomputer interconnection networks.")
    .version(buildVersion, "-V, --version")
    .exitOverride()
    .configureOutput({ writeOut: (s) => io.out(s.trimEnd()), writeErr: (s) => io.err(s.trimEnd()) })
    .configureHelp({ helpWidth: Math.min(io.width, 110) })
    .addHelpText("after", "\nStart with: lacewing run first-curve\nHelp on one command: lacewing run --help")
  const called = args.find((a) => !a.startsWith("-"))
  try {
    for (const name of called === "help" ? args.filter((a) => a !== "help" && !a.startsWith("-")) : called !== undefined ? [called] : [])
      if (!commands.some((c) => c.name === name)) throw new Exit(exit.wrongInput, unknownCommand(name))
    for (const listed of commands) {
      const command = program.command(listed.name).description(listed.about)
      // a script that completes commands is made of all of them
      if (listed.name === called || called === "completion" || (called === "help" && args.includes(listed.name)))
        (await listed.load()).default(command, io)
    }
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync([...args], { from: "user" })
    return exit.done
  } catch (e) {
    return ended(e, args, io)
  }
}
