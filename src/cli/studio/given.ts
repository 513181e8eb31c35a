// The input of `lacewing studio`: an experiment with the files that it names, or a results folder. The server delivers
// only these files.
import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { type Checked, complain } from "../../core/complaint.ts"
import { isMap } from "../../experiment/fields.ts"
import { isModule } from "../../experiment/gate.ts"
import { loadPlan } from "../../experiment/load.ts"
import { pathsIn } from "../../experiment/outside/named.ts"
import { read } from "../../experiment/read.ts"
import type { ExperimentFile } from "../../experiment/text.ts"
import { filesIn } from "./results-files.ts"
import type { Given } from "./server.ts"

/** `code`: modules of the experiment are given to the page. They are never executed here. */
export async function givenBy(path: string, code = false): Promise<Checked<Given>> {
  let folder = false
  try {
    folder = statSync(path).isDirectory()
  } catch {
    // The argument may be the name of an experiment of the package.
  }
  if (folder && isResults(path)) return { ok: { folder: path, results: filesIn(path) } }
  const text = await read(path, { code: false })
  if ("ok" in text) {
    const modules = pathsIn(text.ok)
    if (modules.length > 0) return withCode(text.ok, modules, code)
  }
  const loaded = await loadPlan(path, { code: false })
  if ("bad" in loaded) return { bad: loaded.bad }
  const { file, folder: at, runs } = loaded.ok
  const under = dirname(file)
  const named = runs.flatMap((r) => Object.keys(r.files)).map((f) => relative(under, join(at, f)).split(sep).join("/"))
  return { ok: { folder: under, experiment: basename(file), files: filesOf(under, basename(file), named) } }
}

/** Returns an experiment with its modules. Its plan is not known here, so files are given whose path is in its text. */
function withCode({ source, host }: ExperimentFile, modules: readonly string[], code: boolean): Checked<Given> {
  const folder = host.folder ?? "."
  if (!code)
    return {
      bad: modules.map((m) =>
        complain("plugins", `${m} is a module, and modules are code`, "add --code to execute it in the page, isolated"),
      ),
    }
  const inFolder = (name: string) => relative(folder, resolve(folder, name)).split(sep).join("/")
  const beyond = modules.filter((m) => inFolder(m).startsWith(".."))
  if (beyond.length > 0)
    return {
      bad: beyond.map((m) =>
        complain(
          "plugins",
          `${m} is outside the folder of the experiment`,
          "move it into the folder of the experiment",
        ),
      ),
    }
  const named = textsIn(source.value).filter((t) => isFile(join(folder, t)))
  const files = filesOf(folder, basename(source.file), [...named, ...modules].map(inFolder))
  return { ok: { folder, experiment: basename(source.file), files, code: modules.map(inFolder) } }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return isModule(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isMap(value) ? Object.values(value).flatMap(textsIn) : []
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Returns the named files of a folder, and small texts in the folder of the experiment, which it may include. */
function filesOf(under: string, experiment: string, named: readonly string[]): string[] {
  const beside = readdirSync(under, { withFileTypes: true }).filter(
    (f) => f.isFile() && BESIDE.test(f.name) && statSync(join(under, f.name)).size <= MOST_BESIDE,
  )
  const files = new Set([...named.filter((f) => !f.startsWith("..")), ...beside.map((f) => f.name)])
  files.delete(experiment)
  return [...files]
}

/** File types that an experiment may include: small texts in the same folder. */
const BESIDE = /\.(ya?ml|json|edges|csv|txt)$/
const MOST_BESIDE = 2 ** 20

function isResults(path: string): boolean {
  return readdirSync(path).some((name) => name === "manifest.json" || name === "runs" || name === "journal")
}
