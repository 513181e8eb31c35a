// Sharing a state of the studio: a link opens in a fresh profile from a server of another origin, and one file opens
// from disk without a server, both with the same bits. Nothing else is requested.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import type * as actions from "../../studio/page/actions.ts"
import type * as state from "../../studio/page/state.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { built } from "../support/build.ts"

declare const studio: { readonly actions: typeof actions; readonly state: typeof state }

const { test } = inChromium
const sites: Server[] = []
let browser: Browser
let folder: string

beforeAll(async () => {
  const dist = built()
  const types: Record<string, string> = { ".json": "application/json", ".js": "text/javascript", ".css": "text/css" }
  // Two sites, the second in a folder of its server.
  for (const under of ["/", "/v1/studio/"]) {
    const site = createServer((request, response) => {
      const path = (request.url ?? "/").split("?")[0]
      try {
        if (!path.startsWith(under)) throw new Error("outside")
        const file = path.slice(under.length)
        const body = readFileSync(join(dist, "studio", file === "" ? "index.html" : file))
        response.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/html" })
        response.end(body)
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
    sites.push(site)
  }
  browser = await launch()
  folder = mkdtempSync(join(tmpdir(), "lacewing-share-"))
})
afterAll(async () => {
  await browser?.close()
  for (const site of sites) site.close()
  if (folder !== undefined) rmSync(folder, { recursive: true })
})
const addressOf = (i: number, path = "/") => `http://127.0.0.1:${(sites[i].address() as AddressInfo).port}${path}`

/** Opens an address in a fresh profile. */
async function open(address: string): Promise<{ page: Page; errors: string[]; requests: string[] }> {
  const page = await pageOf(browser, { reducedMotion: "reduce", acceptDownloads: true })
  const errors: string[] = []
  const requests: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  page.on("request", (r) => requests.push(r.url()))
  await page.goto(address)
  await page.waitForFunction(() => typeof studio === "object" && studio.state.sides.value.length > 0)
  return { page, errors, requests }
}
const bits = (page: Page) => page.evaluate(() => studio.actions.fingerprints())
const badge = (page: Page) => page.waitForSelector("#badge").then((e) => e.textContent())
const shown = (page: Page) =>
  page.evaluate(() => {
    const { value } = studio.state.answer
    const packet = value?.kind === "packet" ? [value.side, value.is.key, value.is.from, value.is.createdAt] : []
    return {
      ...{ cycle: studio.actions.now(), story: studio.state.story.value, colouring: studio.state.colouring.value },
      ...{ set: studio.state.sides.value.map((x) => x.set), packet },
    }
  })

/** A story at cycle 700 with a selected packet. */
async function prepared(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await studio.actions.seek(700)
    studio.state.colouring.value = "source"
    await studio.actions.askPacket(studio.state.top.value.packets[0])
  })
  expect(await page.locator("#packet").count()).toBe(1)
}

test("a link carries both sides, cycle, view and packet to another origin and a fresh profile, with the same bits", async () => {
  const first = await open(addressOf(0))
  await prepared(first.page)
  const link = new URL((await first.page.evaluate(() => studio.actions.linkHere()))!)
  const second = await open(`${addressOf(1, "/v1/studio/")}${link.hash}`)
  expect(await badge(second.page)).toBe("✓ same bits as the shared run, cycle 700")
  await second.page.waitForSelector("#packet")
  expect(await shown(second.page)).toEqual(await shown(first.page))
  expect(await bits(second.page)).toEqual(await bits(first.page))
  // a state that is another one is said to be
  const other = await second.page.evaluate(async () => {
    await studio.actions.setText(studio.state.text.value.replace("load: 0.3", "load: 0.31"))
    await studio.actions.openA()
    await studio.actions.seek(700)
    return studio.actions.linkHere()
  })
  expect(new URL(other!).hash).not.toBe(link.hash)
  const away = [...first.requests, ...second.requests].filter((u) => !/^(http:\/\/127\.0\.0\.1|blob:|data:)/.test(u))
  expect([...first.errors, ...second.errors, ...away]).toEqual([])
  await Promise.all([first.page.close(), second.page.close()])
})

test("a page saved as one file opens from disk at the same cycle, packet and bits", async () => {
  const first = await open(addressOf(0))
  await prepared(first.page)
  await first.page.click("#out summary")
  const [file] = await Promise.all([first.page.waitForEvent("download"), first.page.click("#out-page")])
  const path = join(folder, "saved.html")
  await file.saveAs(path)
  const second = await open(pathToFileURL(path).href)
  expect(await badge(second.page)).toBe("✓ same bits as the shared run, cycle 700")
  await second.page.waitForSelector("#packet")
  expect(await shown(second.page)).toEqual(await shown(first.page))
  expect(await bits(second.page)).toEqual(await bits(first.page))
  expect(second.requests.filter((u) => !/^(file|blob|data):/.test(u))).toEqual([])
  // the editor is inside, too
  await second.page.waitForFunction(() => studio.state.form.value.length > 0)
  expect(second.errors).toEqual([])
  await Promise.all([first.page.close(), second.page.close()])
})

test("lacewing studio --export writes a file with the experiment and its files, which runs to the bits of Node", async () => {
  const experiment = join(folder, "ring.yaml")
  const table = Array.from({ length: 16 }, (_, i) => [i >> 2, i & 3])
    .filter(([at, to]) => at !== to)
    .map(([at, to]) => `${at} ${to} ${(at + 1) % 4}`)
  writeFileSync(join(folder, "clockwise.txt"), table.join("\n"))
  writeFileSync(
    experiment,
    `lacewing: 1
title: A ring of four </script>
network:
  topology: { name: torus, sides: "4" }
  routing: { name: any.table, file: clockwise.txt }
  switch: { name: input-queued, vcs: 1, buffer: 8flits }
traffic: { pattern: uniform, load: 0.05, packet: 4flits }
measure: { warmup: 500cycles, window: 1kcycles, limit: 2kcycles, deadlock: watch }
seeds: [1]
`,
  )
  const out = join(folder, "ring.html")
  const lacewing = (...args: string[]) =>
    spawnSync(process.execPath, [join(built(), "app/main.js"), ...args], { cwd: folder, encoding: "utf8" })
  const done = lacewing("studio", experiment, "--export", out)
  expect([done.status, done.stdout.trim()]).toEqual([0, out])
  const { page, errors, requests } = await open(pathToFileURL(out).href)
  expect(await page.locator("h1").textContent()).toBe("A ring of four </script>")
  await page.evaluate(() => studio.actions.sweep())
  const found = await page.evaluate(() => studio.state.finished.value[0]?.result.fingerprint)
  const run = lacewing("run", experiment, "--json", "--quiet")
  expect(run.stdout).toContain(found)
  expect([...errors, ...requests.filter((u) => !/^(file|blob|data):/.test(u))]).toEqual([])
  await page.close()
})

test("axe finds nothing in both themes, on desk and phone, with the inspector and the lists open", async () => {
  const { page } = await open(addressOf(0))
  await page.evaluate(() => studio.actions.seek(600))
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core") })
  for (const theme of ["dark", "light"] as const)
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height })
      for (const open of ["nothing", "packet", "diagnosis", "lists"]) {
        await page.evaluate(
          async ([t, what]) => {
            studio.state.theme.value = t
            studio.state.answer.value = undefined
            studio.state.lists.value = what === "lists"
            if (what === "packet") await studio.actions.askPacket(studio.state.top.value.packets[0])
            if (what === "diagnosis") await studio.actions.askWhy()
          },
          [theme, open] as const,
        )
        const found = await page.evaluate(async () => {
          type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
          const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run()
          return violations.map((v) => `${v.id}: ${v.nodes[0].html}`)
        })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect([theme, width, open, found, Math.max(0, wide)]).toEqual([theme, width, open, [], 0])
      }
    }
  await page.close()
})
