// Every key of BookSim2's configuration (commit 28f43299) and what becomes of it here. Nothing is left out in silence:
// a key is mapped, it cannot matter to what is compared (and why), or every value but its default is refused, by name.
import { type Complaint, complain } from "../../../core/complaint.ts"

export type Config = Readonly<Record<string, string>>

interface Fixed {
  readonly only: string
  readonly why: string
}

/** key -> its default; booksim2.ts and its neighbours read these */
const mapped: Config = {
  ...{
    topology: "torus",
    k: "8",
    n: "2",
    c: "1",
    routing_function: "none",
    use_noc_latency: "1",
    x: "8",
    y: "8",
    xr: "1",
    yr: "1",
  },
  ...{ credit_delay: "0", internal_speedup: "1.0", speculative: "0", num_vcs: "16", vc_buf_size: "8", buf_size: "-1" },
  ...{
    buffer_policy: "private",
    private_buf_size: "1",
    wait_for_tail_credit: "0",
    vc_busy_when_full: "0",
    hold_switch_for_packet: "0",
  },
  ...{ input_speedup: "1", output_speedup: "1", routing_delay: "1", st_prepare_delay: "0", st_final_delay: "1" },
  ...{
    vc_allocator: "islip",
    sw_allocator: "islip",
    classes: "1",
    traffic: "uniform",
    class_priority: "0",
    priority: "none",
  },
  ...{ injection_rate: "0.1", injection_rate_uses_flits: "0", packet_size: "1", packet_size_rate: "1" },
  ...{ injection_process: "bernoulli", burst_alpha: "0.5", burst_beta: "0.5", burst_r1: "-1.0" },
  ...{
    use_read_write: "0",
    read_request_size: "1",
    write_request_size: "1",
    read_reply_size: "1",
    write_reply_size: "1",
  },
  ...{ read_request_begin_vc: "0", read_request_end_vc: "5", write_request_begin_vc: "2", write_request_end_vc: "7" },
  ...{ read_reply_begin_vc: "8", read_reply_end_vc: "13", write_reply_begin_vc: "10", write_reply_end_vc: "15" },
  ...{ sim_type: "latency", warmup_periods: "3", sample_period: "1000", max_samples: "10" },
}

const nobody = "BookSim2 reads it nowhere"
const printed = "it changes what is printed, not what happens"
const power = "a figure of the power model, which moves no packet"
const ended = "it says when BookSim2 gives up or has enough; here a run has its length from the start"

/** key -> why no value of it can matter to what is compared */
const harmless: Config = {
  ...all(["channel_file", "in_ports", "out_ports", "output_delay", "watch_transactions"], nobody),
  ...all(["alloc_iters", "arb_type"], "BookSim2's router does not hand it to its allocators: write islip(2)"),
  ...all(["fail_seed"], "read with link_failures only, which is refused"),
  ...all(["perm_seed"], "read by random permutations only, which are refused"),
  ...all(["vct"], "read by the event-driven router only, which is refused"),
  ...all(["write_fraction"], "reads and writes are mapped only where they are alike"),
  ...all(
    ["batch_size", "batch_count", "max_outstanding_requests", "sent_packets_out"],
    "read in batch mode only, which is refused",
  ),
  ...all(["seed"], "seeds are given apart: from the same one BookSim2 draws other packets"),
  ...all(["latency_thres", "warmup_thres", "acc_warmup_thres", "stopping_thres", "acc_stopping_thres"], ended),
  ...all(
    ["pair_stats", "print_activity", "print_csv_results", "deadlock_warn_timeout", "viewer_trace", "watch_file"],
    printed,
  ),
  ...all(
    ["watch_flits", "watch_packets", "watch_out", "stats_out", "injected_flits_out", "received_flits_out"],
    printed,
  ),
  ...all(
    ["stored_flits_out", "sent_flits_out", "outstanding_credits_out", "ejected_flits_out", "active_packets_out"],
    printed,
  ),
  ...all(["used_credits_out", "free_credits_out", "max_credits_out"], printed),
  ...all(
    ["sim_power", "power_output_file", "tech_file", "channel_width", "channel_sweep", "H_INVD2", "W_INVD2", "H_DFQD1"],
    power,
  ),
  ...all(
    ["W_DFQD1", "H_ND2D1", "W_ND2D1", "H_SRAM", "W_SRAM", "Vdd", "R", "IoffSRAM", "IoffP", "IoffN", "Cg_pwr"],
    power,
  ),
  ...all(["Cd_pwr", "Cgdl", "Cg", "Cd", "LAMBDA", "MetalPitch", "Rw", "Cw_gnd", "Cw_cpl", "wire_length"], power),
}

/** key -> the one value that means the same here */
const fixed: Readonly<Record<string, Fixed>> = {
  subnets: { only: "1", why: "one network at a time" },
  ...same(
    "0",
    ["read_request_subnet", "read_reply_subnet", "write_request_subnet", "write_reply_subnet"],
    "one network at a time",
  ),
  link_failures: { only: "0", why: "BookSim2 draws failed links by its own generator" },
  router: { only: "iq", why: "only the input-queued router has a counterpart" },
  output_buffer_size: { only: "-1", why: "output queues are unbounded here" },
  noq: { only: "0", why: "there is no next-hop-output queueing" },
  ...same("1", ["spec_check_elig", "spec_check_cred"], "a speculative bid always looks at free VCs and credits here"),
  spec_mask_by_reqs: { only: "0", why: "speculative bids are masked by grants only" },
  spec_sw_allocator: { only: "prio", why: "speculative bids go through the same allocator" },
  ...same("-1", ["private_bufs", "private_buf_start_vc", "private_buf_end_vc"], "every VC has a separate reserve"),
  max_held_slots: { only: "-1", why: "a VC may occupy all shared buffer space" },
  feedback_aging_scale: { only: "1", why: "there is no feedback buffer policy" },
  feedback_offset: { only: "0", why: "there is no feedback buffer policy" },
  vc_prioritize_empty: { only: "0", why: "empty VCs have no preference here" },
  vc_priority_donation: { only: "0", why: "priorities are not handed on" },
  vc_shuffle_requests: { only: "0", why: "requests are not shuffled" },
  ...same("1", ["vc_alloc_delay", "sw_alloc_delay"], "BookSim2 itself stops on an assertion with more"),
  measure_stats: { only: "1", why: "every class is measured" },
  sim_count: { only: "1", why: "one run for each seed" },
  include_queuing: { only: "1", why: "latency counts from creation here" },
  network_file: { only: "", why: "there is no anynet" },
}

/** Mapped keys whose values are words. All other mapped keys have numbers. */
const words = new Set([
  "topology",
  "routing_function",
  "buffer_policy",
  "vc_allocator",
  "sw_allocator",
  "traffic",
  "priority",
  "injection_process",
  "sim_type",
])

/** Mapped and fixed keys that BookSim2 reads as lists (GetStrArray, GetIntArray, GetFloatArray): a value for each
 *  class, the last one for the rest. */
const listed = new Set([
  ...[
    "private_buf_size",
    "private_buf_start_vc",
    "private_buf_end_vc",
    "class_priority",
    "injection_rate",
    "packet_size",
    "packet_size_rate",
  ],
  ...[
    "use_read_write",
    "read_request_size",
    "write_request_size",
    "read_reply_size",
    "write_reply_size",
    "measure_stats",
  ],
  ...["traffic", "injection_process"],
])

/** The keys by what becomes of them: for the test that goes through all. */
export const booksim2Keys = { mapped, harmless, fixed, listed }

export function textOf(c: Config, key: string): string {
  const value = c[key] ?? mapped[key]
  if (value === undefined) throw new Error(`${key} is no mapped key of BookSim2`)
  return value
}

/** The value for class i: the last one of a list is that of all further classes. */
export function ofClass(c: Config, key: string, i: number): string {
  const items = listOf(textOf(c, key))
  return items[Math.min(i, items.length - 1)] ?? ""
}

/** The value of a key, or of a list that value for the first class. */
export function numberOf(c: Config, key: string): number {
  return Number(listed.has(key) ? ofClass(c, key, 0) : textOf(c, key))
}

export function isOn(c: Config, key: string): boolean {
  return numberOf(c, key) > 0
}

/** Requests and replies in at least one class. */
export function isAnswered(c: Config): boolean {
  return Array.from({ length: numberOf(c, "classes") }, (_, i) => Number(ofClass(c, "use_read_write", i))).some(
    (on) => on !== 0,
  )
}

/** A list where BookSim2 takes none, or a word where it takes a number: read as a number, both would be no value in
 *  silence. */
function unreadable(key: string, value: string): Complaint[] {
  if (value.startsWith("{") && !listed.has(key))
    return [refuse(key, value, "BookSim2 takes no list here", "write one value")]
  if (words.has(key)) return []
  const numbers = (text: string): string[] => (text.startsWith("{") ? listOf(text).flatMap(numbers) : [text])
  const all = numbers(value)
  const wrong = all.length === 0 ? [value] : all.filter((item) => !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(item))
  return wrong.map((item) => refuse(key, item, "is no number", "write a number"))
}

/** Keys that BookSim2 does not have, and values that mean nothing here. */
export function refusedKeys(c: Config): Complaint[] {
  const bad: Complaint[] = []
  for (const [key, value] of Object.entries(c)) {
    if (mapped[key] !== undefined) bad.push(...unreadable(key, value))
    if (mapped[key] !== undefined || harmless[key] !== undefined) continue
    const rule = fixed[key]
    const is = (item: string) => item === rule!.only || (rule!.only !== "" && Number(item) === Number(rule!.only))
    if (rule === undefined) bad.push(complain(key, "is no key of BookSim2", "look it up in its booksim_config.cpp"))
    else if (!(listed.has(key) ? listOf(value) : [value]).every(is))
      bad.push(refuse(key, value, rule.why, `leave it at ${rule.only === "" ? "nothing" : rule.only}`))
  }
  return bad
}

export function refuse(key: string, value: string, why: string, fix = "leave it out"): Complaint {
  return complain(key, `${value}: ${why}`, fix)
}

/** "{a,{b,c}}" -> ["a", "{b,c}"]; what has no braces is one element */
export function listOf(text: string): string[] {
  if (!text.startsWith("{")) return text === "" ? [] : [text]
  const items: string[] = []
  let depth = 0
  let item = ""
  for (const ch of text.slice(1)) {
    if (depth === 0 && (ch === "," || ch === "}")) {
      if (item !== "") items.push(item)
      item = ""
      if (ch === "}") break
      continue
    }
    if (ch === "{") depth++
    if (ch === "}") depth--
    item += ch
  }
  return items
}

function all(keys: readonly string[], why: string): Config {
  return Object.fromEntries(keys.map((key) => [key, why]))
}

function same(only: string, keys: readonly string[], why: string): Readonly<Record<string, Fixed>> {
  return Object.fromEntries(keys.map((key) => [key, { only, why }]))
}
