// npm run build: compiles src into dist, and bundles the command line and the studio from it. It starts each step with
// Node and without a shell, so that it works on every system.
//   node scripts/build.mjs [--if-needed]     --if-needed: does nothing if no source is newer than dist
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const makers = ["data", "names", "bundle", "studio"]
const steps = [
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"],
  ...makers.map((name) => [`scripts/${name}.mjs`]),
]

/** Time of the last change below a folder, in ms. */
export function newest(folder) {
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true }).map((f) =>
      f.isFile() ? statSync(join(f.parentPath, f.name)).mtimeMs : 0,
    ),
  )
}

/** Returns true if a part of dist is missing or older than a source. */
export function isStale() {
  const marks = ["dist/app/main.js", "dist/studio/index.html"].map((f) => join(root, f))
  // The page of the studio contains the experiments.
  const folders = ["src", "studio", "experiments"].map((f) => newest(join(root, f)))
  const files = [...makers, "build", "model-code", "lazy-library"].map((f) => `scripts/${f}.mjs`)
  const changed = [...files, "package.json", "tsconfig.build.json"].map((f) => statSync(join(root, f)).mtimeMs)
  const sources = Math.max(...folders, ...changed)
  return marks.some((mark) => !existsSync(mark) || statSync(mark).mtimeMs < sources)
}

/** Runs all steps. `stdio` as for spawnSync. Returns undefined, or the output of the step that failed. */
export function build(stdio = "inherit") {
  for (const [i, step] of steps.entries()) {
    if (stdio === "inherit") console.log(`${i + 1}/${steps.length} ${step[0].replace(/^.*\//, "")}`)
    const { status, stdout, stderr } = spawnSync(process.execPath, step, { cwd: root, encoding: "utf8", stdio })
    if (status !== 0) return `${step[0]} failed:\n${stdout ?? ""}${stderr ?? ""}`
  }
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv.includes("--if-needed") && !isStale()) console.log("dist is up to date")
  else {
    const failed = build()
    if (failed !== undefined) console.error(`FAILED: ${failed.split("\n")[0]}`)
    process.exitCode = failed === undefined ? 0 : 1
  }
}
