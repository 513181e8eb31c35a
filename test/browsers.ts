// Real browsers for tests: found where systems keep them, installed by scripts/chromium.mjs and scripts/firefox.mjs where that is possible, else a clear failure.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import puppeteer, { type Browser as Firefox } from "puppeteer-core"
import { findBrowser, findFirefox } from "../src/run/doctor.ts"
import { built, root } from "./support/build.ts"

/** The path of an executable. A test that needs a browser never skips: it fails here with the way out. */
function pathOf(find: typeof findBrowser, script: string): string {
  const there = find(process.env)
  if (there !== undefined) return there
  built()
  const { stderr } = spawnSync(process.execPath, [join(root, script)], { encoding: "utf8", stdio: ["ignore", "inherit", "pipe"] })
  const now = find(process.env)
  if (now === undefined) throw new Error(stderr)
  return now
}

export function chromiumPath(): string {
  return pathOf(findBrowser, "scripts/chromium.mjs")
}

/** Firefox by WebDriver BiDi. Tried with the pinned puppeteer-core: 153.7.0esr of Debian, and no other release. */
export function launchFirefox(): Promise<Firefox> {
  const executablePath = pathOf(findFirefox, "scripts/firefox.mjs")
  return puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: 0, protocolTimeout: 0 })
}

/**
 * Chromium loads what its address bar might show, two pages beside each of ours that nobody ever sees: off, they were a third of the CPU time of a page.
 * Of two such lists the last one counts, so what matters here of Playwright's own is in it.
 */
const unseen = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled"],
  ...["HttpsUpgrades", "PaintHolding", "MediaRouter", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
]

export function launch(): Promise<Browser> {
  const args = ["--no-sandbox", `--disable-features=${unseen.join(",")}`]
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args, timeout: 0 })
}

/** A page that waits as long as this machine needs. */
export async function pageOf(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(0)
  return page
}
