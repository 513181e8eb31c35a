// Returns the other commands through the program object. Importing them all here would be a cyclic import.
import type { Command } from "commander"
import type { CommandHelp } from "../../manual-pages/entry.ts"

export function listedBeside(command: Command): CommandHelp[] {
  const program = command.parent
  return (program === null ? [] : program.createHelp().visibleCommands(program))
    .filter((c) => c.name() !== "help")
    .map((c) => ({ name: c.name(), about: c.description() }))
}
