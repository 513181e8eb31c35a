// Refusal instead of silence: whatever an experiment may ask of switches and endpoints (model/abilities.ts) is refused,
// in these words, by every switch that does not declare it, and by none that does; and every pair of switch, endpoint
// and congestion management is run or refused with a place and a way out.
import { describe, expect, test } from "vitest"
import type { Complaint } from "../../src/core/complaint.ts"
import { Catalog } from "../../src/experiment/catalog.ts"
import { complete } from "../../src/experiment/complete.ts"
import { isMap } from "../../src/experiment/fields.ts"
import { keysOf } from "../../src/experiment/keys.ts"
import { listTraffic } from "../../src/experiment/settings.ts"
import { congestions, endpoints, routings, switches } from "../../src/library.ts"
import { type Ability, abilities } from "../../src/model/abilities.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import {
  changed,
  combined,
  flit,
  infiniband,
  omniPath,
  packet,
  queueScheme,
  type Tree,
  tiled,
} from "../effects/scenes.ts"
import { host } from "./machines.ts"

const keys = keysOf(new Catalog())
const scenes: Readonly<Record<string, Tree>> = {
  "input-queued": flit,
  tiled,
  combined,
  infiniband,
  "omni-path": omniPath,
  "queue-scheme": queueScheme,
  chunk: packet,
}

const torus = (routing: string) => ({
  "network.topology": { name: "torus", sides: "4x4", p: 2 },
  "network.routing": routing,
  "network.switch.flow": "cut-through",
})
/** How an experiment asks for it, besides what the scene has. */
const asks: Readonly<Record<Ability, Readonly<Record<string, unknown>>>> = {
  classes: { "traffic.class": 1 },
  priorities: { "traffic.priority": 1 },
  replies: { "traffic.reply": "1flit" },
  admittance: { "network.endpoint": { name: "adapter" } },
  acknowledgements: { "network.endpoint": { name: "queue-pairs" } },
  drawnVcs: { "network.endpoint": { name: "simple", vc: "random" } },
  streamVcs: { "network.endpoint": { name: "simple", vc: "booksim2" }, "traffic.reply": "1flit" },
  marks: { "network.congestion": { name: "ecn-window" } },
  sensing: { "network.congestion": { name: "cbcm" } },
  telemetry: { "network.congestion": { name: "dcqcn" } },
  drops: { "network.congestion": { name: "srp" } },
  copies: { "network.congestion": { name: "srp", again: "stash" } },
  protocols: { "network.congestion": { name: "ecn-delay" } },
  windows: { "network.congestion": { name: "ecn-window" } },
  bubbles: torus("torus.bubble"),
  schedulers: { "network.qos": { name: "round-robin" } },
  escapes: torus("torus.adaptive"),
  occupancy: { probes: [{ name: "occupancy" }] },
  laneFill: { probes: [{ name: "occupancy", lanes: true }] },
  events: { probes: [{ name: "events" }] },
  packetEvents: { probes: [{ name: "events", kinds: ["dropped"] }] },
  lineEvents: { probes: [{ name: "events", kinds: ["lineAllocated"] }] },
  farQueues: { "network.topology": { name: "dragonfly", p: 2, a: 4, h: 2 }, "network.routing": "dragonfly.ugal-g" },
}

function prepared(tree: Tree): ReturnType<typeof prepare> {
  const copy = structuredClone(tree)
  listTraffic(copy)
  const spec = complete(copy, keys)
  return "bad" in spec ? spec : prepare({ ...spec.ok, seed: 1 }, host)
}

/** Keys that only another switch has go. */
function asking(name: string, settings: Readonly<Record<string, unknown>>): Tree {
  const scene = scenes[name]
  const stream = Array.isArray(scene["traffic"]) ? "traffic.0" : "traffic"
  const kept = Object.entries(settings).filter(([key]) => key !== "network.switch.flow" || name === "input-queued")
  // another network has other classes of links, and another number of ports
  const plain = {
    "network.links": {},
    ...(name === "tiled" ? { "network.switch": { name, vcs: 8, rows: 1, columns: 1 } } : {}),
    ...(name === "omni-path" ? { "network.switch.mport": 1 } : {}),
  }
  const links = "network.topology" in settings ? plain : {}
  return changed(
    scene,
    Object.fromEntries([...kept.map(([k, v]) => [k.replace(/^traffic(?=\.)/, stream), v]), ...Object.entries(links)]),
  )
}

function endpointOf(tree: Tree): string {
  const named = (tree["network"] as Tree)["endpoint"]
  return isMap(named) && typeof named["name"] === "string" ? named["name"] : "simple"
}

describe("what a switch or an endpoint does not declare is refused, what they declare is not", () => {
  test("every switch has a scene", () => {
    expect(switches.map((s) => s.name).sort()).toEqual(Object.keys(scenes).sort())
  })
  const all = switches.flatMap((s) => (Object.keys(abilities) as Ability[]).map((a) => [s.name, a] as const))
  test.each(all)("%s: %s", (name, ability) => {
    const tree = asking(name, asks[ability])
    const doers = {
      switch: switches.find((s) => s.name === name)!,
      endpoint: endpoints.find((e) => e.name === endpointOf(tree))!,
    }
    const lacking = abilities[ability].of.filter((who) => doers[who].can?.includes(ability) !== true)
    const got = prepared(tree)
    const said = "bad" in got ? got.bad.filter((c) => c.says.includes(`needs ${abilities[ability].about}`)) : []
    expect(said.map((c) => lacking.every((who) => c.says.includes(`${who} "${doers[who].name}"`)))).toEqual(
      lacking.length > 0 ? [true] : [],
    )
    expect(said.every((c) => c.path !== "" && c.fix !== "")).toBe(true)
  })
  test("routings ask for what the table knows", () => {
    const asked = new Set(routings.flatMap((r) => r.needs?.({} as never) ?? []))
    expect([...asked].filter((a) => !(a in asks))).toEqual([])
  })
})

describe("every switch with every endpoint, congestion management and engine", () => {
  const pairs = switches.flatMap((s) =>
    endpoints.flatMap((e) =>
      congestions.flatMap((c) => ["flit", "packet"].map((g) => [s.name, e.name, c.name, g] as const)),
    ),
  )
  test.each(pairs)(
    "%s, %s, %s, engine %s: runs, or is refused with a place and a way out",
    async (name, endpoint, congestion, engine) => {
      const tree = changed(scenes[name], {
        "network.endpoint": { name: endpoint },
        "network.congestion": { name: congestion },
        engine: { name: engine },
      })
      const got = prepared(tree)
      if ("bad" in got) {
        expect(got.bad.filter((c: Complaint) => c.path === "" || c.says === "" || c.fix === "")).toEqual([])
        return
      }
      const { values } = await simulate(got.ok, { threads: false, audit: true })
      expect(values["packets"]).toBeGreaterThan(0)
    },
  )
})
