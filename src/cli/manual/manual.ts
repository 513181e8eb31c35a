// lacewing manual [WORD]: the page of a word, opened in a browser; its path is printed.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { nearest } from "../../core/complaint.ts"
import { Catalog } from "../../experiment/catalog.ts"
import { packageFolder } from "../../experiment/places.ts"
import { type CommandHelp, entriesOf, lookUp } from "../../pages/entry.ts"
import { experimentsExplained } from "../../pages/experiments.ts"
import { Exit, exit, type Io } from "../command.ts"
import { listedBeside } from "./listed.ts"
import { openFile } from "./open.ts"

type Options = { readonly open: boolean; readonly json?: boolean }

export default function (command: Command, io: Io): void {
  command
    .argument("[word]", "a key, plug-in, value, command, stop reason or word, for example traffic.load, ugal, saturation")
    .option("--no-open", "print the path, open nothing")
    .option("--json", "print one JSON object: the page, and others that the word leads to; opens nothing")
    .addHelpText("after", "\nExamples:\n  lacewing manual --no-open\n  lacewing manual latency.p99 --no-open")
    .action(async (word: string | undefined, o: Options) => {
      const folder = join(packageFolder, "dist/manual")
      if (!existsSync(join(folder, "index.html")))
        throw new Exit(
          exit.wrongInput,
          "the manual: its pages are not made here\n  fix: npm run manual makes them in a checkout; a package has them",
        )
      const found = word === undefined ? ["index"] : pagesOf(word, listedBeside(command))
      const path = join(folder, `${found[0]}.html`)
      const also = found.slice(1, 6).map((file) => join(folder, `${file}.html`))
      if (o.json === true) return io.out(JSON.stringify({ page: path, also }))
      io.out(path)
      for (const other of also) io.err(io.paint.dim(`also ${other}`))
      if (o.open) await openFile(path, io)
    })
}

function pagesOf(word: string, commands: readonly CommandHelp[]): string[] {
  const entries = entriesOf(new Catalog(), commands, experimentsExplained())
  const found = lookUp(word, entries)
  if (found.length > 0) return found.map((e) => e.file)
  const near = nearest(word, [...new Set(entries.flatMap((e) => [e.name, ...e.also]))])
  const fix = near !== undefined ? `did you mean "${near}"?` : "lacewing manual opens its first page, which has a search"
  throw new Exit(exit.wrongInput, `${word}: the manual has no such word\n  fix: ${fix}`)
}
