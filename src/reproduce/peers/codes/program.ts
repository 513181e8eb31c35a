// CODES itself on the runs of our table: its .conf file and its arguments are written from the network that we
// simulate, its answer is read. Limits: uniform traffic and, in the dragonfly, links as long as a chunk takes; so are
// all runs that were timed.
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { SlimFly } from "../../../topologies/slimfly.ts"
import { PeerFailed, runPeer } from "../program.ts"
import { type CodesRun, codesNetwork } from "./experiments.ts"
import { codesGroups, codesParams, connections } from "./params.ts"

export interface CodesAnswer {
  readonly chunks: number
  readonly hops: number
}

const programs: Readonly<Record<string, string>> = {
  sf: "model-net-synthetic-slimfly",
  df: "model-net-synthetic-dragonfly-all",
  mf: "model-net-synthetic-dragonfly-all",
}

/** The text of its .conf file; `folder` holds the connection files. */
export function codesConf(e: CodesRun, folder: string): string {
  const given = Object.entries(codesParams(e)).flatMap(([key, value]): [string, string][] => {
    if (key.endsWith("-group-connections")) return [[key, join(folder, value)]]
    return key === "num_vcs" ? [[key, value], ...generatorsOf(e)] : [[key, value]]
  })
  // memory of its own structures, for messages and for events
  const memoryLines: [string, string][] = [
    ["message_size", "736"],
    ["pe_mem_factor", e.group.startsWith("fig3") ? "128" : "64"],
  ]
  return confText(Object.entries(codesGroups(e)), [...given, ...memoryLines])
}

function generatorsOf(e: CodesRun): [string, string][] {
  const [x, y] = (codesNetwork(e, 1).topology as SlimFly).plane.generators
  return [
    ["generator_set_X", x.join()],
    ["generator_set_X_prime", y.join()],
  ]
}

const lists = new Set(["modelnet_order", "generator_set_X", "generator_set_X_prime"])

/** Keys and values as CODES reads them. */
export function confText(
  groups: readonly (readonly [string, string])[],
  params: readonly (readonly [string, string])[],
): string {
  const listed = (value: string) =>
    `(${value
      .split(",")
      .map((x) => `"${x}"`)
      .join(", ")})`
  const lines = (of: typeof params) => of.map(([k, v]) => `${k}=${lists.has(k) ? listed(v) : `"${v}"`};`).join("\n")
  const block = (name: string, body: string) => `${name}\n{\n${body}\n}`
  return `${block("LPGROUPS", block("MODELNET_GRP", lines(groups)))}\n${block("PARAMS", lines(params))}\n`
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
  const program = join(resolve(build), programs[e.network.slice(0, 2)])
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
