// Reference runs of BookSim2, branch SRP_IAR (N. Jiang, 2013), as experiments: routers with virtual output queues, a VC
// allocator, a crossbar that packets hold, output buffers in packets, ECN, and the speculative reservation protocol
// (SRP). Each key of the configuration that occurs is mapped, one by one; nothing depends on the single run. What has
// no counterpart is listed in `exceptions` of validate/booksim-srp.ts.
import type { Named } from "../../../model/experiment.ts"
import { type Recorded, readRecorded, recordedNumber } from "../recorded.ts"

export interface SrpRun {
  readonly id: string
  readonly group: string
  readonly config: Readonly<Record<string, string>>
  readonly seeds: number
  readonly latency: number
  /** standard deviation of the latency over the seeds, relative to it */
  readonly spread: number
  readonly p99: number
  readonly hops: number
  readonly hopsSd: number
  readonly accepted: number
  readonly acceptedSd: number
  /** flits per cycle at the hot endpoint; NaN without one */
  readonly hot: number
  readonly dropped: number
  readonly drained: boolean
}

const columns = [
  ...(["id", "group", "config", "seeds", "latency", "spread", "p99"] as const),
  ...(["hops", "hops_sd", "accepted", "accepted_sd", "hot", "dropped", "drained"] as const),
] as const

export function srpRuns(): SrpRun[] {
  return readRecorded("booksim-srp/runs.tsv", columns).map(runOf)
}

function runOf(r: Recorded<(typeof columns)[number]>): SrpRun {
  const number = (key: (typeof columns)[number]) => recordedNumber(r[key])
  return {
    ...{ id: r.id, group: r.group, config: configOf(r.config), seeds: number("seeds"), latency: number("latency") },
    ...{ spread: number("spread"), p99: number("p99"), hops: number("hops"), accepted: number("accepted") },
    ...{ hopsSd: number("hops_sd"), acceptedSd: number("accepted_sd") },
    ...{ hot: number("hot"), dropped: number("dropped"), drained: r.drained === "1" },
  }
}

function configOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(" ").map((pair) => {
      const [key = "", ...value] = pair.split("=")
      return [key, value.join("=")]
    }),
  )
}

type Config = SrpRun["config"]

/** A number, or the i-th of a list {1,2}. */
function numberOf(c: Config, key: string, i = 0): number {
  return Number((c[key] ?? "").replace(/[{}]/g, "").split(",")[i])
}
const listOf = (c: Config, key: string): number[] => (c[key] ?? "").replace(/[{}]/g, "").split(",").map(Number)

export function experimentOf({ config: c }: SrpRun, seeds: number): Record<string, unknown> {
  const hot = numberOf(c, "classes") > 1
  const [warmup, window, wait] = ["warmup_cycles", "sample_period", "x_drain_max"].map((key) => numberOf(c, key))
  return {
    lacewing: 1,
    title: "a run of BookSim2 SRP_IAR",
    network: {
      topology: { name: "hyperx", sides: Array(numberOf(c, "n")).fill(c["k"]).join("x"), p: numberOf(c, "c") },
      routing: c["routing_function"] === "ugal" ? { name: "hyperx.ugal-l", bias: "2flits" } : "hyperx.minimal",
      switch: switchOf(c),
      endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
      congestion: protocolOf(c),
      links: { end: "1cycle", link: `${numberOf(c, "default_channel_latency")}cycles` },
      cycle: "1ns",
      flit: "8B",
    },
    traffic: hot ? [backgroundOf(c), hotSpotOf(c)] : [backgroundOf(c)],
    measure: {
      warmup: `${warmup}cycles`,
      window: `${window}cycles`,
      limit: `${warmup + window + wait}cycles`,
      drain: "measured",
      saturation: "never",
      ...(hot ? { follow: ["victims"] } : {}),
    },
    probes: [],
    seeds,
  }
}

function switchOf(c: Config): Named {
  const packet = numberOf(c, "const_flits_per_packet")
  const slots = numberOf(c, "output_buffer_size")
  return {
    name: "combined",
    vcs: numberOf(c, "num_vcs"),
    buffer: `${numberOf(c, "vc_buf_size")}flits`,
    speed: numberOf(c, "internal_speedup"),
    // slots of packets; the flits only limit the length of a packet
    outputPackets: slots,
    output: `${Math.max(128, slots * packet)}flits`,
    release: "each",
    // A packet loses the crossbar whenever its queue is empty.
    start: "interleaved",
    vcAllocation: "turns",
    loads: "all",
    ...(c["voq"] !== "1" ? { queues: "fifo" } : {}),
    ...(c["reservation_spec_voq"] === "0" ? { queues: { data: "voq", speculative: "fifo" } } : {}),
  }
}

function protocolOf(c: Config): Named {
  if (c["hotspot_reservation"] === "1")
    return {
      name: "srp",
      budget: `${numberOf(c, "expiration_time")}cycles`,
      reserveFrom: `${numberOf(c, "reservation_packet_threshold")}flits`,
      chunk: `${numberOf(c, "reservation_chunk_limit")}flits`,
      eps: Number((numberOf(c, "reservation_overhead_factor") - 1).toFixed(6)),
      vcs: numberOf(c, "res_vcs"),
    }
  if (c["ECN"] !== "1") return { name: "none" }
  return {
    name: "ecn-delay",
    cctiIncrease: numberOf(c, "ecn_ird_increase"),
    cctiLimit: numberOf(c, "ecn_ird_limit"),
    cctiTimer: `${numberOf(c, "ird_reset_timer")}cycles`,
    cct: `${numberOf(c, "ird_scaling_factor")}cycles`,
  }
}

export const endsOf = (c: Config): number => numberOf(c, "k") ** numberOf(c, "n") * numberOf(c, "c")

/** Endpoints that send background traffic. */
export const sendersOf = (c: Config): number => (numberOf(c, "classes") === 1 ? endsOf(c) : restOf(c).length)

/** Endpoints apart from the hot one and its senders. */
function restOf(c: Config): number[] {
  const apart = [...listOf(c, "hotspot_nodes"), ...listOf(c, "hotspot_senders")]
  return Array.from({ length: endsOf(c) }, (_, e) => e).filter((e) => !apart.includes(e))
}

function stream(c: Config, i: number): object {
  return {
    packet: `${numberOf(c, "const_flits_per_packet", i)}flits`,
    message: `${numberOf(c, "flow_size", i)}packets`,
    load: numberOf(c, "injection_rate", i),
  }
}

function backgroundOf(c: Config): object {
  const name = "victims"
  const [traffic] = (c["traffic"] ?? "").replace(/[{}]/g, "").split(",")
  if (traffic === "rtornado") return { name, pattern: "tornado", ...stream(c, 0) }
  if (traffic === "rnext")
    return { name, pattern: { name: "group-adversarial", size: numberOf(c, "c") }, ...stream(c, 0) }
  if (numberOf(c, "classes") === 1) return { name, pattern: "uniform", ...stream(c, 0) }
  const rest = restOf(c)
  return { name, pattern: { name: "to-set", set: rest }, from: rest, ...stream(c, 0) }
}

function hotSpotOf(c: Config): object {
  const set = listOf(c, "hotspot_nodes")
  return { name: "hot", pattern: { name: "to-set", set }, from: listOf(c, "hotspot_senders"), ...stream(c, 1) }
}
