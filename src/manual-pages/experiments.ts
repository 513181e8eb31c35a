// The experiments of the package as pages, with the titles of their README files.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packageFolder } from "../experiment/places.ts"
import type { Explanation } from "../inspect/explain.ts"

/** Returns each experiment of the package that has a page, in the form of `explain`. */
export function experimentsExplained(root = packageFolder): Explanation[] {
  const folder = join(root, "experiments")
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "README.md")))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name, "README.md"), "utf8")
      const title = /^# (.+)$/m.exec(text)?.[1] ?? name
      return { key: name, about: title, source: "experiment", page: `experiment-${name}` }
    })
}
