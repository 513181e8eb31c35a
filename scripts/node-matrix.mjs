// Runs the quick tests with other versions of Node: installs each into a temporary folder with npm, and runs vitest
// with it.
//   node scripts/node-matrix.mjs [VERSION …]       default: 22 and 24
// Quick: core, model, proof, topologies, traffic, the tests of the engine, the fingerprints of experiments and the
// optional packages. Needs a build.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const versions = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24"]
const quick = [
  "src/core",
  "src/model",
  "src/proof",
  "src/topologies",
  "src/traffic",
  "src/engines",
  "test/experiments",
  "test/optional",
]
const outcomes = []
for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), `lacewing-node${version}-`))
  try {
    outcomes.push(attempt(version, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(`\n${outcomes.map((o) => o.text).join("\n")}`)
process.exitCode = outcomes.every((o) => o.ok) ? 0 : 1

function attempt(version, folder) {
  const args = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `node@${version}`]
  const shell = process.platform === "win32"
  const installed = spawnSync("npm", args, { stdio: "inherit", shell })
  const node = [join(folder, "node_modules/node/bin/node"), join(folder, "node_modules/node/bin/node.exe")].find((p) =>
    existsSync(p),
  )
  if (installed.status !== 0 || node === undefined)
    return { ok: false, text: `node ${version}: could not be installed` }
  const name = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim()
  console.log(`\n== ${name}`)
  const tests = spawnSync(node, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...quick], {
    cwd: root,
    stdio: "inherit",
  })
  return { ok: tests.status === 0, text: `node ${version}: ${name} ${tests.status === 0 ? "passes" : "FAILS"}` }
}
