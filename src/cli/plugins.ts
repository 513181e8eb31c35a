// --plugins FILE of the commands that need no experiment: a module, or an experiment that names some. They are executed.
import { complain } from "../core/complaint.ts"
import { Catalog } from "../experiment/catalog.ts"
import { moduleFrom } from "../experiment/gate.ts"
import { loadModules, outsideFor } from "../experiment/outside/load.ts"
import { isModule, read } from "../experiment/read.ts"
import type { AnyPlugin } from "../library.ts"
import type { Io } from "./command.ts"
import { collect, refuse } from "./options.ts"
import { refusePlain } from "./plain.ts"

export const pluginsOption = [
  "--plugins <file>",
  "with plug-ins of your own: a module, or an experiment that names some (may be repeated); they are executed",
  collect,
] as const

export interface WithPlugins {
  readonly plugins?: readonly string[]
}

/** The library and what these files bring, or the end of the command with all complaints. */
export async function catalogWith({ plugins = [] }: WithPlugins, io: Io, json: boolean): Promise<Catalog> {
  const given = plugins.filter(isModule).map((path) => moduleFrom("command line", path).ok)
  const modules = await loadModules(given, ".", (i) => `--plugins ${given[i]}`)
  if ("bad" in modules) refusePlain(modules.bad, io, json)
  const found: AnyPlugin[] = modules.ok.flatMap((m) => m.plugins)
  for (const path of plugins.filter((p) => !isModule(p))) {
    const file = await read(path, { code: false })
    if ("bad" in file) refuse(file.bad, io, json)
    const got = await outsideFor(file.ok)
    if ("bad" in got) refuse(got.bad, io, json)
    if (got.ok.length === 0)
      refusePlain([complain(path, "names no plug-ins", "name a module, or an experiment with the key plugins")], io, json)
    found.push(...got.ok.flatMap((m) => m.plugins).filter((p) => !found.includes(p)))
  }
  return new Catalog().with(found)
}
