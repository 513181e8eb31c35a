// Part of prepack.mjs: the type declarations that the package needs.
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** Removes the declarations that no entry point of the package reaches: two thirds of them are of internal files. */
export function removeUnusedTypes(root) {
  const dist = join(root, "dist")
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const waiting = Object.values(exports).flatMap((of) => (of.types === undefined ? [] : [resolve(root, of.types)]))
  const reached = new Set()
  while (waiting.length > 0) {
    const file = waiting.pop()
    if (reached.has(file)) continue
    reached.add(file)
    for (const [, to] of readFileSync(file, "utf8").matchAll(/(?:from |import\()["'](\.[^"']+)["']/g))
      waiting.push(resolve(dirname(file), to.replace(/\.[jt]s$/, ".d.ts")))
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts") && !reached.has(join(dist, name))) rmSync(join(dist, name))
}
