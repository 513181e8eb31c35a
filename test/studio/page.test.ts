// The studio in Chromium: as a static site without any header, and served by `lacewing studio` with shared memory. (In
// Firefox: test/browser/web.test.ts.)
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { deflateRawSync, gzipSync } from "node:zlib"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect } from "vitest"
import type * as actions from "../../studio/page/actions.ts"
import type * as state from "../../studio/page/state.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { built } from "../support/build.ts"
import { small, swept, texts, truthOf } from "./sweeps.ts"

declare const studio: { readonly actions: typeof actions; readonly state: typeof state }

const { test } = inChromium

/** bytes of each file that was asked for of the static site, packed */
const loaded = new Map<string, number>()
let site: Server
let server: ChildProcess
let browser: Browser
const addresses = { static: "", served: "" }

beforeAll(async () => {
  const dist = built()
  const types: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
  }
  site = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0]
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

/** Opens a tab of the sheet. */
async function openTab(page: Page, tab: state.Tab): Promise<void> {
  await page.evaluate((name) => {
    studio.state.sheet.value = true
    studio.state.tab.value = name
  }, tab)
  await page.waitForSelector(`#tab-${tab}[aria-selected=true]`)
}

async function open(
  where: keyof typeof addresses,
  fragment = "",
  options: Parameters<typeof pageOf>[1] = {},
  query = "",
): Promise<{ page: Page; errors: string[] }> {
  // Without motion, no story plays by itself: stories.test.ts shows that they do.
  const page = await pageOf(browser, { reducedMotion: "reduce", ...options })
  const errors: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  page.on("console", (m) => void (m.type() === "error" && errors.push(m.text())))
  page.on("response", (r) => void (r.status() < 400 || errors.push(r.url())))
  await page.goto(addresses[where] + query + (fragment === "" ? "" : `#${fragment}`))
  await page.waitForFunction(
    () => typeof studio === "object" && (studio.state.sides.value.length > 0 || studio.state.trouble.value !== ""),
  )
  return { page, errors }
}

test("the page is at most 80 kB, and the worker of an experiment with one switch at most 130 kB, packed", async () => {
  loaded.clear()
  const { page, errors } = await open("static")
  await page.evaluate(() => studio.actions.seek(50))
  const sum = (of: RegExp) => [...loaded].filter(([path]) => of.test(path)).reduce((n, [, bytes]) => n + bytes, 0)
  expect([...loaded.keys()]).toEqual(
    expect.arrayContaining(["/", "/page.js", "/style.css", "/engine.js", "/planner.js"]),
  )
  const sizes = { page: sum(/^\/(?!engine|planner)/), engine: sum(/^\/engine/) }
  console.log("packed bytes", sizes)
  expect(sizes.page).toBeLessThanOrEqual(80_000)
  expect(sizes.engine).toBeLessThanOrEqual(130_000)
  expect(sizes.engine).toBeGreaterThan(20_000)
  expect(errors).toEqual([])
  await page.close()
})

describe.each(["static", "served"] as const)("the %s site", (where) => {
  test("runs sweeps of both clocked engines and of the packet engine to the fingerprints of Node", async () => {
    const { page, errors } = await open(where)
    for (const text of Object.values(texts)) {
      expect(await page.evaluate(swept, text)).toEqual({
        complaints: [],
        trouble: "",
        shared: where === "served",
        bits: await truthOf(text),
      })
    }
    // the point that is saturated is there; the other run ended before it measured a packet, so it has no latency
    await openTab(page, "run")
    expect(await page.locator("#curve .mark").count()).toBe(1)
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
  test("runs, pauses, seeks back, branches and compares, and its link leads to the same fingerprint", async () => {
    const { page, errors } = await open("static")
    await page.evaluate(
      (t) => studio.actions.openExperiment(t, "e.yaml"),
      small.replace("limit: 1kcycles", "limit: 200kcycles").replace("precision: 3%", "precision: 0.01%"),
    )
    await page.evaluate(() => studio.actions.setSpeed(Number.POSITIVE_INFINITY))
    await page.click("#play")
    await page.waitForFunction(() => (studio.state.pictures.value["A"]?.status.cycle ?? 0) > 2000)
    await page.click("#pause")
    await page.waitForFunction(() => !studio.state.running.value && studio.state.top.value.channels.length > 0)
    const cycle = await page.evaluate(() => studio.actions.now())
    const printed = async () => (await page.evaluate(() => studio.actions.fingerprints()))[0]
    const there = await printed()
    expect(there.cycle).toBe(cycle)
    await page.evaluate(() => studio.actions.seek(777))
    expect((await printed()).cycle).toBe(777)
    expect(await page.inputValue("#cycle")).toBe("777")
    await page.keyboard.press(".")
    await page.waitForFunction(() => studio.actions.now() === 778)
    await page.evaluate((c) => studio.actions.seek(c), cycle)
    expect(await printed()).toEqual(there)

    // A | B: the same experiment never differs; another load does
    await page.evaluate(() => studio.actions.branch([]))
    expect(await page.locator(".net").count()).toBe(2)
    await page.evaluate((c) => studio.actions.seek(c + 500), cycle)
    const [a, b] = await page.evaluate(() => studio.actions.fingerprints())
    expect(b).toEqual(a)
    await page.evaluate((c) => studio.actions.seek(c), cycle)
    await page.evaluate(() => studio.actions.branch(["traffic.0.load=0.4"]))
    await page.evaluate((c) => studio.actions.seek(c + 500), cycle)
    const [x, y] = await page.evaluate(() => studio.actions.fingerprints())
    expect(y!.fingerprint).not.toBe(x!.fingerprint)
    expect(y!.cycle).toBe(x!.cycle)
    await page.evaluate(() => studio.actions.closeB())

    // the link
    const link = await page.evaluate(() => studio.actions.linkHere())
    const second = await open("static", new URL(link!).hash.slice(1))
    await second.page.waitForFunction(() => studio.state.badge.value !== undefined || studio.state.trouble.value !== "")
    expect(
      await second.page.evaluate(() => ({ badge: studio.state.badge.value, trouble: studio.state.trouble.value })),
    ).toMatchObject({ badge: { agrees: true }, trouble: "" })
    expect(await second.page.locator("#badge").textContent()).toBe(
      `✓ same bits as the shared run, cycle ${(cycle + 500).toLocaleString("en")}`,
    )
    expect(await second.page.evaluate(() => studio.actions.fingerprints())).toEqual(
      await page.evaluate(() => studio.actions.fingerprints()),
    )
    expect([...errors, ...second.errors]).toEqual([])
    await Promise.all([page.close(), second.page.close()])
  })

  test("a sweep fills its curves in, runs can be stopped, and a click on a point opens its run", async () => {
    const { page, errors } = await open("static")
    await page.evaluate((t) => studio.actions.openExperiment(t, "e.yaml"), small)
    await page.click("#runs")
    // 2 routings at 2 loads
    expect(await page.locator("#curve .ghost.waiting").count()).toBe(4)
    expect(await page.locator("#progress").textContent()).toBe("0 of 4 runs finished")
    await page.locator("#finished button", { hasText: "Stop" }).nth(1).click()
    expect(await page.locator("#curve .ghost.stopped").count()).toBe(1)
    await page.click("#sweep")
    await page.waitForFunction(() => !studio.state.sweeping.value && studio.state.finished.value.length === 3)
    expect(await page.locator("#progress").textContent()).toBe("3 of 4 runs finished, 1 stopped")
    expect(await page.locator("#finished td:nth-child(3)").nth(1).textContent()).toBe("stopped")
    await page.locator("#finished button", { hasText: "Run" }).click()
    await page.waitForFunction(() => studio.state.finished.value.length === 4)
    // the runs at load 0.5 are saturated, and end before their window
    await page.selectOption("#measure", "accepted")
    expect(await page.locator("#curve .mark").count()).toBe(2)
    await page.locator("#curve .mark").last().click()
    await page.waitForFunction(() => !studio.state.sheet.value && studio.state.running.value)
    expect(
      await page.evaluate(() => {
        const [{ run, opened }] = studio.state.sides.value
        return [studio.state.planned.value!.runs[run].point["load"], opened.offered, studio.state.trouble.value]
      }),
    ).toEqual([0.1, 0.1, ""])
    // a plan that changes stops what is running
    await page.evaluate(
      async (t) => {
        await studio.actions.pause()
        await studio.actions.setText(t)
        void studio.actions.sweep()
        await studio.actions.setText(t.replace("0.5]", "0.6]"))
      },
      small.replace("limit: 1kcycles", "limit: 9kcycles"),
    )
    expect(await page.evaluate(() => [studio.state.sweeping.value, Object.keys(studio.state.tasks.value)])).toEqual([
      false,
      [],
    ])
    // 73 groups of 12 routers open as a matrix, 36 routers as a network
    const matrixOf = async (text: string) => {
      await page.evaluate((t) => studio.actions.openExperiment(t, "e.yaml"), text)
      return page.evaluate(() => [studio.state.sides.value[0].opened.scene.routers, studio.state.matrix.value])
    }
    const one = small.replace(/load: \[.*\]/, "load: [0.1]")
    expect(await matrixOf(one.replace(/p: \d+, a: \d+, h: \d+/, "p: 1, a: 12, h: 6"))).toEqual([876, true])
    expect(await matrixOf(one)).toEqual([36, false])
    expect(errors).toEqual([])
    await page.close()
  })

  test("explains a channel that is clicked in the picture and a packet of the list, whose parts add up to its age", async () => {
    const { page, errors } = await open("static")
    await page.evaluate(async (t) => {
      await studio.actions.openExperiment(t, "e.yaml")
      // beyond what it can carry: packets wait
      await studio.actions.choose(1)
      await studio.actions.seek(600)
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
    await page.evaluate(() => studio.actions.look())
    await page.click("#lists")
    await page
      .locator("#oldest button")
      .first()
      .evaluate((e) => (e as HTMLButtonElement).click())
    await page.waitForSelector("#packet")
    const { age, sum } = await page
      .locator("#packet")
      .evaluate((e) => ({ age: Number(e.dataset["age"]), sum: Number(e.dataset["sum"]) }))
    expect(sum).toBeCloseTo(age, 6)
    expect(age).toBeGreaterThan(0)
    expect(errors).toEqual([])
    await page.close()
  })

  test("reports that a run has ended when more is requested, and a key on the time slider goes back one cycle", async () => {
    const { page, errors } = await open("static")
    const end = await page.evaluate(async (t) => {
      await studio.actions.openExperiment(t, "e.yaml")
      await studio.actions.choose(1)
      await studio.actions.seek(1e6)
      await studio.actions.askPacket(studio.state.top.value.packets[0])
      return studio.actions.now()
    }, small)
    const words = `A ended in cycle ${end.toLocaleString("en")}. There are no later cycles.`
    for (const more of ["#follow", "#step", "#play"]) {
      await page.evaluate(() => void (studio.state.said.value = ""))
      await page.locator(more).evaluate((e) => (e as HTMLButtonElement).click())
      await page.waitForFunction(() => studio.state.said.value !== "")
      expect([more, await page.evaluate(() => studio.state.said.value)]).toEqual([more, words])
    }
    expect(await page.evaluate(() => studio.state.running.value)).toBe(false)
    await page.focus("#time")
    await page.keyboard.press(",")
    await page.waitForFunction((c) => studio.actions.now() === c, end - 1)
    // Keys in a text field are input, not commands.
    await page.focus("#cycle")
    await page.keyboard.press(",")
    await page.waitForTimeout(100)
    expect(await page.evaluate(() => studio.actions.now())).toBe(end - 1)
    expect(errors).toEqual([])
    await page.close()
  })

  test("reports bad input and keeps the open run", async () => {
    const { page } = await open("static")
    await page.evaluate(() => studio.actions.seek(100))
    const trouble = () =>
      page.evaluate(() => {
        const { value } = studio.state.trouble
        studio.state.trouble.value = ""
        return value
      })
    const text = await page.evaluate(() => studio.state.text.value)
    /** the run stands where it stood, and its text is the one that was open */
    const still = async () => {
      expect(await page.evaluate(async () => (await studio.actions.fingerprints())[0]?.cycle)).toBe(100)
      expect(await page.evaluate(() => studio.state.text.value)).toBe(text)
    }
    // links: broken, and of a newer studio, as an address and as a file
    await page.evaluate(() => studio.actions.openLink("broken!"))
    expect(await trouble()).toMatch(/cannot be opened/)
    await still()
    const newer = deflateRawSync(Buffer.from('{"form":9,"text":"lacewing: 1"}')).toString("base64url")
    await page.evaluate((f) => void (location.hash = f), newer)
    await page.waitForFunction(() => studio.state.trouble.value !== "")
    expect(await trouble()).toMatch(/newer studio \(format 9/)
    await still()
    await page.evaluate(() =>
      studio.actions.openGiven("x.json", new TextEncoder().encode('{"form":9,"fingerprint":"0","text":""}')),
    )
    expect(await trouble()).toMatch(/x.json: the link comes from a newer studio/)
    // files that are not ours: no text, a text of somebody else, no results, a Parquet file that is none
    const files: [string, number[], RegExp][] = [
      ["x.png", [137, 80, 78, 71, 0, 1, 2], /is not a text file/],
      ["list.yaml", [...Buffer.from("milk: 2\nbread: 1\n")], /is not an experiment/],
      ["page.html", [...Buffer.from("<!doctype html><p>hello")], /is not an experiment/],
      ["0001.parquet", [80, 65, 82, 49, 1, 2, 3], /./],
    ]
    for (const [name, bytes, says] of files) {
      await page.evaluate(([n, b]) => studio.actions.openGiven(n, new Uint8Array(b)), [name, bytes] as const)
      expect(await trouble()).toMatch(says)
      await still()
    }
    await page.evaluate(() => studio.actions.openResults({ "results/nothing": new Uint8Array(3) }))
    expect(await trouble()).toMatch(/This folder contains no results./)
    await still()
    // memory that is refused
    await page.route("**/engine.js", async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${noMemory}${await response.text()}` })
    })
    await page.evaluate(() => studio.actions.openA())
    expect(await trouble()).toMatch(/too large for a browser tab: Array buffer allocation failed/)
    await still()
    await page.unroute("**/engine.js")
    // a worker that cannot be loaded
    await page.route("**/engine.js", (route) => route.abort())
    await page.evaluate(() => studio.actions.openA())
    expect(await trouble()).toMatch(/has stopped/)
    await still()
    await page.unroute("**/engine.js")
    await page.close()
  })

  test("reports an engine that crashes in a run, and opens the experiment again", async () => {
    const { page } = await open("static")
    // an engine whose code breaks in the middle of a run
    await page.route("**/engine.js", async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body:
          `addEventListener("message", (e) => { if (e.data.do === "run") setTimeout(() => { ` +
          `throw new Error("planted") }, 50) });${await response.text()}`,
      })
    })
    await page.evaluate(
      (t) => studio.actions.openExperiment(t, "e.yaml"),
      small.replace("limit: 1kcycles", "limit: 900kcycles").replace("precision: 3%", "precision: 0.01%"),
    )
    await page.unroute("**/engine.js")
    await page.evaluate(() => studio.actions.setSpeed(Number.POSITIVE_INFINITY))
    await page.evaluate(() => studio.actions.play())
    await page.waitForFunction(() => studio.state.trouble.value !== "")
    expect(await page.evaluate(() => studio.state.trouble.value)).toMatch(/The engine A has stopped: .*planted/)
    expect(await page.evaluate(() => [studio.state.sides.value.length, studio.state.running.value])).toEqual([0, false])
    // the text and its plan are there; run opens it again
    await page.evaluate(() => void (studio.state.trouble.value = ""))
    await page.evaluate(() => studio.actions.openA())
    await page.evaluate(() => studio.actions.seek(300))
    expect(await page.evaluate(() => [studio.state.trouble.value, studio.actions.now()])).toEqual(["", 300])
    await page.close()
  })

  test("reports a planner that crashes, and starts another", async () => {
    const page = await pageOf(browser)
    await page.route("**/planner.js", async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body:
          `addEventListener("message", (e) => { if (e.data.do === "check") { ` +
          `e.stopImmediatePropagation(); throw new Error("planted") } });${await response.text()}`,
      })
    })
    await page.goto(addresses.static)
    await page.waitForFunction(() => typeof studio === "object" && studio.state.form.value.length > 0)
    await page.evaluate(() => studio.actions.check())
    expect(await page.evaluate(() => studio.state.trouble.value)).toMatch(/The planner has stopped: .*planted/)
    expect(await page.evaluate(() => studio.state.sides.value.length)).toBe(2)
    await page.unroute("**/planner.js")
    await page.evaluate(() => void (studio.state.trouble.value = ""))
    await page.evaluate(() => studio.actions.check())
    expect(
      await page.evaluate(() => [studio.state.trouble.value, (studio.state.proofs.value ?? []).length > 0]),
    ).toEqual(["", true])
    await page.close()
  })

  test("text and form edit each other, and errors are shown at their lines", async () => {
    const { page, errors } = await open("static")
    await page.evaluate((t) => studio.actions.openExperiment(t, "e.yaml"), small)
    await openTab(page, "experiment")
    await page.waitForFunction(() => studio.state.form.value.length > 0)
    expect(await page.locator(".field").count()).toBe(0)
    await page.click("#form")
    const lines = small.split("\n")
    const at = lines.findIndex((l) => l.includes("switch:")) + 1
    // the form writes into the text
    const vcs = page.locator('[id="f-network.switch.vcs"]')
    await vcs.evaluate((e) => (e.closest("details")!.open = true))
    await vcs.fill("7")
    await vcs.press("Enter")
    await page.waitForFunction(() => studio.state.text.value.includes("vcs: 7"))
    expect(await page.inputValue("#text")).toContain("vcs: 7")
    // the text writes into the form
    const text = await page.inputValue("#text")
    await page.fill("#text", text.replace("vcs: 7", "vcs: 6"))
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[id="f-network.switch.vcs"]')?.value === "6",
    )
    // a complaint: marked in the margin, named in the list, both with the line
    await page.fill("#text", text.replace("vcs: 7", "vsc: 6"))
    await page.waitForFunction(() => document.querySelectorAll(".gutter .wrong").length > 0)
    expect(await page.locator(".gutter .wrong").allTextContents()).toEqual([String(at)])
    expect(await page.locator(".complaints li").first().textContent()).toContain(`line ${at}`)
    // it stands at its place, too, with a wave under the word
    expect(await page.locator(".under .bad u").textContent()).toBe("vsc")
    expect(await page.locator(".under .bad span").textContent()).toMatch(/unknown key.*vcs/)
    expect(await page.locator("#text").getAttribute("aria-invalid")).toBe("true")
    expect(await page.locator("#check").isDisabled()).toBe(true)
    // mended: gone
    await page.fill("#text", text)
    await page.waitForFunction(() => document.querySelectorAll(".gutter .wrong").length === 0)
    expect(await page.locator(".complaints").count()).toBe(0)
    // completion at the cursor, by keys only
    await page.locator("#text").evaluate((e) => {
      const field = e as HTMLTextAreaElement
      field.focus()
      const end = field.value.indexOf("vcs: 7") + "vcs: 7".length
      field.setSelectionRange(end, end)
    })
    await page.keyboard.type(", tailC")
    await page.waitForSelector("#completions [aria-selected=true]")
    expect(await page.locator("#completions li").allTextContents()).toEqual(["tailCredit"])
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.querySelectorAll("#completions li").length === 2)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Tab")
    await page.waitForFunction(() => studio.state.text.value.includes("vcs: 7, tailCredit: false"))
    await page.waitForFunction(() => studio.state.planned.value?.runs[0].spec.network.switch["vcs"] === 7)
    expect(errors).toEqual([])
    await page.close()
  })

  test("shows a router, finds the first packet that differs in A and B, and exports every view as SVG, PNG and CSV", async () => {
    const { page, errors } = await open("static", "", { acceptDownloads: true })
    await page.evaluate(async (t) => {
      await studio.actions.openExperiment(t, "e.yaml")
      await studio.actions.sweep()
      await studio.actions.choose(1)
      await studio.actions.seek(600)
      await studio.actions.askRouter(5)
    }, small)
    expect(await page.locator("#router summary").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Buffers: \d+ flits$/), "Output VCs", "Allocator"]),
    )
    // from a buffer to the packet at its front
    await page.locator("#router td button .fill").first().click()
    await page.waitForSelector("#packet")
    await page.evaluate(async () => {
      await studio.actions.branch(["network.routing.name=dragonfly.ugal-l"])
      await studio.actions.seek(900)
      await studio.actions.firstDifference()
    })
    const parting = await page.evaluate(() => studio.state.first.value?.parting)
    expect(parting!.packet!.a).not.toEqual(parting!.packet!.b)
    await openTab(page, "run")
    expect(await page.locator("#first-says").textContent()).toMatch(
      /The first packet that moves differently .*In A .*In B /,
    )
    await page.evaluate(async () => {
      studio.actions.closeB()
      await studio.actions.seek(600)
    })
    const kinds: (() => Promise<void>)[] = [
      () => page.evaluate(() => studio.actions.askRouter(5)),
      () => page.evaluate(() => studio.actions.askChannel(studio.state.top.value.channels[0].chan)),
      () => page.evaluate(() => studio.actions.askPacket(studio.state.top.value.packets[0])),
      () => page.evaluate(() => studio.actions.askWhy()),
    ]
    const seen = new Set<string>()
    let saved = 0
    const save = async (id: string) => {
      // Chromium drops, without a word, what a page saves beyond ten files in one second
      if (++saved % 9 === 0) await page.waitForTimeout(1100)
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(`#${id}`).evaluate((e) => (e as HTMLButtonElement).click()),
      ])
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
    }
    for (const ask of kinds) {
      await ask()
      await page.locator("#out").evaluate((e) => ((e as HTMLDetailsElement).open = true))
      await page.waitForSelector("#out-network-svg", { state: "attached" })
      const ids = await page.locator('#out button[id$="-svg"]').evaluateAll((all) => all.map((e) => e.id.slice(4, -4)))
      for (const id of ids.filter((v) => !seen.has(v))) {
        seen.add(id)
        const svg = await save(`out-${id}-svg`)
        expect(svg.name).toBe(`${id}.svg`)
        const parsed = await page.evaluate(
          (s) => new DOMParser().parseFromString(s, "image/svg+xml").querySelector("parsererror")?.textContent ?? "",
          svg.bytes.toString(),
        )
        expect([id, parsed]).toEqual([id, ""])
        const png = await save(`out-${id}-png`)
        expect([id, png.bytes.subarray(1, 4).toString(), png.bytes.length > 500]).toEqual([id, "PNG", true])
        const csv = await save(`out-${id}-csv`)
        expect([id, csv.bytes.toString().split("\n").length > 2]).toEqual([id, true])
      }
      await page.locator("#out").evaluate((e) => ((e as HTMLDetailsElement).open = false))
    }
    expect([...seen].sort()).toEqual(["channel", "curve", "diagnosis", "heat", "network", "packet", "router"])
    // a map leaves as a map; the sheet lies above the picture and its menus
    await page.keyboard.press("Escape")
    await page.locator("#matrix").click()
    await page.waitForFunction(
      () => document.querySelector<HTMLCanvasElement>("#network-A canvas")?.dataset["shape"] === "map",
    )
    await page.locator("#out").evaluate((e) => ((e as HTMLDetailsElement).open = true))
    await page.waitForSelector("#out-network-svg", { state: "attached" })
    expect((await save("out-network-svg")).bytes.toString()).toMatch(/<rect x=/)
    expect(errors).toEqual([])
    await page.close()
  })

  test("finds a figure of a paper by a word and runs it", async () => {
    const { page, errors } = await open("static")
    await openTab(page, "results")
    await page.locator("#papers").click()
    await page.locator("#gallery-filter").fill("stashing/fig5a")
    await page.waitForFunction(() => document.querySelectorAll("details.figure").length === 1)
    await page.locator("details.figure summary").click()
    await page.locator(".run-here").click()
    await page.waitForFunction(
      () => studio.state.fileName.value.startsWith("stashing-fig5a") && studio.state.sides.value.length === 1,
    )
    await page.evaluate(() => studio.actions.seek(200))
    expect(
      await page.evaluate(() => [
        studio.state.trouble.value,
        studio.state.complaints.value.length,
        studio.actions.now(),
      ]),
    ).toEqual(["", 0, 200])
    // stash pools of its switches
    await page.evaluate(() => studio.actions.askRouter(0))
    expect(await page.locator("#router").count()).toBe(1)
    expect(errors).toEqual([])
    await page.close()
  })

  test("reports a lost graphics context, and draws with Canvas 2D from then on", async () => {
    const { page, errors } = await open("static", "", {}, "?gl=1")
    const frames = () =>
      page.locator("#network-A canvas").evaluate((e) => Number((e as HTMLCanvasElement).dataset["frames"] ?? 0))
    await page.evaluate(() => studio.actions.seek(300))
    expect(
      await page.locator("#network-A canvas").evaluate((e) => (e as HTMLCanvasElement).getContext("webgl2") !== null),
    ).toBe(true)
    await page
      .locator("#network-A canvas")
      .evaluate((e) => (e as HTMLCanvasElement).getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext())
    await page.waitForFunction(() => studio.state.trouble.value !== "")
    expect(await page.evaluate(() => studio.state.trouble.value)).toMatch(/driver/)
    await page.waitForFunction(
      () => document.querySelector<HTMLCanvasElement>("#network-A canvas")?.getContext("2d") != null,
    )
    const before = await frames()
    await page.evaluate(() => studio.actions.seek(400))
    await page.waitForFunction(
      (n) => Number(document.querySelector<HTMLCanvasElement>("#network-A canvas")?.dataset["frames"]) > n,
      before,
    )
    expect(errors).toEqual([])
    await page.close()
  })

  test("has no serious accessibility violation in a light, a dark and a narrow window", async () => {
    const { page } = await open("static")
    await page.evaluate(async (t) => {
      await studio.actions.openExperiment(t, "e.yaml")
      await studio.actions.seek(400)
      await studio.actions.askWhy()
    }, small)
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core") })
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 1280],
      ["light", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      for (const tab of ["experiment", "run", "results"] as const) {
        await openTab(page, tab)
        const found = await page.evaluate(async () => {
          const { violations } = await (
            globalThis as unknown as {
              axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
            }
          ).axe.run()
          return violations
            .filter((v) => v.impact === "serious" || v.impact === "critical")
            .map((v) => `${v.id}: ${v.nodes[0].html}`)
        })
        expect([colorScheme, width, tab, found]).toEqual([colorScheme, width, tab, []])
      }
    }
    await page.close()
  })
})
