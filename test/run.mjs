// npm test: type check, build, lint, then all tests. Each step says what it is and how long it took; the first failure stops, and the last lines
// say how it ended. Arguments go to vitest: npm test -- src/core. What the tests need beyond npm ci (Chromium, Firefox) is looked for first.
// Tests that stand still (no CPU use of any of their processes for 120 s) are ended, with the names of the files that run and where their threads wait.
import { existsSync } from "node:fs"
import { runWatched } from "./support/watched.mjs"

const begun = Date.now()
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`
const steps = [
  ["type check", "npx", ["tsc", "-p", "tsconfig.json"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["lint", "npx", ["biome", "check", "--error-on-warnings", "."]],
  ["chromium", process.execPath, ["scripts/chromium.mjs"]],
  ["firefox", process.execPath, ["scripts/firefox.mjs"]],
  ["tests", "npx", ["vitest", "run", "--reporter=default", "--reporter=./test/support/running.mjs", ...process.argv.slice(2)]],
]
if (!existsSync("node_modules/vitest")) {
  console.error("FAILED: the packages are not installed; run: npm ci && npm test")
  process.exit(1)
}
const done = []
for (const [name, command, args] of steps) {
  const start = Date.now()
  console.log(`\n== ${name}`)
  const { status, signal, error } = await runWatched(command, args, { shell: process.platform === "win32" })
  done.push(`${name} ${seconds(start)}`)
  if (status === 0) continue
  console.log(`\n${done.join(", ")}`)
  console.log(`FAILED at: ${name} (${error?.message ?? signal ?? `exit code ${status}`}); its messages are above`)
  process.exit(status ?? 1)
}
console.log(`\n${done.join(", ")}`)
console.log(`PASSED in ${seconds(begun)}; what that does not prove: test/README.md`)
