// lacewing schema: prints the JSON Schema of experiment files, for editors.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { unwritable } from "../experiment/disk/user-file.ts"
import { editorSchema } from "../experiment/editor-schema.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { catalogWith, pluginsOption, type WithPlugins } from "./plugins.ts"

export default function (command: Command, io: Io): void {
  describe(command, {
    notes: "To use it, start your experiment file with: # yaml-language-server: $schema=schema.json",
    examples: ["lacewing schema schema.json", "lacewing schema schema.json --plugins my-routing.mjs"],
  })
  command
    .argument("[file]", "File to write, e.g. schema.json (default: standard output)")
    .option(...pluginsOption)
    .action(async (file: string | undefined, o: WithPlugins) => {
      const text = JSON.stringify(editorSchema(await catalogWith(o, io, false)), null, 2)
      if (file === undefined) return io.out(text)
      try {
        writeFileSync(file, `${text}\n`)
        io.err(`Wrote ${file}. Start your experiment with: # yaml-language-server: $schema=${file}`)
      } catch (e) {
        throw new Exit(
          exit.wrongInput,
          `${file} ${unwritable(e)}\n  fix: choose a file in a folder that you may write to`,
        )
      }
    })
}
