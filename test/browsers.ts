// Real browsers for tests, found where systems keep them. Without a browser, the tests that need it are skipped: each
// tier of test/run.mjs says so in one line, and `npm run browsers` installs both.
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import puppeteer, { type Browser as Firefox } from "puppeteer-core"
import { describe, test } from "vitest"
import { findBrowser, findFirefox } from "../src/run/doctor.ts"

const paths = { chromium: findBrowser(process.env), firefox: findFirefox(process.env) }

/** Skipped without Chromium. Hooks of a suite or a file of which all tests are skipped do not run. */
export const inChromium = {
  test: test.skipIf(paths.chromium === undefined),
  describe: describe.skipIf(paths.chromium === undefined),
}
export const inFirefox = { describe: describe.skipIf(paths.firefox === undefined) }

function required(path: string | undefined, name: string): string {
  if (path === undefined) throw new Error(`${name} was not found: mark the test with in${name}`)
  return path
}

/** Firefox by WebDriver BiDi. Tried with the pinned puppeteer-core: 153.7.0esr of Debian, and no other release. */
export function launchFirefox(): Promise<Firefox> {
  const executablePath = required(paths.firefox, "Firefox")
  return puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: 0, protocolTimeout: 0 })
}

/** Chromium loads what its address bar might show, two pages beside each of ours that nobody ever sees: off, they were
 *  a third of the CPU time of a page. Of two such lists the last one counts, so what matters here of Playwright's own
 *  is in it. */
const unseen = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled"],
  ...[
    "HttpsUpgrades",
    "PaintHolding",
    "MediaRouter",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "PreconnectToSearch",
  ],
]

export function launch(): Promise<Browser> {
  const args = ["--no-sandbox", `--disable-features=${unseen.join(",")}`]
  return chromium.launch({ executablePath: required(paths.chromium, "Chromium"), headless: true, args, timeout: 0 })
}

/** The executable, for a test that starts it without any tool connected. */
export function chromiumPath(): string {
  return required(paths.chromium, "Chromium")
}

/** Connects to a Chromium that runs already, at the address that it prints. */
export function connect(address: string): Promise<Browser> {
  return chromium.connectOverCDP(address, { timeout: 0 })
}

/** Ends a wait for something that never comes. It says nothing about speed: no page needs a fraction of it. */
const hangs = 900_000

/** A page that waits as long as this machine needs. */
export async function pageOf(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(hangs)
  return page
}
