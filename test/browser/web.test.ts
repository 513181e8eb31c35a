// `lacewing/web`, the file of the package as it is shipped, loaded by pages that have nothing else: from the text of an
// experiment to its report in Chromium, and the same fingerprints in Firefox, another engine of JavaScript, for all
// experiments of the tree, and for the studio, so that Firefox is started once.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Complaint } from "../../src/core/complaint.ts"
import { reportHtml } from "../../src/draw/report/report.ts"
import type { Placed } from "../../src/experiment/source.ts"
import { aboutOf } from "../../src/results/about.ts"
import type { Saturation } from "../../src/results/findings/saturation.ts"
import { recordOf } from "../../src/results/json.ts"
import { readResults } from "../../src/results/read.ts"
import type { RunRecord } from "../../src/results/record.ts"
import { Store } from "../../src/results/store.ts"
import { inChromium, inFirefox, launch, launchFirefox, pageOf } from "../browsers.ts"
import { swept, texts, truthOf } from "../studio/sweeps.ts"
import { built, root } from "../support/build.ts"
import { experiments, smallerNetwork } from "../support/experiments.ts"

interface Made {
  readonly told: number
  readonly knees: readonly Saturation[]
  readonly records: readonly string[]
  readonly states: readonly string[]
  readonly verdicts: readonly boolean[]
  readonly pictures: readonly string[]
  readonly report: string
}
interface Bits {
  readonly hash: string
  readonly why: string
  readonly fingerprint: string
}
interface Options {
  readonly set?: readonly string[]
  readonly seeds?: readonly number[]
}
interface Functions {
  textToReport(
    text: string,
    name: string,
    files: Record<string, string>,
    options: Options,
  ): Promise<Made | { bad: Placed[] }>
  textToBits(
    text: string,
    name: string,
    files: Record<string, string>,
    options: Options,
  ): Promise<readonly Bits[] | { bad: Placed[] }>
  folderToReport(
    files: Record<string, string>,
  ): Promise<{ records: string[]; said: Complaint[]; report: string } | { bad: Complaint[] }>
  paused(text: string, name: string, budget: number): Promise<{ pauses: number; fingerprint: string; why: string }>
}

/** Calls a function of page.mjs in a browser. */
type Call = <K extends keyof Functions>(name: K, ...args: Parameters<Functions[K]>) => ReturnType<Functions[K]>
interface InBrowser {
  readonly call: Call
  /** exceptions, and what was asked for that is not there */
  readonly errors: string[]
  close(): Promise<void>
}
interface InFirefox extends InBrowser {
  /** Opens the studio: how to sweep an experiment there. */
  studio(): Promise<(text: string) => ReturnType<typeof swept>>
}

let server: Server
let node: typeof import("../../src/index.ts")
let address: string

beforeAll(async () => {
  node = await import(pathToFileURL(join(built(), "app/index.js")).href)
  const files: Record<string, [string, string]> = {
    "/": [
      "text/html",
      '<!doctype html><title>lacewing</title><link rel="icon" href="data:,"><script type="importmap">{ ' +
        '"imports": { "lacewing/web": "/web.js" } }</script><script type="module" src="/page.mjs"></script>',
    ],
    "/web.js": ["text/javascript", readFileSync(join(root, "dist/app/web.js"), "utf8")],
    "/page.mjs": ["text/javascript", readFileSync(join(root, "test/browser/page.mjs"), "utf8")],
  }
  const types: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
  }
  const inStudio = (path: string): [string, string] | undefined => {
    const file = join(root, "dist", path.endsWith("/") ? `${path}index.html` : path)
    return path.startsWith("/studio/") && existsSync(file)
      ? [types[extname(file)] ?? "text/plain", readFileSync(file, "utf8")]
      : undefined
  }
  server = createServer((request, response) => {
    const path = request.url ?? ""
    const [type, text] = files[path] ?? inStudio(path) ?? ["text/plain", undefined]
    response.writeHead(text === undefined ? 404 : 200, { "Content-Type": `${type}; charset=utf-8` })
    response.end(text)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server?.close())

async function pageInChromium(): Promise<InBrowser> {
  const browser = await launch()
  const page = await pageOf(browser)
  const errors: string[] = []
  page.on("pageerror", (e) => errors.push(e.message))
  page.on("response", (r) => void (r.status() < 400 || errors.push(r.url())))
  await page.goto(address, { waitUntil: "load" })
  const call: Call = (name, ...args) =>
    page.evaluate(([n, a]: [string, unknown[]]) => Reflect.get(globalThis, n)(...a), [name, args] as [
      string,
      unknown[],
    ]) as ReturnType<Functions[typeof name]>
  return { call, errors, close: () => browser.close() }
}

async function pageInFirefox(): Promise<InFirefox> {
  const browser = await launchFirefox()
  const page = await browser.newPage()
  const errors: string[] = []
  page.on("pageerror", (e) => errors.push(String(e)))
  page.on("response", (r) => void (r.status() < 400 || errors.push(r.url())))
  await page.goto(address, { waitUntil: "load" })
  const call: Call = (name, ...args) =>
    page.evaluate((n: string, a: unknown[]) => Reflect.get(globalThis, n)(...a), name, args) as ReturnType<
      Functions[typeof name]
    >
  const studio = async () => {
    await page.goto(`${address}studio/`)
    await page.waitForFunction("typeof studio === 'object' && studio.state.sides.value.length > 0", { timeout: 0 })
    return (text: string) => page.evaluate(swept, text)
  }
  return { call, errors, studio, close: () => browser.close() }
}

const names = experiments
const textOf = (name: string) => readFileSync(join(root, "experiments", name, "experiment.yaml"), "utf8")
/** As small as its expected.json makes it, and shorter still where that takes seconds. */
const shorter: Readonly<Record<string, readonly string[]>> = {
  incast: ["measure.warmup=4kcycles", "measure.window=4kcycles", "measure.limit=8kcycles"],
  isolation: ["measure.warmup=1us", "measure.window=1us", "measure.limit=2us", "traffic.1.start=500ns"],
  "packet-modes": ["measure.warmup=2us", "measure.window=6us"],
  qos: [
    "measure.warmup=400cycles",
    "measure.window=400cycles",
    "measure.limit=800cycles",
    ...[4, 5, 6].map((stream) => `zip.traffic.${stream}.load=[0.0547, 0.1525]`),
  ],
  "first-curve": ["sweep.traffic.0.load=[0.1, 0.5]", "measure.limit=1kcycles"],
  resend: [
    ...["warmup=2kcycles", "window=6kcycles", "limit=8kcycles"].map((set) => `measure.${set}`),
    "traffic.0.start=2kcycles",
  ],
  saturation: [
    "network.topology.sides=4x4",
    "measure.warmup=300cycles",
    "measure.window=600cycles",
    "measure.limit=2kcycles",
    "search.precision=20%",
  ],
}
function small(name: string): Options {
  const { set, seeds } = JSON.parse(readFileSync(join(root, "experiments", name, "expected.json"), "utf8"))
  return { set: [...(shorter[name] ?? set), ...(smallerNetwork[name] ?? [])], seeds }
}

const truths = new Map<string, Promise<Awaited<ReturnType<typeof node.run>>>>()
async function truth(name: string) {
  const known = truths.get(name) ?? node.run(join(root, "experiments", name), { ...small(name), workers: 1 })
  truths.set(name, known)
  const done = await known
  if ("bad" in done) throw new Error(JSON.stringify(done.bad))
  return done.ok
}

function made(got: Made | { bad: Placed[] }): Made & { records: readonly string[]; runs: RunRecord[] } {
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return { ...got, runs: got.records.map((text) => recordOf(text)!) }
}

/** What may differ: when, where and how fast it was. */
function asIf(record: RunRecord, other: RunRecord): RunRecord {
  const { seconds } = other.result.values
  return {
    ...record,
    provenance: other.provenance,
    result: { ...record.result, values: { ...record.result.values, seconds: seconds! } },
  }
}
const bits = ({ hash, result }: RunRecord) => ({ hash, why: result.why, fingerprint: result.fingerprint })

test("the file imports nothing", () => {
  const text = readFileSync(join(root, "dist/app/web.js"), "utf8")
  expect(text.length).toBeGreaterThan(500_000)
  // comments of a package speak of imports, too
  expect(
    [...text.matchAll(/^(?:import|export) .*from "[^"]+"|^import "[^"]+"|["']node:[a-z_/]+["']/gm)].map((m) => m[0]),
  ).toEqual([])
})

inChromium.describe("Chromium", () => {
  let page: InBrowser
  beforeAll(async () => void (page = await pageInChromium()))
  afterAll(() => page?.close())

  test.each(names)("%s: from its text to the report that Node makes", async (name) => {
    const done = await truth(name)
    const got = made(
      await page.call("textToReport", textOf(name), `experiments/${name}/experiment.yaml`, {}, small(name)),
    )
    expect(got.runs.map(bits)).toEqual(done.records.map(bits))
    // all values and tables; what can be plotted and read; what was expected
    const same = done.records.map((r, i) => asIf(r, got.runs[i]))
    expect(got.runs).toEqual(same)
    expect(got.report).toBe(reportHtml({ records: same, about: aboutOf(done.plan) }))
    expect(got.states).toEqual(done.rows.map((row) => row.state))
    expect(got.verdicts).toEqual(done.verdicts.map((v) => v.holds))
    expect(got.knees).toEqual(done.knees)
    // a run that stood still has no value to draw
    expect([got.told, got.pictures.length > 0]).toEqual([done.records.length, name !== "deadlock"])
    expect(page.errors).toEqual([])
  })

  test("an experiment that includes a file and names another one has the name that it has in Node", async () => {
    const folder = join(root, "test/fixtures/files")
    const read = (file: string) => readFileSync(join(folder, file), "utf8")
    const files = { "./base.yaml": read("base.yaml"), "ring.edges": read("ring.edges") }
    const planned = await node.check(join(folder, "experiment.yaml"))
    if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
    const got = made(await page.call("textToReport", read("experiment.yaml"), "files/experiment.yaml", files, {}))
    expect(got.runs.map((r) => r.hash)).toEqual(planned.ok.runs.map((r) => r.hash))
    const other = made(
      await page.call(
        "textToReport",
        read("experiment.yaml"),
        "files/experiment.yaml",
        { ...files, "ring.edges": `${files["ring.edges"]}\n` },
        {},
      ),
    )
    expect(other.runs[0].hash).not.toBe(got.runs[0].hash)
    const without = await page.call(
      "textToReport",
      read("experiment.yaml"),
      "files/experiment.yaml",
      { "base.yaml": files["./base.yaml"] },
      {},
    )
    expect("bad" in without && without.bad.map((c) => `${c.path} ${c.says}`)).toEqual([
      "network.topology.file ring.edges does not exist",
    ])
  })

  test("a results folder is read and drawn as Node does it, and what is damaged is said", async () => {
    const dir = mkdtempSync(join(tmpdir(), "lacewing-folder-"))
    try {
      const done = await truth("first-curve")
      const store = await Store.open(dir, {
        version: "0.1.0",
        about: aboutOf(done.plan),
        shardRuns: done.records.length - 1,
      })
      if ("bad" in store) throw new Error(JSON.stringify(store.bad))
      for (const record of done.records) await store.ok.add(record)
      // all but one in a shard, the last one still in the journal
      store.ok.abandon()
      const read = await readResults(dir)
      if ("bad" in read) throw new Error(JSON.stringify(read.bad))
      const paths = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((f) => f.isFile())
      const inside = paths.map((f) => join(f.parentPath, f.name).slice(dir.length + 1))
      expect(["runs/", "tables/", "journal/"].map((at) => inside.some((p) => p.startsWith(at)))).toEqual([
        true,
        true,
        true,
      ])
      const files = Object.fromEntries(
        inside.map((p) => [`results/${p}`, readFileSync(join(dir, p)).toString("base64")]),
      )
      const got = await page.call("folderToReport", files)
      if ("bad" in got) throw new Error(JSON.stringify(got.bad))
      expect(got.records.map((text) => recordOf(text))).toEqual(read.ok.records)
      expect(got.said).toEqual([])
      expect(got.report).toBe(reportHtml({ records: read.ok.records, about: read.ok.about }))
      const shard = Buffer.from(files["results/runs/0001.parquet"], "base64")
      shard[100] ^= 1
      const hurt = await page.call("folderToReport", {
        ...files,
        "results/runs/0001.parquet": shard.toString("base64"),
      })
      expect("bad" in hurt ? hurt.bad : hurt.said.map((c) => `${c.path} ${c.says}`)).toEqual([
        "results shard 1 is damaged: runs/0001.parquet differs from what was written",
      ])
      expect("bad" in hurt ? 0 : hurt.records.length).toBe(1)
      expect(await page.call("folderToReport", {})).toMatchObject({
        bad: [{ says: "This folder contains no results." }],
      })
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  test("a run is left and gone on from", async () => {
    const text =
      "lacewing: 1\nnetwork: { topology: { name: mesh, sides: 4x4 }, routing: mesh.dimension-order }\n" +
      "traffic: { pattern: uniform, load: 0.3 }\n" +
      "measure: { limit: 2kcycles }\nseeds: [5]\n"
    const [often, once] = [
      await page.call("paused", text, "e.yaml", 100),
      await page.call("paused", text, "e.yaml", 1e9),
    ]
    expect([often.pauses > 5, once.pauses]).toEqual([true, 0])
    expect({ ...often, pauses: 0 }).toEqual(once)
  })

  test("what is wrong is said with its place", async () => {
    const got = await page.call("textToReport", "lacewing: 1\nnetwork: { topology: tours }\n", "e.yaml", {}, {})
    expect("bad" in got && got.bad.map((c) => [c.file, c.spot?.line, c.path, c.fix])).toContainEqual([
      "e.yaml",
      2,
      "network.topology.name",
      'did you mean "torus"?',
    ])
  })
})

inFirefox.describe("Firefox", () => {
  let page: InFirefox
  beforeAll(async () => void (page = await pageInFirefox()))
  afterAll(() => page?.close())

  test.each(names)("%s: the fingerprints of Node", async (name) => {
    const done = await truth(name)
    const got = await page.call("textToBits", textOf(name), `experiments/${name}/experiment.yaml`, {}, small(name))
    expect(got).toEqual(done.records.map(bits))
    expect(page.errors).toEqual([])
  })

  test("a report is made", async () => {
    const done = await truth("deadlock")
    const got = made(
      await page.call(
        "textToReport",
        textOf("deadlock"),
        "experiments/deadlock/experiment.yaml",
        {},
        small("deadlock"),
      ),
    )
    expect([got.states, got.pictures.length]).toEqual([done.rows.map((row) => row.state), 0])
    expect(got.report).toContain("</html>")
  })

  test("the studio sweeps to the fingerprints of Node", async () => {
    const sweep = await page.studio()
    for (const text of Object.values(texts))
      expect(await sweep(text)).toMatchObject({ trouble: "", bits: await truthOf(text) })
    expect(page.errors).toEqual([])
  })
})
