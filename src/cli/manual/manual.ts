// lacewing manual [WORD]: opens the page of a word in a browser and prints its path. With --serve, a local server
// delivers the pages.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { nearest } from "../../core/complaint.ts"
import { Catalog } from "../../experiment/catalog.ts"
import { folderOf, unpackAll } from "../../experiment/disk/unpacked.ts"
import { type CommandHelp, entriesOf, lookUp } from "../../manual-pages/entry.ts"
import { experimentsExplained } from "../../manual-pages/experiments.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe } from "../help.ts"
import { serve, untilStopped } from "../studio/server.ts"
import { listedBeside } from "./listed.ts"
import { openFile } from "./open.ts"

type Options = { readonly open: boolean; readonly serve?: boolean; readonly json?: boolean; readonly out?: string }

/**
 * Paths that pages of the manual link to: other pages, the studio, and files of the package. The server delivers
 * nothing else.
 */
const served = /^(dist\/(manual|studio)|docs|papers|experiments|changes)\/|^[A-Z]+(\.md|\.cff)?$/

export default function (command: Command, io: Io): void {
  describe(command, {
    notes: "Prints the path of the page and opens it in the browser.",
    examples: ["lacewing manual", "lacewing manual latency.p99 --no-open", "lacewing manual --out site"],
  })
  command
    .argument("[topic]", "Key, plug-in, result column, command, stop reason or term, e.g. traffic.load or ugal")
    .option("--no-open", "Print the path and do not open a browser")
    .option("--serve", "Serve the manual and the studio to this machine, until Ctrl-C")
    .option("--out <folder>", "Write the manual and the studio to this folder as a static site")
    .option("--json", "Print the path of the page and of related pages as JSON, and open nothing")
    .action(async (word: string | undefined, o: Options) => {
      const site = folderOf("dist/manual/index.html")
      const folder = join(site, "dist/manual")
      if (!existsSync(join(folder, "index.html")))
        throw new Exit(
          exit.wrongInput,
          "The pages of the manual are not built.\n  fix: run npm run manual in the checkout, or install the package, which contains them",
        )
      if (o.out !== undefined) {
        unpackAll(o.out)
        return io.out(join(o.out, "dist/manual/index.html"))
      }
      const found = word === undefined ? ["index"] : pagesOf(word, listedBeside(command))
      const path = join(folder, `${found[0]}.html`)
      const also = found.slice(1, 6).map((file) => join(folder, `${file}.html`))
      if (o.json === true) return io.out(JSON.stringify({ page: path, also }))
      if (o.serve === true) return servePages(site, `dist/manual/${found[0]}.html`, o.open, io)
      io.out(path)
      for (const other of also) io.err(io.paint.dim(`See also ${other}`))
      if (o.open) await openFile(path, io)
    })
}

async function servePages(site: string, first: string, open: boolean, io: Io): Promise<void> {
  const { address, server } = await serve(site, undefined, 0, served)
  io.out(address + first)
  io.err("Only this machine can open this address. Press Ctrl-C to stop the server.")
  if (open) await openFile(address + first, io)
  await untilStopped(server)
}

function pagesOf(word: string, commands: readonly CommandHelp[]): string[] {
  const entries = entriesOf(new Catalog(), commands, experimentsExplained())
  const page = entries.find((e) => e.file === word)
  const found = page === undefined ? lookUp(word, entries) : [page]
  if (found.length > 0) return found.map((e) => e.file)
  const near = nearest(word, [...new Set(entries.flatMap((e) => [e.name, ...e.also]))])
  const fix = near !== undefined ? `did you mean "${near}"?` : "run lacewing manual, whose first page has a search"
  throw new Exit(exit.wrongInput, `${word}: the manual has no page on this topic.\n  fix: ${fix}`)
}
