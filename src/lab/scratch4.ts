import type { RunSpec } from "../model/experiment.ts"
import { compile } from "./compile.ts"
import { flitEngine } from "./flit-engine.ts"
import { gather, partition } from "./flit-team.ts"

const a = Object.fromEntries(process.argv.slice(2).map((s) => s.split("=")))
const k = +(a.k ?? 8),
  load = (+(a.load ?? 0.3) * 8) / k,
  cycles = +(a.cycles ?? 1000),
  workers = +(a.workers ?? 1),
  parts = +(a.parts ?? workers)
const spec: RunSpec = {
  network: {
    topology: { name: "torus", k, n: 2 },
    routing: { name: "torus.dimension-order" },
    switch: { name: "input-queued", vcs: 4, buffer: "8flits" },
    endpoint: { name: "simple" },
    links: {},
    cycle: "1ns",
    flit: "8B",
  },
  engine: { name: "flit" },
  traffic: [
    {
      name: "t",
      pattern: { name: "uniform" },
      arrivals: { name: "bernoulli" },
      packet: { name: "fixed", size: "1flits" },
      message: { name: "fixed", size: "1packets" },
      load,
      from: "all",
      start: "0cycles",
      stop: "never",
      priority: 0,
      class: 0,
      reply: "0flits",
    },
  ],
  measure: {
    warmup: "0cycles",
    window: "100cycles",
    precision: 0.05,
    limit: "1000cycles",
    drain: "none",
    saturation: "never",
    series: "0cycles",
  },
  probes: [],
  seed: 1,
}
const c = compile(spec, { read: () => "" })
if ("bad" in c) throw new Error(JSON.stringify(c.bad))
const assign = partition(c.ok.network.topology, parts)
const e = flitEngine(c.ok, { parts, assign, horizon: cycles, seriesShift: 8 })
const home = workers > 1 ? await gather(e, { spec, folder: ".", parts, assign, horizon: cycles, seriesShift: 8, size: workers }) : undefined
e.advance(cycles >> 2)
const f0 = e.flitHops()
const w0 = performance.now(),
  c0 = process.cpuUsage()
e.advance(cycles)
const wall = (performance.now() - w0) / 1e3,
  cpu = process.cpuUsage(c0).user / 1e6
await home?.()
console.log(
  JSON.stringify({
    k,
    ends: k * k,
    load,
    workers,
    parts,
    window: e.window,
    wall: +wall.toFixed(3),
    nsPerFh: +((cpu * 1e9) / (e.flitHops() - f0)).toFixed(0),
    Mfhwall: +((e.flitHops() - f0) / wall / 1e6).toFixed(2),
    fp: e.fingerprint(),
    rss: process.memoryUsage().rss >> 20,
    audit: a.audit ? e.audit().length : undefined,
  }),
)
