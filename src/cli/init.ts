// lacewing init [FILE]: a commented experiment to start from, and the schema that lets an editor complete it.
import { existsSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Command } from "commander"
import { Catalog } from "../experiment/catalog.ts"
import { unwritable } from "../experiment/disk/user-file.ts"
import { editorSchema } from "../experiment/editor-schema.ts"
import { starter } from "../experiment/starter.ts"
import { makeFolder } from "../results/disk.ts"
import { Exit, exit, type Io } from "./command.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("[file]", "where to write it", "experiment.yaml")
    .option("--force", "replace a file that is there")
    .action((file: string, o: { force?: boolean }) => {
      if (existsSync(file) && o.force !== true)
        throw new Exit(exit.wrongInput, `${file} is there already\n  fix: name another file, or give --force to replace it`)
      const schema = join(dirname(file), "schema.json")
      try {
        makeFolder(dirname(file))
        writeFileSync(file, starter)
        writeFileSync(schema, `${JSON.stringify(editorSchema(new Catalog()), null, 1)}\n`)
      } catch (e) {
        throw new Exit(exit.wrongInput, `${file} ${unwritable(e)}\n  fix: name a file in a folder that you may write to`)
      }
      io.out(`${file} is written, with ${schema} for your editor; run it: lacewing run ${file}`)
    })
}
