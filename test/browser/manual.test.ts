// The manual in a browser, opened from disk: axe-core finds nothing, light and dark, on a desktop and on a telephone;
// search answers; nothing is asked of the network.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import type * as state from "../../studio/page/state.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { madeManual, type Site } from "../manual/site.ts"
import { root } from "../support/build.ts"
import { sampled } from "../support/sample.ts"

declare const studio: { readonly state: typeof state }

const { test } = inChromium

let site: Site
let browser: Browser
beforeAll(async () => {
  site = madeManual()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
})

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
/** One page of every kind. Pages take turns in the two windows, and two of them are shown in both. */
const looked = [
  "index",
  "reference",
  "group-routing",
  "guide-tutorial",
  "guide-measuring",
  "validation",
  "changelog",
  "guide-studio",
  "topology-dragonfly",
  "routing-dragonfly.ugal-l",
  "switch-tiled",
  "pattern-tornado",
  "arrivals-on-off",
  "key-network.switch.vcs",
  "value-latency.p99",
  "command-run",
  "stop-saturated",
  "word-warm-up",
  "experiment-first-curve",
]
const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[] }[]
}

test.each([
  ["light, desktop", "light", desktop],
  ["dark, phone", "dark", phone],
] as const)("axe finds nothing: %s", async (_, colorScheme, viewport) => {
  const [first, second, ...others] = looked
  const names = [first, second, ...sampled(others, 2, viewport === phone ? 1 : 0)]
  const page = await pageOf(browser, { colorScheme, viewport })
  const asked: string[] = []
  page.on("request", (r) => asked.push(r.url()))
  const found: string[] = []
  const wide: string[] = []
  for (const name of names) {
    await page.goto(pathToFileURL(join(site.folder, `${name}.html`)).href)
    const over = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    )
    if (over > 0) wide.push(`${name}: ${over} pixels wider than the window`)
    // tables of a thousand rows are all of one kind: the first dozen is looked at
    await page.evaluate(`for (const row of document.querySelectorAll("tbody tr:nth-child(n + 13)")) row.remove()`)
    await page.evaluate(axe)
    const violations = await page.evaluate<Violation[]>(
      "axe.run().then((r) => r.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes })))",
    )
    found.push(...violations.map((v) => `${name}: ${v.impact} ${v.id} ${v.nodes[0]?.target.join(" ")}`))
  }
  expect(found).toEqual([])
  expect(wide).toEqual([])
  expect(asked.length).toBeGreaterThan(names.length)
  expect(asked.filter((url) => !url.startsWith("file:"))).toEqual([])
  await page.close()
})

test("run it here: from disk the page says how; served, the studio opens with the example and runs it", async () => {
  const page = await pageOf(browser, { viewport: desktop })
  await page.goto(pathToFileURL(join(site.folder, "routing-dragonfly.ugal-l.html")).href)
  expect(await page.locator("main").textContent()).toContain(
    "Run it here after npx lacewing manual routing-dragonfly.ugal-l --serve",
  )
  const server = spawn(
    process.execPath,
    [join(root, "dist/app/main.js"), "manual", "routing-dragonfly.ugal-l", "--serve", "--no-open"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  )
  try {
    const address = await new Promise<string>((told) => server.stdout.once("data", (d) => told(String(d).trim())))
    const errors: string[] = []
    page.on("pageerror", (e) => errors.push(e.message))
    page.on("response", (r) => void (r.status() < 400 || errors.push(r.url())))
    await page.goto(address)
    await page.getByRole("link", { name: "Run it here", exact: true }).click()
    await page.waitForURL(/\/dist\/studio\/index\.html#/)
    // nobody presses anything: it runs
    await page.waitForFunction(
      () => typeof studio === "object" && (studio.state.pictures.value["A"]?.status.cycle ?? 0) > 100,
    )
    const seen = await page.evaluate(() => [
      studio.state.sides.value.length,
      studio.state.trouble.value,
      studio.state.text.value.includes("dragonfly.ugal-l"),
    ])
    expect([seen, errors]).toEqual([[1, "", true], []])
    // what is not of the manual is not served
    const status = (path: string) =>
      page.evaluate(async (url) => (await fetch(url)).status, address.replace(/dist\/manual.*/, path))
    expect([
      await status("package.json"),
      await status("dist/app/main.js"),
      await status("docs/guide/measuring.md"),
    ]).toEqual([404, 404, 200])
  } finally {
    server.kill()
    await page.close()
  }
})

test("search finds a page in one word, by keys alone", async () => {
  const page = await pageOf(browser, { viewport: desktop })
  await page.goto(pathToFileURL(join(site.folder, "index.html")).href)
  await page.keyboard.press("/")
  await page.keyboard.type("ugal-g")
  const first = await page.locator("#found a").first().textContent()
  expect(first).toContain("ugal-g")
  await page.keyboard.press("Enter")
  await page.waitForURL(/routing-[\w.]+ugal-g\.html$/)
  await page.locator("#word").fill("precision")
  await page.keyboard.press("ArrowDown")
  expect(await page.evaluate<string>("document.activeElement.getAttribute('href')")).toMatch(/precision/)
  await page.close()
})
