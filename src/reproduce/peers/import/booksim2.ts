// A configuration of BookSim2 as an experiment file: the mapping of ../booksim2, which `validate` runs, written down
// with its keys.
import { type Checked, type Complaint, complain } from "../../../core/complaint.ts"
import { refused, treeOf } from "../booksim2/config.ts"
import { booksim2Keys, type Config, isAnswered } from "../booksim2/keys.ts"
import { ignoresTypes } from "../booksim2/network.ts"
import { leavesOf, noted, type Told } from "../provenance.ts"
import { accepted, headOf, type Imported, refusedFile } from "./imported.ts"
import { yamlOf } from "./yaml.ts"

/** `key = value;`, `//` to the end of a line is a comment. A key that is set twice has its last value, as in BookSim2.
 *  */
export function readConf(file: string, text: string): Checked<Config> {
  const other = refusedFile("booksim2", file, text)
  if (other.length > 0) return { bad: other }
  const config: Record<string, string> = {}
  const bad: Complaint[] = []
  let line = 1
  for (const piece of text.replaceAll(/\/\/.*$/gm, "").split(";")) {
    const at = line + (/^\s*/.exec(piece)![0].split("\n").length - 1)
    line += piece.split("\n").length - 1
    const statement = piece.trim()
    if (statement === "") continue
    const got = /^([A-Za-z_]\w*)\s*=\s*([^=]+)$/.exec(statement)
    if (got === null)
      bad.push(
        complain(
          `${file}:${at}`,
          `"${statement.replaceAll(/\s+/g, " ").slice(0, 60)}" is no setting`,
          "write key = value;",
        ),
      )
    else config[got[1]] = got[2].replaceAll(/\s+/g, "").replaceAll(/^"|"$/g, "")
  }
  return bad.length > 0 ? { bad } : { ok: config }
}

const heads = {
  network: "topology, routing_function and router of BookSim2",
  "network.topology": "topology with its sizes",
  "network.routing": "routing_function",
  "network.endpoint": "its terminals",
  "network.links": "its channels",
  "network.switch": "router = iq",
  engine: "how time advances",
  traffic: "a stream for each of its classes",
  "traffic.*.pattern": "traffic",
  "traffic.*.arrivals": "injection_process",
  "traffic.*.packet": "packet_size",
  "traffic.*.message": "packets of a message",
  measure: "sim_type and its samples",
}

/** `cycles`: how long BookSim2 simulated, where it ended before its samples did. */
export function importBookSim2(file: string, text: string, cycles?: number): Checked<Imported> {
  const read = readConf(file, text)
  if ("bad" in read) return read
  const config = read.ok
  const bad = refused(config)
  if (bad.length > 0) return { bad }
  const asked = new Set<string>()
  const head = [
    { path: ["lacewing"], value: 1, keys: [], why: "version of the form of this file" },
    { path: ["title"], value: `${file.replace(/^.*\//, "")} of BookSim2`, keys: [], why: "the name of the file" },
  ]
  const mapped = leavesOf(treeOf(noted(config, asked), cycles), asked)
  const leaves: Told[] = [...head, ...mapped, ...watched(mapped)]
  const yaml = yamlOf(leaves, (of) => remark(of, config), heads)
  const without = withoutLine(config, new Set(leaves.flatMap((l) => l.keys)))
  return accepted(file, { yaml: `${headOf(file, "BookSim2", without)}\n${yaml}`, without }, leaves)
}

/** Rules of BookSim2 that can deadlock: lacewing would refuse to run them. */
function watched(leaves: readonly Told[]): Told[] {
  const valueAt = (...path: string[]) => leaves.find((l) => l.path.join(".") === path.join("."))?.value
  const shares =
    valueAt("network", "routing", "odd") === "shared" && Number(valueAt("network", "switch", "vcs")) % 2 === 1
  if (valueAt("network", "routing", "name") !== "dragonfly.booksim-ugal" && !shares) return []
  return [{ path: ["measure", "deadlock"], value: "watch", keys: [], why: "BookSim2 runs networks that can deadlock" }]
}

function remark({ keys, why }: Told, config: Config): string {
  const each = keys.map((key) =>
    Object.hasOwn(config, key) ? `${key} = ${config[key]}` : `${key} not given: ${booksim2Keys.mapped[key]}`,
  )
  return [...each, ...(why === undefined ? [] : [why])].join("; ")
}

/** Keys of the file that no line was made from. */
function withoutLine(config: Config, used: ReadonlySet<string>): Imported["without"] {
  const unread = "no value that is mapped here depends on it with these settings"
  const ranges = ignoresTypes(config)
    ? "BookSim2's dragonfly ignores the ranges of VCs: requests and replies share all of them"
    : "requests have the lower half of the VCs here and replies the upper half, as the file says"
  const mapped = (key: string) => (isAnswered(config) && /_(begin|end)_vc$/.test(key) ? ranges : unread)
  const why = (key: string) =>
    booksim2Keys.harmless[key] ??
    (booksim2Keys.fixed[key] !== undefined
      ? `the only value that is mapped: ${booksim2Keys.fixed[key].why}`
      : mapped(key))
  return Object.entries(config).flatMap(([key, value]) => (used.has(key) ? [] : [{ key, value, why: why(key) }]))
}
