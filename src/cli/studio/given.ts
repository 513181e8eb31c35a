// The input of `lacewing studio`: an experiment with the files that it names, or a results folder. The server delivers
// only these files.
import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join, relative, sep } from "node:path"
import { type Checked, complain } from "../../core/complaint.ts"
import { loadPlan } from "../../experiment/load.ts"
import type { Given } from "./server.ts"

/** Maximum number of files of a results folder. */
const MOST_FILES = 20_000

export async function givenBy(path: string): Promise<Checked<Given>> {
  let folder = false
  try {
    folder = statSync(path).isDirectory()
  } catch {
    // The argument may be the name of an experiment of the package.
  }
  if (folder && isResults(path)) return { ok: { folder: path, results: filesIn(path) } }
  const loaded = await loadPlan(path, { code: false })
  if ("bad" in loaded) return { bad: loaded.bad }
  const { file, folder: at, runs } = loaded.ok
  if (/\.(m?js|ts)$/.test(file))
    return {
      bad: [complain(path, "This experiment is a JavaScript module, but the studio runs no code.", "write it as YAML")],
    }
  const under = dirname(file)
  const named = runs.flatMap((r) => Object.keys(r.files)).map((f) => relative(under, join(at, f)).split(sep).join("/"))
  const beside = readdirSync(under, { withFileTypes: true }).filter(
    (f) => f.isFile() && BESIDE.test(f.name) && statSync(join(under, f.name)).size <= MOST_BESIDE,
  )
  const files = new Set([...named.filter((f) => !f.startsWith("..")), ...beside.map((f) => f.name)])
  files.delete(basename(file))
  return { ok: { folder: under, experiment: basename(file), files: [...files] } }
}

/** File types that an experiment may include: small texts in the same folder. */
const BESIDE = /\.(ya?ml|json|edges|csv|txt)$/
const MOST_BESIDE = 2 ** 20

function isResults(path: string): boolean {
  return readdirSync(path).some((name) => name === "manifest.json" || name === "runs" || name === "journal")
}

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((f) => f.isFile() && !f.name.endsWith(".html"))
    .slice(0, MOST_FILES)
    .map((f) => relative(path, join(f.parentPath, f.name)).split(sep).join("/"))
}
