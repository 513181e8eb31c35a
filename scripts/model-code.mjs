// The name of a development build: a hash of the code that decides the bits of a run. That is the program of one run and of its threads with all that they
// import, bundled without comments and types, so that texts, commands and reports do not change it.
import { createHash } from "node:crypto"
import { isBuiltin } from "node:module"
import { rolldown } from "rolldown"

const input = { simulate: "src/run/simulate.ts", teammate: "src/run/clocked/teammate.ts", member: "src/run/packet/member.ts" }

/** Twelve hexadecimal digits; the same for the same sources in any folder. */
export async function modelCode(root) {
  const bundle = await rolldown({ cwd: root, input, platform: "node", external: (id) => isBuiltin(id), logLevel: "warn" })
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name].js" }
  const { output } = await bundle.generate({ ...names, format: "esm", comments: false })
  await bundle.close()
  const hash = createHash("sha256")
  for (const { fileName, code } of output.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) hash.update(`${fileName}\n${code}\n`)
  return hash.digest("hex").slice(0, 12)
}

/** What `LACEWING_BUILD` is defined as. A release (scripts/release.mjs) has no such name: its runs are named by revisions alone. */
export async function buildName(root) {
  return process.env["LACEWING_RELEASE"] === "1" ? "" : modelCode(root)
}
