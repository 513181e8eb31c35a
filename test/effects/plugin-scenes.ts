// A small experiment for every plug-in of the library, and the files that some of them read.
import type { AnyPlugin } from "../../src/library.ts"
import { files } from "../contract/cases.ts"
import { cases } from "../contract/routing-cases.ts"
import { fatTree, ibnetdiscoverText, lftText, shortestPorts } from "../subnet/fabric.ts"
import { goalRing, simgridRank } from "../support/traces/texts.ts"
import {
  changed,
  combined,
  contended,
  flit,
  infiniband,
  jobs,
  omniPath,
  packet,
  queueScheme,
  type Tree,
  tiled,
} from "./scenes.ts"
import { special } from "./table.ts"

/** A link twice; traffic of 16 endpoints, all alike and not. */
const own: Readonly<Record<string, string>> = {
  ...files,
  "double.txt": "a b\na b\nb c\nc a\n",
  "other.net": ibnetdiscoverText(fatTree(3, 1, 2)),
  // all packets of this fabric use the other spine
  "other.lft": lftText(
    fatTree(3, 2, 2),
    shortestPorts(fatTree(3, 2, 2), (_, to, goal) => to < 3 || to === 4 - (goal % 2)),
  ),
  "pair.txt": "a b\nb c\n",
  // the other of two equal ways
  "other-square.txt": (files["square.txt"] ?? "").replace("1 2 0 # x first", "1 2 3"),
  "two.goal": goalRing(2),
  "three.goal": goalRing(3),
  "ti.txt": `${simgridRank(0, 2)}\n${simgridRank(1, 2)}\n`,
  "seats.txt": "0 1 2 3",
  "other-seats.txt": "3 6 9 10",
  "week.csv":
    `sec,usec,disk,op,bytes\n` +
    `${Array.from({ length: 40 }, (_, i) => `0,${3 * i},${i % 2},${i % 3 === 0 ? "R" : "W"},64`).join("\n")}`,
  "other-week.csv": `sec,usec,disk,op,bytes\n${Array.from({ length: 40 }, (_, i) => `0,${2 * i},${i % 3},R,128`).join("\n")}`,
  "all.csv": `${"1,".repeat(15)}1\n`.repeat(16),
  "some.csv": `${"1,2,".repeat(7)}1,2\n`.repeat(16),
}
export const host = {
  read: (path: string): string => {
    const text = own[path]
    if (text === undefined) throw new Error(`no file ${path}`)
    return text
  },
}

/** A small experiment that uses the plug-in, and the key under which it is named. */
export function sceneOf(plugin: AnyPlugin): readonly [Tree, string] {
  const needed = special[`${plugin.kind} ${plugin.name}`]?.with ?? {}
  const named = { name: plugin.name, ...needed }
  switch (plugin.kind) {
    case "topology": {
      const scene =
        "rails" in plugin.params.fields
          ? changed(packet, { "network.routing": "slimfly.minimal" })
          : changed(flit, { "network.routing": "any.up-down" })
      return [
        changed(scene, {
          "network.topology": named,
          "network.links": {},
          "measure.window": scene["engine"] === undefined ? "80cycles" : "2us",
        }),
        "network.topology",
      ]
    }
    case "routing": {
      const c =
        cases.find((one) => one.routing === plugin.name && one.topology !== "fitfly") ??
        cases.find((one) => one.routing === plugin.name)!
      const settings = {
        "network.topology": { name: c.topology, ...c.on, ...(c.topology === "fitfly" ? { rails: 1 } : {}) },
        "network.routing": { ...c.raw, ...named },
        "network.switch.vcs": 8,
      }
      return [changed(flit, settings), "network.routing"]
    }
    case "pattern":
      return [
        changed(flit, {
          "network.topology": { name: "torus", sides: "4x4" },
          "network.routing": "torus.dimension-order",
          "traffic.pattern": named,
        }),
        "traffic.pattern",
      ]
    case "arrivals":
      return [changed(flit, { "traffic.arrivals": named }), "traffic.arrivals"]
    case "sizes":
      return [changed(flit, { "traffic.packet": named }), "traffic.packet"]
    case "switch":
      return [switchScenes[plugin.name], "network.switch"]
    case "endpoint":
      return [
        { rails: packet, "queue-pairs": tiled, "service-levels": infiniband, adapter: queueScheme }[plugin.name] ??
          flit,
        "network.endpoint",
      ]
    case "congestion":
      return plugin.name === "ecn-window"
        ? [tiled, "network.congestion"]
        : [changed(contended, { "network.congestion": named }), "network.congestion"]
    case "qos":
      return [changed(infiniband, { "network.qos": named }), "network.qos"]
    case "probe":
      return [changed("operations" in plugin ? jobs : flit, { probes: [named] }), "probes.0"]
    case "workload":
      return [changed(jobs, { "jobs.0.workload": named }), "jobs.0.workload"]
    default:
      return [flit, plugin.kind]
  }
}

export const switchScenes: Readonly<Record<string, Tree>> = {
  "input-queued": flit,
  tiled,
  combined,
  infiniband,
  "omni-path": omniPath,
  "queue-scheme": queueScheme,
  chunk: packet,
}
