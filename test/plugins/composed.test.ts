// A switch composed of the public stages. An input-first arbiter in a module gives the results of the built-in switch
// `combined`, packet by packet, because only the arbiter differs and it is the same algorithm.
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import type { RunResult } from "../../src/model/experiment.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { broken, gallery, load } from "./support.ts"

const module = await load(join(gallery, "input-first.mjs"))

async function ran(
  network: object,
  load: number,
  workers = 1,
  used = module,
  pattern: unknown = "uniform",
): Promise<RunResult> {
  const experiment = {
    lacewing: 1,
    plugins: [used.file],
    network: {
      topology: { name: "hyperx", sides: "3x3", p: 3 },
      routing: "hyperx.ugal-l",
      links: { end: "2cycles", link: "10cycles" },
      endpoint: { name: "queue-pairs", ack: "0flits" },
      ...network,
    },
    traffic: { pattern, load, packet: "4flits" },
    measure: { warmup: "500cycles", window: "1500cycles", limit: "8kcycles", drain: "none", saturation: "never" },
  }
  const source = plainSource("composed", experiment)
  const planned = plan({ source, host: hostAt("."), name: "composed" }, { outside: [used] })
  if ("bad" in planned) throw new Error(planned.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  const { spec } = planned.ok.runs[0]
  const prepared = prepare(spec, hostAt(".", spec.plugins))
  if ("bad" in prepared) throw new Error(prepared.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return simulate(prepared.ok, { workers, threads: false, audit: true })
}

describe.each([0.2, 0.9])("at load %d", (load) => {
  test.each(["none", "nscc"])("with congestion %s, like combined", async (congestion) => {
    const vcs = congestion === "none" ? 4 : 5
    const sw = { vcs, buffer: "64flits", output: "16flits" }
    const endpoint = congestion === "none" ? {} : { endpoint: { name: "queue-pairs", ack: "1flit" } }
    const [own, built] = [
      await ran({ switch: { name: "my.input-first", ...sw }, congestion, ...endpoint }, load),
      await ran({ switch: { name: "combined", ...sw }, congestion, ...endpoint }, load),
    ]
    const { seconds: _, ...values } = own.values
    const { seconds: __, ...expected } = built.values
    expect(values).toEqual(expected)
  })
})

test.each(["input-first", "heaviest-first"])("%s: 1, 2 and 4 workers end in the same state", async (name) => {
  const own = await load(join(gallery, `${name}.mjs`))
  const network = { switch: { name: `my.${name}`, vcs: 4, buffer: "64flits" } }
  const prints = [1, 2, 4].map(async (workers) => (await ran(network, 0.5, workers, own)).fingerprint)
  expect(new Set(await Promise.all(prints)).size).toBe(1)
})

describe("an arbiter that reads packets", () => {
  /** All inputs of a crossbar request one output at full load, and the arbiter keeps all values that it reads. */
  async function reads() {
    const seen: { created: number[]; queued: number[]; held: number[] } = { created: [], queued: [], held: [] }
    Object.assign(globalThis, { seenByArbiter: seen })
    const watching = await broken(
      "heaviest-first.mjs",
      [
        ['reads: [p.weight === "age" ? "ages" : "queues"]', 'reads: ["ages", "queues"]'],
        ["column, stream, created, queued }", "column, stream, created, queued, held }"],
        [
          "weight: weightOf(level, input, output)",
          "weight: watched(weightOf(level, input, output), created(level, input, output), queued(level, input, output), held(output))",
        ],
        [
          "const pairs = new Int32Array(64)",
          `const pairs = new Int32Array(64)
  const watched = (weight, created, queued, held) => {
    const seen = globalThis.seenByArbiter
    seen.created.push(created)
    seen.queued.push(queued)
    seen.held.push(held)
    return weight
  }`,
        ],
      ],
      "watching",
    )
    const network = {
      topology: { name: "crossbar", n: 4 },
      routing: "crossbar.direct",
      links: { end: "1cycle" },
      switch: { name: "my.heaviest-first", vcs: 1, buffer: "64flits", output: "16flits" },
    }
    const result = await ran(network, 1, 1, watching, { name: "to-set", set: [3] })
    return { seen, result }
  }

  test("sees creation cycles, whole queues, and the buffers of outputs", async () => {
    const { seen, result } = await reads()
    // Packets of 4 flits: an input buffer of 64 flits fills to 64, and an output buffer of 16 flits never exceeds 16.
    expect([...new Set(seen.queued)].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => 4 * (i + 1)))
    expect(Math.max(...seen.held)).toBeLessThanOrEqual(16)
    expect(Math.min(...seen.held)).toBe(0)
    expect(Math.min(...seen.created)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...seen.created)).toBeLessThan(result.values["cycles"])
  })
})
