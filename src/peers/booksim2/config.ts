// A BookSim2 configuration as a lacewing specification, rule by rule.
import type { Complaint } from "../../core/complaint.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { type Config, isOn, numberOf, refuse, refusedKeys, textOf } from "./keys.ts"
import { again, more } from "./more.ts"
import { networkOf, refusedNetwork } from "./network.ts"
import { table } from "./table.ts"
import { refusedTraffic, streamsOf } from "./traffic.ts"

export interface Entry {
  readonly id: string
  readonly group: string
  readonly nodes: number
  readonly offered: number
  readonly config: Config
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
  /** seeds that BookSim2 was run with */
  readonly seeds: number
}

/** The recorded results: those measured again with more seeds in place of the old ones. */
export function entries(): Entry[] {
  const better = new Map(rowsOf(again).map((e) => [e.id, e]))
  return [...rowsOf(table).map((e) => better.get(e.id) ?? e), ...rowsOf(more)]
}

function rowsOf(text: string): Entry[] {
  return text === "" ? [] : text.split("\n").map(entryOf)
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
    seeds: f[14] === undefined ? 3 : n(14),
  }
}

const allocators = ["islip", "separable_input_first", "separable_output_first", "wavefront", "pim", "max_size"]

/** Every key and value of a configuration that means nothing here; none = specOf maps all of it. */
export function refused(c: Config): Complaint[] {
  const bad = [...refusedKeys(c), ...refusedNetwork(c), ...refusedTraffic(c)]
  for (const key of ["vc_allocator", "sw_allocator"]) {
    const name = textOf(c, key)
    if (!allocators.includes(name.replace(/\(.*/, "")))
      bad.push(refuse(key, name, "is left out of lacewing", `choose one of ${allocators.join(", ")}`))
  }
  const policy = textOf(c, "buffer_policy")
  if (policy !== "private" && policy !== "shared") bad.push(refuse("buffer_policy", policy, "there are private and shared buffers"))
  if (policy === "shared" && textOf(c, "packet_size") !== "1")
    bad.push(refuse("buffer_policy", policy, "BookSim2 keeps a place for every packet that is under way", "send single flits"))
  const mode = textOf(c, "sim_type")
  if (mode !== "latency" && mode !== "throughput") bad.push(refuse("sim_type", mode, "there is no batch mode", "set latency or throughput"))
  return bad
}

export function specOf(e: Entry, seed: number): RunSpec {
  const c = e.config
  const bad = refused(c)
  if (bad.length > 0) throw new Error(`${e.id} has no counterpart: ${bad.map((b) => `${b.path} = ${b.says}`).join("; ")}`)
  return {
    network: { ...networkOf(c), cycle: "1ns", flit: "8B", switch: switchOf(c) },
    engine: { name: "flit" },
    traffic: streamsOf(c),
    measure: measureOf(e),
    probes: [],
    seed,
  }
}

function switchOf(c: Config): RunSpec["network"]["switch"] {
  const vcs = numberOf(c, "num_vcs")
  const size = numberOf(c, "buf_size")
  // the size of the whole port divided by the VCs, where it is given
  const buffer = size > 0 ? Math.floor(size / vcs) : numberOf(c, "vc_buf_size")
  const shared = textOf(c, "buffer_policy") === "shared"
  const total = size > 0 ? size : vcs * buffer
  const own = numberOf(c, "private_buf_size")
  return {
    name: "input-queued",
    vcs,
    buffer: `${buffer}flits`,
    ...(shared ? { sharing: "damq", total: `${total}flits`, reserve: `${own < 0 ? Math.floor(total / vcs) : own}flits` } : {}),
    route: numberOf(c, "routing_delay"),
    traverse: numberOf(c, "st_prepare_delay") + numberOf(c, "st_final_delay"),
    stages: "batches",
    creditDelay: `${numberOf(c, "credit_delay")}cycles`,
    speculative: isOn(c, "speculative"),
    speed: numberOf(c, "internal_speedup"),
    inputSpeedup: numberOf(c, "input_speedup"),
    outputSpeedup: numberOf(c, "output_speedup"),
    hold: isOn(c, "hold_switch_for_packet"),
    tailCredit: isOn(c, "wait_for_tail_credit"),
    busyWhenFull: isOn(c, "vc_busy_when_full"),
    priority: textOf(c, "priority"),
    vcAllocator: allocator(textOf(c, "vc_allocator")),
    swAllocator: allocator(textOf(c, "sw_allocator")),
  }
}

function measureOf(e: Entry): RunSpec["measure"] {
  const c = e.config
  const samples = numberOf(c, "warmup_periods")
  const period = numberOf(c, "sample_period")
  // where BookSim2 decides itself it mostly takes three samples
  const planned = (c["max_samples"] === undefined ? samples + 3 : numberOf(c, "max_samples")) - samples
  // a run that BookSim2 gave up as unstable was measured until then; if that was during the warm-up, from the start
  const throughput = textOf(c, "sim_type") === "throughput"
  const lasted = e.saturated && !throughput ? Math.floor(e.cycles / period) : samples + planned
  const warmup = lasted > samples ? samples * period : 0
  const window = Math.min(lasted, samples + planned) * period - warmup
  return {
    warmup: `${warmup}cycles`,
    window: `${window}cycles`,
    precision: 0.05,
    limit: `${(warmup + window) * 6}cycles`,
    drain: throughput ? "none" : "measured",
    saturation: "never",
    series: "0cycles",
  }
}

function allocator(name: string): string {
  return name.replaceAll("_", "-").replace("max-size", "maximum")
}
