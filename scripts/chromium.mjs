// Chromium for the browser tests, where it is missing: through apt-get, saying so. Exits with 1 and the way out where that cannot be done. Needs a build.
import { spawnSync } from "node:child_process"
import { findBrowser } from "../dist/run/doctor.js"

const there = findBrowser(process.env)
if (there !== undefined) console.log(`found ${there}`)
else {
  const root = process.getuid?.() === 0 ? "" : "sudo -n "
  const commands = [`${root}apt-get update -qq`, `${root}apt-get install -y -qq --no-install-recommends chromium`]
  console.log(`no Chromium here: installing it with \`${commands.join("; ")}\``)
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  const ended = commands.map((c) => spawnSync("sh", ["-c", c], { stdio: "inherit", env }).status).at(-1)
  const now = findBrowser(process.env)
  if (now !== undefined) console.log(`installed ${now}`)
  else {
    console.error(`no Chromium: apt-get ended with ${ended}. Install Chromium or Chrome, or set CHROMIUM to the path of its executable.`)
    process.exitCode = 1
  }
}
