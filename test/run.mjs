// npm test: type check, lint, then all tests. Each step says what it is; the first failure stops.
import { spawnSync } from "node:child_process"

const steps = [
  ["type check and build", "npx", ["tsc", "-p", "tsconfig.json"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["lint", "npx", ["biome", "check", "--error-on-warnings", "."]],
  ["tests", "npx", ["vitest", "run", ...process.argv.slice(2)]],
]
for (const [name, command, args] of steps) {
  const start = Date.now()
  console.log(`\n== ${name}`)
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" })
  if (status !== 0) process.exit(status ?? 1)
  console.log(`== ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`)
}
