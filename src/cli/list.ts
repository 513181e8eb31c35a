// lacewing list [KIND]: prints every plug-in with a one-line description, and the experiments of this folder and of the
// package.
import type { Command } from "commander"
import { isCode } from "../experiment/gate.ts"
import { experimentNames } from "../experiment/places.ts"
import { read } from "../experiment/read.ts"
import { table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { catalogWith, pluginsOption, type WithPlugins } from "./plugins.ts"

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: ["lacewing list", "lacewing list routing", "lacewing list experiments"],
  })
  command
    .argument(
      "[kind]",
      "Kind of plug-in, e.g. topology, routing, switch, pattern or probe, or experiments (default: all)",
    )
    .option("--json", "Print a JSON list")
    .option(...pluginsOption)
    .action(async (kind: string | undefined, o: WithPlugins & { json?: boolean }) => {
      const catalog = await catalogWith(o, io, o.json === true)
      const meant = kind === undefined ? undefined : catalog.kind(kind, ["experiments"])
      if (meant !== undefined && "says" in meant)
        throw new Exit(exit.wrongInput, `There is no kind "${kind}".\n  fix: ${meant.says}`)
      const asked = meant?.is
      const plugins = catalog.plugins.filter((p) => asked === undefined || p.kind === asked)
      const rows = plugins.map((p) => ({
        kind: String(p.kind),
        name: p.name,
        about: p.about,
        params: Object.keys(p.params.fields),
      }))
      if (asked === undefined || asked === "experiments") rows.push(...(await experiments()))
      if (o.json === true) return io.out(JSON.stringify(rows))
      io.out(
        table(
          [{ head: "kind" }, { head: "name" }, { head: "about" }],
          rows.map((r) => [io.paint.dim(r.kind), io.paint.cyan(r.name), r.about]),
          io.paint,
          io.fits,
        ),
      )
      const hints = [
        ...(plugins.length > 0 ? ["lacewing explain NAME describes a plug-in"] : []),
        ...(rows.length > plugins.length ? ["lacewing run NAME runs an experiment"] : []),
      ]
      if (hints.length > 0) io.out(io.paint.dim(`\n${hints.join("\n")}`))
    })
}

async function experiments(): Promise<{ kind: string; name: string; about: string; params: string[] }[]> {
  const made = []
  for (const name of experimentNames()) {
    // `list` executes no code, so the title of an experiment that is a module is unknown.
    const got = await read(name, { code: false })
    const value = "ok" in got ? got.ok.source.value : undefined
    const title = typeof value === "object" && value !== null && "title" in value ? String(value.title) : ""
    if ("ok" in got) made.push({ kind: "experiment", name, about: title, params: [] })
    else if (got.bad[0]?.says === isCode)
      made.push({ kind: "experiment", name, about: "(a JavaScript module)", params: [] })
  }
  return made
}
