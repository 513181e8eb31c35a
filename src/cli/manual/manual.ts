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
import { serve, untilStopped } from "../studio/server.ts"
import { listedBeside } from "./listed.ts"
import { openFile } from "./open.ts"

type Options = { readonly open: boolean; readonly serve?: boolean; readonly json?: boolean }

/** What pages of the manual lead to: each other, the studio, and files that are packed with them. */
const served = /^(dist\/(manual|studio)|docs|papers|experiments|changes)\/|^[A-Z]+(\.md|\.cff)?$/

export default function (command: Command, io: Io): void {
  command
    .argument("[word]", "a key, plug-in, value, command, stop reason or word, for example traffic.load, ugal, saturation")
    .option("--no-open", "print the path, open nothing")
    .option("--serve", "serve the pages to this machine, with the studio, so that what says run it here runs; Ctrl-C ends it")
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
      if (o.serve === true) return servePages(`dist/manual/${found[0]}.html`, o.open, io)
      io.out(path)
      for (const other of also) io.err(io.paint.dim(`also ${other}`))
      if (o.open) await openFile(path, io)
    })
}

async function servePages(first: string, open: boolean, io: Io): Promise<void> {
  const { address, server } = await serve(packageFolder, undefined, 0, served)
  io.out(address + first)
  io.err("Only this machine reaches it. Ctrl-C ends it.")
  if (open) await openFile(address + first, io)
  await untilStopped(server)
}

function pagesOf(word: string, commands: readonly CommandHelp[]): string[] {
  const entries = entriesOf(new Catalog(), commands, experimentsExplained())
  const page = entries.find((e) => e.file === word)
  const found = page === undefined ? lookUp(word, entries) : [page]
  if (found.length > 0) return found.map((e) => e.file)
  const near = nearest(word, [...new Set(entries.flatMap((e) => [e.name, ...e.also]))])
  const fix = near !== undefined ? `did you mean "${near}"?` : "lacewing manual opens its first page, which has a search"
  throw new Exit(exit.wrongInput, `${word}: the manual has no such word\n  fix: ${fix}`)
}
