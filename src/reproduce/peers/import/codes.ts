// A configuration of CODES as an experiment file: the mapping of ../codes, which `validate` runs, written down with its
// keys. The file holds the network; what is sent is in the arguments of CODES' driver, which can be given too. Without
// them what is written is a network for `include`.
import { type Checked, type Complaint, complain } from "../../../core/complaint.ts"
import { buildTopology } from "../../../inspect/topology-build.ts"
import type { SlimFly } from "../../../topologies/slimfly.ts"
import { type CodesConfig, codesHarmless, codesTree, refusedCodes } from "../codes/network.ts"
import { leavesOf, noted, Said, type Told, type Tree } from "../provenance.ts"
import { accepted, headOf, type Imported, refusedFile } from "./imported.ts"
import { yamlOf } from "./yaml.ts"

/** Blocks of `key="value";` and `key=("a", "b");`, any depth, `#` to the end of a line is a comment: one list of keys.
 *  */
export function readCodes(file: string, text: string): Checked<CodesConfig> {
  const other = refusedFile("codes", file, text)
  if (other.length > 0) return { bad: other }
  const config: Record<string, string> = {}
  const bad: Complaint[] = []
  let depth = 0
  for (const [i, line] of text.split("\n").entries()) {
    let rest = line.replace(/#.*$/, "").trim()
    while (rest !== "") {
      const got = /^(?:([\w-]+)\s*=\s*(?:\(([^)]*)\)|"([^"]*)")\s*;?|[\w-]+(?=\s*\{|\s*$)|\{|\})\s*/.exec(rest)
      if (got === null) {
        bad.push(
          complain(`${file}:${i + 1}`, `"${rest.slice(0, 60)}" is neither a block nor a setting`, 'write key="value";'),
        )
        break
      }
      if (got[1] !== undefined) config[got[1]] = got[3]?.trim() ?? listed(got[2])
      if (got[0].startsWith("{")) depth++
      if (got[0].startsWith("}")) depth--
      rest = rest.slice(got[0].length)
    }
  }
  if (bad.length === 0 && depth !== 0) bad.push(complain(file, "its blocks are not closed", "close every { with }"))
  return bad.length > 0 ? { bad } : { ok: config }
}

function listed(inside: string): string {
  return inside
    .split(",")
    .map((item) => item.trim().replaceAll('"', ""))
    .join()
}

const heads = {
  network: "LPGROUPS and PARAMS of CODES",
  "network.topology": "the network of modelnet_order",
  "network.routing": "routing",
  "network.switch": "its routers",
  "network.endpoint": "its network interfaces",
  "network.links": "delays of its links",
  engine: "how time advances",
  traffic: "the arguments of the driver",
  "traffic.*.pattern": "--traffic",
  "traffic.*.arrivals": "when the driver sends",
  "traffic.*.packet": "--payload_size",
  measure: "the arguments of the driver",
}

/** `driver`: the arguments of CODES' synthetic driver, as one text. */
export function importCodes(file: string, text: string, driver?: string): Checked<Imported> {
  const read = readCodes(file, text)
  if ("bad" in read) return read
  const config = read.ok
  const args = driver === undefined ? {} : argumentsOf(driver)
  const bad = [...refusedCodes(config, generators), ...(driver === undefined ? [] : refusedDriver(config, args))]
  if (bad.length > 0) return { bad }
  const asked = new Set<string>()
  const head = [
    { path: ["lacewing"], value: 1, keys: [], why: "version of the form of this file" },
    { path: ["title"], value: `${file.replace(/^.*\//, "")} of CODES`, keys: [], why: "the name of the file" },
  ]
  const sent = driver === undefined ? {} : driverTree(noted(args, asked))
  const tree: Tree = {
    network: codesTree(noted(config, asked)),
    engine: { name: new Said("packet", "CODES moves chunks by events") },
    ...sent,
  }
  const leaves: Told[] = [...head, ...leavesOf(tree, asked)]
  const yaml = yamlOf(leaves, (of) => remark(of, { ...config, ...args }), heads)
  const without = withoutLine(config, new Set(leaves.flatMap((l) => l.keys)))
  const note =
    driver === undefined
      ? "# What is sent is no part of that file: give the arguments of CODES' driver " +
        "with --driver, or include this file where traffic is.\n"
      : ""
  const made = { yaml: `${headOf(file, "CODES", without)}${note}\n${yaml}`, without }
  // without traffic, the network is compared with lacewing's under any traffic
  const probe =
    driver === undefined
      ? { ...made, yaml: `${made.yaml}traffic: { pattern: uniform, load: 0.1, packet: 64B }\n` }
      : made
  const got = accepted(file, probe, leaves)
  return "bad" in got ? got : { ok: made }
}

function remark({ keys, why }: Told, config: CodesConfig): string {
  const each = keys.flatMap((key) => (Object.hasOwn(config, key) ? [`${key} = ${config[key]}`] : []))
  return [...each, ...(why === undefined ? [] : [why])].join("; ")
}

function withoutLine(config: CodesConfig, used: ReadonlySet<string>): Imported["without"] {
  const checked = "compared with the network of lacewing, and equal"
  return Object.entries(config).flatMap(([key, value]) =>
    used.has(key) ? [] : [{ key, value, why: codesHarmless[key] ?? checked }],
  )
}

function generators(q: number): readonly (readonly number[])[] {
  const built = buildTopology("slimfly", { q })
  return "bad" in built ? [] : (built.ok.topology as SlimFly).plane.generators
}

/** `--key=value --key=value` */
function argumentsOf(text: string): CodesConfig {
  return Object.fromEntries([...text.matchAll(/--([\w-]+)=(\S+)/g)].map((m) => [`--${m[1]}`, m[2]]))
}

function refusedDriver(c: CodesConfig, args: CodesConfig): Complaint[] {
  if (!c["modelnet_order"]?.startsWith("slimfly"))
    return [
      complain(
        "--driver",
        "CODES' driver of the dragonflies sends from all endpoints at the same instants: there is no such stream",
        "leave it out, and write traffic by hand",
      ),
    ]
  const bad: Complaint[] = []
  for (const key of ["--traffic", "--load_per_svr", "--payload_size", "--end"])
    if (args[key] === undefined)
      bad.push(complain(key, "is missing among the arguments of the driver", `give ${key}=…`))
  if (args["--traffic"] !== undefined && args["--traffic"] !== "1")
    bad.push(complain("--traffic", `${args["--traffic"]}: there is no counterpart`, "uniform traffic is 1"))
  const known = [
    "--traffic",
    "--load_per_svr",
    "--payload_size",
    "--end",
    "--warm_up_time",
    "--num_messages",
    "--sync",
    "--synch",
  ]
  for (const key of Object.keys(args))
    if (!known.includes(key)) bad.push(complain(key, "is no argument whose meaning is known here", "leave it out"))
  return bad
}

function driverTree(args: CodesConfig): { readonly [part: string]: Tree } {
  const warmup = () => Number(args["--warm_up_time"] ?? 0)
  return {
    traffic: [
      {
        name: new Said("codes", "one stream"),
        pattern: { name: () => args["--traffic"] && "uniform", self: new Said(true, "CODES draws the sender too") },
        arrivals: { name: new Said("poisson", "exponential gaps") },
        packet: { name: new Said("fixed", "all alike"), size: () => `${args["--payload_size"]}B` },
        load: () => Number(args["--load_per_svr"]),
      },
    ],
    measure: {
      warmup: () => `${warmup()}ns`,
      window: () => `${Number(args["--end"]) - warmup()}ns`,
      limit: () => `${Number(args["--end"]) + 1}ns`,
      drain: new Said("none", "CODES stops at its end"),
      saturation: new Said("never", "CODES runs to its end"),
    },
  }
}
