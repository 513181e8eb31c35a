// The browser test of the first tier: a report opens in Chromium from disk, draws its figures without an error, and
// asks for no other file. src/draw/report/report.test.ts reads its values.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect } from "vitest"
import { reportHtml } from "../../src/draw/report/report.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { sweep } from "../fixtures/records.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-smoke-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

inChromium.test("a report of two curves opens with its title and figures, and asks for nothing else", async () => {
  const file = join(folder, "report.html")
  writeFileSync(file, reportHtml({ records: sweep({ seeds: 1 }), about: { title: "Two routings" } }))
  const browser = await launch()
  const page = await pageOf(browser)
  const errors: string[] = []
  const asked: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  page.on("request", (r) => asked.push(r.url()))
  const address = pathToFileURL(file).href
  await page.goto(address)
  expect(await page.title()).toBe("Two routings")
  expect(await page.locator("figure svg").count()).toBeGreaterThan(1)
  expect([errors, asked]).toEqual([[], [address]])
  await browser.close()
})
