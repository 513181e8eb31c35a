// Computes the name of a development build: a hash of the code that determines the results of a run. It covers the
// program of one run and its threads with all imports, bundled without comments and types. So texts, commands and
// reports do not change it.
import { createHash } from "node:crypto"
import { isBuiltin } from "node:module"
import { rolldown } from "rolldown"

const input = {
  simulate: "src/run/simulate.ts",
  "clocked-worker": "src/run/clocked/clocked-worker.ts",
  member: "src/run/packet/member.ts",
}

/** Returns twelve hexadecimal digits, which are equal for equal sources in any folder. */
export async function modelCode(root) {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: (id) => isBuiltin(id),
    logLevel: "warn",
  })
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name].js" }
  const { output } = await bundle.generate({ ...names, format: "esm", comments: false })
  await bundle.close()
  const hash = createHash("sha256")
  for (const { fileName, code } of output.sort((a, b) => (a.fileName < b.fileName ? -1 : 1)))
    hash.update(`${fileName}\n${code}\n`)
  return hash.digest("hex").slice(0, 12)
}

/**
 * Returns the value of `LACEWING_BUILD`. A release (scripts/prepack.mjs) has no such name; its runs are named by
 * revisions only.
 */
export async function buildName(root) {
  return process.env["LACEWING_RELEASE"] === "1" ? "" : modelCode(root)
}
