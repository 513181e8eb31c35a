#!/usr/bin/env node
// Arguments in, text out. Complaints go to standard error, results to standard output; exit codes are in command.ts.
import process, { argv, env, exitCode, stderr, stdout } from "node:process"
import { Command, CommanderError } from "commander"
import { packageVersion } from "../lab/identity.ts"
import { paintFor } from "../lab/paint.ts"
import { Exit, exit, type Io } from "./command.ts"
import { commands } from "./commands.ts"

function terminal(): Io {
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    paint: paintFor(stdout, env),
    live: stderr.isTTY === true && env["TERM"] !== "dumb",
    width: stdout.columns ?? 100,
  }
}

/** Runs one command line and answers its exit code. */
export async function main(args: readonly string[], io: Io = terminal()): Promise<number> {
  const program = new Command("lacewing")
    .description("Simulator of supercomputer interconnection networks.")
    .version(packageVersion, "-V, --version")
    .exitOverride()
    .configureOutput({ writeOut: (s) => io.out(s.trimEnd()), writeErr: (s) => io.err(s.trimEnd()) })
    .configureHelp({ helpWidth: Math.min(io.width, 110) })
    .showHelpAfterError("(lacewing --help lists the commands, lacewing COMMAND --help its options)")
  const called = commands.find((c) => args.find((a) => !a.startsWith("-")) === c.name)
  try {
    for (const listed of commands) {
      const command = program.command(listed.name).description(listed.about)
      if (listed === called) (await listed.load()).default(command, io)
    }
    if (args.length === 0) {
      io.out(program.helpInformation().trimEnd())
      return exit.done
    }
    await program.parseAsync([...args], { from: "user" })
    return exit.done
  } catch (e) {
    if (e instanceof CommanderError) return e.exitCode === 0 ? exit.done : exit.wrongInput
    if (e instanceof Exit) {
      if (e.message !== "") io.err(e.message)
      return e.code
    }
    io.err(bug(e))
    return exit.failed
  }
}

/** An exception is a bug of ours: say so, and keep the stack for whoever mends it. */
function bug(e: unknown): string {
  return `lacewing has a bug; this should not happen:\n${e instanceof Error ? (e.stack ?? e.message) : String(e)}`
}
