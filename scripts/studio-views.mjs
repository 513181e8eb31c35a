// Takes pictures of every view of the studio, light and dark, in desktop and phone size, for visual inspection.
//   node scripts/studio-views.mjs FOLDER [--only NAME]
// Writes FOLDER/NAME-desk-light.png and so on, and prints the errors of the page. Chromium: CHROMIUM, or the usual
// locations.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { dragonfly, headless, servedStudio } from "./studio-site.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const { run } = await import(new URL("../dist/app/index.js", import.meta.url))
/** A switch with shared buffers. */
const { stashing } = await import(new URL("../dist/experiment/starters/stashing.js", import.meta.url))
const { values: o, positionals } = parseArgs({ options: { only: { type: "string" } }, allowPositionals: true })
const folder = positionals[0]
if (folder === undefined) throw new Error("a folder for the pictures is needed: node scripts/studio-views.mjs FOLDER")
mkdirSync(folder, { recursive: true })

const text = (name) => readFileSync(join(root, "experiments", name, "experiment.yaml"), "utf8")
const small = `lacewing: 1
title: A small mesh
network:
  topology: { name: mesh, sides: 4x4 }
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2, buffer: 8flits }
traffic: { pattern: uniform, load: 0.1, packet: 4flits }
measure: { warmup: 500cycles, window: 2kcycles, limit: 8kcycles }
sweep: { traffic.load: [0.1, 0.3, 0.5], network.switch.vcs: [2, 4] }
`
const large = (topology) => `lacewing: 1
network:
  topology: ${topology}
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 2, buffer: 8flits }
traffic: { pattern: uniform, load: 0.05, packet: 1flit }
measure: { warmup: 100cycles, window: 1kcycles, limit: 2kcycles, drain: none }
`
const open = (page, experiment, name, files = {}) =>
  page.evaluate(([t, n, f]) => globalThis.studio.actions.openExperiment(t, n, f), [experiment, name, files])
const act = (page, name, ...args) => page.evaluate(([n, a]) => globalThis.studio.actions[n](...a), [name, args])
const tab = (page, name) =>
  page.evaluate((n) => {
    globalThis.studio.state.sheet.value = n !== undefined
    globalThis.studio.state.tab.value = n ?? "experiment"
  }, name)

/** Returns the files of the results folder that a run of this text writes. */
async function resultsOf(experiment) {
  const out = mkdtempSync(join(tmpdir(), "studio-views-"))
  try {
    writeFileSync(join(out, "small.yaml"), experiment)
    const done = await run(join(out, "small.yaml"), { out: join(out, "small") })
    if ("bad" in done) throw new Error(done.bad[0].says)
    return readdirSync(join(out, "small"), { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile())
      .map((f) => join(f.parentPath, f.name))
      .map((path) => ({ name: join("results", relative(join(out, "small"), path)), bytes: readFileSync(path) }))
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** Plays a story up to a cycle. */
async function story(page, name, cycle) {
  await page.evaluate((n) => globalThis.studio.actions.openStory(n), name)
  await act(page, "setSpeed", 1000)
  await act(page, "play")
  await page.waitForFunction((c) => globalThis.studio.actions.now() >= c, cycle)
  await act(page, "pause")
}

const views = {
  experiment: (page) => open(page, text("first-curve"), "first-curve.yaml"),
  complaints: async (page) => {
    await tab(page, "experiment")
    await act(page, "setText", small.replace("vcs: 2,", "vcss: 2,").replace("load: 0.1,", "load: much,"))
  },
  checked: async (page) => {
    await open(page, small, "small.yaml")
    await act(page, "check")
  },
  curve: async (page) => {
    await open(page, small, "small.yaml")
    await tab(page, "run")
    await act(page, "sweep")
    await act(page, "seek", 1000)
  },
  channel: async (page) => {
    await open(page, dragonfly(1, "group-adversarial"), "dragonfly.yaml")
    await tab(page)
    await act(page, "seek", 1500)
    const chan = await page.evaluate(() => globalThis.studio.state.top.value.channels[0].chan)
    await act(page, "askChannel", chan)
  },
  packet: async (page) => {
    const { key, from, createdAt } = await page.evaluate(() => globalThis.studio.state.top.value.packets[0])
    await act(page, "askPacket", { key, from, createdAt })
  },
  router: async (page) => {
    await act(page, "askRouter", 5)
  },
  stash: async (page) => {
    await open(page, stashing, "stashing.yaml")
    await act(page, "seek", 3000)
    await act(page, "askRouter", 0)
  },
  adversarial: (page) => story(page, "adversarial", 1300),
  hotspot: (page) => story(page, "hotspot", 900),
  deadlock: async (page) => {
    await page.evaluate(() => globalThis.studio.actions.openStory("deadlock"))
    await act(page, "play")
    await page.waitForFunction(() => globalThis.studio.state.answer.value !== undefined)
  },
  large: (page) => story(page, "large", 400),
  "a-b": async (page) => {
    await story(page, "adversarial", 1300)
    await tab(page, "run")
    await act(page, "firstDifference")
  },
  figures: async (page) => {
    await page.evaluate(() => globalThis.studio.actions.closeB())
    await open(page, small, "small.yaml")
    await tab(page, "run")
    await act(page, "sweep")
    await act(page, "drawFigures")
  },
  results: async (page) => {
    await tab(page, "results")
    const files = await resultsOf(small)
    await page.evaluate(
      (given) => {
        const bytes = ([name, base64]) => [name, Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]
        return globalThis.studio.actions.openResults(Object.fromEntries(given.map(bytes)))
      },
      files.map(({ name, bytes }) => [name, bytes.toString("base64")]),
    )
  },
  gallery: async (page) => {
    await tab(page, "results")
    await act(page, "openPapers")
  },
  groups: async (page) => {
    await open(page, large("{ name: dragonfly, p: 1, a: 16, h: 8 }"), "groups.yaml")
    await tab(page)
    await act(page, "seek", 300)
  },
  map: async (page) => {
    await page.click("#matrix")
  },
}

const site = await servedStudio(root)
const browser = await headless()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" })
  page.setDefaultTimeout(120_000)
  page.on("console", (m) => m.type() === "error" && console.log(`console: ${m.text()}`))
  page.on("pageerror", (e) => console.log(`page: ${e.message}`))
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  await page.waitForSelector("#play:not([disabled])")
  for (const [name, show] of Object.entries(views)) {
    if (o.only !== undefined && o.only !== name) continue
    const begun = performance.now()
    await show(page)
    await page.waitForFunction(() => globalThis.studio.state.busy.value === "")
    for (const [size, viewport] of Object.entries({
      desk: { width: 1440, height: 900 },
      phone: { width: 390, height: 844 },
    })) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ["light", "dark"]) {
        await page.evaluate((t) => void (globalThis.studio.state.theme.value = t), colorScheme)
        await page.waitForTimeout(400)
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: size === "phone" })
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    const { trouble, wide } = await page.evaluate(() => ({
      trouble: globalThis.studio.state.trouble.value,
      wide: document.documentElement.scrollWidth - innerWidth,
    }))
    console.log(
      `${name}: ${((performance.now() - begun) / 1000).toFixed(1)} ` +
        `s${trouble === "" ? "" : `, ${trouble}`}${wide > 0 ? `, ${wide} pixels too wide` : ""}`,
    )
  }
} finally {
  await browser.close()
  site.close()
}
