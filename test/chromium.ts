// A real Chromium for browser tests: found where systems keep it, installed by scripts/chromium.mjs where that is possible, else a clear failure.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { findBrowser } from "../src/run/doctor.ts"
import { built, root } from "./support/build.ts"

/** The path of the executable. A test that needs a browser never skips: it fails here with the way out. */
export function chromiumPath(): string {
  const there = findBrowser(process.env)
  if (there !== undefined) return there
  built()
  const { stderr } = spawnSync(process.execPath, [join(root, "scripts/chromium.mjs")], {
    encoding: "utf8",
    stdio: ["ignore", "inherit", "pipe"],
  })
  const now = findBrowser(process.env)
  if (now === undefined) throw new Error(stderr)
  return now
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args: ["--no-sandbox"], timeout: 0 })
}

/** A page that waits as long as this machine needs. */
export async function pageOf(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(0)
  return page
}
