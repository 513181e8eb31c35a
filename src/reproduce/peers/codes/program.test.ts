import { describe, expect, it } from "vitest"
import { pholdRuns } from "../bench/phold.ts"
import { PeerFailed, runPeer } from "../program.ts"
import { rossArgs, rossEvents } from "../ross.ts"
import type { CodesRun } from "./experiments.ts"
import { codesAnswer, codesArgs, codesConf, runCodesPeer } from "./program.ts"

const slimFly: CodesRun = {
  id: "small",
  group: "uniform_small",
  network: "sf200",
  routing: "adaptive",
  rails: 1,
  select: "-",
  chunk: 2048,
  noDelay: false,
  pattern: "uniform",
  arrivals: "poisson",
  load: 0.5,
  payload: 4096,
  end: 100000,
  warmup: 20000,
  messages: Number.POSITIVE_INFINITY,
  mode: "seq",
  latency: 0,
  accepted: 0,
  hops: 0,
  detours: 0,
  messageLatency: 0,
  chunks: 0,
}
const dragonfly: CodesRun = { ...slimFly, network: "df72", routing: "prog-adaptive", arrivals: "phase" }
const dragonflyPlus: CodesRun = { ...dragonfly, network: "mf80", routing: "non-minimal-leaf" }

/** key -> value as written, of all blocks */
function read(conf: string): Record<string, string> {
  return Object.fromEntries([...conf.matchAll(/^(.+?)=(.+);$/gm)].map((m) => [m[1], m[2].replace(/^"(.*)"$/, "$1")]))
}

describe("the .conf file", () => {
  it("of a Slim Fly, to the letter", () => {
    // q = 5, p = 4: 2 * 25 routers; X are the squares, X' the others
    expect(codesConf(slimFly, "/conf")).toBe(`LPGROUPS
{
MODELNET_GRP
{
repetitions="50";
nw-lp="4";
modelnet_slimfly="4";
modelnet_slimfly_router="1";
}
}
PARAMS
{
sf_type="0";
num_rails="1";
rail_select="none";
num_routers="5";
num_terminals="4";
local_channels="2";
global_channels="5";
num_vcs="4";
generator_set_X=("1", "4");
generator_set_X_prime=("2", "3");
modelnet_order=("slimfly", "slimfly_router");
modelnet_scheduler="fcfs";
routing="adaptive";
packet_size="4096";
chunk_size="2048";
local_vc_size="65536";
global_vc_size="65536";
cn_vc_size="65536";
local_bandwidth="12.5";
global_bandwidth="12.5";
cn_bandwidth="12.5";
router_delay="90";
nic_seq_delay="10";
num_injection_queues="1";
node_copy_queues="1";
node_eager_limit="16000";
message_size="736";
pe_mem_factor="64";
}
`)
  })
  it("of a Fit Fly: a router for each rail, a queue for each", () => {
    const conf = read(codesConf({ ...slimFly, rails: 2, select: "congestion" }, "/conf"))
    expect(conf).toMatchObject({ repetitions: "50", modelnet_slimfly: "4", modelnet_slimfly_router: "2" })
    expect(conf).toMatchObject({ sf_type: "1", num_rails: "2", rail_select: "congestion", num_injection_queues: "2" })
  })
  it("of a dragonfly", () => {
    const conf = read(codesConf(dragonfly, "/conf"))
    // 9 groups of 4 routers
    expect(conf).toMatchObject({
      repetitions: "36",
      "nw-lp": "2",
      modelnet_dragonfly_dally: "2",
      modelnet_dragonfly_dally_router: "1",
    })
    expect(conf).toMatchObject({ num_routers: "4", num_groups: "9", num_cns_per_router: "2", num_global_channels: "2" })
    expect(conf["intra-group-connections"]).toBe("/conf/dragonfly-dally/dfdally-72-intra")
    expect(conf["inter-group-connections"]).toBe("/conf/dragonfly-dally/dfdally-72-inter")
  })
  it("of a dragonfly+: a repetition is a group", () => {
    const conf = read(codesConf(dragonflyPlus, "/conf"))
    // 4 leaves with 4 endpoints each, 4 spines
    expect(conf).toMatchObject({
      repetitions: "5",
      "nw-lp": "16",
      modelnet_dragonfly_plus: "16",
      modelnet_dragonfly_plus_router: "8",
    })
    expect(conf).toMatchObject({
      num_router_leaf: "4",
      num_router_spine: "4",
      num_groups: "5",
      num_global_connections: "4",
    })
    expect(conf["inter-group-connections"]).toBe("/conf/dragonfly-plus/dfp-test-inter")
  })
})

describe("arguments", () => {
  it("name the payload as each driver does", () => {
    const same = ["--sync=1", "--traffic=1", "--load_per_svr=0.5"]
    const rest = ["--num_messages=100000000", "--warm_up_time=20000", "--end=1", "--", "network.conf"]
    expect(codesArgs(slimFly, 1)).toEqual([...same, "--payload_size=4096", ...rest])
    expect(codesArgs(dragonfly, 1)).toEqual([...same, "--payload_sz=4096", ...rest])
  })
  it("of PHOLD", () => {
    const row = pholdRuns().find((p) => p.lookahead === 0.1)!
    const load = ["--nlp=8192", "--start-events=1", "--remote=0.25", "--mean=1", "--lookahead=0.1"]
    expect(rossArgs(row, 250)).toEqual(["--synch=1", ...load, "--mult=3", "--end=250"])
  })
})

describe("answers", () => {
  it("of the Slim Fly and the dragonfly", () => {
    const out = ` Total packets routed minimally: 11. Total packets routed non-minimally: 2
 Average number of hops traversed 3.653741 average chunk latency 2.364301 us maximum chunk latency 8.4 us avg message size 4096.000000 bytes finished messages 12 finished chunks 13 
 Total packets generated 20 finished 13 `
    expect(codesAnswer(out)).toEqual({ chunks: 13, hops: 3.653741 })
  })
  it("of dragonfly+, which punctuates", () => {
    const out = `
Average number of router hops traversed: 4.068776; average chunk latency: 5.1 us; maximum chunk latency: 38.5 us; avg message size: 4096.0 bytes; finished messages: 33; finished chunks: 34 
ADAPTIVE ROUTING STATS: 31 chunks routed minimally 3 chunks routed non-minimally - completed packets: 34 `
    expect(codesAnswer(out)).toEqual({ chunks: 34, hops: 4.068776 })
  })
  it("none where nothing arrived", () => {
    expect(
      codesAnswer("Average number of hops traversed -nan average chunk latency -nan us finished chunks 0"),
    ).toBeUndefined()
    expect(codesAnswer("node: 0: error: Out of events in GVT! Consider increasing --extramem")).toBeUndefined()
  })
  it("of PHOLD", () => {
    expect(
      rossEvents("\tTotal Events Processed   40\n\n\tNet Events Processed                                   2048126\n"),
    ).toBe(2048126)
    expect(rossEvents("")).toBeNaN()
  })
})

describe("the program", () => {
  it("finds its files beside itself; CPU seconds are those of the program", () => {
    const { cpu, out } = runPeer("cat", ["a", "b"], { a: "one ", b: "two" })
    expect(out).toBe("one two")
    expect(cpu).toBeGreaterThanOrEqual(0)
  })
  it("that is missing is said by name", () => {
    expect(() => runCodesPeer("/nowhere", dragonfly, 1)).toThrow(PeerFailed)
    expect(() => runCodesPeer("/nowhere", dragonfly, 1)).toThrow("/nowhere/model-net-synthetic-dragonfly-all")
  })
})
