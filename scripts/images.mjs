// Creates the pictures of the README and of the studio's page, docs/images/report.png and studio*.png: a report and the
// studio in headless Chromium (CHROMIUM, or the usual locations). Run it after a change of their layout or texts:
//   npm run build && node scripts/images.mjs [RESULTS FOLDER of first-curve]
//   npm run build && node scripts/images.mjs --studio        only the pictures of the studio
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { smaller } from "./small-png.mjs"
import { headless, servedStudio } from "./studio-site.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const image = (name) => join(root, "docs/images", name)
/** The README shows pictures at about 800 pixels, so the page is narrow to stay legible. */
const viewport = { width: 860, height: 640 }

const scratch = mkdtempSync(join(tmpdir(), "lacewing-images-"))
const isStudioOnly = process.argv[2] === "--studio"
const folder = process.argv[2] === undefined || isStudioOnly ? scratch : resolve(process.argv[2])
if (folder === scratch && !isStudioOnly) {
  const command = [join(root, "dist/app/main.js"), "run", "first-curve", "--out", folder, "--quiet"]
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
}
const browser = await headless()
const site = await servedStudio(root)
try {
  const page = await browser.newPage({ viewport })
  page.setDefaultTimeout(120_000)
  if (!isStudioOnly) {
    await page.goto(pathToFileURL(join(folder, "report.html")).href)
    const figure = await page.locator("figure").first().boundingBox()
    const clip = { x: 0, y: figure.y - 60, width: viewport.width, height: figure.height + 76 }
    await page.screenshot({ path: image("report.png"), clip, fullPage: true })
  }

  // The first minute of the studio, and its other pictures.
  await page.setViewportSize({ width: 1200, height: 760 })
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  await page.waitForFunction(() => globalThis.studio?.state.sides.value.length === 2)
  const act = (name, ...args) => page.evaluate(([n, a]) => globalThis.studio.actions[n](...a), [name, args])
  const set = (name, value) => page.evaluate(([n, v]) => void (globalThis.studio.state[n].value = v), [name, value])
  const picture = async (name) => {
    await page.waitForFunction(() => globalThis.studio.state.busy.value === "")
    await page.waitForTimeout(500)
    writeFileSync(image(name), smaller(await page.screenshot()))
  }
  await act("setSpeed", 300)
  await page.waitForFunction(() => globalThis.studio.actions.now() >= 1300)
  await act("pause")
  await picture("studio.png")
  await set("theme", "dark")
  await picture("studio-dark.png")
  await act("askPacket", await page.evaluate(() => globalThis.studio.state.top.value.packets[0]))
  await picture("studio-packet-dark.png")
  await set("theme", "light")
  await page.setViewportSize({ width: 390, height: 844 })
  await set("answer", undefined)
  await picture("studio-phone-light.png")
  await page.setViewportSize({ width: 1200, height: 760 })
  await page.evaluate(() => globalThis.studio.actions.openStory("deadlock"))
  await act("setSpeed", 300)
  await page.waitForFunction(() => globalThis.studio.state.answer.value !== undefined)
  await set("theme", "dark")
  await picture("studio-deadlock-dark.png")
  await set("theme", "light")
  await set("answer", undefined)
  await set("sheet", true)
  await page.fill("#text", (await page.inputValue("#text")).replace("vcs: 3", "vsc: 3"))
  await page.waitForSelector(".under .bad")
  await picture("studio-editor-light.png")
  await set("running", false)
  await act(
    "openExperiment",
    await page.evaluate(() => globalThis.studio.state.known.value["first-curve"]),
    "first-curve.yaml",
  )
  await act("openSweep")
  await page.click("#sweep")
  await page.waitForFunction(() => globalThis.studio.state.finished.value.length === 34)
  await picture("studio-sweep-light.png")
  await act("stopSweep")
  await set("tab", "results")
  await act("openPapers")
  await picture("studio-gallery-light.png")
} finally {
  await browser.close()
  site.close()
  rmSync(scratch, { recursive: true, force: true })
}
