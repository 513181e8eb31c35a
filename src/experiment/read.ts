// Reads an experiment: a YAML or JSON file, a module that exports defineExperiment(…), a folder with an
// experiment.yaml, or the name of an experiment. Never throws.
import { statSync } from "node:fs"
import { basename, dirname, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { complain, nearest } from "../core/complaint.ts"
import { hostAt } from "./disk/host.ts"
import { unreadable } from "./disk/system-error.ts"
import { readBytes } from "./disk/user-file.ts"
import { type Consent, type Executable, isModule, moduleFrom } from "./gate.ts"
import { experimentIn, experimentNamed, experimentNames } from "./places.ts"
import { type Placed, plainSource, type Source } from "./source.ts"
import { type ExperimentFile, emptyIn, isEmpty, mostText, nameOf, sourceOf } from "./text.ts"

export async function read(given: string, consent: Consent = {}): Promise<{ ok: ExperimentFile } | { bad: Placed[] }> {
  const found = findFile(given)
  if ("bad" in found) return found
  const path = found.ok
  const shown = relative(process.cwd(), path)
  const file = shown === "" || shown.startsWith("..") ? given : shown
  const module = isModule(path) ? moduleFrom("experiment", path, consent) : undefined
  if (module !== undefined && "says" in module)
    return { bad: [{ file, ...complain("", module.says, "give a .yaml or .json file, or allow code") }] }
  const got = module === undefined ? textSource(file, path) : await moduleSource(file, module.ok)
  if ("bad" in got) return got
  if (isEmpty(got.ok)) return { bad: [emptyIn(file)] }
  const name = nameOf(path)
  return { ok: { source: got.ok, host: hostAt(dirname(path)), name } }
}

/** Returns the path of the experiment: a path, or a name in this folder or in the package. */
export function findFile(given: string): { ok: string } | { bad: Placed[] } {
  const refuse = (says: string, fix: string) => ({ bad: [{ file: given, ...complain("", says, fix) }] })
  const path = resolve(given)
  try {
    if (!statSync(path).isDirectory()) return { ok: path }
    const inside = experimentIn(path) ?? experimentNamed(given)
    return inside !== undefined
      ? { ok: inside }
      : refuse("is a folder without an experiment.yaml", "add experiment.yaml, or name a file")
  } catch (e) {
    const says = unreadable(e)
    const named = says === absent ? experimentNamed(given) : undefined
    if (named !== undefined) return { ok: named }
    const near = nearest(basename(given), experimentNames())
    return refuse(
      says,
      near !== undefined
        ? `did you mean "${near}"?`
        : "check the path; paths are relative to the folder you are in, and " +
            "`lacewing list experiments` shows what has a name",
    )
  }
}

function textSource(file: string, path: string): { ok: Source } | { bad: Placed[] } {
  return sourceOf(file, () => readBytes(path, mostText))
}

const absent = "does not exist"

async function moduleSource(file: string, path: Executable<"module">): Promise<{ ok: Source } | { bad: Placed[] }> {
  const refuse = (says: string, fix: string) => ({ bad: [{ file, ...complain("", says, fix) }] })
  try {
    const { mtimeMs } = statSync(path)
    const module: Record<string, unknown> = await import(`${pathToFileURL(path).href}?changed=${mtimeMs}`)
    if (module["default"] === undefined)
      return refuse("has no default export", "write: export default defineExperiment({ … })")
    return { ok: plainSource(file, module["default"]) }
  } catch (e) {
    const says = e instanceof Error ? `${e.name}: ${e.message.split("\n")[0]}` : String(e)
    return refuse(
      `fails as a module: ${says}`,
      path.endsWith("ts") ? "compile it to .mjs, or use Node 22.18 or later" : "run it with node to see more",
    )
  }
}
