// lacewing init [FILE] [--template NAME]: a commented experiment to start from, and the schema that lets an editor complete it.
import { existsSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Command } from "commander"
import { nearest } from "../core/complaint.ts"
import { Catalog } from "../experiment/catalog.ts"
import { unwritable } from "../experiment/disk/user-file.ts"
import { editorSchema } from "../experiment/editor-schema.ts"
import { type Starter, starters } from "../experiment/starters/index.ts"
import { makeFolder } from "../results/disk.ts"
import { Exit, exit, type Io } from "./command.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("[file]", "where to write it", "experiment.yaml")
    .option("--template <name>", `what to start from: ${Object.keys(starters).join(", ")}`, "torus")
    .option("--force", "replace files that are there")
    .addHelpText(
      "after",
      `\nTemplates:\n${Object.entries(starters)
        .map(([name, s]) => `  ${name.padEnd(11)}${s.about}`)
        .join("\n")}`,
    )
    .action((file: string, o: { template: string; force?: boolean }) => {
      const starter = named(o.template)
      const folder = dirname(file)
      const schema = join(folder, "schema.json")
      const beside = Object.entries(starter.files ?? {}).map(([name, text]) => [join(folder, name), text] as const)
      const there = [file, ...beside.map(([path]) => path)].filter((f) => existsSync(f))
      if (there.length > 0 && o.force !== true)
        throw new Exit(exit.wrongInput, `${there[0]} is there already\n  fix: name another file, or give --force to replace it`)
      try {
        makeFolder(folder)
        writeFileSync(file, starter.text)
        for (const [path, text] of beside) writeFileSync(path, text)
        writeFileSync(schema, `${JSON.stringify(editorSchema(new Catalog()), null, 1)}\n`)
      } catch (e) {
        throw new Exit(exit.wrongInput, `${file} ${unwritable(e)}\n  fix: name a file in a folder that you may write to`)
      }
      const more = beside.map(([path]) => `${path} and `).join("")
      io.out(`${file} is written, with ${more}${schema} for your editor; run it: lacewing ${starter.command ?? "run"} ${file}`)
    })
}

function named(template: string): Starter {
  const names = Object.keys(starters)
  const found = names.includes(template) ? starters[template] : undefined
  if (found !== undefined) return found
  const near = nearest(template, names)
  const fix = near !== undefined ? `did you mean "${near}"? all: ${names.join(", ")}` : `choose one of ${names.join(", ")}`
  throw new Exit(exit.wrongInput, `there is no template "${template}"\n  fix: ${fix}`)
}
