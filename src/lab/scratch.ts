import { Draws } from "../core/rng.ts"
import { FlitEngine } from "../engines/flit/engine.ts"
import { GraphBuilder } from "../model/graph.ts"
import { Candidates, NetView } from "../model/routing.ts"
import { makeInputQueued } from "../switches/input-queued/flit.ts"

const a = Object.fromEntries(process.argv.slice(2).map((s) => s.split("=")))
const k = +(a.k ?? 8),
  V = +(a.V ?? 4),
  B = +(a.B ?? 8),
  load = +(a.load ?? 0.1),
  len = +(a.len ?? 1),
  cyc = +(a.cycles ?? 10000),
  warm = +(a.warm ?? cyc / 4),
  seed = +(a.seed ?? 1)
const R = k * k
const b = new GraphBuilder(R, R, 5, { classes: ["end", "link"] })
for (let r = 0; r < R; r++) {
  const x = r % k,
    y = Math.floor(r / k)
  if (x < k - 1) b.link(r, 0, r + 1, 1)
  if (y < k - 1) b.link(r, 2, r + k, 3)
  b.attach(r, r, 4)
}
const graph = b.finish()
const all = 2 ** V - 1
const routing = {
  route(p: number, at: number, _i: number, _v: number, net: NetView, out: Candidates) {
    const d = net.dst(p)
    const dx = (d % k) - (at % k),
      dy = Math.floor(d / k) - Math.floor(at / k)
    out.add(dx > 0 ? 0 : dx < 0 ? 1 : dy > 0 ? 2 : dy < 0 ? 3 : 4, all, 0)
  },
}
const p = load / len,
  inv = 1 / Math.log(1 - p)
const parts = +(a.parts ?? 1)
const mk = () =>
  new FlitEngine({
    graph,
    vcs: V,
    buffer: { depth: B, reserve: B, total: V * B },
    timing: { speed: +(a.z ?? 1), traverse: 1, creditDelay: 0, lanes: 1, cutThrough: false, tailWait: false },
    injectRandom: false,
    scratch: 0,
    seed,
    horizon: cyc * 2,
    seriesShift: 8,
    parts,
    ...(parts > 1 ? { assign: Array.from({ length: R }, (_, r) => Math.floor((r * parts) / R)) } : {}),
    streams: [
      {
        name: "x",
        pattern: { dest: (_f, rng) => rng.below(R) },
        arrivals: {
          first: (_f, rng) => Math.floor(Math.log(rng.unit()) * inv),
          next: (_f, last, rng) => last + 1 + Math.floor(Math.log(rng.unit()) * inv),
        },
        packet: { mean: len, max: len, fixed: len, size: () => len },
        message: { mean: 1, max: 1, fixed: 1, size: () => 1 },
        start: 0,
        stop: Infinity,
        priority: 0,
        vcFirst: 0,
        vcCount: V,
        reply: 0,
        replyStream: 0,
      },
    ],
    makeSwitch: (site) => (wires) =>
      makeInputQueued(
        {
          ...site,
          routing,
          net: new NetView({
            src: site.packets.pSrc,
            dst: site.packets.pDst,
            flits: site.packets.pLen,
            hops: site.packets.pHops,
            key: site.packets.pKey,
            scratch: site.packets.pScratch,
            scratchSlots: 0,
            slot: site.layout.slot,
            capacity: site.buffers.capacity,
            credits: site.buffers.credits,
            vcs: V,
            seed,
          }),
          out: new Candidates(1),
          candidates: 1,
          adaptive: false,
          routeDelay: +(a.R ?? 1),
          vcDelay: 1,
          speculative: a.spec === "1",
          hold: a.hold === "1",
          cutThrough: false,
          tailWait: false,
          busyWhenFull: false,
          inputSpeedup: 1,
          outputSpeedup: 1,
          priority: "none",
          vcAllocator: { name: (a.va ?? "islip") as "islip", iterations: 1 },
          swAllocator: { name: (a.sa ?? "islip") as "islip", iterations: 1 },
          vcFirst: new Int32Array(1),
          streamPriority: new Int32Array(1),
        },
        wires,
      ),
  })
for (let i = 0; i < +(a.reps ?? 1); i++) {
  const e = mk()
  const c0 = process.cpuUsage()
  e.columns.control[0] = warm
  e.columns.control[1] = cyc
  e.advance(warm)
  const f0 = e.columns.endOut.reduce((x, y) => x + y, 0)
  e.advance(cyc)
  const f1 = e.columns.endOut.reduce((x, y) => x + y, 0)
  e.columns.control[2] = cyc
  while (e.inFlight() > 0 && e.now < cyc * 20) e.advance(e.now + 16)
  const cpu = process.cpuUsage(c0).user / 1e6
  console.log(
    JSON.stringify({
      cpu,
      Mfh: e.flitHops() / cpu / 1e6,
      lat: e.stat("latency") / e.stat("measured"),
      hops: e.stat("hops") / e.stat("measured"),
      min: e.stat("min"),
      max: e.stat("max"),
      acc: (f1 - f0) / R / (cyc - warm),
      fp: e.fingerprint(),
      cycles: e.now,
      open: e.stat("measuredOpen"),
      audit: e.audit().slice(0, 3),
      rss: (process.memoryUsage().rss / 1e6) | 0,
    }),
  )
}
void Draws
