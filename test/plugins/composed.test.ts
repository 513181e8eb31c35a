// A switch composed of the public stages. An input-first arbiter in a module gives the results of the built-in switch
// `combined`, packet by packet, because only the arbiter differs and it is the same algorithm.
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import type { RunResult } from "../../src/model/experiment.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { gallery, load } from "./support.ts"

const module = await load(join(gallery, "input-first.mjs"))

async function ran(network: object, load: number, workers = 1): Promise<RunResult> {
  const experiment = {
    lacewing: 1,
    plugins: [module.file],
    network: {
      topology: { name: "hyperx", sides: "3x3", p: 3 },
      routing: "hyperx.ugal-l",
      links: { end: "2cycles", link: "10cycles" },
      endpoint: { name: "queue-pairs", ack: "0flits" },
      ...network,
    },
    traffic: { pattern: "uniform", load, packet: "4flits" },
    measure: { warmup: "500cycles", window: "1500cycles", limit: "8kcycles", drain: "none", saturation: "never" },
  }
  const source = plainSource("composed", experiment)
  const planned = plan({ source, host: hostAt("."), name: "composed" }, { outside: [module] })
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

test("1, 2 and 4 workers end in the same state", async () => {
  const network = { switch: { name: "my.input-first", vcs: 4, buffer: "64flits" } }
  const prints = [1, 2, 4].map(async (workers) => (await ran(network, 0.5, workers)).fingerprint)
  expect(new Set(await Promise.all(prints)).size).toBe(1)
})
