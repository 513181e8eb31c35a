// Every renamed key and probe with a small experiment that uses it, written with either name.
import { isMap } from "../../src/experiment/fields.ts"
import { library } from "../../src/library.ts"
import { sceneOf } from "../effects/plugin-scenes.ts"
import { changed, flit, infiniband, jobs, type Tree } from "../effects/scenes.ts"

export interface RenamedKey {
  /** the map that has the key */
  readonly at: string
  readonly was: string
  readonly now: string
  readonly kind?: string
  readonly plugin?: string
  /** the experiment with this name of the key */
  of(name: string): Tree
}

/** A key of a plug-in, in the scene that test/effects has for it. */
function key(kind: string, plugin: string, was: string, now: string, value: unknown, more: Tree = {}): RenamedKey {
  const [scene, at] = sceneOf(library.find((p) => p.kind === kind && [p.name, ...(p.aliases ?? [])].includes(plugin))!)
  const of = (name: string): Tree => {
    const tree = changed(scene, { ...more, [`${at}.${name}`]: value })
    const slot = at
      .split(".")
      .reduce<unknown>((map, part) => (isMap(map) || Array.isArray(map) ? Reflect.get(map, part) : {}), tree)
    if (isMap(slot)) for (const other of [was, now]) if (other !== name) delete slot[other]
    return tree
  }
  return { at, was, now, kind, plugin, of }
}

const stash = { "network.switch": { name: "tiled", rows: 2, columns: 3, vcs: 8, stash: { end: 0.5 } } }
const fbicm = { "network.switch.scheme": "fbicm-2", "network.switch.memory": "128flits" }

export const renamedKeys: readonly RenamedKey[] = [
  ...["srp", "smsrp", "lhrp"].map((p) => key("congestion", p, "again", "retransmitFrom", "stash", stash)),
  key("congestion", "cbcm", "least", "minPackets", 5),
  key("congestion", "dcqcn", "least", "minRate", 0.01),
  key("congestion", "ecn-window", "least", "minWindow", "12flits"),
  key("congestion", "srp", "least", "reserveFrom", "6flits"),
  key("congestion", "cbcm", "full", "maxQueued", 16),
  key("congestion", "cbcm", "holders", "countInTransit", true),
  key("congestion", "nscc", "fall", "proportionalDecrease", 0.25),
  key("congestion", "rccc", "free", "initialCredit", "12flits"),
  ...["infiniband", "omni-path"].flatMap((p) => [
    key("switch", p, "least", "reservedPerVl", "9flits"),
    key("switch", p, "most", "maxPerVl", "24flits"),
  ]),
  key("switch", "queue-scheme", "aside", "cfqTotal", "96flits", fbicm),
  key("switch", "queue-scheme", "answer", "allocateAck", false, fbicm),
  key("switch", "tiled", "still", "blockedCap", { link: 0.3 }),
  ...["dragonfly.par62", "dragonfly.par62-direct"].map((p) => key("routing", p, "behind", "maxRemoteQueue", "24flits")),
  key("workload", "ring", "laps", "iterations", 2),
  ...[
    "halo",
    "collective",
    "amg",
    "multigrid",
    "minife",
    "nekbone",
    "hilo",
    "fill-boundary",
    "cns",
    "bigfft",
    "amr",
  ].map((w) => key("workload", w, "turns", "iterations", 2)),
  { at: "jobs.0", was: "place", now: "placement", of: (name) => changed(jobs, { [`jobs.0.${name}`]: "random" }) },
  {
    at: "probes.0",
    was: "lanes",
    now: "perVl",
    kind: "probe",
    plugin: "occupancy",
    of: (name) => changed(infiniband, { "measure.series": "50cycles", probes: [{ name: "occupancy", [name]: true }] }),
  },
  {
    at: "probes.0.name",
    was: "standing",
    now: "blocked",
    of: (name) => changed(flit, { "measure.series": "50cycles", probes: [{ name, cycles: "40cycles" }] }),
  },
]
