// Custom plug-ins in the studio: they run only after consent, in a worker that reaches nothing, with the bits of
// Node.js. Hostile modules are stopped or refused, and what is shown beside them goes on.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test as plain } from "vitest"
import { givenBy } from "../../src/cli/studio/given.ts"
import { type Serving, serve } from "../../src/cli/studio/server.ts"
import { singleFile } from "../../src/cli/studio/single-file.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { loadPlan } from "../../src/experiment/load.ts"
import { bringing } from "../../src/experiment/outside/known.ts"
import { prepare, simulate } from "../../src/run/open.ts"
import type * as actions from "../../studio/page/actions.ts"
import type * as client from "../../studio/page/client.ts"
import type * as state from "../../studio/page/state.ts"
import { chromiumPath, connect, inChromium, launch, pageOf } from "../browsers.ts"
import { built, root } from "../support/build.ts"

declare const studio: {
  readonly actions: typeof actions
  readonly patience: typeof client.patience
  readonly state: typeof state
}

const { test } = inChromium
const gallery = join(root, "examples/plugins")
const text = (plugins: string, more = "") => `lacewing: 1
plugins: [${plugins}]
network:
  topology: { name: mesh, sides: 4x4 }
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2 }
traffic: { pattern: uniform, load: 0.2, packet: 2flits }
measure: { warmup: 200cycles, window: 600cycles, limit: 1kcycles }
${more}`

const on = (file: string, changes: Readonly<Record<string, string>>, more = "") =>
  [
    file,
    Object.entries(changes).reduce(
      (t, [from, to]) => {
        if (!t.includes(from)) throw new Error(`no ${from}`)
        return t.replace(from, to)
      },
      text(`./${file}`, more),
    ),
  ] as const
const combined = { "name: input-queued, vcs: 2": "name: combined, vcs: 6" }
const pairs = "\n  endpoint: { name: queue-pairs, ack: 0flits }\ntraffic:"

const ofJobs = (file: string, workload: string) =>
  on(file, {
    ...combined,
    "\ntraffic: { pattern: uniform, load: 0.2, packet: 2flits }": `
  endpoint: { name: queue-pairs, ack: 0flits }
  flit: 32B
jobs: { workload: ${workload} }`,
    "{ warmup: 200cycles, window: 600cycles, limit: 1kcycles }": "{ until: jobs, limit: 1Mcycles }",
  })

/** A module of each kind, in an experiment that uses it. */
const kinds: Readonly<Record<string, readonly [file: string, experiment: string]>> = {
  routing: on("o1turn.mjs", { "mesh.dimension-order": "my.o1turn" }),
  topology: on("chordal-ring.mjs", {
    "name: mesh, sides: 4x4": "name: my.chordal-ring, routers: 8",
    "mesh.dimension-order": "any.up-down",
  }),
  "pattern, arrivals and sizes": on("mice-and-elephants.mjs", {
    "pattern: uniform": "pattern: { name: my.shift, by: 3 }, arrivals: my.pairs",
    "packet: 2flits": "packet: my.mice",
  }),
  probe: on("busiest-channels.mjs", {}, "probes: [my.busiest]\n"),
  congestion: on("swift.mjs", {
    ...combined,
    "\ntraffic:": "\n  endpoint: { name: queue-pairs, ack: 0flits }\n  congestion: my.swift\ntraffic:",
  }),
  scheduler: on("weighted-round-robin.mjs", {
    "input-queued": "infiniband",
    "\ntraffic:": "\n  endpoint: service-levels\n  qos: { name: my.weighted-round-robin, weights: [3, 1] }\ntraffic:",
  }),
  switch: on("input-first.mjs", {
    "name: input-queued, vcs: 2": "name: my.input-first, vcs: 2",
    "\ntraffic:": pairs,
  }),
  endpoint: on("paced-endpoint.mjs", { ...combined, "\ntraffic:": "\n  endpoint: my.paced\ntraffic:" }),
  workload: ofJobs("ring-channels.mjs", "{ name: my.ring-channels, ranks: 16, bytes: 4KiB, channels: 1 }"),
  trace: ofJobs("flow-list.mjs", "{ name: my.flow-list, file: small.flows }"),
}

let browser: Browser
let folder: string
let sink: Server
/** Requests of hostile modules. */
const requests: string[] = []
const servings: Serving[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lacewing-code-"))
  writeFileSync(join(folder, "small.flows"), "0 1 4096 0\n1 2 64 500\n2 0 1000 500\n3 9 30000 0\n")
  sink = createServer((request, response) => {
    requests.push(request.url ?? "")
    response.end("got it")
  })
  await new Promise<void>((listening) => sink.listen(0, "127.0.0.1", listening))
  built()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  for (const { server } of servings) server.close()
  sink?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

function written(name: string, experiment: string, modules: Readonly<Record<string, string>>): string {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, experiment)
  for (const [file, content] of Object.entries(modules)) writeFileSync(join(folder, file), content)
  return path
}

/** `lacewing studio FILE --code`, and a page that shows it. */
async function served(path: string): Promise<{ page: Page; errors: string[]; address: string }> {
  const given = await givenBy(path, true)
  if ("bad" in given) throw new Error(JSON.stringify(given.bad))
  const serving = await serve(join(built(), "studio"), given.ok)
  servings.push(serving)
  return opened(serving.address)
}

async function opened(address: string): Promise<{ page: Page; errors: string[]; address: string }> {
  const page = await pageOf(browser, { reducedMotion: "reduce" })
  const errors: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  await page.goto(address)
  return { page, errors, address }
}
/** Waits until the experiment is shown, or was refused. */
async function settled(page: Page): Promise<{ shown: boolean; says: string }> {
  await page.waitForFunction(() => {
    if (typeof studio !== "object" || studio.state.busy.value !== "") return false
    const { sides, trouble, complaints } = studio.state
    return sides.value.length > 0 || trouble.value !== "" || complaints.value.length > 0
  })
  return page.evaluate(() => ({
    shown: studio.state.sides.value.length > 0,
    says: [studio.state.trouble.value, ...studio.state.complaints.value.map((c) => `${c.path}: ${c.says}`)].join("\n"),
  }))
}
const swept = (page: Page) =>
  page.evaluate(async () => {
    await studio.actions.sweep()
    return studio.state.finished.value.map((f) => f.result.fingerprint)
  })

/** The fingerprints of Node.js, which must be the same for 1, 2 and 4 workers. */
async function truthOf(path: string): Promise<string[]> {
  const plan = await loadPlan(path)
  if ("bad" in plan) throw new Error(JSON.stringify(plan.bad))
  const found: string[] = []
  for (const { spec } of plan.ok.runs) {
    const prepared = prepare(spec, bringing(hostAt(plan.ok.folder), spec.plugins))
    if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
    const prints: string[] = []
    for (const workers of [1, 2, 4]) prints.push((await simulate(prepared.ok, { workers, threads: false })).fingerprint)
    expect(new Set(prints).size, prints.join(" ")).toBe(1)
    found.push(prints[0])
  }
  return found
}

describe("a module of each kind has the bits of Node.js", () => {
  test.each(Object.entries(kinds))("%s", async (kind, [file, experiment]) => {
    const path = written(kind, experiment, { [file]: readFileSync(join(gallery, file), "utf8") })
    const { page, errors } = await served(path)
    expect(await settled(page)).toEqual({ shown: true, says: "" })
    expect(await page.locator("#code-runs").textContent()).toContain(file)
    expect(await swept(page)).toEqual(await truthOf(path))
    expect(errors).toEqual([])
    await page.close()
  })
})

/** An experiment whose only module is this text. */
const hostile = (name: string, module: string, changes: Readonly<Record<string, string>> = {}) =>
  written(name, on(`${name}.mjs`, changes)[1], { [`${name}.mjs`]: module })
/** 1 GB, which any machine survives: typed arrays have no limit but the memory of the machine. */
const allocating = `const all = []
for (;;) if (all.length < 128) all.push(new Float64Array(2 ** 20).fill(1))
export default []`
/** Objects, until the browser ends the process. */
const filling = "const all = []\nfor (let i = 0; ; i++) all.push({ i, of: [i] })\nexport default []"

const unanswered = /did not answer for 3 seconds/
/** Lets the page wait less for a worker that never answers, which would use a core all the time. */
async function hurry(page: Page): Promise<void> {
  await page.waitForFunction(() => typeof studio === "object")
  const usual = await page.evaluate(() => {
    const usual = { ...studio.patience }
    Object.assign(studio.patience, { running: 2000, building: 3000 })
    return usual
  })
  expect(usual).toEqual({ running: 10_000, building: 30_000 })
}

describe("hostile modules", () => {
  const port = (): number => (sink.address() as AddressInfo).port
  test.each([
    ["throws", () => 'throw new Error("mine")', /throws\.mjs.*mine/],
    ["imports", () => 'import "https://example.org/x.mjs"\nexport default []', /may import nothing/],
    ["imports-later", () => 'await import("./" + "x.mjs")\nexport default []', /may import nothing/],
    ["fetches", () => `await fetch("http://127.0.0.1:${port()}/a")\nexport default []`, /fetch is not a function/],
    ["requests", () => `new XMLHttpRequest()\nexport default []`, /XMLHttpRequest is not a constructor/],
    [
      "sockets",
      () => `new WebSocket("ws://127.0.0.1:${port()}/b")\nexport default []`,
      /WebSocket is not a constructor/,
    ],
    ["workers", () => `new Worker("data:text/javascript,0")\nexport default []`, /Worker is not a constructor/],
    ["stores", () => `indexedDB.open("x")\nexport default []`, /undefined/],
    ["names", () => `export default [{ kind: "routing", name: navigator.userAgent }]`, /undefined/],
    ["loops", () => "for (;;);\nexport default []", unanswered],
    ["allocates", () => allocating, unanswered],
  ] satisfies [string, () => string, RegExp][])(
    "%s: the experiment is refused with a message",
    async (name, module, says) => {
      const { page, errors } = await served(hostile(name, module(), {}))
      if (says === unanswered) await hurry(page)
      const got = await settled(page)
      expect(got.shown).toBe(false)
      expect(got.says).toMatch(says)
      // The page still works.
      await page.evaluate(() => studio.actions.openStory("adversarial"))
      expect((await page.evaluate(() => studio.state.sides.value)).length).toBe(2)
      expect(errors).toEqual([])
      await page.close()
    },
  )

  test("fills the memory of its process: the browser ends this process, and the page goes on", async () => {
    const given = await givenBy(hostile("fills", filling), true)
    if ("bad" in given) throw new Error(JSON.stringify(given.bad))
    const serving = await serve(join(built(), "studio"), given.ok)
    servings.push(serving)
    // Tools that are connected take the end of this process for the end of the page, so they connect after it.
    const profile = mkdtempSync(join(tmpdir(), "lacewing-fills-"))
    const flags = ["--headless", "--no-sandbox", "--remote-debugging-port=0", "--js-flags=--max-old-space-size=128"]
    const chromium = spawn(chromiumPath(), [...flags, `--user-data-dir=${profile}`, serving.address])
    const exited = once(chromium, "exit")
    try {
      let said = ""
      chromium.stderr.on("data", (data) => (said += data))
      const ended = exited.then(() => {
        throw new Error(said)
      })
      ended.catch(() => {})
      const until = async (text: RegExp): Promise<string> => {
        for (;;) {
          const [, found] = text.exec(said) ?? []
          if (found !== undefined) return found
          await Promise.race([once(chromium.stderr, "data"), ended])
        }
      }
      const address = await until(/DevTools listening on (ws:\S+)/)
      await until(/(javascript OOM)/)
      // The page removes the frame of that process when it has waited long enough.
      const frames = async (): Promise<number> => {
        const targets = await fetch(`http://${new URL(address).host}/json/list`)
        return ((await targets.json()) as { type: string }[]).filter((t) => t.type === "iframe").length
      }
      while ((await frames()) > 0) await Promise.race([new Promise((next) => setTimeout(next, 500)), ended])
      const connected = await connect(address)
      const page = connected.contexts()[0].pages()[0]
      const got = await settled(page)
      expect(got.shown).toBe(false)
      expect(got.says).toMatch(/did not answer for 30 seconds/)
      await page.evaluate(() => studio.actions.openStory("adversarial"))
      expect((await page.evaluate(() => studio.state.sides.value)).length).toBe(2)
      await connected.close()
    } finally {
      chromium.kill()
      await exited
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  test("a routing that loops in the run is stopped, and the page goes on", async () => {
    const [file, experiment] = kinds["routing"]
    // The proof needs fewer calls than this, and 90,000 cycles need more.
    const looping = `let calls = 0\n${readFileSync(join(gallery, file), "utf8").replace("const home", "if (++calls > 50_000) for (;;);\n        const home")}`
    const path = written(
      "looping",
      experiment.replace("limit: 1kcycles", "limit: 100kcycles").replace("window: 600cycles", "window: 90kcycles"),
      {
        [file]: looping,
      },
    )
    const { page } = await served(path)
    expect(await settled(page)).toEqual({ shown: true, says: "" })
    await hurry(page)
    await page.evaluate(() => void studio.actions.seek(90_000))
    await page.waitForFunction(() => studio.state.trouble.value !== "")
    expect(await page.evaluate(() => studio.state.trouble.value)).toMatch(/did not answer for 2 seconds/)
    await page.evaluate(() => studio.actions.openStory("adversarial"))
    expect((await page.evaluate(() => studio.state.sides.value)).length).toBe(2)
    await page.close()
  })

  test("no request left the page", () => expect(requests).toEqual([]))
})

describe("consent", () => {
  const [file, experiment] = kinds["routing"]
  const module = readFileSync(join(gallery, file), "utf8")

  plain("the command refuses modules without --code, and never executes them", async () => {
    const path = written("consent", experiment, { [file]: `throw new Error("executed in Node.js")` })
    const refused = await givenBy(path)
    expect("bad" in refused ? refused.bad.map((c) => [c.path, c.fix]) : refused).toEqual([
      ["plugins", "add --code to execute it in the page, isolated"],
    ])
    const given = await givenBy(path, true)
    expect(given).toMatchObject({ ok: { experiment: "consent.yaml", code: [file] } })
    writeFileSync(join(folder, "beyond.yaml"), text("../o1turn.mjs"))
    const beyond = await givenBy(join(folder, "beyond.yaml"), true)
    expect("bad" in beyond && beyond.bad[0].says).toMatch(/outside the folder/)
  })

  test("a link asks before the code runs, shows it, and has the same bits after consent", async () => {
    const { page, address } = await served(written("consent", experiment, { [file]: module }))
    await settled(page)
    await page.evaluate(() => studio.actions.seek(400))
    const link = new URL((await page.evaluate(() => studio.actions.linkHere()))!)
    const other = await opened(`${address}${link.hash}`)
    await other.page.waitForSelector("#consent")
    expect(await other.page.locator("#consent pre").textContent()).toBe(module)
    expect(await other.page.locator("iframe").count()).toBe(0)
    await other.page.click("#allow-code")
    expect(await other.page.waitForSelector("#badge").then((e) => e.textContent())).toBe(
      "✓ same bits as the shared run, cycle 400",
    )
    expect(other.errors).toEqual([])
    // Another text of the module needs another consent.
    await other.page.evaluate(() => {
      const { files, text } = studio.state
      files.value = Object.fromEntries(Object.entries(files.value).map(([k, v]) => [k, `// changed\n${v}`]))
      return studio.actions.setText(text.value)
    })
    await other.page.waitForSelector("#allow-code")
    await other.page.click("#refuse-code")
    expect(await other.page.locator("#consent").textContent()).toContain("cannot be opened")
    await Promise.all([page.close(), other.page.close()])
  })

  test("a single file from disk asks, too", async () => {
    const path = written("consent", experiment, { [file]: module })
    const given = await givenBy(path, true)
    if ("bad" in given) throw new Error("refused")
    const html = join(folder, "single.html")
    writeFileSync(html, singleFile(join(built(), "studio"), given.ok))
    const { page, errors } = await opened(pathToFileURL(html).href)
    await page.click("#allow-code")
    expect(await settled(page)).toEqual({ shown: true, says: "" })
    expect(await swept(page)).toEqual(await truthOf(path))
    expect(errors).toEqual([])
    await page.close()
  })

  test("a module that changes is loaded again at the same cycle", async () => {
    const path = written("consent", experiment, { [file]: module })
    const { page, errors } = await served(path)
    await settled(page)
    await page.evaluate(() => studio.actions.seek(300))
    const before = await page.evaluate(() => studio.actions.fingerprints())
    written("consent", experiment, { [file]: module.replace("default: 0.5", "default: 1") })
    await page.waitForFunction(() => studio.state.said.value.includes("was changed and loaded again"))
    const after = await page.evaluate(() => studio.actions.fingerprints())
    expect(after[0].cycle).toBe(300)
    expect(after[0].fingerprint).not.toBe(before[0].fingerprint)
    expect(await swept(page)).toEqual(await truthOf(path))
    expect(errors).toEqual([])
    await page.close()
  })
})
