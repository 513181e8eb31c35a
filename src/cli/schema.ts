// lacewing schema: JSON Schema of experiment files for editors.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { unwritable } from "../experiment/disk/user-file.ts"
import { editorSchema } from "../experiment/editor-schema.ts"
import { Exit, exit, type Io } from "./command.ts"
import { catalogWith, pluginsOption, type WithPlugins } from "./plugins.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("[file]", "where to write it, for example schema.json; standard output without one")
    .addHelpText("after", "\nFirst line of an experiment that uses it:\n  # yaml-language-server: $schema=schema.json")
    .option(...pluginsOption)
    .action(async (file: string | undefined, o: WithPlugins) => {
      const text = JSON.stringify(editorSchema(await catalogWith(o, io, false)), null, 2)
      if (file === undefined) return io.out(text)
      try {
        writeFileSync(file, `${text}\n`)
        io.err(`written to ${file}; in an experiment: # yaml-language-server: $schema=${file}`)
      } catch (e) {
        throw new Exit(exit.wrongInput, `${file} ${unwritable(e)}\n  fix: name a file in a folder that you may write to`)
      }
    })
}
