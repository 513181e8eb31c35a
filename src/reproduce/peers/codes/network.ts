// A configuration of CODES (the blocks LPGROUPS and PARAMS of its .conf file, as one list of keys) as a network of
// ours, with the quirks of CODES by name. Limits: what a driver sends is not in that file; wirings of the dragonflies
// are known by the names of the files that CODES brings.
import { type Complaint, complain } from "../../../core/complaint.ts"
import type { NetworkSpec } from "../../../model/experiment.ts"
import { Said, type Tree, valuesOf } from "../provenance.ts"

/** key -> value as written, without quotes; the values of a list with commas between them */
export type CodesConfig = Readonly<Record<string, string>>

/** What CODES does, as options of ours; `off` names those to leave at what we think right. */
export const quirks = {
  jitter: "0.5 to 1 ns of noise on every step (not in dragonfly)",
  early: "a channel commits itself to a chunk when it joins (Slim Fly, dragonfly+)",
  credits: "credits cross a link in the time of 8 bytes",
  propagation: "every link of the dragonfly is as long as a chunk takes",
  endRate: "an endpoint's links are as many times faster as it has rails (Fit Fly)",
  select: '"rand" rail selection is fixed by the endpoint\'s place (Fit Fly)',
  vc0: "UGAL of the Slim Fly sees VC 0 only",
  order: "strict priority of VCs: highest first (Slim Fly), lowest first (dragonfly+)",
  phase: "all endpoints of the dragonflies send at the same instants",
} as const
export type Quirk = keyof typeof quirks

const models: Readonly<Record<string, "slimfly" | "dragonfly" | "megafly">> = {
  slimfly: "slimfly",
  dragonfly_dally: "dragonfly",
  dragonfly_plus: "megafly",
}
const routings: Readonly<Record<string, readonly string[]>> = {
  slimfly: ["minimal", "nonminimal", "adaptive"],
  dragonfly: ["minimal", "nonminimal", "prog-adaptive"],
  megafly: ["minimal", "non-minimal-leaf", "prog-adaptive"],
}

/** Wirings that were compared with lacewing's link by link: file -> routers of a group, groups, global links. */
const wirings: Readonly<Record<string, readonly [a: number, groups: number, h: number]>> = {
  "dfdally-72-inter": [4, 9, 2],
  "dfdally-3k-inter": [18, 19, 9],
  "dfp-test-inter": [4, 5, 4],
  "dfp-3k-inter": [18, 10, 18],
}

const text = (c: CodesConfig, key: string): string => c[key] ?? ""
const num = (c: CodesConfig, key: string): number => Number(text(c, key))
const modelOf = (c: CodesConfig): string => text(c, "modelnet_order").split(",")[0]
const rails = (c: CodesConfig): number => (c["num_rails"] === undefined ? 1 : num(c, "num_rails"))
const fileOf = (c: CodesConfig): string => text(c, "inter-group-connections").replace(/^.*\//, "")

/** The network, each value with the keys that it comes from. */
export function codesTree(c: CodesConfig, off: ReadonlySet<Quirk> = new Set()): { readonly [key: string]: Tree } {
  const kind = models[modelOf(c)]
  const on = (q: Quirk) => !off.has(q)
  const noisy = kind !== "dragonfly" && on("jitter")
  const early = kind !== "dragonfly" && on("early")
  const strict = kind === "slimfly" ? "strict-high" : "strict-low"
  const given = ["cn_delay", "local_delay", "global_delay"].every((key) => c[key] !== undefined)
  const chunkLong = kind === "dragonfly" && !given && on("propagation")
  const delay = (key: string): Tree =>
    kind === "dragonfly" && given
      ? () => `${num(c, key)}ns`
      : new Said("0ns", chunkLong ? "see propagation" : "CODES' links have no length")
  return {
    topology: topologyTree(c),
    routing: routingTree(c, on("vc0")),
    switch: {
      name: new Said("chunk", "CODES moves chunks"),
      vcs:
        c["num_vcs"] === undefined
          ? new Said(kind === "megafly" ? 2 : 4, "fixed in CODES' model")
          : () => num(c, "num_vcs"),
      chunk: () => `${num(c, "chunk_size")}B`,
      buffer: () => `${same(c, "local_vc_size", "global_vc_size", "cn_vc_size")}B`,
      bandwidth: () => `${same(c, "local_bandwidth", "global_bandwidth", "cn_bandwidth")}GiB/s`,
      delay: () => `${num(c, "router_delay")}ns`,
      credit: on("credits")
        ? new Said("0ns", "credits see no router_delay")
        : new Said("90ns", "as long as a router takes"),
      order: new Said(
        kind === "dragonfly" ? "round-robin" : on("order") ? strict : "fifo",
        "which VC goes first in CODES' model",
      ),
      jitter: new Said(noisy ? "codes" : "none", noisy ? quirks.jitter : "this model draws no noise"),
      commit: new Said(
        early && on("order") ? "early" : "free",
        early ? quirks.early : "a channel chooses when it is free",
      ),
      creditWire: new Said(on("credits") ? "none" : "link", quirks.credits),
      propagation: new Said(chunkLong ? "chunk" : "links", chunkLong ? quirks.propagation : "what links says"),
      endRate: new Said(on("endRate") ? "times-rails" : "each", quirks.endRate),
    },
    endpoint: {
      name: new Said("rails", "CODES' network interface"),
      select: () => selectOf(c, on("select")),
      packet: () => `${num(c, "packet_size")}B`,
      nic: () => `${num(c, "nic_seq_delay")}ns`,
      queue: () => `${num(c, "cn_vc_size")}B`,
      since: new Said(kind === "dragonfly" ? "started" : "handed", "where CODES' latency of a chunk begins"),
    },
    links: { end: delay("cn_delay"), local: delay("local_delay"), global: delay("global_delay") },
    cycle: new Said("1ps", "times of CODES are no cycles: a fine grain"),
    flit: new Said("1B", "CODES knows bytes, no flits"),
  }
}

export function codesSpec(c: CodesConfig, off?: ReadonlySet<Quirk>): NetworkSpec {
  return valuesOf(codesTree(c, off)) as NetworkSpec
}

/** The value that all these keys have; which they do is checked before. */
function same(c: CodesConfig, ...keys: string[]): number {
  return keys.map((key) => num(c, key))[0]
}

function topologyTree(c: CodesConfig): Tree {
  const n = (key: string) => () => num(c, key)
  switch (models[modelOf(c)]) {
    case "slimfly": {
      const size = { q: n("num_routers"), p: n("num_terminals") }
      const name = () => (rails(c) === 1 ? "slimfly" : "fitfly")
      return rails(c) === 1 ? { name, ...size } : { name, ...size, rails: n("num_rails") }
    }
    case "dragonfly": {
      const size = { p: n("num_cns_per_router"), a: n("num_routers"), h: n("num_global_channels"), g: n("num_groups") }
      return { name: () => models[modelOf(c)], ...size, arrangement: () => fileOf(c) !== "" && "codes" }
    }
    default: {
      const size = {
        groups: n("num_groups"),
        leaves: n("num_router_leaf"),
        spines: n("num_router_spine"),
        p: n("num_cns_per_router"),
      }
      return { name: () => models[modelOf(c)], ...size, h: n("num_global_connections") }
    }
  }
}

function routingTree(c: CodesConfig, vc0: boolean): Tree {
  const name = () => `${models[modelOf(c)]}.codes-${text(c, "routing")}`
  if (name() !== "slimfly.codes-adaptive") return { name }
  return { name, draws: new Said(4, "detours that CODES weighs"), sees: new Said(vc0 ? "vc0" : "all", quirks.vc0) }
}

function selectOf(c: CodesConfig, fixed: boolean): string {
  const select = text(c, "rail_select")
  if (rails(c) === 1) return "congestion"
  if (select === "rand") return fixed ? "dedicated" : "random"
  return select === "path" || select === "dedicated" ? select : "congestion"
}

const nobody = "CODES reads it nowhere"
const memoryNote = "memory for CODES' own structures and events"
const counted = "follows from the sizes of the network, which are mapped"

/** key -> why no value of it matters here */
export const codesHarmless: Readonly<Record<string, string>> = {
  ...{
    message_size: memoryNote,
    pe_mem_factor: memoryNote,
    csf_ratio: nobody,
    link_delay: nobody,
    repetitions: counted,
    "nw-lp": counted,
  },
  ...{
    node_copy_queues: "read by the replay of traces only",
    node_eager_limit: "read for messages of an endpoint to itself only",
  },
  ...{
    local_channels: counted,
    global_channels: counted,
    "intra-group-connections": "groups are fully linked in the wirings that are known",
  },
  num_injection_queues: "an interface has one queue of messages here, however many rails",
}

/** key -> the value that means the same here, and why others do not */
const fixed: Readonly<Record<string, readonly [only: string, why: string]>> = {
  modelnet_scheduler: ["fcfs", "messages leave in the order in which they come"],
  adaptive_threshold: ["0", "detours are weighed without a threshold"],
  num_level_chans: ["1", "one link joins a leaf and a spine"],
  route_scoring_metric: ["delta", "the score of a detour is doubled"],
}

const mapped = new Set(
  `modelnet_order num_rails sf_type rail_select num_routers num_terminals num_vcs generator_set_X
    generator_set_X_prime routing packet_size chunk_size local_vc_size global_vc_size cn_vc_size local_bandwidth
    global_bandwidth cn_bandwidth router_delay nic_seq_delay num_groups num_cns_per_router num_global_channels
    num_router_leaf num_router_spine num_global_connections inter-group-connections cn_delay local_delay
    global_delay`.split(/\s+/),
)

/** `generators`: those of our Slim Fly, for its q; left out: not looked at. */
export function refusedCodes(c: CodesConfig, generators?: (q: number) => readonly (readonly number[])[]): Complaint[] {
  const model = modelOf(c)
  const kind = models[model]
  if (kind === undefined) {
    const says =
      model === ""
        ? "is missing: nothing says which network this is"
        : `${model}: this network of CODES is not modelled`
    return [complain("modelnet_order", says, `those that are: ${Object.keys(models).join(", ")}`)]
  }
  const bad: Complaint[] = []
  const needed: Readonly<Record<string, readonly string[]>> = {
    slimfly: ["num_routers", "num_terminals"],
    dragonfly: ["num_routers", "num_groups", "num_cns_per_router", "num_global_channels", "inter-group-connections"],
    megafly: [
      "num_groups",
      "num_router_leaf",
      "num_router_spine",
      "num_cns_per_router",
      "num_global_connections",
      "inter-group-connections",
    ],
  }
  for (const key of [
    ...needed[kind],
    "routing",
    "packet_size",
    "chunk_size",
    ...alike.flat(),
    "router_delay",
    "nic_seq_delay",
  ])
    if (c[key] === undefined)
      bad.push(complain(key, "is missing, and CODES' own default is not mapped", "write it into the file"))
  for (const [key, value] of Object.entries(c)) {
    const rule = fixed[key]
    if (rule !== undefined && value !== rule[0])
      bad.push(complain(key, `${value}: ${rule[1]}`, `leave it at ${rule[0]}`))
    else if (rule === undefined && !mapped.has(key) && codesHarmless[key] === undefined && !/^modelnet_/.test(key))
      bad.push(
        complain(key, "is no key whose meaning is known here", "leave it out if the network does not depend on it"),
      )
  }
  if (bad.length > 0) return bad
  if (!routings[kind].includes(text(c, "routing")))
    bad.push(
      complain(
        "routing",
        `${text(c, "routing")}: there is no counterpart on ${model}`,
        `choose one of ${routings[kind].join(", ")}`,
      ),
    )
  for (const [first, ...others] of alike)
    for (const key of others)
      if (num(c, key) !== num(c, first!))
        bad.push(
          complain(key, `${c[key]} is not ${first}'s ${c[first!]}: there is one value for all here`, "set them alike"),
        )
  return [...bad, ...(kind === "slimfly" ? refusedRails(c, generators) : refusedWiring(c, kind))]
}

const alike = [
  ["local_vc_size", "global_vc_size", "cn_vc_size"],
  ["local_bandwidth", "global_bandwidth", "cn_bandwidth"],
] as const satisfies readonly (readonly string[])[]

function refusedRails(
  c: CodesConfig,
  generators: ((q: number) => readonly (readonly number[])[]) | undefined,
): Complaint[] {
  const bad: Complaint[] = []
  const n = rails(c)
  const select = text(c, "rail_select")
  if (c["sf_type"] !== undefined && num(c, "sf_type") !== (n > 1 ? 1 : 0))
    bad.push(complain("sf_type", `${c["sf_type"]} with num_rails = ${n}`, `set it to ${n > 1 ? 1 : 0}`))
  if (n > 1 && !["congestion", "path", "rand", "dedicated"].includes(select))
    bad.push(
      complain(
        "rail_select",
        `${select === "" ? "nothing" : select}: there is no counterpart`,
        "choose congestion, path, rand or dedicated",
      ),
    )
  if (["rand", "dedicated"].includes(select) && n > 1 && num(c, "num_injection_queues") !== n)
    bad.push(
      complain(
        "num_injection_queues",
        `${c["num_injection_queues"] ?? "nothing"}: rails are dealt by queues`,
        `set it to ${n}`,
      ),
    )
  // links join rows whose distance is in a set: its order does not matter
  const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b).join()
  const sets = generators?.(num(c, "num_routers")) ?? []
  for (const [i, key] of (["generator_set_X", "generator_set_X_prime"] as const).entries())
    if (sets[i] !== undefined && c[key] !== undefined && sorted(c[key].split(",").map(Number)) !== sorted(sets[i]))
      bad.push(
        complain(
          key,
          `${c[key]} is another graph than ours of q = ${c["num_routers"]}`,
          `set it to ${sets[i].join(", ")}`,
        ),
      )
  return bad
}

function refusedWiring(c: CodesConfig, kind: "dragonfly" | "megafly"): Complaint[] {
  const bad: Complaint[] = []
  const file = fileOf(c)
  const [size, links] =
    kind === "dragonfly" ? ["num_routers", "num_global_channels"] : ["num_router_spine", "num_global_connections"]
  const shape = [num(c, size), num(c, "num_groups"), num(c, links)]
  if (wirings[file] === undefined || wirings[file].join() !== shape.join())
    bad.push(
      complain(
        "inter-group-connections",
        `${file}: the wiring of ${shape.join(", ")} (routers of a group, groups, global links) is not known here`,
        `those that are: ${Object.keys(wirings).join(", ")}`,
      ),
    )
  const delays = ["cn_delay", "local_delay", "global_delay"].filter((key) => c[key] !== undefined)
  if (delays.length > 0 && delays.length < 3)
    bad.push(
      complain(delays[0], "is given without the others: those are as long as a chunk takes", "give all three, or none"),
    )
  return bad
}
