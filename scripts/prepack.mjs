// Runs before npm packs or publishes (prepack): a complete build from scratch with the manual, as a release. Runs of a
// release are named by revisions only, so that their results survive an update. Every other build is a development
// build; `postpack` restores one in this checkout.
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { removeUnusedTypes } from "./unused-types.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const env = { ...process.env, LACEWING_RELEASE: "1" }
const steps = ["build", "manual", "archive"].map((name) => `scripts/${name}.mjs`)
const failed = steps.find(
  (step) => spawnSync(process.execPath, [step], { cwd: root, env, stdio: "inherit" }).status !== 0,
)
if (failed === undefined) removeUnusedTypes(root)
else process.exitCode = 1
