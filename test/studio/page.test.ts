// The studio in Chromium: as a static site without any header, and served by `lacewing studio` with shared memory.
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { RunSpec } from "../../src/model/experiment.ts"
import { hostOf } from "../../src/model/host.ts"
import { prepare, simulate } from "../../src/run/open.ts"
import { planned } from "../../studio/desk/desk.ts"
import type * as hands from "../../studio/page/hands.ts"
import type * as state from "../../studio/page/state.ts"
import { launch, launchFirefox, pageOf } from "../browsers.ts"
import { built, root } from "../support/build.ts"

declare const studio: { readonly hands: typeof hands; readonly state: typeof state }

const small = readFileSync(join(root, "experiments/first-curve/experiment.yaml"), "utf8")
  .split("expect:")[0]!
  .replace(/load: \[.*\]/, "load: [0.1, 0.5]")
  .replace("limit: 20kcycles", "limit: 1kcycles")
  .replace("seeds: 3", "seeds: 1")
  .replace("[uniform, group-adversarial]", "[group-adversarial]")
const texts = {
  "first-curve": small,
  combined: small.replace(/switch: .*/, "switch: { name: combined, vcs: 5 }").replace(/, dragonfly.ugal-l\]/, "]"),
  packet: `${small
    .replace(/ {2}switch: .*\n/, "")
    .replace(/, dragonfly.ugal-l\]/, "]")
    .replace("name: dragonfly.ugal-l", "name: dragonfly.minimal")}engine: packet\n`,
}

function runsOf(text: string): readonly { readonly spec: RunSpec }[] {
  const made = planned(text, "e.yaml", {})
  if ("bad" in made) throw new Error(JSON.stringify(made.bad))
  return made.ok.runs
}
const known = new Map<string, string[]>()
async function truthOf(text: string): Promise<string[]> {
  const before = known.get(text)
  if (before !== undefined) return before
  const found: string[] = []
  known.set(text, found)
  for (const { spec } of runsOf(text)) {
    const prepared = prepare(spec, hostOf({}))
    if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
    found.push((await simulate(prepared.ok)).fingerprint)
  }
  return found
}

/** bytes of each file that was asked for of the static site, packed */
const loaded = new Map<string, number>()
let site: Server
let server: ChildProcess
let browser: Browser
const addresses = { static: "", served: "" }

beforeAll(async () => {
  const dist = built()
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" }
  site = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0]!
    try {
      const body = readFileSync(join(dist, "studio", path === "/" ? "index.html" : path))
      loaded.set(path, gzipSync(body, { level: 9 }).length)
      response.writeHead(200, { "Content-Type": types[extname(path)] ?? "text/html" })
      response.end(body)
    } catch {
      response.writeHead(404)
      response.end()
    }
  })
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  addresses.static = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  server = spawn(process.execPath, [join(dist, "app/main.js"), "studio", "first-curve", "--no-open"], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  addresses.served = await new Promise<string>((told) => server.stdout!.once("data", (d) => told(String(d).trim())))
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  server?.kill()
  site?.close()
})

async function open(
  where: keyof typeof addresses,
  fragment = "",
  options: Parameters<typeof pageOf>[1] = {},
  query = "",
): Promise<{ page: Page; errors: string[] }> {
  const page = await pageOf(browser, options)
  const errors: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  page.on("console", (m) => void (m.type() === "error" && errors.push(m.text())))
  page.on("response", (r) => void (r.status() < 400 || errors.push(r.url())))
  await page.goto(addresses[where] + query + (fragment === "" ? "" : `#${fragment}`))
  await page.waitForFunction(() => typeof studio === "object" && (studio.state.sides.value.length > 0 || studio.state.trouble.value !== ""))
  return { page, errors }
}

test("the page is at most 60 kB, and the worker of an experiment with one switch at most 130 kB, packed", async () => {
  loaded.clear()
  const { page, errors } = await open("static")
  await page.evaluate(() => studio.hands.seek(50))
  const sum = (of: RegExp) => [...loaded].filter(([path]) => of.test(path)).reduce((n, [, bytes]) => n + bytes, 0)
  expect([...loaded.keys()]).toEqual(expect.arrayContaining(["/", "/page.js", "/style.css", "/engine.js", "/desk.js"]))
  const sizes = { page: sum(/^\/(?!engine|desk)/), engine: sum(/^\/engine/) }
  console.log("packed bytes", sizes)
  expect(sizes.page).toBeLessThanOrEqual(60_000)
  expect(sizes.engine).toBeLessThanOrEqual(130_000)
  expect(sizes.engine).toBeGreaterThan(20_000)
  expect(errors).toEqual([])
  await page.close()
})

describe.each(["static", "served"] as const)("the %s site", (where) => {
  test("runs sweeps of both clocked engines and of the packet engine to the fingerprints of Node", async () => {
    const { page, errors } = await open(where)
    for (const text of Object.values(texts)) {
      const got = await page.evaluate(async (t) => {
        await studio.hands.openExperiment(t, "e.yaml")
        await studio.hands.sweep()
        const order = studio.state.planned.value!.runs.map((r) => r.hash)
        return {
          complaints: studio.state.complaints.value,
          trouble: studio.state.trouble.value,
          shared: studio.state.sides.value[0]?.opened.sharedMemory,
          bits: order.map((h) => studio.state.finished.value.find((f) => f.hash === h)?.result.fingerprint),
        }
      }, text)
      expect(got).toEqual({ complaints: [], trouble: "", shared: where === "served", bits: await truthOf(text) })
    }
    // every point of the curve is there
    expect(await page.locator("#tab-run").click()).toBeUndefined()
    expect(await page.locator("#curve .mark").count()).toBe(2)
    expect(errors).toEqual([])
    await page.close()
  })
})

/** In front of a worker: no column of more than a thousand words is given. */
const noMemory = `{
  const Given = Int32Array
  delete globalThis.SharedArrayBuffer
  globalThis.Int32Array = new Proxy(Given, { construct(kind, args) {
    if (typeof args[0] === "number" && args[0] > 1000) throw new RangeError("Array buffer allocation failed")
    return Reflect.construct(kind, args)
  } })
}
`

describe("the page", () => {
  test("runs, pauses, scrubs back, branches, compares, and its link leads to the same bits", async () => {
    const { page, errors } = await open("static")
    await page.evaluate(
      (t) => studio.hands.openExperiment(t, "e.yaml"),
      small.replace("limit: 1kcycles", "limit: 200kcycles").replace("precision: 3%", "precision: 0.01%"),
    )
    await page.click("#play")
    await page.waitForFunction(() => (studio.state.pictures.value["A"]?.status.cycle ?? 0) > 2000)
    await page.click("#pause")
    await page.waitForFunction(() => !studio.state.running.value && studio.state.top.value.channels.length > 0)
    const cycle = await page.evaluate(() => studio.hands.now())
    const printed = async () => (await page.evaluate(() => studio.hands.fingerprints()))[0]!
    const there = await printed()
    expect(there.cycle).toBe(cycle)
    await page.evaluate(() => studio.hands.seek(777))
    expect((await printed()).cycle).toBe(777)
    expect(await page.inputValue("#cycle")).toBe("777")
    await page.keyboard.press(".")
    await page.waitForFunction(() => studio.hands.now() === 778)
    await page.evaluate((c) => studio.hands.seek(c), cycle)
    expect(await printed()).toEqual(there)

    // A | B: the same experiment never differs; another load does
    await page.evaluate(() => studio.hands.branch([]))
    expect(await page.locator(".network").count()).toBe(2)
    await page.evaluate((c) => studio.hands.seek(c + 500), cycle)
    const [a, b] = await page.evaluate(() => studio.hands.fingerprints())
    expect(b).toEqual(a)
    await page.evaluate((c) => studio.hands.seek(c), cycle)
    await page.evaluate(() => studio.hands.branch(["traffic.0.load=0.4"]))
    await page.evaluate((c) => studio.hands.seek(c + 500), cycle)
    const [x, y] = await page.evaluate(() => studio.hands.fingerprints())
    expect(y!.fingerprint).not.toBe(x!.fingerprint)
    expect(y!.cycle).toBe(x!.cycle)
    await page.evaluate(() => studio.hands.closeB())

    // the link
    const link = await page.evaluate(() => studio.hands.linkHere())
    const second = await open("static", new URL(link!).hash.slice(1))
    await second.page.waitForFunction(() => studio.state.badge.value !== undefined)
    expect(await second.page.evaluate(() => studio.state.badge.value)).toMatchObject({ agrees: true })
    expect(await second.page.locator("#badge").textContent()).toContain("the same bits")
    expect(await second.page.evaluate(() => studio.hands.fingerprints())).toEqual(await page.evaluate(() => studio.hands.fingerprints()))
    expect([...errors, ...second.errors]).toEqual([])
    await Promise.all([page.close(), second.page.close()])
  })

  test("answers who is clicked: a channel on the picture, a packet in its list, and its parts add up", async () => {
    const { page, errors } = await open("static")
    await page.evaluate(async (t) => {
      await studio.hands.openExperiment(t, "e.yaml")
      // beyond what it can carry: packets wait
      await studio.hands.choose(1)
      await studio.hands.seek(600)
    }, small)
    // the middle of some channel between routers, wherever it is drawn
    const canvas = page.locator("#network-A canvas")
    const box = (await canvas.boundingBox())!
    let asked = false
    for (let i = 0; i < 60 && !asked; i++) {
      await page.mouse.click(box.x + box.width * (0.2 + 0.01 * i), box.y + box.height * 0.5)
      await page.waitForTimeout(20)
      asked = await page.evaluate(() => studio.state.answer.value !== undefined)
    }
    expect(asked).toBe(true)
    await page.evaluate(() => studio.hands.look())
    await page
      .locator("#oldest button")
      .first()
      .evaluate((e) => (e as HTMLButtonElement).click())
    await page.waitForSelector("#packet")
    const { age, sum } = await page.locator("#packet").evaluate((e) => ({ age: Number(e.dataset["age"]), sum: Number(e.dataset["sum"]) }))
    expect(sum).toBeCloseTo(age, 6)
    expect(age).toBeGreaterThan(0)
    expect(errors).toEqual([])
    await page.close()
  })

  test("bad input is said, and nothing else is lost", async () => {
    const { page } = await open("static")
    await page.evaluate(() => studio.hands.seek(100))
    const trouble = () =>
      page.evaluate(() => {
        const { value } = studio.state.trouble
        studio.state.trouble.value = ""
        return value
      })
    const still = () => page.evaluate(async () => (await studio.hands.fingerprints())[0]?.cycle)
    await page.evaluate(() => studio.hands.openLink("broken!"))
    expect(await trouble()).toMatch(/cannot be opened/)
    expect(await still()).toBe(100)
    await page.evaluate(() => studio.hands.openGiven("x.png", new Uint8Array([137, 80, 78, 71, 0, 1, 2])))
    expect(await trouble()).toMatch(/is no text/)
    await page.evaluate(() => studio.hands.openResults({ "results/nothing": new Uint8Array(3) }))
    expect(await trouble()).not.toBe("")
    // memory that is refused
    await page.route("**/engine.js", async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${noMemory}${await response.text()}` })
    })
    await page.evaluate((t) => studio.hands.openExperiment(t, "e.yaml"), small)
    expect(await trouble()).toMatch(/allocation failed/)
    expect(await still()).toBe(100)
    await page.unroute("**/engine.js")
    // an engine that dies
    await page.evaluate(
      () =>
        void Reflect.get(studio.state.sides.value[0]!.engine, "worker").dispatchEvent(
          new ErrorEvent("error", { message: "out of memory" }),
        ),
    )
    expect(await trouble()).toMatch(/has stopped/)
    await page.evaluate((t) => studio.hands.openExperiment(t, "e.yaml"), small)
    expect(await page.evaluate(() => studio.state.sides.value.length)).toBe(1)
    await page.close()
  })

  test("a graphics context that is lost: said, and the picture goes on by Canvas 2D", async () => {
    const { page, errors } = await open("static", "", {}, "?gl=1")
    const frames = () => page.locator("#network-A canvas").evaluate((e) => Number((e as HTMLCanvasElement).dataset["frames"] ?? 0))
    await page.evaluate(() => studio.hands.seek(300))
    expect(await page.locator("#network-A canvas").evaluate((e) => (e as HTMLCanvasElement).getContext("webgl2") !== null)).toBe(true)
    await page
      .locator("#network-A canvas")
      .evaluate((e) => (e as HTMLCanvasElement).getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext())
    await page.waitForFunction(() => studio.state.trouble.value.includes("driver"))
    await page.waitForFunction(() => document.querySelector<HTMLCanvasElement>("#network-A canvas")?.getContext("2d") != null)
    const before = await frames()
    await page.evaluate(() => studio.hands.seek(400))
    await page.waitForFunction((n) => Number(document.querySelector<HTMLCanvasElement>("#network-A canvas")?.dataset["frames"]) > n, before)
    expect(errors).toEqual([])
    await page.close()
  })

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
  ] as const)("axe-core finds nothing serious (%s, %s pixels)", async (colorScheme, width) => {
    const { page } = await open("static", "", { colorScheme, viewport: { width, height: 800 } })
    await page.evaluate(async (t) => {
      await studio.hands.openExperiment(t, "e.yaml")
      await studio.hands.seek(400)
      await studio.hands.askWhy()
    }, small)
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core") })
    for (const tab of ["experiment", "run", "results", "tours"]) {
      await page.locator(`#tab-${tab}`).click()
      const found = await page.evaluate(async () => {
        const { violations } = await (
          globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }
        ).axe.run()
        return violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes[0]!.html}`)
      })
      expect(found).toEqual([])
    }
    await page.close()
  })
})

test("Firefox: the fingerprints of Node", async () => {
  const firefox = await launchFirefox()
  try {
    const page = await firefox.newPage()
    await page.goto(addresses.static)
    await page.waitForFunction("typeof studio === 'object' && studio.state.sides.value.length > 0", { timeout: 0 })
    for (const text of Object.values(texts)) {
      const bits = await page.evaluate(async (t: string) => {
        await studio.hands.openExperiment(t, "e.yaml")
        await studio.hands.sweep()
        const order = studio.state.planned.value!.runs.map((r) => r.hash)
        return order.map((h) => studio.state.finished.value.find((f) => f.hash === h)?.result.fingerprint)
      }, text)
      expect(bits).toEqual(await truthOf(text))
    }
  } finally {
    await firefox.close()
  }
})
