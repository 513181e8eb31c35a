// The same answer anywhere: the clocked engine in headless Chromium ends in the same state, bit for bit, as in Node; in
// a page that is cross-origin isolated (columns over shared memory) and in one that is not (plain memory).
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { build } from "vite"
import { afterAll, beforeAll, expect, test } from "vitest"
import { check, defineExperiment } from "../../src/api.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { root } from "../support/build.ts"
import { combinedSpec } from "../support/combined.ts"
import { contention, incast, others } from "../support/contention.ts"
import { specOf } from "../support/machine.ts"
import { schemeSpec } from "../support/queue-scheme.ts"
import { fingerprintOf, fingerprintsOf, type Seen } from "./entry.ts"

const cycles = 3000

function levels(name: string) {
  return defineExperiment({
    lacewing: 1,
    network: {
      topology: { name: "tree", k: 4, n: 2 },
      routing: "tree.valiant",
      switch: { name, vcs: 3, input: "256flits", output: "256flits" },
      endpoint: "service-levels",
      qos: { name: "dtable", table: "0:3,1:16,0:3,2:32" },
      links: { link: "3cycles" },
      flit: "64B",
    },
    traffic: [3, 16, 32].map((flits, c) => ({
      name: `level ${c}`,
      class: c,
      pattern: "uniform",
      load: 0.25,
      packet: `${flits}flits`,
    })),
    seeds: [13],
  })
}

const experiments = {
  "single flits on a mesh": defineExperiment({
    lacewing: 1,
    network: {
      topology: { name: "mesh", sides: "4x4" },
      routing: "mesh.dimension-order",
      switch: { name: "input-queued", vcs: 2, buffer: "4flits" },
    },
    traffic: { pattern: "uniform", load: 0.3, packet: "1flit" },
    seeds: [7],
  }),
  "adaptive routing, long packets and a faster core on a dragonfly": defineExperiment({
    lacewing: 1,
    network: {
      topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
      routing: "dragonfly.ugal-l",
      switch: { name: "input-queued", vcs: 5, buffer: "32flits", speed: 2 },
      links: { local: "5cycles", global: "20cycles" },
    },
    traffic: { pattern: "group-adversarial", load: 0.25, packet: "4flits" },
    seeds: [11],
  }),
  "service levels on InfiniBand switches": levels("infiniband"),
  "service levels on Omni-Path switches": levels("omni-path"),
}

let script = ""
let server: Server

beforeAll(async () => {
  const bundle = await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, "test/browser/entry.ts"), formats: ["es"], fileName: "engine" },
    },
  })
  const made = [bundle].flat()[0]
  if (made === undefined || !("output" in made)) throw new Error("vite made no bundle")
  script = made.output.map((o) => ("code" in o ? o.code : "")).join("\n")
  server = createServer((request, response) => {
    const isolated = request.url?.startsWith("/isolated/") === true
    const page = request.url?.endsWith(".js") !== true
    response.writeHead(200, {
      "Content-Type": page ? "text/html" : "text/javascript",
      ...(isolated
        ? { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }
        : {}),
    })
    response.end(page ? '<!doctype html><title>engine</title><script type="module" src="engine.js"></script>' : script)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
})
afterAll(() => void server?.close())

/** One browser for all tests that need it. */
let opening: Promise<Browser> | undefined
afterAll(async () => (await opening)?.close())

interface Entry {
  readonly fingerprintOf: typeof fingerprintOf
  readonly fingerprintsOf: typeof fingerprintsOf
}

/** One page for each place: the script is compiled once, and states are made anew in it as they are in Node. */
const pages = new Map<string, Promise<Page>>()
const errors: string[] = []
async function opened(place: "isolated" | "plain"): Promise<Page> {
  opening ??= launch()
  const page = await pageOf(await opening)
  page.on("pageerror", (e) => errors.push(e.message))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${place}/`, { waitUntil: "load" })
  return page
}

async function inPage<T>(place: "isolated" | "plain", look: (page: Page) => Promise<T>): Promise<T> {
  const page = pages.get(place) ?? opened(place)
  pages.set(place, page)
  const seen = await look(await page)
  expect(errors).toEqual([])
  return seen
}

function inBrowser(place: "isolated" | "plain", spec: RunSpec): Promise<Seen> {
  return inPage(place, (page) =>
    page.evaluate(([s, n]) => (globalThis as unknown as Entry).fingerprintOf(s, n), [spec, cycles] as const),
  )
}

test("the bundle names no Node built-in", () => {
  expect(script.length).toBeGreaterThan(10_000)
  expect([...script.matchAll(/["'](node:[a-z_/]+|__vite-browser-external[^"']*)["']/g)].map((m) => m[1])).toEqual([])
})

inChromium.describe.each(Object.entries(experiments))("%s", (_, experiment) => {
  test("Chromium ends in the state that Node ends in, with and without shared memory", async () => {
    const planned = await check(experiment)
    if ("bad" in planned) throw new Error(planned.bad.map((c) => `${c.path} ${c.says}`).join("; "))
    const { spec } = planned.ok.runs[0]
    const node = fingerprintOf(spec, cycles)
    expect(node.delivered).toBeGreaterThan(1000)
    expect(node.complaints).toBe(0)
    expect(node.sharedMemory).toBe(true)
    expect(await inBrowser("isolated", spec)).toEqual(node)
    expect(await inBrowser("plain", spec)).toEqual({ ...node, sharedMemory: false })
    // a fingerprint covers the state: another seed has another one
    expect((await inBrowser("plain", { ...spec, seed: spec.seed + 1 })).fingerprint).not.toBe(node.fingerprint)
  })
})

inChromium.describe("switches that move whole packets", () => {
  const isolating = { memory: "256flits", detect: 2, stop: 2, go: 1 }
  const schemes = [
    { scheme: "1q" },
    { scheme: "dbbm" },
    { scheme: "voq-switch" },
    { scheme: "voq-network" },
    { scheme: "fbicm-1", ...isolating },
    { scheme: "fbicm-2", ...isolating, list: 2 },
    { scheme: "recn", ...isolating },
    { scheme: "bfc", memory: "256flits", stop: 2, go: 1 },
  ]
  const hot = { pattern: { name: "to-set", set: [4] }, from: ["1", "5", "9", "13"], load: 0.8 }
  const specs = [
    ...schemes.map((sw) => schemeSpec({ switch: sw, traffic: [hot, { load: 0.7 }] })),
    // classes with strict priority, and answers
    specOf({
      topology: { name: "hyperx", sides: "3x3", p: 2 },
      routing: { name: "hyperx.ugal-l" },
      switch: { name: "combined", vcs: 12, buffer: "32flits" },
      traffic: [
        { load: 0.3, flits: 8, reply: "2flits", class: 0 },
        { load: 0.3, flits: 4, class: 2, priority: 1 },
      ],
    }),
  ]

  test("every queue scheme, and combined with classes: one page ends in the states that Node ends in", async () => {
    const node = fingerprintsOf(specs, 1500)
    expect(new Set(node).size).toBe(specs.length)
    for (const seen of node) expect(seen).toMatch(/ \d{3,} 0$/)
    const page = await inPage("isolated", (p) =>
      p.evaluate(([s, n]) => (globalThis as unknown as Entry).fingerprintsOf(s, n), [specs, 1500] as const),
    )
    expect(page).toEqual(node)
  })

  test("every congestion protocol, with sources that it holds back", async () => {
    const names = ["none", "ideal", "ecn-delay", "cbcm", "srp", "smsrp", "lhrp", "dcqcn", "hpcc", "nscc", "rccc"]
    const numbers: Record<string, object> = {
      ideal: { to: [4] },
      "ecn-delay": { threshold: 0.3 },
      cbcm: { epoch: "500cycles" },
    }
    const traffic = [incast([0, 8, 12], 4), others(0.3, [0, 8, 12, 4])]
    const protocols = names.map((name) => combinedSpec(contention({ name, ...numbers[name] }, traffic)))
    const node = fingerprintsOf(protocols, cycles)
    // each leaves a state of its own
    expect(new Set(node).size).toBe(names.length)
    const page = await inPage("plain", (p) =>
      p.evaluate(([s, n]) => (globalThis as unknown as Entry).fingerprintsOf(s, n), [protocols, cycles] as const),
    )
    expect(page).toEqual(node)
  })
})
