// One list of values: small runs of every machine, with all probes, say nothing that is not on it for that machine, and
// whatever is on it comes out of one of them; streams' own values too. The page of results shows the same list.
import { describe, expect, test } from "vitest"
import { Catalog } from "../../src/experiment/catalog.ts"
import { complete } from "../../src/experiment/complete.ts"
import { machineOf, ownersOf } from "../../src/experiment/expect.ts"
import { keysOf } from "../../src/experiment/keys.ts"
import { listTraffic } from "../../src/experiment/settings.ts"
import { machines, valueInfo, values } from "../../src/experiment/values/list.ts"
import { probes } from "../../src/library.ts"
import { namesOf } from "../../src/model/missing.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
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
} from "../effects/scenes.ts"
import { unsound } from "../support/unsound.ts"

const keys = keysOf(new Catalog())
const automatic = {
  "measure.warmup": "auto",
  "measure.window": "auto",
  "measure.precision": 0.5,
  "measure.limit": "16kcycles",
}
const grouped = {
  "network.topology": { name: "dragonfly", p: 1, a: 2, h: 1 },
  "network.links": {},
  "network.routing": "any.up-down",
}
const two = (size: string) => ["one", "two"].map((name) => ({ name, pattern: "uniform", load: 0.05, packet: size }))
const all = { probes: probes.map((p) => p.name) }
/** of what the packet engine has */
const some = { probes: probes.filter((p) => p.needs === undefined).map((p) => p.name) }
const streams = { ...grouped, ...all }

/** A program of two ranks. */
const workload = { name: "collective", ranks: 2, bytes: "100B" }
const ring = {
  jobs: [{ workload: { name: "halo", grid: "2x1x1", bytes: "100B", compute: "10ns" } }, { name: "b", workload }],
  "measure.until": "jobs",
  probes: ["timeline"],
}

const switched = (tiled["network"] as { readonly switch: object }).switch

const runs: Readonly<Record<string, readonly Tree[]>> = {
  "input-queued": [
    changed(flit, { ...streams, ...automatic, traffic: two("2flits") }),
    changed(flit, { "traffic.reply": "2flits", "traffic.load": 0.2 }),
    changed(flit, ring),
  ],
  tiled: [
    // the probe of groups wants groups, which the scene has not
    changed(tiled, { probes: all.probes.filter((p) => p !== "groups"), "network.switch.linkErrors": { link: 0.1 } }),
    changed(tiled, { ...automatic, "network.switch.errors": {}, "traffic.0.load": 0.05, "traffic.1.load": 0.1 }),
    changed(tiled, {
      "network.routing": "mesh.dimension-order",
      "network.congestion": { name: "srp", reserveFrom: "1flits", vcs: 2 },
      "network.switch": { ...switched, vcs: 6, reliability: false, absorb: false, errors: {}, timeout: "0cycles" },
      "network.endpoint": { name: "queue-pairs", ack: "0flits", active: 16 },
    }),
    changed(tiled, ring),
  ],
  combined: [
    changed(combined, { ...streams, ...automatic, traffic: two("4flits"), "network.switch.vcs": 4 }),
    changed(contended, { "network.congestion": { name: "lhrp", threshold: "24flits", vcs: 2 } }),
    changed(contended, { "network.congestion": { name: "cbcm", epoch: "50cycles" } }),
    changed(combined, { "traffic.0.reply": "2flits", "traffic.0.load": 0.2, "network.switch.vcs": 6 }),
    changed(contended, { "network.congestion": "rccc", "network.switch.trim": "24flits" }),
    changed(combined, ring),
  ],
  infiniband: [
    changed(infiniband, { ...streams, ...automatic, traffic: two("4flits"), "network.switch.vcs": 4 }),
    changed(infiniband, { "traffic.0.reply": "2flits", "traffic.0.load": 0.2, "network.switch.vcs": 6 }),
    changed(infiniband, ring),
  ],
  "omni-path": [
    changed(omniPath, {
      ...streams,
      ...automatic,
      traffic: two("4flits"),
      "network.switch.vcs": 4,
      "network.switch.mport": 1,
    }),
    changed(omniPath, { "traffic.0.reply": "2flits", "traffic.0.load": 0.2, "network.switch.vcs": 6 }),
    changed(omniPath, ring),
  ],
  "queue-scheme": [
    changed(queueScheme, { probes: all.probes.filter((p) => p !== "groups") }),
    changed(queueScheme, { ...automatic, traffic: two("4flits"), "network.switch.scheme": "fbicm-2" }),
    changed(queueScheme, ring),
  ],
  packet: [
    changed(packet, {
      ...streams,
      ...some,
      ...automatic,
      "measure.limit": "48kcycles",
      traffic: two("2KiB"),
      engine: { name: "packet", workers: 2 },
    }),
    changed(packet, { ...streams, ...some, engine: { name: "packet", sync: "optimistic", workers: 2 } }),
    changed(jobs, { probes: ["timeline"] }),
  ],
  ideal: [changed(packet, { ...ring, engine: "ideal", traffic: undefined })],
}

async function said(tree: Tree): Promise<{ names: string[]; owners: string[]; unsound: string[] }> {
  const copy = structuredClone(tree)
  listTraffic(copy)
  const spec = complete(copy, keys)
  if ("bad" in spec) throw new Error(spec.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const ready = prepare({ ...spec.ok, seed: 1 }, { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const result = await simulate(ready.ok, { threads: false })
  const owners = ready.ok.compiled.streams.length > 1 ? ownersOf(spec.ok) : []
  return { names: namesOf(result), owners, unsound: await unsound({ ...spec.ok, seed: 1 }, result) }
}

describe("the list of values", () => {
  test.each(machines)("%s: what runs say, no more and no less", async (machine) => {
    const seen = new Set<string>()
    const strange = new Set<string>()
    const silent = new Set<string>()
    for (const tree of runs[machine]) {
      const { names, owners, unsound: wrong } = await said(tree)
      expect(wrong).toEqual([])
      for (const name of names) {
        if (valueInfo(name, owners)?.of.includes(machine) !== true) strange.add(name)
        seen.add(name)
      }
      // nothing is offered by answers and by jobs
      for (const owner of owners)
        for (const [name, v] of Object.entries(values))
          if (
            v.each === true &&
            v.of.includes(machine) &&
            !(name === "offered" && (owner.endsWith(".reply") || owner === "jobs")) &&
            !names.includes(`${owner}.${name}`)
          )
            silent.add(`${owner}.${name}`)
    }
    for (const [name, v] of Object.entries(values))
      if (v.derived !== true && v.of.includes(machine) && !seen.has(name)) silent.add(name)
    expect({ strange: [...strange], silent: [...silent] }).toEqual({ strange: [], silent: [] })
  })

  test("which machine a specification is", () => {
    const named = (engine: string, sw: string) =>
      machineOf({
        engine: { name: engine },
        network: {
          topology: { name: "mesh" },
          routing: { name: "mesh.dimension-order" },
          switch: { name: sw },
          links: {},
          endpoint: { name: "simple" },
          cycle: "1ns",
          flit: "8B",
        },
      })
    const clocked = ["input-queued", "tiled", "combined", "infiniband", "omni-path", "queue-scheme"].map((sw) =>
      named("flit", sw),
    )
    expect([...clocked, named("packet", "chunk"), named("ideal", "chunk")]).toEqual(machines)
  })
})
