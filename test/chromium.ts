// A real Chromium for browser tests: found where systems keep it, installed by apt-get where that is possible, else a clear failure.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const places = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

function find(): string | undefined {
  return places.find((p) => p !== "" && existsSync(p))
}

/** The path of the executable. A test that needs a browser never skips: it fails here with the way out. */
export function chromiumPath(): string {
  const there = find()
  if (there !== undefined) return there
  console.log("no Chromium found: trying `apt-get install -y chromium`")
  const install = "apt-get update -qq; apt-get install -y --no-install-recommends chromium"
  const installed = spawnSync("sh", ["-c", install], { stdio: "inherit", timeout: 600_000 })
  const now = find()
  if (now !== undefined) return now
  throw new Error(
    `no Chromium: looked in ${places.filter((p) => p !== "").join(", ")}, and apt-get ended with ${installed.status ?? installed.error?.message}. ` +
      "Install Chromium or Chrome, or set CHROMIUM to the path of its executable.",
  )
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args: ["--no-sandbox"] })
}
