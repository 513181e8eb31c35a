// Records the results of the scenes of test/revisions again. It refuses to where a revision was forgotten, and says which.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url))
const env = { ...process.env, LACEWING_REVISIONS: "write" }
const { status } = spawnSync(process.execPath, [vitest, "run", "test/revisions"], { cwd: root, env, stdio: "inherit" })
process.exitCode = status ?? 1
