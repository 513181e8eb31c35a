// The cause that a saturated run names (`limited-by`), against causes that are planted: one for each experiment, with
// the reason beside it. All clocked switches and the packet engine take part.
import { describe, expect, test } from "vitest"
import { hostAt } from "../src/experiment/disk/host.ts"
import { plan } from "../src/experiment/plan.ts"
import { plainSource } from "../src/experiment/source.ts"
import type { RunResult } from "../src/model/experiment.ts"
import { firstLimits } from "../src/results/findings/limited.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { root } from "./support/build.ts"

interface Planted {
  readonly why: string
  readonly network: object
  readonly traffic: object
  readonly engine?: string
}

async function run({ network, traffic, engine = "flit" }: Planted, workers = 1): Promise<RunResult> {
  const measure = { warmup: "2kcycles", window: "4kcycles", drain: "none" }
  const tree = { lacewing: 1, network, traffic, measure, engine }
  const made = plan({ source: plainSource("limited", tree), host: hostAt(root), name: "limited" })
  if ("bad" in made) throw new Error(made.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  const ready = prepare(made.ok.runs[0].spec, hostAt(root))
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return simulate(ready.ok, { workers, threads: false })
}

const fatTree = { topology: { name: "tree", k: 4, n: 2 }, routing: "tree.nearest-ancestor" }
const ring = { topology: { name: "torus", sides: "8" }, routing: "torus.dimension-order" }
const dragonfly = { topology: { name: "dragonfly", p: 2, a: 4, h: 2 }, routing: "dragonfly.minimal" }

// Half of all packets go to endpoint 3: 16 endpoints x 0.5 x 0.5 = 4 flits per cycle for a link that carries 1.
const hot = { pattern: { name: "hotspot", targets: [3], share: 0.5 }, load: 0.5, packet: "4flits" }
// Each packet crosses 3 links of the ring in one direction, and each link carries 3 x 0.9 = 2.7 flits per cycle.
const tornado = { pattern: "tornado", load: 0.9, packet: "1flit" }
// All 8 endpoints of a group send to the next group over one link: 8 x 0.5 = 4 flits per cycle.
const adversarial = { pattern: "group-adversarial", load: 0.5, packet: "4flits" }
const uniform = (load: number, packet = "4flits") => ({ pattern: "uniform", load, packet })
const far = { links: { link: "300cycles", end: "1cycle" } }

const switches: Record<string, object> = {
  "input-queued": { name: "input-queued", vcs: 8, buffer: "64flits" },
  combined: { name: "combined", vcs: 4 },
  infiniband: { name: "infiniband" },
  "omni-path": { name: "omni-path" },
  "queue-scheme": { name: "queue-scheme" },
  tiled: { name: "tiled", vcs: 2, rows: 2, columns: 2 },
}

describe("the cause of saturation", () => {
  test.each(Object.entries(switches))("%s: a hot endpoint", async (_, sw) => {
    const { tables } = await run({ why: "hot", network: { ...fatTree, switch: sw }, traffic: hot })
    expect(tables["limited-by"]?.["cause"]).toEqual(["endpoint"])
    expect(tables["limited-by"]?.["says"]?.[0]).toMatch(/-> endpoint 3 is used (9[5-9]|100\.0) % of the time/)
  })

  test.each(["input-queued", "combined", "infiniband"])("%s: a shared link of a ring", async (name) => {
    const { tables } = await run({ why: "link", network: { ...ring, switch: switches[name] }, traffic: tornado })
    expect(tables["limited-by"]?.["cause"]).toEqual(["link"])
  })

  test.each(["input-queued", "combined", "infiniband"])("%s: the one link between two groups", async (name) => {
    const { tables } = await run({
      why: "link",
      network: { ...dragonfly, links: { local: "1cycle", global: "4cycles" }, switch: switches[name] },
      traffic: adversarial,
    })
    expect(tables["limited-by"]?.["cause"]).toEqual(["link"])
    expect(tables["limited-by"]?.["says"]?.[0]).toMatch(/group (\d), .* -> group (?!\1)\d/)
  })

  test.each([
    // 4 VCs of 8 flits every 600 cycles and more are 0.05 flits per cycle.
    ["input-queued", { vcs: 4, buffer: "8flits" }, 0.1],
    // 4 VCs of 32 flits every 600 cycles and more are 0.2 flits per cycle.
    ["combined", { vcs: 4, buffer: "32flits" }, 0.6],
  ] as const)("%s: buffers that are shorter than the round trip", async (name, keys, load) => {
    const { tables } = await run({
      why: "credits",
      network: { ...fatTree, ...far, switch: { name, ...keys } },
      traffic: uniform(load),
    })
    expect(tables["limited-by"]?.["cause"]).toEqual(["credits"])
  })

  test.each([
    // A single queue at each input serves at most 2 - sqrt(2) = 0.59 of uniform traffic.
    ["input-queued", { vcs: 1, buffer: "64flits" }],
    ["queue-scheme", {}],
  ] as const)("%s: a packet blocks those behind it", async (name, keys) => {
    const { tables } = await run({
      why: "crossbar",
      network: { ...fatTree, switch: { name, ...keys } },
      traffic: uniform(1),
    })
    expect(tables["limited-by"]?.["cause"]).toEqual(["crossbar"])
  })

  test("packet engine: a hot endpoint, and a shared link", async () => {
    const chunk = { name: "chunk", vcs: 4, chunk: "256B", buffer: "4KiB", bandwidth: "10GB/s", delay: "50ns" }
    const scale = { cycle: "1ns", flit: "16B", links: { link: "10ns", end: "10ns" } }
    const causes = []
    for (const [net, traffic] of [
      [fatTree, { ...hot, packet: "16flits" }],
      [ring, { ...tornado, packet: "16flits" }],
    ] as const) {
      const { tables } = await run({ why: "", network: { ...net, ...scale, switch: chunk }, traffic, engine: "packet" })
      causes.push(tables["limited-by"]?.["cause"]?.[0])
    }
    expect(causes).toEqual(["endpoint", "link"])
  })

  test("a network that carries its load has no such table", async () => {
    const { tables } = await run({
      why: "",
      network: { ...fatTree, switch: switches["combined"] },
      traffic: uniform(0.3),
    })
    expect(tables["limited-by"]).toBeUndefined()
  })

  test("four workers name the same cause", async () => {
    const planted = { why: "", network: { ...dragonfly, switch: switches["combined"] }, traffic: adversarial }
    const [one, four] = [await run(planted), await run(planted, 4)]
    expect(four.tables["limited-by"]).toEqual(one.tables["limited-by"])
  })

  test("a curve names the cause of its lowest saturated load", () => {
    const record = (load: number, says: string) =>
      ({
        point: { routing: "a", load },
        result: { tables: { "limited-by": { cause: ["link"], says: [says] } } },
      }) as never
    expect(firstLimits([record(0.9, "later"), record(0.6, "first"), record(0.7, "later")])).toEqual([
      { point: { routing: "a", load: 0.6 }, cause: "link", says: "first" },
    ])
  })
})
