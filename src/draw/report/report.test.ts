// report.html in a real Chromium: it loads without errors or requests, the value under the pointer is the stored one,
// it sorts, prints and fits a phone.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { inChromium, launch, pageOf } from "../../../test/browsers.ts"
import { made, sweep } from "../../../test/fixtures/records.ts"
import { readResults } from "../../results/read.ts"
import type { RunRecord } from "../../results/record.ts"
import { Store } from "../../results/store.ts"
import { figuresOf } from "../figure/choose.ts"
import { draw } from "../figure/draw.ts"
import { crossPath } from "../figure/theme.ts"
import { reportHtml } from "./report.ts"
import { specText } from "./spec.ts"
import { warningsOf } from "./warnings.ts"

let folder: string
let browser: Browser
let records: readonly RunRecord[]
let address: string
const title = "Latency & load <on> a dragonfly"

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lacewing-report-"))
  const store = await Store.open(join(folder, "results"), { version: "0.1.0", about: { title } })
  if ("bad" in store) throw new Error(store.bad[0].says)
  for (const r of sweep({ tables: true, seeds: 1 })) await store.ok.add(r)
  await store.ok.close()
  const read = await readResults(join(folder, "results"))
  if ("bad" in read) throw new Error(read.bad[0].says)
  records = read.ok.records
  writeFileSync(join(folder, "report.html"), reportHtml(read.ok))
  address = pathToFileURL(join(folder, "report.html")).href
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function open(
  width: number,
  options: { colorScheme?: "light" | "dark"; hasTouch?: boolean } = {},
): Promise<{ page: Page; trouble: string[] }> {
  const page = await pageOf(browser, { viewport: { width, height: 900 }, ...options })
  const trouble: string[] = []
  page.on("console", (m) => m.type() === "error" && trouble.push(m.text()))
  page.on("pageerror", (e) => trouble.push(e.message))
  page.on("request", (r) => r.url() !== address && trouble.push(`asked for ${r.url()}`))
  await page.goto(address)
  return { page, trouble }
}

/** One page for all that look at it as it comes: opened once. */
let seen: ReturnType<typeof open> | undefined
function asItComes(): ReturnType<typeof open> {
  seen ??= open(1280)
  return seen
}

type Hit = { x: number; y: number; w?: number; h?: number; title: string; details: string[][] }

/** What the tip says after the pointer was moved to a value of a figure. */
async function readAt(
  page: Page,
  figure: string,
  size: "wide" | "narrow",
  wanted: (hit: Hit) => boolean,
): Promise<Record<string, string>> {
  const svg = page.locator(`figure:has(h3:text-is("${figure}")) svg.${size}`)
  const hits = await svg.evaluate((element: SVGElement & { hits?: Hit[] }) => element.hits ?? [])
  const hit = hits.find(wanted)!
  await svg.scrollIntoViewIfNeeded()
  const box = (await svg.boundingBox())!
  const view = (await svg.getAttribute("viewBox"))!.split(" ").map(Number)
  const scale = box.width / view[2]
  await page.mouse.move(box.x + (hit.x + (hit.w ?? 0) / 2) * scale, box.y + (hit.y + (hit.h ?? 0) / 2) * scale)
  await page.waitForFunction(() => document.getElementById("tip")!.style.visibility === "visible")
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>("#tip div")].map((d) => [d.dataset["name"], d.dataset["exact"]]),
    ),
  )
}

const stored = (routing: string, load: number): RunRecord =>
  records.find((r) => r.point["network.routing.name"] === routing && r.point["traffic.0.load"] === load)!

inChromium.describe("in Chromium", () => {
  beforeAll(async () => void (browser = await launch()))
  afterAll(() => browser?.close())

  test("loads without an error and without asking for anything; the title is escaped", async () => {
    const { page, trouble } = await asItComes()
    expect(await page.title()).toBe(title)
    expect(await page.locator("h1").textContent()).toBe(title)
    expect(await page.locator("figure").count()).toBe(13)
    expect(trouble).toEqual([])
  })

  test("the value under the pointer is the stored one, to the last bit", async () => {
    const { page } = await asItComes()
    for (const [routing, load] of [
      ["dragonfly.minimal", 0.3],
      ["dragonfly.ugal-l", 0.7],
    ] as const) {
      const said = await readAt(
        page,
        "Latency against load",
        "wide",
        (h) => h.title === routing && h.details[0][2] === String(load),
      )
      expect(Number(said["latency.mean"])).toBe(stored(routing, load).result.values["latency.mean"])
    }
    const cell = await readAt(
      page,
      "Load of every channel: dragonfly.minimal at load 0.6",
      "wide",
      (h) => h.details[0][2] === "38",
    )
    expect(Number(cell["load"])).toBe(stored("dragonfly.minimal", 0.6).result.tables["channels"]["load"][38])
    expect(cell["class"]).toBe("global")
  })

  test("arrow keys walk through the values, Escape ends it", async () => {
    const { page } = await asItComes()
    await page.locator("figure svg.wide").first().focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    const exact = await page.locator('#tip div[data-name="latency.mean"]').getAttribute("data-exact")
    expect(Number(exact)).toBe(stored("dragonfly.minimal", 0.2).result.values["latency.mean"])
    await page.keyboard.press("Escape")
    expect(await page.locator("#tip").evaluate((t) => t.style.visibility)).toBe("hidden")
  })

  test("every figure leads to the points, which name the run to open in the studio, or link it", () => {
    const table = (html: string) =>
      html.slice(html.indexOf('id="points"'), html.indexOf("</table>", html.indexOf('id="points"')))
    const plain = reportHtml({ records, about: {} })
    expect(plain.match(/href="#points">Run a point live</g)).toHaveLength(figuresOf(records).length)
    expect(plain).toContain("lacewing studio RESULTS --run HASH")
    expect(table(plain).match(/<code>[0-9a-f]{8}<\/code>/g)).toHaveLength(16)
    const linked = reportHtml({ records, about: {}, link: (r) => `https://example.org/#${r.hash}` })
    const links = [...table(linked).matchAll(/href="https:\/\/example\.org\/#(\w+)"[^>]*><code>(\w{8})</g)]
    expect(links).toHaveLength(16)
    for (const [, hash, shown] of links) expect(hash.slice(0, 8)).toBe(shown)
    expect(records.map((r) => r.hash)).toEqual(expect.arrayContaining(links.map(([, hash]) => hash)))
  })

  test("the table sorts by number, up and down", async () => {
    const { page } = await asItComes()
    const column = () =>
      page
        .locator("#points tbody tr td:nth-child(7)")
        .evaluateAll((cells) => cells.map((c) => Number((c as HTMLElement).dataset["value"])))
    const button = page.locator("#points th button", { hasText: "latency.mean" })
    await button.click()
    const up = await column()
    expect(up).toEqual([...up].sort((a, b) => a - b))
    expect(up).toHaveLength(16)
    await button.click()
    expect(await column()).toEqual([...up].reverse())
    expect(await page.locator("#points th[aria-sort]").count()).toBe(1)
  })

  test("where the time goes, and the worst channels, as the runs say", async () => {
    const { page } = await asItComes()
    const run = stored("dragonfly.minimal", 0.6)
    const cells = await page.locator("#worst tbody tr").first().locator("th, td").allInnerTexts()
    expect(cells).toEqual([
      "dragonfly.minimal",
      "router 7 -> router 18",
      "0.97",
      "41.5",
      "14 -> 40 (31 %), 15 -> 41 (30 %)",
    ])
    const heads = await page.locator("#attribution th").allInnerTexts()
    expect(heads.slice(-3)).toEqual(["credits", "non-minimal hops", "total"])
    // minimal carries six of the eight loads, UGAL seven
    expect(await page.locator("#attribution tbody tr").count()).toBe(13)
    const together = Number(
      await page.locator("#attribution tbody tr").nth(5).locator("td").last().getAttribute("data-value"),
    )
    const seeds = records.filter(
      (r) => r.point["traffic.0.load"] === 0.6 && r.spec.network.routing.name === run.spec.network.routing.name,
    )
    expect(together).toBeCloseTo(
      seeds.reduce((sum, r) => sum + r.result.values["latency.mean"] / seeds.length, 0),
      9,
    )
  })
  test("a warning names the saturated points", async () => {
    const { page } = await asItComes()
    // minimal at 0.7 and 0.8, ugal-l at 0.8
    expect(await page.locator(".box h2").textContent()).toBe("3 of 16 points are saturated")
    await page.locator(".box summary").click()
    expect(await page.locator(".box li").count()).toBe(3)
  })

  test("fits a phone: nothing is wider than the screen, text stays readable, a finger reads values", async () => {
    const { page, trouble } = await open(390, { hasTouch: true })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    const size = await page
      .locator("figure svg.narrow")
      .first()
      .evaluate((svg) => 12 * (svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width))
    expect(size).toBeGreaterThan(10)
    expect(await page.locator("figure svg.wide").first().isVisible()).toBe(false)
    const said = await readAt(page, "Latency against load", "narrow", (h) => h.details[0][2] === "0.4")
    expect(Number(said["latency.mean"])).toBe(stored("dragonfly.minimal", 0.4).result.values["latency.mean"])
    const tip = (await page.locator("#tip").boundingBox())!
    expect(tip.x).toBeGreaterThanOrEqual(0)
    expect(tip.x + tip.width).toBeLessThanOrEqual(390)
    expect(trouble).toEqual([])
    await page.close()
  })

  test("dark paper is dark, and ink on it has contrast", async () => {
    const { page } = await open(1280, { colorScheme: "dark" })
    const [paper, ink] = await page.evaluate(() => {
      const bright = (c: string) => (c.match(/\d+/g) ?? []).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 3
      return [bright(getComputedStyle(document.body).backgroundColor), bright(getComputedStyle(document.body).color)]
    })
    expect(paper).toBeLessThan(40)
    expect(ink).toBeGreaterThan(200)
    await page.close()
  })

  test("prints: a PDF of several pages, in light colours, figures whole", async () => {
    const { page } = await open(1280, { colorScheme: "dark" })
    const pdf = await page.pdf({ format: "A4" })
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-")
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0
    expect(pages).toBeGreaterThan(2)
    await page.emulateMedia({ media: "print", colorScheme: "dark" })
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)")
    expect(
      await page
        .locator("figure")
        .first()
        .evaluate((f) => getComputedStyle(f).breakInside),
    ).toBe("avoid")
    await page.close()
  })
})

describe("content", () => {
  test("results without runs have a page, too", () => {
    expect(reportHtml({ records: [], about: {} })).toContain("No run has finished yet")
  })
  test("text of users cannot become markup", () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
    const r = made({ tables: true })
    const page = reportHtml({
      records: [
        { ...r, point: { routing: evil }, result: { ...r.result, explains: evil, why: "saturated" } },
        { ...r, point: { routing: "x" }, hash: "b" },
      ],
      about: { title: evil },
    })
    expect(page.match(/<script/g)).toHaveLength(
      reportHtml({
        records: [
          { ...r, point: { routing: "a" } },
          { ...r, point: { routing: "x" }, hash: "b" },
        ],
        about: {},
      }).match(/<script/g)!.length,
    )
    expect(page).not.toContain("<img")
  })
  test("the specification shows the swept values in place", () => {
    const text = specText(sweep({ seeds: 2 }))
    expect(text).toContain("topology: { name: dragonfly, p: 2, a: 4, h: 2 }")
    expect(text).toContain("name: !swept [ dragonfly.minimal, dragonfly.ugal-l ]")
    expect(text).toContain("seed: !swept [ 1, 2 ]")
  })
  describe("a deadlock is not called saturation", () => {
    const explains = [
      "no flit moved for 4096 cycles while 99 packets were on their way",
      "deadlock: 2 packets wait for one another in a cycle; in total, 40 packets can never move again",
      "packet 1 of 2 from endpoint 0 to endpoint 2 holds a VC 0 and waits for b VC 0, held by packet 2",
      "packet 2 of 2 from endpoint 1 to endpoint 3 holds b VC 0 and waits for a VC 0, held by packet 1",
    ].join("\n")
    const torus = (r: RunRecord, tailCredit: boolean): RunRecord["spec"]["network"] => ({
      ...r.spec.network,
      topology: { name: "torus", sides: "8x8" },
      routing: { name: "torus.adaptive" },
      switch: { name: "input-queued", vcs: 4, flow: "wormhole", busyWhenFull: false, tailCredit },
    })
    // 0.1 and 0.5 are carried, 0.65 is saturated, 0.7 stands still
    const records = [0.1, 0.5, 0.65, 0.7].map((load) => {
      const r = made({ load })
      const stuck = load === 0.7 ? { why: "deadlock" as const, explains } : {}
      return { ...r, spec: { ...r.spec, network: torus(r, false) }, result: { ...r.result, ...stuck } }
    })
    const page = reportHtml({ records, about: {} })

    test("the summary has a separate column for deadlock, with the load in red", () => {
      const short = /<h2>Summary<\/h2>[\s\S]*?<\/table>/.exec(page)![0]
      const heads = [...short.matchAll(/<button type="button">([^<]*)/g)].map((m) => m[1])
      expect(heads).toEqual([
        "line",
        "latency at lowest load (cycles)",
        "highest load below saturation",
        "saturated at",
        "deadlock at",
        "maximum accepted load",
      ])
      const cells = [...short.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map((m) => m[1])
      expect(cells.slice(2, 5)).toEqual(["0.5", "0.65", '<span class="tag bad">0.7</span>'])
    })
    test("the packets of the cycle are a list, one line each, with the fix", () => {
      const list = /<ul class="packets">([\s\S]*?)<\/ul>/.exec(page)![1]
      expect([...list.matchAll(/<li>packet (\d) of 2 from/g)].map((m) => m[1])).toEqual(["1", "2"])
      expect(page).toContain("<b>Fix:</b> set network.switch.tailCredit: true.")
      // with what the routing needs nothing contradicts it, and the proof is to be asked
      const unknown = warningsOf(records.map((r) => ({ ...r, spec: { ...r.spec, network: torus(r, true) } })))
      expect(unknown[0].points[0].cure).toMatch(/^run `lacewing check`/)
    })
    test("figures: a filled cross where it stands still, with a line of the legend, beside the open marker of saturation", () => {
      const latency = figuresOf(records).find((f) => f.id === "latency")
      if (latency?.kind !== "lines") throw new Error("no latency figure")
      expect(latency.lines[0].spots.map((s) => s.stands ?? (s.off === true ? "off" : "in"))).toEqual([
        "in",
        "in",
        "off",
        "deadlock",
      ])
      expect(latency.caption).toContain("A filled cross marks deadlock: packets stop moving for ever.")
      const { svg, hits } = draw(latency, 480)
      // one in the figure, one in the legend
      expect(svg.split(crossPath(6))).toHaveLength(3)
      expect(svg).toContain(">deadlock</text>")
      expect(hits).toHaveLength(4)
      expect(
        draw({ ...latency, lines: [{ ...latency.lines[0], spots: latency.lines[0].spots.slice(0, 3) }] }, 480).svg,
      ).not.toContain("deadlock")
    })
    test("what it accepted before it stood still is no peak and no highest load", () => {
      const accepted = figuresOf(records).find((f) => f.id === "accepted")
      if (accepted?.kind !== "lines") throw new Error("no figure of accepted load")
      expect(accepted.lines[0].spots.at(-1)).toMatchObject({ y: 0, stands: "deadlock" })
    })
  })
  test("what lacewing set by itself is told above the specification", () => {
    expect(
      reportHtml({ records: [made()], about: { settled: ["network.switch.tailCredit is true, because"] } }),
    ).toContain("<p>network.switch.tailCredit is true, because.</p>")
  })
  test("a point counts how its runs ended, and the first and the last start are named", () => {
    const run = (seed: number, why: RunRecord["result"]["why"], started: string): RunRecord => {
      const r = made({ load: 0.3, seed })
      return { ...r, result: { ...r.result, why }, provenance: { ...r.provenance, started } }
    }
    const page = reportHtml({
      records: [
        run(1, "steady", "2026-01-02T03:00"),
        run(2, "limit", "2026-01-02T03:05"),
        run(3, "steady", "2026-01-02T03:02"),
      ],
      about: {},
    })
    expect(page).toContain(">2 steady, 1 limit reached</span>")
    expect(page).toContain("<dt>First run started</dt><dd>2026-01-02T03:00; last run started 2026-01-02T03:05</dd>")
  })
  test("runs that broke, and runs that stopped short of their precision, are told apart", () => {
    const run = (why: RunRecord["result"]["why"], ci: number, load: number): RunRecord => {
      const r = made({ load })
      return { ...r, result: { ...r.result, why, values: { ...r.result.values, "latency.ci": ci } } }
    }
    const ends = [
      run("memory", 0.1, 0.1),
      run("limit", 9, 0.2),
      run("limit", 0.1, 0.3),
      run("steady", 9, 0.4),
      run("deadlock", 0.1, 0.5),
    ]
    expect(warningsOf(ends).map((w) => [w.level, w.title])).toEqual([
      ["bad", "The network fails at 1 of 5 points: deadlock"],
      ["bad", "1 of 5 points did not finish"],
      ["warn", "1 of 5 points did not reach the requested precision"],
    ])
    // a window of a given length that was run to its end is what was asked for
    const [, cut] = ends
    const measured = (measure: object): RunRecord[] => [
      { ...cut!, spec: { ...cut!.spec, measure: { ...cut!.spec.measure, ...measure } } },
    ]
    expect(warningsOf(measured({ window: "10kcycles", drain: "none" }))).toEqual([])
    expect(warningsOf(measured({ window: "10kcycles", drain: "measured" }))).toHaveLength(1)
    expect(warningsOf(measured({ window: "auto", drain: "none" }))).toHaveLength(1)
    // the word is on the page without a click
    expect(reportHtml({ records: ends, about: {} })).toMatch(
      /The network fails at 1 of 5 points: deadlock[\s\S]*?<details open>[\s\S]*?deadlock: /,
    )
  })
})
