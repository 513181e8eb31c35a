// Micro-benchmarks of the idioms on which the code relies. Compiles bench/micro/*.ts and runs each in a separate
// process (a fresh isolate).
//   node bench/micro.mjs [name …]
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const compiled = spawnSync("npx", ["tsc", "-p", join(here, "tsconfig.json")], {
  stdio: "inherit",
  shell: process.platform === "win32",
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

const all = readdirSync(join(here, "micro"))
  .filter((f) => f.endsWith(".ts") && f !== "race.ts")
  .map((f) => f.slice(0, -3))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(", ")}; choose from ${all.join(", ")}`)
  process.exit(2)
}
console.log(
  `Node ${process.version}, ${process.arch}. Times are the best and the middle half ` +
    "of many rounds; x = times the chosen idiom (first line).",
)
let worst = 0
for (const name of asked.length > 0 ? asked : all) {
  const { status } = spawnSync(process.execPath, [join(here, "out", "bench", "micro", `${name}.js`)], {
    stdio: "inherit",
  })
  worst = Math.max(worst, status ?? 1)
}
process.exit(worst)
