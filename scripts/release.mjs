// Before npm packs or publishes (prepack): a whole build from nothing, with the manual, as a release. Its runs are named by revisions alone, so that their
// results outlive an update. What is built in any other way is a development build; `postpack` makes the one in this checkout such a build again.
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
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
