// Maps a BookSim2 configuration to a lacewing experiment, and reads the recorded results of BookSim2.
// validate/booksim2.ts and bench/booksim2.ts run these experiments; import/booksim2.ts writes them as files.
import type { Complaint } from "../../../core/complaint.ts"
import type { RunSpec } from "../../../model/experiment.ts"
import { Said, type Tree, valuesOf } from "../provenance.ts"
import { type Recorded, readRecorded, recordedNumber } from "../recorded.ts"
import { type Config, isOn, listOf, numberOf, refuse, refusedKeys, textOf } from "./keys.ts"
import { networkOf, refusedNetwork } from "./network.ts"
import { longest, refusedTraffic, streamsOf } from "./traffic.ts"

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

const columns = [
  "id",
  "group",
  "nodes",
  "offered",
  "config",
  "flags",
  "latency",
  "latency_sd",
  "latency_min",
  "hops",
  "hops_sd",
  "accepted",
  "accepted_sd",
  "cycles",
  "seeds",
] as const

/** Returns all recorded results. Where a configuration was measured again with more seeds or longer samples, the later
 *  result replaces the first one. */
export function entries(): Entry[] {
  const again = new Map(tableOf("again").map((e) => [e.id, e]))
  return [...tableOf("runs").map((e) => again.get(e.id) ?? e), ...tableOf("more")]
}

/** Returns one of the recorded tables in this folder. */
export function tableOf(name: "runs" | "more" | "again"): Entry[] {
  return readRecorded(`booksim2/${name}.tsv`, columns).map(entryOf)
}

function entryOf(row: Recorded<(typeof columns)[number]>): Entry {
  const config = Object.fromEntries(
    row.config.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  )
  return {
    id: row.id,
    group: row.group,
    nodes: recordedNumber(row.nodes),
    offered: recordedNumber(row.offered),
    config,
    saturated: row.flags.includes("s"),
    deadlocked: row.flags.includes("d"),
    neverDrained: row.flags.includes("n"),
    latency: recordedNumber(row.latency),
    latencySd: recordedNumber(row.latency_sd),
    latencyMin: recordedNumber(row.latency_min),
    hops: recordedNumber(row.hops),
    hopsSd: recordedNumber(row.hops_sd),
    accepted: recordedNumber(row.accepted),
    acceptedSd: recordedNumber(row.accepted_sd),
    cycles: recordedNumber(row.cycles),
    seeds: recordedNumber(row.seeds),
  }
}

const allocators = ["islip", "separable_input_first", "separable_output_first", "wavefront", "pim", "max_size"]
const stages = ["vc_allocator", "sw_allocator"] as const

/** name(parameter) of an allocator; a separable one has its arbiters there, all others have iterations */
function allocatorOf(
  c: Config,
  key: (typeof stages)[number],
): { name: string; parameter: string; separable: boolean; matrix: boolean } {
  const [, name = "", parameter = ""] = /^([^(]*)\(?([^)]*)/.exec(textOf(c, key))!
  const separable = name.startsWith("separable")
  return { name, parameter, separable, matrix: separable && parameter === "matrix" }
}

function refusedAllocators(c: Config): Complaint[] {
  const bad: Complaint[] = []
  for (const key of stages) {
    const { name, parameter, separable } = allocatorOf(c, key)
    const text = textOf(c, key)
    if (!allocators.includes(name))
      bad.push(refuse(key, text, "is left out of lacewing", `choose one of ${allocators.join(", ")}`))
    else if (separable && !["", "round_robin", "matrix"].includes(parameter))
      bad.push(refuse(key, text, "there are arbiters round_robin and matrix", `write ${name} or ${name}(matrix)`))
  }
  const [vc, sw] = stages.map((key) => allocatorOf(c, key))
  if (bad.length === 0 && vc!.matrix !== sw!.matrix) {
    const key = vc!.matrix ? "vc_allocator" : "sw_allocator"
    bad.push(
      refuse(
        key,
        textOf(c, key),
        "both allocators have the same kind of arbiter here",
        "give both the parameter matrix, or none",
      ),
    )
  }
  return bad
}

/** Every key and value of a configuration that means nothing here; none = specOf maps all of it. */
export function refused(c: Config): Complaint[] {
  const unread = refusedKeys(c)
  // errors that depend on an unreadable value would mislead
  if (unread.length > 0) return unread
  const bad = [...refusedNetwork(c), ...refusedTraffic(c), ...refusedAllocators(c)]
  const policy = textOf(c, "buffer_policy")
  if (policy !== "private" && policy !== "shared")
    bad.push(refuse("buffer_policy", policy, "there are private and shared buffers"))
  if (policy === "shared" && longest(c) > 1)
    bad.push(
      refuse("buffer_policy", policy, "BookSim2 reserves a buffer for every packet in flight", "send single flits"),
    )
  if (policy === "shared") bad.push(...refusedReserve(c))
  const mode = textOf(c, "sim_type")
  if (mode !== "latency" && mode !== "throughput")
    bad.push(refuse("sim_type", mode, "there is no batch mode", "set latency or throughput"))
  return bad
}

/** A list gives each VC a reserve of its own; BookSim2 divides the buffer only where the value is no list. */
function refusedReserve(c: Config): Complaint[] {
  const text = textOf(c, "private_buf_size")
  const each = listOf(text)
  if (!text.startsWith("{") || (Number(each[0]) >= 0 && each.every((x) => Number(x) === Number(each[0])))) return []
  return [refuse("private_buf_size", text, "all VCs have the same reserve here", "write one number")]
}

export function specOf(e: Entry, seed: number): RunSpec {
  const bad = refused(e.config)
  if (bad.length > 0)
    throw new Error(`${e.id} has no counterpart: ${bad.map((b) => `${b.path} = ${b.says}`).join("; ")}`)
  // a run that BookSim2 gave up as unstable was measured until then
  const run = valuesOf(treeOf(e.config, e.saturated ? e.cycles : undefined)) as Omit<RunSpec, "probes" | "seed">
  return { ...run, probes: [], seed }
}

/** A configuration that is not refused as an experiment; `cycles`: how long BookSim2 simulated, where it gave up before
 *  the end of its samples. */
export function treeOf(c: Config, cycles?: number): { readonly [part: string]: Tree } {
  return {
    network: {
      ...networkOf(c),
      cycle: new Said("1ns", "BookSim2 counts cycles: any duration will do"),
      flit: new Said("8B", "BookSim2 counts flits: any size will do"),
      switch: switchOf(c),
    },
    engine: { name: new Said("flit", "BookSim2 moves flits by the cycle") },
    traffic: streamsOf(c),
    measure: measureOf(c, cycles),
  }
}

function switchOf(c: Config): Tree {
  const vcs = () => numberOf(c, "num_vcs")
  const size = () => numberOf(c, "buf_size")
  // the size of the whole port divided by the VCs, where it is given
  const buffer = () => (size() > 0 ? Math.floor(size() / vcs()) : numberOf(c, "vc_buf_size"))
  const total = () => (size() > 0 ? size() : vcs() * buffer())
  const own = () => numberOf(c, "private_buf_size")
  const shared: Tree = {
    sharing: () => textOf(c, "buffer_policy") && "damq",
    total: () => `${total()}flits`,
    reserve: () => `${own() < 0 ? Math.floor(total() / vcs()) : own()}flits`,
  }
  const matrix = () => stages.every((key) => allocatorOf(c, key).matrix)
  return {
    name: new Said("input-queued", "router = iq, the only one that is mapped"),
    vcs,
    buffer: () => `${buffer()}flits`,
    ...(textOf(c, "buffer_policy") === "shared" ? shared : {}),
    route: () => numberOf(c, "routing_delay"),
    traverse: () => numberOf(c, "st_prepare_delay") + numberOf(c, "st_final_delay"),
    stages: new Said("batches", "a stage of several cycles takes no new work before it is done"),
    creditDelay: () => `${numberOf(c, "credit_delay")}cycles`,
    speculative: () => isOn(c, "speculative"),
    speed: () => numberOf(c, "internal_speedup"),
    inputSpeedup: () => numberOf(c, "input_speedup"),
    outputSpeedup: () => numberOf(c, "output_speedup"),
    hold: () => isOn(c, "hold_switch_for_packet"),
    tailCredit: () => isOn(c, "wait_for_tail_credit"),
    busyWhenFull: () => isOn(c, "vc_busy_when_full"),
    priority: () => textOf(c, "priority"),
    vcAllocator: allocator(c, "vc_allocator"),
    swAllocator: allocator(c, "sw_allocator"),
    ...(matrix() ? { arbiter: () => matrix() && "matrix" } : {}),
  }
}

function measureOf(c: Config, cycles: number | undefined): Tree {
  const throughput = () => textOf(c, "sim_type") === "throughput"
  const span = () => {
    const samples = numberOf(c, "warmup_periods")
    const period = numberOf(c, "sample_period")
    // where BookSim2 decides itself it mostly takes three samples
    const planned = c["max_samples"] === undefined ? samples + 3 : numberOf(c, "max_samples")
    // given up during the warm-up: measured from the start
    const lasted = cycles === undefined || throughput() ? planned : Math.floor(cycles / period)
    const warmup = lasted > samples ? samples * period : 0
    return { warmup, window: Math.min(lasted, planned) * period - warmup }
  }
  const window = () => `${span().window}cycles`
  const early = "so long as BookSim2 simulated before it gave up"
  const open = "three samples: BookSim2 decides by its stopping thresholds, mostly so; --cycles sets how long it took"
  return {
    warmup: () => `${span().warmup}cycles`,
    window:
      cycles !== undefined ? new Said(window, early) : c["max_samples"] === undefined ? new Said(window, open) : window,
    precision: new Said(0.05, "no meaning with a window of given length"),
    limit: () => `${(span().warmup + span().window) * 6}cycles`,
    drain: () => (throughput() ? "none" : "measured"),
    saturation: new Said("never", "the whole window is run; latency_thres is BookSim2's own criterion to stop"),
    series: new Said("0cycles", "no series"),
  }
}

/** What is known to differ. */
const pimVc =
  "as VC allocator it is not BookSim2's: near saturation results differ by up to 26 %; islip(2) comes nearest"

function allocator(c: Config, key: (typeof stages)[number]): Tree {
  const made = () => {
    const { name, parameter, separable } = allocatorOf(c, key)
    const ours = name.replaceAll("_", "-").replace("max-size", "maximum")
    return separable || parameter === "" ? ours : `${ours}(${parameter})`
  }
  return key === "vc_allocator" && allocatorOf(c, key).name === "pim" ? new Said(made, pimVc) : made
}
