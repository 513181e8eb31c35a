// Records the results of the scenes of test/revisions again. It refuses, with a message, if a result changed without a
// new revision.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url))
const env = { ...process.env, LACEWING_REVISIONS: "write" }
const { status } = spawnSync(process.execPath, [vitest, "run", "test/revisions"], { cwd: root, env, stdio: "inherit" })
process.exitCode = status ?? 1
