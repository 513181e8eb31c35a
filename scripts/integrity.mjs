// Adds the integrity hash to every package of package-lock.json that has none, as the registry states it. Writes no
// download address.
//   node scripts/integrity.mjs
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
let open = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.integrity !== undefined) continue
  const { version, ...rest } = entry
  const name = `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`
  const told = spawnSync("npm", ["view", name, "dist.integrity"], { encoding: "utf8" }).stdout.trim()
  const known = /^sha512-[\w+/]{86}==$/.test(told)
  if (known) lock.packages[path] = { version, integrity: told, ...rest }
  else open++
  console.log(`${name}: ${known ? told : "the registry has no such version"}`)
}
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`)
process.exitCode = open > 0 ? 1 : 0
