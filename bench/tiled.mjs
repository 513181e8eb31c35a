// Measures the speed of the tiled switch on the dragonflies of the stashing paper. Prints packet-hops, CPU seconds and
// the measured values as one JSON line.
//   node bench/tiled.mjs [net=small|mid|full] [load=0.9] [us=60] [stash=0|1] …
import { readFileSync } from "node:fs"
import { partsFor } from "../dist/compile/clocked/engine.js"
import { transferEngine } from "../dist/compile/clocked/transfers.js"
import { CONTROL } from "../dist/fabric/flit.js"
import { stashingRun } from "../dist/reproduce/papers/stashing/network.js"
import { prepare } from "../dist/run/simulate.js"

const given = Object.fromEntries(
  process.argv.slice(2).map((a) => [a.slice(0, a.indexOf("=")), a.slice(a.indexOf("=") + 1)]),
)
const num = (key, fallback) => Number(given[key] ?? fallback)
const us = num("us", 60)
const warm = num("warm", Math.floor(us / 3))
const spec = stashingRun({
  net: given["net"] ?? "full",
  load: num("load", 0.9),
  seed: num("seed", 1),
  switch: JSON.parse(given["switch"] ?? "{}"),
  routing: JSON.parse(given["routing"] ?? "{}"),
  ...(given["stash"] === undefined ? {} : { stash: Number(given["stash"]) }),
})
const prepared = prepare(spec, { read: (path) => readFileSync(path, "utf8") })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad, undefined, 1))
const engine = transferEngine(prepared.ok.compiled, {
  horizon: us * 1000,
  // Builds before 0.2 call it seriesShift.
  seriesShift: 10,
  series: 1024,
  ...(given["parts"] === "1" ? {} : partsFor(prepared.ok.compiled, 1)),
})
const { control } = engine.columns
control[CONTROL.from] = warm * 1000
control[CONTROL.to] = us * 1000
const start = process.cpuUsage()
const wall = performance.now()
const flits = () => engine.columns.endOut.reduce((a, b) => a + b, 0)
engine.advance(warm * 1000)
const before = flits()
const marks = []
let last = before
const every = num("every", 5) * 1000
for (let t = warm * 1000 + every; t <= us * 1000; t += every) {
  engine.advance(t)
  const f = flits()
  marks.push(Number(((f - last) / every / engine.layout.graph.ends).toFixed(3)))
  last = f
}
const cpu = process.cpuUsage(start)
const seconds = (cpu.user + cpu.system) / 1e6
const accepted = (last - before) / engine.layout.graph.ends / (us - warm) / 1000
const n = engine.stat("measured")
console.log(
  JSON.stringify({
    accepted: Number(accepted.toFixed(4)),
    latency: Math.round(engine.stat("latency") / n),
    network: Math.round((engine.stat("network") / n) * 10) / 10,
    hops: Number((engine.stat("hops") / n).toFixed(3)),
    series: marks.join(" "),
    packetHops: engine.packetHops(),
    seconds: Number(seconds.toFixed(1)),
    wall: Number(((performance.now() - wall) / 1000).toFixed(1)),
    rate: Math.round(engine.packetHops() / seconds),
    mib: Math.round(process.memoryUsage().rss / 2 ** 20),
    ...(given["values"] ? engine.sw.values(us * 1000) : {}),
    ...(given["audit"] ? { audit: engine.audit().slice(0, 5), fingerprint: engine.fingerprint() } : {}),
  }),
)
