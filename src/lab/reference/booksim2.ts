// A BookSim2 configuration as a lacewing specification, rule by rule.
import type { Named, RunSpec } from "../../model/experiment.ts"
import { table } from "./booksim2-table.ts"

export interface Entry {
  readonly id: string
  readonly group: string
  readonly nodes: number
  readonly offered: number
  readonly config: Readonly<Record<string, string>>
  readonly saturated: boolean
  readonly deadlocked: boolean
  readonly neverDrained: boolean
  readonly latency: number
  readonly latencySd: number
  readonly latencyMin: number
  readonly hops: number
  readonly hopsSd: number
  readonly accepted: number
  readonly acceptedSd: number
  readonly cycles: number
}

export function entries(): Entry[] {
  return table.split("\n").map(entryOf)
}

function entryOf(line: string): Entry {
  const f = line.split("\t")
  const n = (i: number) => (f[i] === "" ? Number.NaN : Number(f[i]))
  const config = Object.fromEntries(f[4]!.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]))
  return {
    id: f[0]!,
    group: f[1]!,
    nodes: n(2),
    offered: n(3),
    config,
    saturated: f[5]!.includes("s"),
    deadlocked: f[5]!.includes("d"),
    neverDrained: f[5]!.includes("n"),
    latency: n(6),
    latencySd: n(7),
    latencyMin: n(8),
    hops: n(9),
    hopsSd: n(10),
    accepted: n(11),
    acceptedSd: n(12),
    cycles: n(13),
  }
}

/** Allocators of BookSim2 that lacewing leaves out. */
export const outOfScope = ["loa", "select", "rr_wavefront"]

export function specOf(e: Entry, seed: number): RunSpec {
  const c = e.config
  const num = (key: string, fallback: number) => (c[key] === undefined ? fallback : Number(c[key]))
  const samples = num("warmup_periods", 3)
  const period = num("sample_period", 1000)
  const planned = num("max_samples", samples + 3) - samples
  // a run that BookSim2 gave up as unstable was measured until then; if that was during the warm-up, from the start
  const lasted = e.saturated && c["sim_type"] === "latency" ? Math.floor(e.cycles / period) : samples + planned
  const warmup = lasted > samples ? samples * period : 0
  const window = Math.min(lasted, samples + planned) * period - warmup
  const net = networkOf(c, num)
  const flits = num("packet_size", 1)
  return {
    network: {
      ...net,
      cycle: "1ns",
      flit: "8B",
      switch: {
        name: "input-queued",
        vcs: num("num_vcs", 16),
        buffer: `${num("vc_buf_size", 8)}flits`,
        route: num("routing_delay", 1),
        traverse: num("st_prepare_delay", 0) + num("st_final_delay", 1),
        creditDelay: `${num("credit_delay", 0)}cycles`,
        speculative: c["speculative"] === "1",
        speed: num("internal_speedup", 1),
        inputSpeedup: num("input_speedup", 1),
        outputSpeedup: num("output_speedup", 1),
        hold: c["hold_switch_for_packet"] === "1",
        tailCredit: c["wait_for_tail_credit"] === "1",
        busyWhenFull: c["vc_busy_when_full"] === "1",
        priority: c["priority"] === "age" ? "age" : "none",
        vcAllocator: allocator(c["vc_allocator"]),
        swAllocator: allocator(c["sw_allocator"]),
      },
    },
    engine: { name: "flit" },
    traffic: [
      {
        name: "traffic",
        pattern: patternOf(c["traffic"]!, c),
        arrivals: { name: "bernoulli" },
        packet: { name: "fixed", size: `${flits}flits` },
        message: { name: "fixed", size: "1packets" },
        load: c["injection_rate_uses_flits"] === "1" ? num("injection_rate", 0) : num("injection_rate", 0) * flits,
        from: "all",
        start: "0cycles",
        stop: "never",
        priority: 0,
        class: 0,
        reply: "0flits",
      },
    ],
    measure: {
      warmup: `${warmup}cycles`,
      window: `${window}cycles`,
      precision: 0.05,
      limit: `${(warmup + window) * 6}cycles`,
      drain: c["sim_type"] === "throughput" ? "none" : "measured",
      saturation: "never",
      series: "0cycles",
    },
    probes: [],
    seed,
  }
}

function allocator(name = "islip"): string {
  return name.replaceAll("_", "-").replace("max-size", "maximum")
}

function networkOf(
  c: Readonly<Record<string, string>>,
  num: (key: string, fallback: number) => number,
): { topology: Named; routing: Named; endpoint: Named; links: Record<string, string> } {
  const k = num("k", 8)
  const n = num("n", 2)
  const simple: Named = { name: "simple" }
  const unit = c["use_noc_latency"] === "0"
  switch (c["topology"]) {
    case "mesh":
      return { topology: { name: "mesh", k, n }, routing: { name: "mesh.dimension-order" }, endpoint: simple, links: {} }
    case "torus":
      return {
        topology: { name: "torus", k, n },
        routing: { name: "torus.dimension-order", dateline: "fixed", tie: "coin" },
        endpoint: simple,
        links: unit ? { link: "1cycle" } : {},
      }
    case "cmesh":
      return {
        topology: { name: "cmesh", k, express: true },
        endpoint: simple,
        links: unit ? { link: "1cycle", express: "1cycle" } : {},
        routing: { name: "cmesh.dimension-order", express: c["routing_function"] === "dor" },
      }
    case "fattree":
      return {
        topology: { name: "tree", k, n },
        routing: { name: "tree.nearest-ancestor", up: c["routing_function"] === "anca" ? "adaptive" : "random" },
        endpoint: simple,
        links: {},
      }
    case "fly":
      return { topology: { name: "butterfly", k, n }, routing: { name: "butterfly.destination-tag" }, endpoint: simple, links: {} }
    case "flatfly": {
      const routing = { ran_min: "hyperx.minimal", valiant: "hyperx.valiant", ugal: "hyperx.ugal-l" }[c["routing_function"]!]!
      const block = [num("xr", 1), num("yr", 1)]
      return {
        topology: { name: "hyperx", k, n, p: num("c", 1), block, latency: unit ? "unit" : "distance", inputs: "source" },
        routing: { name: routing },
        endpoint: simple,
        links: {},
      }
    }
    case "dragonflynew":
      return {
        topology: { name: "dragonfly", p: k, a: 2 * k, h: k, arrangement: "absolute" },
        endpoint: { name: "simple", vc: "random" },
        links: {},
        routing: { name: c["routing_function"] === "ugal" ? "dragonfly.booksim-ugal" : "dragonfly.booksim-minimal" },
      }
  }
  throw new Error(`no counterpart of BookSim2's topology ${c["topology"]}`)
}

function patternOf(traffic: string, c: Readonly<Record<string, string>>): Named {
  const digits = /^tornado\(\{([\d,]+)\}\)$/.exec(traffic)?.[1]?.split(",").map(Number)
  if (digits !== undefined) return { name: "tornado", digits, self: true }
  const name = {
    uniform: "uniform",
    bitcomp: "bit-complement",
    bitrev: "bit-reverse",
    transpose: "transpose",
    tornado: "tornado",
    bad_dragon: "group-adversarial",
  }[traffic]
  if (traffic === "tornado") return { name: "tornado", digits: [Number(c["k"]), Number(c["n"]), 1], self: true }
  if (traffic.startsWith("hotspot")) return { name: "hotspot", targets: [0], self: true }
  if (name === undefined) throw new Error(`no counterpart of BookSim2's traffic ${traffic}`)
  return name === "group-adversarial" ? { name } : { name, self: true }
}
