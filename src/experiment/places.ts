// Search paths of experiments and papers: the current folder, then the package itself, so that `lacewing run
// first-curve` works anywhere.
import { existsSync, readdirSync, statSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** the folder of package.json: two levels above this file, in the sources as well as in a build */
export const packageFolder = fileURLToPath(new URL("../..", import.meta.url))

const usual = ["experiment.yaml", "experiment.yml", "experiment.json", "experiment.mjs", "experiment.js"]
const endings = ["", ".yaml", ".yml", ".json", ".mjs", ".js"]

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Returns the experiment.yaml (or .json, …) of a folder. */
export function experimentIn(folder: string): string | undefined {
  return usual.map((name) => join(folder, name)).find(isFile)
}

/** Returns the file of the experiment `first-curve` or `experiments/first-curve`, in this folder or in the package. */
export function experimentNamed(given: string): string | undefined {
  if (isAbsolute(given) || given.split(/[\\/]/).includes("..")) return undefined
  const name = given.replace(/[\\/]+$/, "").replace(/^(\.[\\/])?experiments[\\/]/, "")
  if (name === "" || name === ".") return undefined
  for (const root of [resolve("experiments"), join(packageFolder, "experiments")]) {
    const inside = experimentIn(join(root, name)) ?? endings.map((e) => join(root, `${name}${e}`)).find(isFile)
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Returns the names that `experimentNamed` finds, those of this folder first. */
export function experimentNames(): string[] {
  const folders = [resolve("experiments"), join(packageFolder, "experiments")].filter((f) => existsSync(f))
  const all = folders.flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .flatMap((name) =>
        experimentIn(join(folder, name)) !== undefined
          ? [name]
          : /\.ya?ml$/.test(name)
            ? [name.replace(/\.\w+$/, "")]
            : [],
      ),
  )
  return [...new Set(all)]
}
