// --plugins FILE, for commands without an experiment: loads a module, or the modules that an experiment names. The
// modules are executed.
import { complain } from "../core/complaint.ts"
import { Catalog } from "../experiment/catalog.ts"
import { isModule, moduleFrom } from "../experiment/gate.ts"
import { loadModules, outsideFor } from "../experiment/outside/load.ts"
import { read } from "../experiment/read.ts"
import type { AnyPlugin } from "../library.ts"
import type { Io } from "./command.ts"
import { collect, refuse } from "./options.ts"
import { refusePlain } from "./plain.ts"

export const pluginsOption = [
  "--plugins <file>",
  "Load plug-ins from this module, or those of this experiment. Executes them. Repeatable",
  collect,
] as const

export interface WithPlugins {
  readonly plugins?: readonly string[]
}

/** Returns the library together with the plug-ins of these files; ends the command if one cannot be loaded. */
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
      refusePlain(
        [complain(path, "This experiment names no plug-ins.", "give a module, or an experiment with the key plugins")],
        io,
        json,
      )
    found.push(...got.ok.flatMap((m) => m.plugins).filter((p) => !found.includes(p)))
  }
  return new Catalog().with(found)
}
