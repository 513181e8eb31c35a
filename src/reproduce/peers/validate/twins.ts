// `lacewing validate twins`: the two engines on the same networks, from the same experiment. Cut-through packets in the
// flit engine, the delays that follow from its pipeline in the packet engine.
//   `zero load`   Every endpoint sends one packet along a random permutation, far apart in time: least, mean and
//                 largest latency are equal.
//   `under load`  Uniform traffic, minimal routing, deep buffers and many VCs. The mean latency agrees within LATENCY.
//                 The accepted load agrees within ACCEPTED and three standard errors of the two counts, because each
//                 engine draws its own packets.
//                 They cannot be equal: the flit engine's routers queue at their inputs and match inputs with outputs,
//                 the packet engine's queue at their outputs.

import { plainMeasure, plainStream } from "../../../compile/plain-run.ts"
import type { RunSpec } from "../../../model/experiment.ts"
import { prepare, simulate } from "../../../run/simulate.ts"
import { type Row, type Validation, validation } from "./rows.ts"

/** relative margins under load */
const LATENCY = 0.05
const ACCEPTED = 0.01

const networks = {
  "mesh 8x8": [{ name: "mesh", k: 8, n: 2 }, "mesh.dimension-order", 0.4],
  "torus 8x8": [{ name: "torus", k: 8, n: 2 }, "torus.dimension-order", 0.5],
  "dragonfly of 72": [{ name: "dragonfly", p: 2, a: 4, h: 2 }, "dragonfly.minimal", 0.7],
  "Slim Fly of 200": [{ name: "slimfly", q: 5, p: 4 }, "slimfly.minimal", 0.6],
} as const
type Name = keyof typeof networks

const pipelines: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { speed: 2 },
  { speculative: true },
  { route: 0, speculative: true, speed: 2 },
  { vc: 2, switch: 2 },
  { speed: 2, traverse: 2 },
]

interface Case {
  readonly id: string
  readonly spec: RunSpec
  readonly load: number
}

function specOf(
  name: Name,
  sw: Readonly<Record<string, unknown>>,
  traffic: Partial<RunSpec["traffic"][number]>,
  window: string,
): RunSpec {
  const [topology, routing] = networks[name]
  return {
    network: {
      topology,
      routing: { name: routing },
      switch: { name: "input-queued", vcs: 8, buffer: "64flits", flow: "cut-through", ...sw },
      endpoint: { name: "simple" },
      links: {},
      cycle: "1ns",
      flit: "8B",
    },
    engine: { name: "flit" },
    traffic: [
      plainStream({ name: "t", arrivals: { name: "poisson" }, packet: { name: "fixed", size: "4flits" }, ...traffic }),
    ],
    measure: plainMeasure({
      warmup: traffic.pattern === undefined ? "2kcycles" : "0cycles",
      window,
      limit: "1Mcycles",
      drain: "measured",
    }),
    probes: [],
    seed: 1,
  }
}

function cases(full: boolean): Case[] {
  return (Object.keys(networks) as Name[]).flatMap((name) => {
    const idle = pipelines.flatMap((sw) =>
      [1, 4].map((flits): Case => {
        const arrivals = { name: "periodic", phase: "random" }
        // one packet of each endpoint in the window
        const traffic = {
          pattern: { name: "random-permutation" },
          arrivals,
          packet: { name: "fixed", size: `${flits}flits` },
          load: flits / 200_000,
        }
        const id = `${name}, ${flits} flit${flits > 1 ? "s" : ""}, ${JSON.stringify(sw).replaceAll('"', "")}`
        return { id, spec: specOf(name, sw, traffic, "200kcycles"), load: 0 }
      }),
    )
    const loads = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].filter((l) => l <= networks[name][2])
    const busy = loads.map(
      (load): Case => ({
        id: `${name}, load ${load}`,
        spec: specOf(name, { speed: 2 }, { load }, full ? "60kcycles" : "15kcycles"),
        load,
      }),
    )
    return [...idle, ...busy]
  })
}

async function valuesOf(spec: RunSpec, engine: string): Promise<Readonly<Record<string, number>>> {
  const prepared = prepare({ ...spec, engine: { name: engine } }, { read: () => "" })
  if ("bad" in prepared) throw new Error(prepared.bad.map((b) => `${b.path}: ${b.says}`).join("; "))
  return (await simulate(prepared.ok)).values
}

export async function validateTwins(o: {
  readonly full: boolean
  readonly match?: RegExp
  onRow?(row: Row, done: number, of: number): void
}): Promise<Validation> {
  const chosen = cases(o.full).filter((c) => o.match === undefined || o.match.test(c.id))
  const rows: Row[] = []
  for (const [i, c] of chosen.entries()) {
    const flit = await valuesOf(c.spec, "flit")
    const packet = await valuesOf(c.spec, "packet")
    const row = (claim: string, key: string, margin: number) => {
      const [reference, value] = [flit[key], packet[key]]
      const [low, high] = [reference * (1 - margin), reference * (1 + margin)]
      rows.push({ id: c.id, claim, reference, value, low, high, pass: value >= low && value <= high })
      o.onRow?.(rows.at(-1)!, i + 1, chosen.length)
    }
    if (c.load === 0) {
      // means are sums of whole cycles; their last bit may differ
      for (const which of ["min", "mean", "max"])
        row(`${which} latency at zero load, cycles`, `latency.${which}`, 1e-12)
      continue
    }
    row("mean latency, cycles", "latency.mean", LATENCY)
    row("accepted load", "accepted", ACCEPTED + 3 * Math.sqrt(1 / flit["packets"] + 1 / packet["packets"]))
  }
  return validation("twins", rows)
}
