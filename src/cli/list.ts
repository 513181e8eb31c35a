// lacewing list [KIND]: every plug-in with one line about it, and the experiments that are here or in the package.
import type { Command } from "commander"
import { isCode } from "../experiment/gate.ts"
import { experimentNames } from "../experiment/places.ts"
import { read } from "../experiment/read.ts"
import { table } from "../terminal/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { catalogWith, pluginsOption, type WithPlugins } from "./plugins.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("[kind]", "topology, routing, switch, endpoint, pattern, arrivals, sizes, probe, …, or experiments")
    .option("--json", "print a JSON list")
    .option(...pluginsOption)
    .action(async (kind: string | undefined, o: WithPlugins & { json?: boolean }) => {
      const catalog = await catalogWith(o, io, o.json === true)
      const meant = kind === undefined ? undefined : catalog.kind(kind, ["experiments"])
      if (meant !== undefined && "says" in meant) throw new Exit(exit.wrongInput, `there is no kind "${kind}"\n  fix: ${meant.says}`)
      const asked = meant?.is
      const plugins = catalog.plugins.filter((p) => asked === undefined || p.kind === asked)
      const rows = plugins.map((p) => ({ kind: String(p.kind), name: p.name, about: p.about, params: Object.keys(p.params.fields) }))
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
        ...(plugins.length > 0 ? ["lacewing explain NAME tells more about a plug-in"] : []),
        ...(rows.length > plugins.length ? ["lacewing run NAME runs an experiment"] : []),
      ]
      if (hints.length > 0) io.out(io.paint.dim(`\n${hints.join("; ")}`))
    })
}

async function experiments(): Promise<{ kind: string; name: string; about: string; params: string[] }[]> {
  const made = []
  for (const name of experimentNames()) {
    // a list executes nothing: the title of a module is not known
    const got = await read(name, { code: false })
    const value = "ok" in got ? got.ok.source.value : undefined
    const title = typeof value === "object" && value !== null && "title" in value ? String(value.title) : ""
    if ("ok" in got) made.push({ kind: "experiment", name, about: title, params: [] })
    else if (got.bad[0]?.says === isCode) made.push({ kind: "experiment", name, about: "(a module)", params: [] })
  }
  return made
}
