// Runs before npm packs or publishes (prepack): a complete build from scratch with the manual, as a release. Runs of a
// release are named by revisions only, so that their results survive an update. Every other build is a development
// build; `postpack` restores one in this checkout.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const env = { ...process.env, LACEWING_RELEASE: "1" }
const { status } = spawnSync("npm", ["run", "--silent", "manual"], {
  cwd: root,
  env,
  stdio: "inherit",
  shell: process.platform === "win32",
})
process.exitCode = status ?? 1
if (status === 0) removeUnusedTypes()

/** Removes the declarations that no entry point of the package reaches: two thirds of them are of internal files. */
function removeUnusedTypes() {
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
