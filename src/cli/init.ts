// lacewing init [FILE] [--template NAME]: writes a commented experiment as a starting point, and the JSON Schema with
// which an editor completes it.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Command } from "commander"
import { nearest } from "../core/complaint.ts"
import { Catalog } from "../experiment/catalog.ts"
import { unwritable } from "../experiment/disk/user-file.ts"
import { editorSchema } from "../experiment/editor-schema.ts"
import { packageFolder } from "../experiment/places.ts"
import { type Starter, starters } from "../experiment/starters/index.ts"
import { makeFolder } from "../results/disk.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("[file]", "File to write", "experiment.yaml")
    .option("--template <name>", "Template to start from, see below", "torus")
    .option("--force", "Replace existing files")
    .action((file: string, o: { template: string; force?: boolean }) => {
      const starter = named(o.template)
      const folder = dirname(file)
      const schema = join(folder, "schema.json")
      const beside = [
        ...Object.entries(starter.gallery ?? {}).map(
          ([name, of]) =>
            [name, galleryText(of).replaceAll('"experiment.yaml"', JSON.stringify(basename(file)))] as const,
        ),
        ...Object.entries(starter.files ?? {}),
      ].map(([name, text]) => [join(folder, name), text] as const)
      const there = [file, ...beside.map(([path]) => path)].filter((f) => existsSync(f))
      if (there.length > 0 && o.force !== true)
        throw new Exit(
          exit.wrongInput,
          `${there[0]} already exists.\n  fix: choose another file name, or add --force to replace it`,
        )
      try {
        makeFolder(folder)
        writeFileSync(file, starter.text)
        for (const [path, text] of beside) writeFileSync(path, text)
        writeFileSync(schema, `${JSON.stringify(editorSchema(new Catalog()), null, 1)}\n`)
      } catch (e) {
        throw new Exit(
          exit.wrongInput,
          `${file} ${unwritable(e)}\n  fix: choose a file in a folder that you may write to`,
        )
      }
      const more = beside.map(([path]) => `${path}, `).join("")
      const modules = Object.keys(starter.gallery ?? {})
        .filter((name) => !name.endsWith(".test.mjs"))
        .map((name) => join(folder, name))
      io.out(
        `Wrote ${file}, ${more}and ${schema} for your editor. Run it with: lacewing ${starter.command ?? "run"} ${file}`,
      )
      for (const module of modules) io.out(`Test the plug-in with: lacewing contract ${module}`)
    })
  describe(command, {
    lists: { Templates: Object.entries(starters).map(([name, s]) => [name, s.about]) },
    examples: [
      "lacewing init",
      "lacewing init --template plugin-congestion",
      "lacewing init dragonfly.yaml --template dragonfly",
    ],
  })
}

function galleryText(file: string): string {
  return readFileSync(join(packageFolder, "examples/plugins", file), "utf8")
}

function named(template: string): Starter {
  const names = Object.keys(starters)
  const found = names.includes(template) ? starters[template] : undefined
  if (found !== undefined) return found
  const near = nearest(template, names)
  const fix =
    near !== undefined ? `did you mean "${near}"? all: ${names.join(", ")}` : `choose one of ${names.join(", ")}`
  throw new Exit(exit.wrongInput, `There is no template "${template}".\n  fix: ${fix}`)
}
