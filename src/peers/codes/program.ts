// CODES itself on the runs of our table: its .conf file and its arguments are written from the network that we simulate, its answer is read.
// Limits: uniform traffic and, in the dragonfly, links as long as a chunk takes; so are all runs that were timed.
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { SlimFly } from "../../topologies/slimfly.ts"
import { PeerFailed, runPeer } from "../program.ts"
import { type CodesRun, codesNetwork, LINK_GIBPS, topologyOf } from "./experiments.ts"

export interface CodesAnswer {
  readonly chunks: number
  readonly hops: number
}

const programs: Readonly<Record<string, string>> = {
  sf: "model-net-synthetic-slimfly",
  df: "model-net-synthetic-dragonfly-all",
  mf: "model-net-synthetic-dragonfly-all",
}

/** Where CODES' source tree keeps who is linked to whom: two binary files for each network, named -intra and -inter. */
const connections: Readonly<Record<string, string>> = {
  df72: "dragonfly-dally/dfdally-72",
  df3078: "dragonfly-dally/dfdally-3k",
  mf80: "dragonfly-plus/dfp-test",
  mf3240: "dragonfly-plus/dfp-3k",
}

type Params = Readonly<Record<string, string | number | readonly (string | number)[]>>

interface Shape {
  readonly model: string
  readonly repetitions: number
  /** endpoints and routers of one repetition */
  readonly ends: number
  readonly routers: number
  readonly params: Params
}

function shapeOf(e: CodesRun, network: ReturnType<typeof codesNetwork>, folder: string): Shape {
  const named = topologyOf(e)
  const n = (key: string) => Number(named[key])
  const links = join(folder, connections[e.network] ?? "")
  const files = { "intra-group-connections": `${links}-intra`, "inter-group-connections": `${links}-inter` }
  switch (e.network.slice(0, 2)) {
    case "sf": {
      const [x, y] = (network.topology as SlimFly).plane.generators
      const rails = { sf_type: e.rails > 1 ? 1 : 0, num_rails: e.rails, rail_select: e.rails > 1 ? e.select : "none" }
      const ports = { num_routers: n("q"), num_terminals: n("p"), local_channels: x.length, global_channels: n("q") }
      const params = { ...rails, ...ports, num_vcs: network.chunk.vcs, generator_set_X: x, generator_set_X_prime: y }
      return { model: "slimfly", repetitions: 2 * n("q") ** 2, ends: n("p"), routers: e.rails, params }
    }
    case "df": {
      const size = { num_routers: n("a"), num_groups: n("g"), num_cns_per_router: n("p"), num_global_channels: n("h") }
      const params = { ...size, adaptive_threshold: 0, ...files }
      return { model: "dragonfly_dally", repetitions: n("a") * n("g"), ends: n("p"), routers: 1, params }
    }
    default: {
      const size = { num_router_leaf: n("leaves"), num_router_spine: n("spines"), num_groups: n("groups"), num_cns_per_router: n("p") }
      const params = { ...size, num_level_chans: 1, num_global_connections: n("h"), route_scoring_metric: "delta", ...files }
      const routers = n("leaves") + n("spines")
      return { model: "dragonfly_plus", repetitions: n("groups"), ends: n("leaves") * n("p"), routers, params }
    }
  }
}

/** The text of its .conf file; `folder` holds the connection files. */
export function codesConf(e: CodesRun, folder: string): string {
  const network = codesNetwork(e, 1)
  const { model, repetitions, ends, routers, params } = shapeOf(e, network, folder)
  const { chunk, rails } = network
  const each = (value: number, ...keys: string[]) => Object.fromEntries(keys.map((k) => [k, value]))
  const all: Params = {
    ...params,
    modelnet_order: [model, `${model}_router`],
    modelnet_scheduler: "fcfs",
    routing: e.routing,
    packet_size: rails.packet,
    chunk_size: chunk.chunk,
    ...each(chunk.buffer, "local_vc_size", "global_vc_size", "cn_vc_size"),
    ...each(LINK_GIBPS, "local_bandwidth", "global_bandwidth", "cn_bandwidth"),
    router_delay: chunk.delay / 1000,
    nic_seq_delay: rails.nic / 1000,
    num_injection_queues: e.rails,
    node_copy_queues: 1,
    node_eager_limit: 16000,
    // of its own structures: room for a message, and for events
    message_size: 736,
    pe_mem_factor: e.group.startsWith("fig3") ? 128 : 64,
  }
  const line = ([k, v]: [string, Params[string]]) => `${k}=${typeof v === "object" ? `(${v.map((x) => `"${x}"`).join(", ")})` : `"${v}"`};`
  const block = (name: string, body: string) => `${name}\n{\n${body}\n}`
  const lines = (of: Params) => Object.entries(of).map(line).join("\n")
  const group = { repetitions, "nw-lp": ends, [`modelnet_${model}`]: ends, [`modelnet_${model}_router`]: routers }
  return `${block("LPGROUPS", block("MODELNET_GRP", lines(group)))}\n${block("PARAMS", lines(all))}\n`
}

export function codesArgs(e: CodesRun, end: number): string[] {
  const size = e.network.startsWith("sf") ? "payload_size" : "payload_sz"
  const workload = ["--traffic=1", `--load_per_svr=${e.load}`, `--${size}=${e.payload}`, "--num_messages=100000000"]
  return ["--sync=1", ...workload, `--warm_up_time=${e.warmup}`, `--end=${end}`, "--", "network.conf"]
}

/** What it printed at its end: chunks that arrived, and the routers that they saw on average. */
export function codesAnswer(out: string): CodesAnswer | undefined {
  const hops = Number(/Average number of (?:router )?hops traversed:? ([\d.]+)/.exec(out)?.[1])
  const chunks = Number(/finished chunks:? (\d+)/.exec(out)?.[1])
  return chunks > 0 && hops > 0 ? { chunks, hops } : undefined
}

export interface CodesPeerRun {
  /** user CPU seconds of the whole process */
  readonly cpu: number
  /** absent when no chunk arrived */
  readonly answer: CodesAnswer | undefined
  readonly last: string
}

/** Runs it on one core up to `end` ns. `build` is the folder src of its build, which lies in its source tree. */
export function runCodesPeer(build: string, e: CodesRun, end: number): CodesPeerRun {
  const program = join(resolve(build), programs[e.network.slice(0, 2)]!)
  if (!existsSync(program)) throw new PeerFailed(`${e.id}: there is no ${program}`)
  const folder = resolve(build, "../../src/network-workloads/conf")
  const links = connections[e.network]
  for (const file of links === undefined ? [] : [`${links}-intra`, `${links}-inter`])
    if (!existsSync(join(folder, file)))
      throw new PeerFailed(`${e.id}: there is no ${file} in ${folder}, where the source tree around the build has it`)
  const { cpu, out, last } = runPeer(program, codesArgs(e, end), { "network.conf": codesConf(e, folder) })
  if (!(cpu > 0)) throw new PeerFailed(`${e.id}: CODES did not run\n${last}`)
  return { cpu, answer: codesAnswer(out), last }
}
