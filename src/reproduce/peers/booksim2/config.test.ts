// Every key of BookSim2's configuration is mapped, refused by its name, or known not to matter: none is passed over in
// silence.
import { describe, expect, test } from "vitest"
import { type Entry, entries, refused, specOf } from "./config.ts"
import { booksim2Keys, listOf } from "./keys.ts"

/** The keys of booksim_config.cpp, commit 28f43299, those behind TRACK_FLOWS and TRACK_CREDITS and of the power model
 *  included. */
const names =
  `channel_file subnets topology k n c routing_function use_noc_latency x y xr yr link_failures fail_seed in_ports
    out_ports router output_delay credit_delay internal_speedup output_buffer_size noq speculative spec_check_elig
    spec_check_cred spec_mask_by_reqs spec_sw_allocator num_vcs vc_buf_size buf_size buffer_policy private_bufs
    private_buf_size private_buf_start_vc private_buf_end_vc max_held_slots feedback_aging_scale feedback_offset
    wait_for_tail_credit vc_busy_when_full vc_prioritize_empty vc_priority_donation vc_shuffle_requests
    hold_switch_for_packet input_speedup output_speedup routing_delay vc_alloc_delay sw_alloc_delay st_prepare_delay
    st_final_delay vct vc_allocator sw_allocator arb_type alloc_iters classes traffic class_priority perm_seed
    injection_rate injection_rate_uses_flits packet_size packet_size_rate injection_process burst_alpha burst_beta
    burst_r1 priority batch_size batch_count max_outstanding_requests use_read_write write_fraction
    read_request_begin_vc read_request_end_vc write_request_begin_vc write_request_end_vc read_reply_begin_vc
    read_reply_end_vc write_reply_begin_vc write_reply_end_vc read_request_subnet read_reply_subnet
    write_request_subnet write_reply_subnet read_request_size write_request_size read_reply_size write_reply_size
    sim_type warmup_periods sample_period max_samples measure_stats pair_stats latency_thres warmup_thres
    acc_warmup_thres stopping_thres acc_stopping_thres sim_count include_queuing seed print_activity
    print_csv_results deadlock_warn_timeout viewer_trace watch_file watch_flits watch_packets watch_transactions
    watch_out stats_out injected_flits_out received_flits_out stored_flits_out sent_flits_out
    outstanding_credits_out ejected_flits_out active_packets_out used_credits_out free_credits_out max_credits_out
    sent_packets_out sim_power power_output_file tech_file channel_width channel_sweep network_file H_INVD2 W_INVD2
    H_DFQD1 W_DFQD1 H_ND2D1 W_ND2D1 H_SRAM W_SRAM Vdd R IoffSRAM IoffP IoffN Cg_pwr Cd_pwr Cgdl Cg Cd LAMBDA
    MetalPitch Rw Cw_gnd Cw_cpl wire_length`.split(/\s+/)

type Config = Record<string, string>

const mesh: Config = { topology: "mesh", k: "4", n: "2", routing_function: "dor", num_vcs: "4" }
const flatfly: Config = {
  topology: "flatfly",
  k: "4",
  n: "2",
  c: "4",
  x: "4",
  y: "4",
  xr: "2",
  yr: "2",
  routing_function: "ran_min",
}
const lower = {
  read_request_begin_vc: "0",
  read_request_end_vc: "1",
  write_request_begin_vc: "0",
  write_request_end_vc: "1",
}
const upper = { read_reply_begin_vc: "2", read_reply_end_vc: "3", write_reply_begin_vc: "2", write_reply_end_vc: "3" }
const answered: Config = { ...mesh, use_read_write: "1", ...lower, ...upper }
const bursts: Config = { ...mesh, injection_process: "on_off" }
const shared: Config = { ...mesh, buffer_policy: "shared", buf_size: "24", private_buf_size: "2" }

/** [key] -> a value that is not what it was, and a configuration in which the key matters */
const other: Readonly<Record<string, readonly [value: string, base: Config]>> = {
  topology: ["torus", { ...mesh, routing_function: "dim_order" }],
  ...each(["k", "n"], "3", mesh),
  ...each(["c", "x", "y", "xr", "yr"], "1", flatfly),
  routing_function: ["valiant", flatfly],
  use_noc_latency: ["0", { ...mesh, topology: "torus", routing_function: "dim_order" }],
  ...each(
    ["credit_delay", "internal_speedup", "input_speedup", "output_speedup", "routing_delay", "st_prepare_delay"],
    "2",
    mesh,
  ),
  ...each(["st_final_delay", "num_vcs", "vc_buf_size", "classes", "packet_size"], "2", mesh),
  ...each(["speculative", "wait_for_tail_credit", "vc_busy_when_full", "hold_switch_for_packet"], "1", mesh),
  use_read_write: ["1", { ...answered, use_read_write: "0" }],
  injection_rate_uses_flits: ["1", { ...mesh, packet_size: "5" }],
  buf_size: ["16", shared],
  buffer_policy: ["shared", mesh],
  private_buf_size: ["3", shared],
  ...each(["vc_allocator", "sw_allocator"], "wavefront", mesh),
  traffic: ["neighbor", mesh],
  priority: ["age", mesh],
  class_priority: ["3", { ...mesh, priority: "class" }],
  injection_rate: ["0.2", mesh],
  packet_size_rate: ["{{3,1}}", { ...mesh, packet_size: "{{1,5}}" }],
  injection_process: ["on_off", mesh],
  ...each(["burst_alpha", "burst_beta"], "0.25", bursts),
  burst_r1: ["0.5", { ...bursts, burst_alpha: "-1", burst_r1: "0.7" }],
  ...each([...Object.keys(lower), ...Object.keys(upper)], "1", answered),
  write_request_begin_vc: ["1", answered],
  read_request_end_vc: ["0", answered],
  write_request_end_vc: ["0", answered],
  ...each(["read_request_size", "write_request_size", "read_reply_size", "write_reply_size"], "5", answered),
  sim_type: ["throughput", mesh],
  ...each(["warmup_periods", "max_samples"], "5", { ...mesh, max_samples: "9" }),
  sample_period: ["2000", mesh],
}

function each(keys: readonly string[], value: string, base: Config): Record<string, readonly [string, Config]> {
  return Object.fromEntries(keys.map((key) => [key, [value, base] as const]))
}

/** keys that only go together: the complaint names the one that fits no longer */
const partner: Config = {
  c: "xr",
  yr: "xr",
  read_request_size: "write_request_size",
  read_reply_size: "write_reply_size",
}

const [first] = entries()
const entry = (config: Config): Entry => ({ ...first!, id: "test", config })
const complaints = (config: Config) => refused(config).map((b) => b.path)

test("every name is in one list, and no list has others", () => {
  const { mapped, harmless, fixed } = booksim2Keys
  const ours = [...Object.keys(mapped), ...Object.keys(harmless), ...Object.keys(fixed)]
  expect([...ours].sort()).toEqual([...names].sort())
  expect(new Set(ours).size).toBe(ours.length)
  expect(Object.keys(other).sort()).toEqual(Object.keys(mapped).sort())
})

describe("a mapped key changes the run, or its value is refused by the key's name", () => {
  test.each(Object.entries(other))("%s", (key, [value, base]) => {
    expect(complaints(base)).toEqual([])
    expect(value).not.toBe(base[key] ?? booksim2Keys.mapped[key])
    const changed = { ...base, [key]: value }
    const bad = complaints(changed)
    if (bad.length > 0) expect(bad.filter((path) => path === key || path === partner[key])).not.toEqual([])
    else expect(specOf(entry(changed), 1)).not.toEqual(specOf(entry(base), 1))
  })
})

/** A value of each key that BookSim2 reads as a list, in a configuration where it matters, and what differs from it. */
const lists: Readonly<Record<string, readonly [value: string, base: Config]>> = {
  ...each(["read_request_size", "write_request_size", "read_reply_size", "write_reply_size"], "1", answered),
  ...each(["private_buf_start_vc", "private_buf_end_vc"], "-1", shared),
  ...each(["traffic"], "neighbor", mesh),
  ...each(["injection_process"], "on_off", mesh),
  ...each(["packet_size"], "5", mesh),
  ...each(["packet_size_rate", "measure_stats"], "1", mesh),
  ...each(["class_priority"], "3", { ...mesh, priority: "class" }),
  ...each(["injection_rate"], "0.2", mesh),
  ...each(["use_read_write"], "1", answered),
  ...each(["private_buf_size"], "3", shared),
}

describe("a list of one value", () => {
  test("the keys that BookSim2 reads as lists are known", () =>
    expect(Object.keys(lists).sort()).toEqual([...booksim2Keys.listed].sort()))
  test.each(Object.entries(lists))("%s = {x} is the same as x", (key, [value, base]) => {
    expect(specOf(entry({ ...base, [key]: `{${value}}` }), 1)).toEqual(specOf(entry({ ...base, [key]: value }), 1))
  })
  const plain = Object.entries(other).filter(([key]) => !booksim2Keys.listed.has(key))
  test.each(plain)("%s = {x} is refused by its name, as BookSim2 refuses it", (key, [value, base]) =>
    expect(complaints({ ...base, [key]: `{${value}}` })).toContain(key),
  )
  test("use_read_write = {1} asks for replies", () => {
    expect(specOf(entry({ ...answered, use_read_write: "{1}" }), 1).traffic[0].reply).toBe("1flits")
    expect(complaints({ ...mesh, classes: "2", use_read_write: "{0,1}", ...lower, ...upper })).toContain("classes")
  })
})

test("a value that is no number is refused by its key, never read as none", () => {
  const numeric = Object.entries(booksim2Keys.mapped).filter(([, value]) => !Number.isNaN(Number(value)))
  expect(numeric.length).toBe(48)
  for (const [key] of numeric)
    for (const value of ["x", "{}", "{1,x}", "1x"]) expect(complaints({ ...mesh, [key]: value })).toEqual([key])
})

test.each<[string, Config, string[]]>([
  ["alpha, beta and r1", { ...bursts, burst_r1: "0.5" }, ["injection_process"]],
  ["alpha alone", { ...bursts, burst_beta: "-1" }, ["injection_process"]],
  ["alpha, beta and r1 as parameters", { ...mesh, injection_process: "on_off({0.1,0.2,0.3})" }, ["injection_process"]],
  ["alpha and beta", bursts, []],
  ["beta and r1", { ...bursts, burst_alpha: "-1", burst_r1: "0.5" }, []],
])("on_off with %s", (_, config, keys) => expect(complaints(config)).toEqual(keys))

test("more than one flit in a cycle is an overload, more than one packet is refused as in BookSim2", () => {
  // 0.34 packets of 5 flits
  expect(specOf(entry({ ...mesh, packet_size: "5", injection_rate: "0.34" }), 1).traffic[0].load).toBeCloseTo(1.7)
  expect(complaints({ ...mesh, injection_rate: "1.7" })).toEqual(["injection_rate"])
})

test("matrix arbiters are those of both allocators", () => {
  const of = (vc: string, sw: string) => ({ ...mesh, vc_allocator: vc, sw_allocator: sw })
  const matrix = specOf(entry(of("separable_input_first(matrix)", "separable_output_first(matrix)")), 1).network.switch
  expect(matrix).toMatchObject({
    vcAllocator: "separable-input-first",
    swAllocator: "separable-output-first",
    arbiter: "matrix",
  })
  const plain = specOf(entry(of("separable_input_first(round_robin)", "islip(2)")), 1).network.switch
  expect(plain).toMatchObject({ vcAllocator: "separable-input-first", swAllocator: "islip(2)" })
  expect(plain["arbiter"]).toBeUndefined()
  expect(complaints(of("separable_input_first(matrix)", "islip"))).toEqual(["vc_allocator"])
  expect(complaints(of("separable_input_first", "separable_input_first(tree(4,matrix))"))).toEqual(["sw_allocator"])
})

test("requests and replies: a turn for each stream, and on the dragonfly one class for both", () => {
  expect(specOf(entry(answered), 1).network.endpoint).toEqual({ name: "simple", turnaround: "1cycle", vc: "booksim2" })
  expect(specOf(entry({ ...mesh, classes: "2" }), 1).network.endpoint).toEqual({ name: "simple", vc: "booksim2" })
  expect(specOf(entry(mesh), 1).network.endpoint).toEqual({ name: "simple" })
  const dragonfly = { topology: "dragonflynew", k: "2", n: "1", routing_function: "min", num_vcs: "2" }
  // its routing functions ignore the ranges of VCs, so any range will do
  const spec = specOf(entry({ ...dragonfly, use_read_write: "1" }), 1)
  expect(spec.network.endpoint).toEqual({ name: "simple", turnaround: "1cycle", vc: "random", replyClass: "same" })
})

test("a key with one meaning refuses every other value, by name and reason", () => {
  for (const [key, { only, why }] of Object.entries(booksim2Keys.fixed)) {
    expect(complaints({ ...mesh, [key]: only })).toEqual([])
    const bad = refused({ ...mesh, [key]: only === "7" ? "8" : "7" })
    expect(bad.map((b) => b.path)).toEqual([key])
    expect(bad[0].says).toContain(why)
  }
  expect(complaints({ ...mesh, no_such_key: "1" })).toEqual(["no_such_key"])
})

test.each<[string, Config, string]>([
  ["a routing of its own", { ...mesh, routing_function: "min_adapt" }, "routing_function"],
  ["a hot spot that is drawn", { ...mesh, traffic: "hotspot" }, "traffic"],
  ["a random permutation", { ...mesh, traffic: "randperm" }, "traffic"],
  ["priorities by network", { ...mesh, priority: "network_age" }, "priority"],
  ["a limited buffer", { ...mesh, buffer_policy: "limited" }, "buffer_policy"],
  ["reads that share VCs with replies", { ...mesh, use_read_write: "1" }, "read_request_end_vc"],
  ["batches", { ...mesh, sim_type: "batch" }, "sim_type"],
])("refused: %s", (_, config, key) => expect(complaints(config)).toContain(key))

test("patterns, rates and sizes with their parameters", () => {
  const stream = (more: Config) => specOf(entry({ ...mesh, ...more }), 1).traffic[0]
  expect(stream({ traffic: "hotspot({{3,12},{1,2}})" }).pattern).toEqual({
    name: "hotspot",
    targets: [3, 12],
    rates: [1, 2],
    self: true,
  })
  expect(stream({ traffic: "tornado", xr: "2" }).pattern).toEqual({ name: "tornado", digits: [4, 2, 2], self: true })
  expect(stream({ traffic: "neighbor({8,3,1})" }).pattern).toEqual({ name: "neighbour", digits: [8, 3, 1], self: true })
  // (3 x 1 + 1 x 5) / 4 = 2 flits
  const sizes = stream({ packet_size: "{{1,5}}", packet_size_rate: "{{3,1}}", injection_rate: "0.1" })
  expect(sizes.packet).toEqual({ name: "weighted", sizes: ["1flits", "5flits"], weights: [3, 1] })
  expect(sizes.load).toBeCloseTo(0.2)
  // bursts of 1 / 0.05 cycles, on for 0.05 / (0.05 + 0.15) of the time
  expect(stream({ injection_process: "on_off", burst_alpha: "0.05", burst_beta: "0.15" }).arrivals).toMatchObject({
    name: "on-off",
    share: 0.25,
  })
  expect(listOf("{a,{b,c},d}")).toEqual(["a", "{b,c}", "d"])
})
