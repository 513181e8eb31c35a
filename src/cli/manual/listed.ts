// The commands beside this one, as the program has listed them: a file that named them all would be imported by what it imports.
import type { Command } from "commander"
import type { CommandHelp } from "../../pages/entry.ts"

export function listedBeside(command: Command): CommandHelp[] {
  return (command.parent?.commands ?? []).filter((c) => c.name() !== "help").map((c) => ({ name: c.name(), about: c.description() }))
}
