// The positions of packets: at every cycle exactly the packets in the network, each at the place that the head has.
import { describe, expect, test } from "vitest"
import { PACKET, packetFrame } from "../../src/engines/packet-frame.ts"
import type { Whereabouts } from "../../src/observe/observation.ts"
import { live } from "./live.ts"

const text = (network: string, traffic: string) => `
lacewing: 1
network: ${network}
traffic: ${traffic}
measure: { warmup: 400cycles, window: 1200cycles, limit: 4kcycles, saturation: never, drain: none }
`
const dragonfly = (routing: string, more = "") =>
  `{ topology: { name: dragonfly, p: 2, a: 4, h: 2 }, routing: ${routing}, ` +
  `switch: { name: input-queued, vcs: 5, buffer: 16flits, speed: 2${more} }, links: { local: 5cycles, global: 20cycles } }`
const networks = {
  "whole packets": text(dragonfly("dragonfly.minimal"), "{ pattern: group-adversarial, load: 0.3, packet: 4flits }"),
  "flit by flit": text(dragonfly("dragonfly.ugal-l"), "{ pattern: group-adversarial, load: 0.3, packet: 4flits }"),
  "single flits": text(dragonfly("dragonfly.ugal-l"), "{ pattern: uniform, load: 0.5, packet: 1flit }"),
  "a long pipeline": text(
    "{ topology: { name: mesh, sides: 4x4 }, routing: mesh.dimension-order, " +
      "switch: { name: input-queued, vcs: 2, buffer: 8flits, route: 2, vc: 2 } }",
    "{ pattern: uniform, load: 0.4, packet: 4flits }",
  ),
}

describe.each(Object.entries(networks))("%s", (_, experiment) => {
  test("every head in a buffer or on a link is in the frame, where it is, and no packet is there twice", async () => {
    const one = await live(experiment)
    const { observation } = one
    const { graph } = observation.topology
    const frame = packetFrame(20_000)
    const wrong: unknown[] = []
    for (let cycle = 1; cycle <= 600; cycle++) {
      one.forward(cycle)
      const n = observation.packets(frame)
      const places = new Map<number, { at: number; state: number }>()
      for (let i = 0; i < n; i++) {
        if (places.has(frame.id[i])) wrong.push(["twice", cycle, frame.id[i]])
        places.set(frame.id[i], { at: frame.at[i], state: frame.state[i] })
      }
      const upstream = (input: number) => (graph.near[input] >= 0 ? graph.near[input] : 1 + graph.near[input])
      const wires = new Map<number, Whereabouts>()
      observation.places((id, where) => void (where.at === "wire" && wires.set(id, where)))
      for (const [id, where] of wires)
        if (where.at === "wire") {
          const is = places.get(id)
          if (is?.at !== upstream(where.input) || is.state > PACKET.leaving) wrong.push(["link", cycle, id, is])
        }
      // first packets of the buffers: those whose head is still there have the state of their credits
      observation.fronts(({ packet, hasCredits, input }) => {
        const is = places.get(packet)
        if (wires.has(packet) || is === undefined || is.at !== upstream(input)) return
        if (is.state !== (hasCredits ? PACKET.first : PACKET.blocked)) wrong.push(["front", cycle, packet, is])
      })
      // every one was created and has not arrived; the rest are packets whose head has left the network already
      const { created, delivered } = observation.totals()
      const inside = created - delivered
      if (n > inside || (experiment === networks["single flits"] && n !== inside)) wrong.push(["count", cycle, n])
    }
    expect(wrong).toEqual([])
  })

  test("a packet moves along its path without jumps, and reading changes no bit", async () => {
    const [one, silent] = [await live(experiment), await live(experiment)]
    const { graph } = one.observation.topology
    const frame = packetFrame(20_000)
    const last = new Map<string, { at: number; due: number }>()
    const wrong: unknown[] = []
    let moves = 0
    for (let cycle = 1; cycle <= 500; cycle++) {
      one.forward(cycle)
      const n = one.observation.packets(frame)
      for (let i = 0; i < n; i++) {
        const name = `${frame.key[i]} ${frame.from[i]} ${frame.createdAt[i]}`
        const was = last.get(name)
        const at = frame.at[i]
        const due = frame.state[i] <= PACKET.leaving ? frame.place[i] : 0
        if (was !== undefined && was.at !== at) {
          // the next link starts at the router where the last one ended
          const router = was.at >= 0 ? graph.routerOf[graph.far[was.at]] : graph.routerOf[graph.entry[-1 - was.at]]
          if (at < 0 || graph.routerOf[at] !== router) wrong.push([cycle, name, was, at])
          moves++
        } else if (was !== undefined && was.due > 0 && due !== was.due - 1) wrong.push([cycle, name, was, due])
        last.set(name, { at, due })
      }
    }
    expect(wrong).toEqual([])
    expect(moves).toBeGreaterThan(500)
    silent.forward(500)
    expect(one.observation.fingerprint()).toBe(silent.observation.fingerprint())
  })
})

test("a frame that is too small has every second, fourth … packet, the same as long as they live", async () => {
  const one = await live(networks["flit by flit"])
  const [all, few] = [packetFrame(20_000), packetFrame(40)]
  let kept = 0
  for (let cycle = 300; cycle < 400; cycle++) {
    one.forward(cycle)
    const n = one.observation.packets(all)
    const m = one.observation.packets(few)
    expect(m).toBeLessThanOrEqual(40)
    const keys = new Set(all.key.slice(0, n))
    for (let i = 0; i < m; i++) expect(keys.has(few.key[i])).toBe(true)
    expect(m).toBe([...all.key.slice(0, n)].filter((k) => (k & (few.every - 1)) === 0).length)
    if (few.every > 1) kept++
  }
  expect(kept).toBeGreaterThan(90)
})

test("packets that wait to enter: the age of the oldest, none at a load that is carried", async () => {
  const [full, idle] = [await live(networks["whole packets"]), await live(networks["single flits"])]
  const ages = new Float64Array(full.observation.topology.graph.ends)
  full.forward(1500)
  full.observation.outside(ages)
  // an endpoint that may send 0.125 of the 0.3 that it offers has got through 0.42 of its packets
  const middle = [...ages].sort((a, b) => a - b)[ages.length >> 1]
  expect(middle).toBeGreaterThan(200)
  expect(middle).toBeLessThan(1000)
  idle.forward(1500)
  idle.observation.outside(ages)
  expect([...ages].sort((a, b) => a - b)[ages.length >> 1]).toBeLessThan(8)
})

/** Traffic of 100 cycles, all of which arrives. */
const draining = (sw: string, routing: string, topology: string) => `
lacewing: 1
network: { topology: ${topology}, routing: ${routing}, switch: ${sw}, links: { ${topology.includes("tree") ? "link: 7cycles" : "local: 5cycles, global: 20cycles"}, end: 3cycles } }
traffic: { pattern: uniform, load: 0.8, packet: 4flits, stop: 100cycles }
measure: { warmup: 0cycles, window: 3kcycles, limit: 4kcycles, saturation: never, drain: none }
`
const tree = "{ name: tree, k: 4, n: 2 }"
const dfly = "{ name: dragonfly, p: 2, a: 4, h: 2 }"
const switches: Record<string, string> = {
  combined: draining("{ name: combined, vcs: 4 }", "dragonfly.ugal-l", dfly),
  "combined, flit by flit": draining("{ name: combined, vcs: 4, queues: fifo }", "tree.nearest-ancestor", tree),
  tiled: draining("{ name: tiled, vcs: 4, rows: 7, columns: 1 }", "dragonfly.minimal", dfly),
  "tiled with a stash": draining("{ name: tiled, vcs: 4, rows: 7, columns: 1, stash: {} }", "dragonfly.minimal", dfly),
  infiniband: draining("{ name: infiniband }", "tree.nearest-ancestor", tree),
  "infiniband, packets of one flit": draining("{ name: infiniband, grain: packet }", "tree.nearest-ancestor", tree),
  "omni-path": draining("{ name: omni-path }", "tree.nearest-ancestor", tree),
  "omni-path, packets of one flit": draining("{ name: omni-path, grain: packet }", "tree.nearest-ancestor", tree),
  "queue-scheme": draining("{ name: queue-scheme }", "tree.nearest-ancestor", tree),
  "queue-scheme, voq-network": draining("{ name: queue-scheme, scheme: voq-network }", "tree.nearest-ancestor", tree),
  fbicm: draining("{ name: queue-scheme, scheme: fbicm-2 }", "tree.destination-digit", tree),
}

describe.each(Object.entries(switches))("%s", (_, experiment) => {
  test("a packet is in the frame of every cycle from its injection to its arrival, once, and moves without jumps", async () => {
    const [one, silent] = [await live(experiment), await live(experiment)]
    const { graph } = one.observation.topology
    const frame = packetFrame(20_000)
    const wrong: unknown[] = []
    let last = new Map<string, { readonly router: number; readonly at: number; readonly due: number }>()
    const seen = new Set<string>()
    const states = new Set<number>()
    let arrived = 0
    let cycle = 0
    do {
      one.forward(++cycle)
      const n = one.observation.packets(frame)
      const here: typeof last = new Map()
      for (let i = 0; i < n; i++) {
        const name = `${frame.key[i]} ${frame.from[i]} ${frame.createdAt[i]}`
        const at = frame.at[i]
        const state = frame.state[i]
        states.add(state)
        if (here.has(name)) wrong.push(["twice", cycle, name])
        if (seen.has(name) && !last.has(name)) wrong.push(["again", cycle, name])
        seen.add(name)
        // the router that it comes to, or stands at
        const far = at >= 0 ? graph.far[at] : graph.entry[-1 - at]
        const router = state === PACKET.output ? graph.routerOf[at] : far >= 0 ? graph.routerOf[far] : -1
        const due = state <= PACKET.leaving ? frame.place[i] : 0
        const was = last.get(name)
        // it stays, or it goes from the router where it was
        if (was !== undefined && was.router !== router && (at < 0 || graph.routerOf[at] !== was.router))
          wrong.push(["jump", cycle, name, was, at])
        if (was !== undefined && was.due > 0 && was.at === at && due !== was.due - 1) wrong.push(["due", cycle, name])
        here.set(name, { router, at, due })
      }
      const { delivered } = one.observation.totals()
      const left = [...last.keys()].filter((name) => !here.has(name))
      if (left.length !== delivered - arrived) wrong.push(["left", cycle, left.length, delivered - arrived])
      // they were on the last link, and due
      for (const name of left) if (last.get(name)!.router !== -1) wrong.push(["lost", cycle, name])
      arrived = delivered
      last = here
    } while (cycle < 120 || (last.size > 0 && cycle < 3000))
    const { created, delivered } = one.observation.totals()
    expect(wrong.slice(0, 5)).toEqual([])
    expect([seen.size, delivered, last.size]).toEqual([created, created, 0])
    expect(created).toBeGreaterThan(200)
    expect(states.size).toBeGreaterThan(3)
    silent.forward(cycle)
    expect(one.observation.fingerprint()).toBe(silent.observation.fingerprint())
  })
})

test("the packet engine: every chunk in the network is in the frame, and moves along its path", async () => {
  const experiment = `${text("{ topology: { name: mesh, sides: 4x4 }, routing: mesh.dimension-order }", "{ pattern: uniform, load: 0.9, packet: 4flits }")}engine: packet\n`
  const one = await live(experiment)
  const { observation } = one
  const { graph } = observation.topology
  const { links, entries } = observation.crossing
  const frame = packetFrame(20_000)
  const last = new Map<string, { at: number; state: number; due: number }>()
  const wrong: unknown[] = []
  let [moves, waits] = [0, 0]
  for (let cycle = 1; cycle <= 500; cycle++) {
    one.forward(cycle)
    const n = observation.packets(frame)
    let count = 0
    observation.places(() => void count++)
    if (n !== count) wrong.push(["count", cycle, n, count])
    for (let i = 0; i < n; i++) {
      const name = `${frame.key[i]} ${frame.from[i]} ${frame.createdAt[i]}`
      const [at, state] = [frame.at[i], frame.state[i]]
      const due = state === PACKET.wire ? frame.place[i] : 0
      if (state === PACKET.wire && due > (at >= 0 ? links[at] : entries[-1 - at])) wrong.push(["due", cycle, name, due])
      if (state === PACKET.blocked) waits++
      const was = last.get(name)
      if (was !== undefined && was.at !== at) {
        const router = was.at >= 0 ? graph.routerOf[graph.far[was.at]] : graph.routerOf[graph.entry[-1 - was.at]]
        if (at < 0 || graph.routerOf[at] !== router) wrong.push(["jump", cycle, name, was, at])
        moves++
      } else if (was !== undefined && was.state === PACKET.wire && state === PACKET.wire && due !== was.due - 1)
        wrong.push(["wire", cycle, name, was, due])
      last.set(name, { at, state, due })
    }
  }
  expect(wrong.slice(0, 5)).toEqual([])
  expect(moves).toBeGreaterThan(500)
  expect(waits).toBeGreaterThan(50)
  // 0.9 of the links' rate is offered, and no more than that is accepted.
  const accepted = observation.totals().accepted / 500 / graph.ends
  expect(accepted).toBeGreaterThan(0.3)
  expect(accepted).toBeLessThanOrEqual(0.95)
})
