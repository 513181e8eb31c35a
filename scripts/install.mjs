// Finds a program for the tests, or installs it with apt-get.
import { spawnSync } from "node:child_process"

/**
 * `find` returns the path of the executable or undefined; `otherwise` is the hint if the installation is impossible.
 */
export function install({ name, find, package: wanted, otherwise }) {
  const there = find()
  if (there !== undefined) return console.log(`found ${there}`)
  const root = process.getuid?.() === 0 ? "" : "sudo -n "
  const commands = [`${root}apt-get update -qq`, `${root}apt-get install -y -qq --no-install-recommends ${wanted}`]
  console.log(`no ${name} here: installing it with \`${commands.join("; ")}\``)
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  const ended = commands.map((c) => spawnSync("sh", ["-c", c], { stdio: "inherit", env }).status).at(-1)
  const now = find()
  if (now !== undefined) return console.log(`installed ${now}`)
  console.error(`no ${name}: apt-get ended with ${ended}. ${otherwise}`)
  process.exitCode = 1
}
