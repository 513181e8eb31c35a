// Creates the two pictures of the README, docs/images/report.png and docs/images/studio.png: a report and the studio in
// headless Chromium (CHROMIUM, or the usual locations). Run it after a change of their layout or texts:
//   npm run build && node scripts/images.mjs [RESULTS FOLDER of first-curve]
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { headless, servedStudio } from "./studio-site.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const image = (name) => join(root, "docs/images", name)
/** The README shows pictures at about 800 pixels, so the page is narrow to stay legible. */
const viewport = { width: 860, height: 640 }

/** A dragonfly of 72 endpoints in which every group sends to the next one over a single global channel. */
const adversarial = `lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 5, buffer: 32flits }
  links: { local: 5cycles, global: 20cycles }
traffic: { pattern: group-adversarial, load: 0.3, packet: 4flits }
measure: { warmup: 1kcycles, window: 100kcycles, limit: 200kcycles, saturation: never, drain: none }
`

const scratch = mkdtempSync(join(tmpdir(), "lacewing-images-"))
const folder = process.argv[2] === undefined ? scratch : resolve(process.argv[2])
if (folder === scratch) {
  const command = [join(root, "dist/app/main.js"), "run", "first-curve", "--out", folder, "--quiet"]
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
}
const browser = await headless()
const site = await servedStudio(root)
try {
  const page = await browser.newPage({ viewport })
  page.setDefaultTimeout(120_000)
  await page.goto(pathToFileURL(join(folder, "report.html")).href)
  const figure = await page.locator("figure").first().boundingBox()
  const clip = { x: 0, y: figure.y - 60, width: viewport.width, height: figure.height + 76 }
  await page.screenshot({ path: image("report.png"), clip, fullPage: true })

  await page.setViewportSize({ width: 1100, height: 620 })
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  await page.waitForSelector("#play:not([disabled])")
  const act = (name, ...args) => page.evaluate(([n, a]) => globalThis.studio.actions[n](...a), [name, args])
  await act("openExperiment", adversarial, "adversarial.yaml", {})
  await page.click("#tab-run")
  await act("seek", 1500)
  const chan = await page.evaluate(() => globalThis.studio.state.top.value.channels[0].chan)
  await act("askChannel", chan)
  await page.waitForFunction(() => globalThis.studio.state.busy.value === "")
  await page.waitForTimeout(500)
  await page.screenshot({ path: image("studio.png") })
} finally {
  await browser.close()
  site.close()
  rmSync(scratch, { recursive: true, force: true })
}
