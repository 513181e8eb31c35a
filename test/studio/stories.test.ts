// The first minute of the studio in Chromium: the page opens on a story that plays, both sides have counters, stories
// run to their end, and every button does what it says.
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect } from "vitest"
import type * as actions from "../../studio/page/actions.ts"
import { treeColours } from "../../studio/page/network/colours.ts"
import type * as state from "../../studio/page/state.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { built } from "../support/build.ts"

declare const studio: { readonly actions: typeof actions; readonly state: typeof state }

const { test } = inChromium
let site: Server
let browser: Browser
let address: string

beforeAll(async () => {
  const dist = built()
  const types: Record<string, string> = { ".json": "application/json", ".js": "text/javascript", ".css": "text/css" }
  site = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0]
    try {
      const body = readFileSync(join(dist, "studio", path === "/" ? "index.html" : path))
      response.writeHead(200, { "Content-Type": types[extname(path)] ?? "text/html" })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

async function open(options: Parameters<typeof pageOf>[1] = {}): Promise<{ page: Page; errors: string[] }> {
  const page = await pageOf(browser, options)
  const errors: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  page.on("console", (m) => void (m.type() === "error" && errors.push(m.text())))
  await page.goto(address)
  await page.waitForFunction(() => typeof studio === "object" && studio.state.sides.value.length === 2)
  return { page, errors }
}

/** Presses the button of a story, and waits until it plays. */
async function openStory(page: Page, name: "hotspot" | "deadlock" | "large", ends: number): Promise<void> {
  await page.click(`#story-${name}`)
  await page.waitForFunction(
    ([n, e]) =>
      studio.state.story.value === n &&
      studio.state.sides.value[0]?.opened.scene.ends === e &&
      studio.state.running.value,
    [name, ends] as const,
  )
}

/** Plays fast until a cycle, then pauses. */
async function playTo(page: Page, cycle: number): Promise<void> {
  await page.evaluate(() => studio.actions.setSpeed(1000))
  await page.waitForFunction((c) => studio.actions.now() >= c, cycle)
  await page.evaluate(() => studio.actions.pause())
}
const counter = (page: Page, side: string, name: string) =>
  page.locator(`#network-${side} [data-counter=${name}]`).textContent()

describe("the first minute", () => {
  test("the page opens on adversarial traffic and plays; A and B have the counters of their runs, never out of step", async () => {
    const { page, errors } = await open({ viewport: { width: 1440, height: 900 } })
    await page.waitForFunction(() => studio.state.running.value && studio.actions.now() > 20)
    expect(await page.locator("h1").textContent()).toMatch(/^Every group sends to its neighbour/)
    expect(await page.locator(".net h2").allTextContents()).toEqual(["Minimal routing", "UGAL routing"])
    // packets are in the frames of both sides, and their pictures change
    const seen = () =>
      page.evaluate(() =>
        studio.state.sides.value.map(({ reel }) => [reel.frames.at(-1)?.packets?.n ?? 0, reel.frames.length]),
      )
    for (const [packets, frames] of await seen()) {
      expect(packets).toBeGreaterThan(50)
      expect(frames).toBeGreaterThan(5)
    }
    const picture = () => page.locator("#network-A canvas").evaluate((e) => (e as HTMLCanvasElement).toDataURL())
    const before = await picture()
    await page.waitForFunction((t) => studio.actions.now() > t + 3, await page.evaluate(() => studio.actions.now()))
    expect(await picture()).not.toBe(before)
    // both sides are shown at one cycle
    for (let i = 0; i < 5; i++) {
      const [a, b] = await page.evaluate(() => ["A", "B"].map((n) => studio.state.pictures.value[n].status.cycle))
      expect(Math.abs(a - b)).toBeLessThanOrEqual(4)
    }
    await playTo(page, 1400)
    const accepted = [await counter(page, "A", "accepted"), await counter(page, "B", "accepted")]
    expect(accepted[0]).toMatch(/^0\.1[12]\d of 0\.30$/)
    expect(accepted[1]).toMatch(/^0\.[23]\d\d of 0\.30$/)
    expect(Number.parseFloat(accepted[1]!)).toBeGreaterThan(0.26)
    expect(Number(await counter(page, "A", "latency"))).toBeGreaterThan(Number(await counter(page, "B", "latency")))
    expect(await page.locator("#network-A .pill").textContent()).toBe("Saturated: queues keep growing")
    expect(await page.locator("#network-B .pill").textContent()).toBe("Paused")
    expect(await page.locator("#events li").allTextContents()).toEqual([
      expect.stringMatching(/^Saturated A, cycle \d+/),
    ])
    expect(await page.locator("#says").textContent()).toMatch(/delivers 2\.\d times as much/)
    // the counters are those of the engine: flits that left in the last 400 cycles
    const told = await page.evaluate(async () => {
      const [{ reel, engine }] = studio.state.sides.value
      const now = studio.actions.now()
      const { accepted } = reel.counters(now)
      const at = async (cycle: number) => {
        await engine.ask({ do: "seek", cycle })
        return studio.state.pictures.value["A"].status.accepted
      }
      const late = await at(now)
      const from = reel.cycles[reel.index(now - 400)]
      return { accepted, exact: (late - (await at(from))) / (now - from) / 72 }
    })
    expect(told.accepted).toBeCloseTo(told.exact, 12)
    expect(errors).toEqual([])
    await page.close()
  })

  test("readers who avoid motion get a page that stands still until they start it", async () => {
    const { page } = await open({ reducedMotion: "reduce" })
    await page.waitForTimeout(300)
    expect(await page.evaluate(() => [studio.state.running.value, studio.actions.now()])).toEqual([false, 0])
    await page.keyboard.press(" ")
    await page.waitForFunction(() => studio.actions.now() > 5)
    await page.close()
  })
})

describe("stories", () => {
  test("hot spot: A is saturated and its links are blocked, B keeps up", async () => {
    const { page, errors } = await open()
    await openStory(page, "hotspot", 64)
    await playTo(page, 900)
    expect(await page.locator("#network-A .unit em").textContent()).toMatch(/% cannot get in/)
    expect(await page.locator("#network-B .unit em").textContent()).toBe("keeps up")
    const blocked = await page.evaluate(() =>
      ["A", "B"].map((n) => studio.state.pictures.value[n].blocked.filter((b) => b > 150).length),
    )
    expect(blocked[0]).toBeGreaterThan(30)
    expect(blocked[1]).toBe(0)
    // why: the root of the largest tree is the channel to the hot endpoint
    await page.click("#why")
    await page.waitForSelector("#diagnosis")
    expect(await page.locator("#diagnosis li button").first().textContent()).toMatch(/endpoint 27/)
    expect(errors).toEqual([])
    await page.close()
  })

  test("deadlock: stops at its first cycle; the circle is above everything, with the numbers of the list; B goes on", async () => {
    const { page, errors } = await open({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" })
    await openStory(page, "deadlock", 64)
    await page.evaluate(() => studio.actions.setSpeed(1000))
    await page.waitForSelector("#diagnosis[data-kind=deadlock]")
    const found = await page.evaluate(async () => {
      const { value } = studio.state.answer
      const cycle = value?.kind === "diagnosis" ? value.is.cycle : []
      const since = studio.state.sides.value[0].reel.deadlock!
      const kind = async (at: number) => {
        await studio.actions.seek(at)
        await studio.actions.askWhy("A")
        const { value } = studio.state.answer
        return value?.kind === "diagnosis" ? value.is.kind : ""
      }
      const shown = studio.actions.now()
      const kinds = [await kind(since - 1), await kind(since)]
      return { cycle, since, shown, kinds }
    })
    // it is the first cycle with a deadlock, and the one that is shown
    expect(found.shown).toBe(found.since)
    expect(found.kinds).toEqual([expect.not.stringMatching("deadlock"), "deadlock"])
    expect(await page.locator("#network-A .pill").textContent()).toBe(`Deadlock since cycle ${found.since}`)
    expect(await counter(page, "A", "accepted")).toBe("stopped")
    expect(await counter(page, "B", "accepted")).toMatch(/^0\.\d+ of 0\.80$/)
    const list = await page.locator("ol.circle li").allTextContents()
    expect(list.length).toBe(found.cycle.length)
    for (const [i, says] of list.entries()) expect(says).toContain(`${found.cycle[i].from} → ${found.cycle[i].to}`)
    // the next packet of the list waits for the channel that the one before it holds: the list is a circle
    for (const [i, link] of found.cycle.entries())
      expect(link.waitsFor).toBe(found.cycle[(i + 1) % found.cycle.length].holds)
    // only the circle has the colour of a deadlock, its numbers stand where its channels begin, and no tree is drawn
    const marks = await page.evaluate(
      (colours) => {
        const canvas = document.querySelector<HTMLCanvasElement>("#network-A canvas")!
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height)
        const count = (hex: string) => {
          const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16))
          let n = 0
          for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 12)
              n++
          return n
        }
        return colours.map(count)
      },
      ["#ff4f7b", "#d3265b", ...treeColours],
    )
    expect(marks[0]).toBeGreaterThan(500)
    expect(marks[1]).toBeGreaterThan(60 * found.cycle.length)
    expect(marks.slice(2)).toEqual(treeColours.map(() => 0))
    await page.click("#earlier")
    await page.waitForFunction((c) => studio.actions.now() === c - 60, found.since)
    expect(await page.locator("#diagnosis").count()).toBe(0)
    await page.evaluate((c) => studio.actions.seek(c).then(() => studio.actions.askWhy()), found.since)
    await page.click("#fixed")
    await page.waitForFunction((c) => studio.actions.now() > c + 100, found.since)
    expect(await counter(page, "B", "accepted")).toMatch(/^0\.\d+ of/)
    expect(errors).toEqual([])
    await page.close()
  })

  test("why: one sentence names the cause, and B with the cure carries the load", async () => {
    const { page, errors } = await open({ reducedMotion: "reduce" })
    await page.evaluate(() => studio.actions.seek(1500))
    await page.click("#why")
    await page.waitForSelector("#cause[data-cause=link]")
    expect(await page.locator("#cause .sentence").textContent()).toMatch(/^Limited by a shared link: group/)
    await page.click("#cure")
    await page.waitForFunction(() => studio.state.gain.value !== "")
    expect(await page.evaluate(() => studio.state.sides.value[1].set)).toEqual(["network.routing=dragonfly.ugal-l"])
    // 0.125 is what one link carries for 8 endpoints; UGAL carries 0.3: 2.4 times as much.
    expect(await page.locator("#says").textContent()).toMatch(
      /^With the routing dragonfly.ugal-l, B carries its load: it accepts 0\.(29|30)\d of 0\.300 instead of 0\.12\d, 2\.[34] times as much\.$/,
    )
    expect(await counter(page, "B", "accepted")).toMatch(/^0\.(29|30)\d of 0\.30$/)
    // B carries its load, so it has no cause and no cure
    await page.evaluate(() => studio.actions.askWhy("B"))
    await page.waitForSelector('#cause[data-cause=""]')
    expect(await page.locator("#cause .sentence").textContent()).toMatch(/^The network carries its load/)
    expect(await page.locator("#cure").count()).toBe(0)
    expect(errors).toEqual([])
    await page.close()
  })

  test("1,056 endpoints: a matrix of groups, whose stripe is the next group", async () => {
    const { page, errors } = await open()
    await openStory(page, "large", 1056)
    await page.waitForFunction(() => studio.actions.now() > 10)
    await page.evaluate(() => studio.actions.seek(400))
    expect(await page.locator("#network-A canvas").getAttribute("data-shape")).toBe("map")
    const stripe = await page.evaluate(() => {
      const { scene } = studio.state.sides.value[0].opened
      const { heat } = studio.state.pictures.value["A"]
      const groups = 33
      let [inside, outside] = [0, 0]
      scene.farRouter.forEach((far, c) => {
        if (far < 0) return
        const [from, to] = [scene.group![scene.routerOf[c]], scene.group![far]]
        if (from === to) return
        if (to === (from + 1) % groups) inside = Math.max(inside, heat[c])
        else outside = Math.max(outside, heat[c])
      })
      return { inside, outside }
    })
    expect(stripe.inside).toBeGreaterThan(200)
    expect(stripe.outside).toBe(0)
    expect(errors).toEqual([])
    await page.close()
  })
})

describe("buttons", () => {
  test("steps, events, speed, colours, views, theme and the sheet do what they say, by pointer and by key", async () => {
    const { page, errors } = await open({ colorScheme: "dark", viewport: { width: 1440, height: 900 } })
    await playTo(page, 900)
    const now = () => page.evaluate(() => studio.actions.now())
    const at = await now()
    await page.click("#step")
    await page.waitForFunction((t) => studio.actions.now() === t, at + 1)
    await page.click("#back")
    await page.waitForFunction((t) => studio.actions.now() === t, at)
    const event = await page.evaluate(() => studio.state.sides.value[0].reel.events[0].cycle)
    await page.click("#before")
    await page.waitForFunction((t) => studio.actions.now() === t, event)
    await page.evaluate(() => studio.actions.seek(10))
    await page.click("#after")
    await page.waitForFunction((t) => studio.actions.now() === t, event)
    await page.click("#by-source")
    expect(await page.evaluate(() => studio.state.colouring.value)).toBe("source")
    await page.keyboard.press("c")
    expect(await page.getAttribute("#by-age", "aria-pressed")).toBe("true")
    await page.click("#matrix")
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>("#network-A canvas")?.dataset["shape"] === "map",
    )
    await page.keyboard.press("m")
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>("#network-A canvas")?.dataset["shape"] === "routers",
    )
    await page.selectOption("#heat", "stall")
    await page.waitForFunction(() => studio.state.heat.value === "stall")
    await page.click("#theme")
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("light")
    await page.click("#edit")
    expect(await page.locator("#text").inputValue()).toContain("group-adversarial")
    await page.click("#close-sheet")
    await page.click("#edit")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("#sheet") === null)
    await page.locator("#network-A canvas").focus()
    await page.keyboard.press("l")
    await page.waitForSelector("#oldest button")
    await page.click("#close")
    expect(await page.locator("aside").count()).toBe(0)
    await page.locator("#network-A canvas").focus()
    await page.keyboard.press("]")
    await page.waitForFunction(() => studio.state.speed.value === 4000)
    await page.locator("#time").focus()
    const before = await now()
    await page.keyboard.press("ArrowLeft")
    await page.waitForFunction((t) => studio.actions.now() === t - 10, before)
    // a packet that is clicked tells where its time went, and follows
    await page.keyboard.press("l")
    await page.locator("#oldest button").first().click()
    await page.waitForSelector("#packet")
    expect(await page.locator("#packet h2").textContent()).toMatch(/^It (spent|waited|moves)/)
    const asked = await now()
    await page.click("#follow")
    await page.waitForFunction((t) => studio.actions.now() === t, asked + 10)
    // The command bar, by keys only: an endpoint, a cycle, another load for both sides.
    const command = async (words: string) => {
      await page.keyboard.press("Control+k")
      await page.waitForFunction(() => document.activeElement?.id === "command")
      await page.keyboard.type(words)
      await page.keyboard.press("Enter")
      await page.waitForFunction(() => !studio.state.palette.value)
    }
    await command("endpoint 5")
    await page.waitForSelector("#endpoint")
    await command("300")
    await page.waitForFunction(() => studio.actions.now() === 300)
    await command("dark col")
    expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark")
    await page.waitForFunction(() => studio.state.form.value.length > 0)
    await command("load to 0.1")
    await page.waitForFunction(() => studio.state.sides.value[1]?.opened.offered === 0.1 && studio.actions.now() === 0)
    await page.keyboard.press("Control+k")
    await page.waitForSelector("#command")
    await page.keyboard.type("no such command")
    expect(await page.locator("#commands li").count()).toBe(0)
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector(".palette") === null)
    expect(errors).toEqual([])
    await page.close()
  })
})
