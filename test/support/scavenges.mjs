// Runs a clocked machine in a process of its own and counts garbage collections while cycles run: node scavenges.mjs
// SPEC, the specification as JSON. The young generation is small (flags of the caller), so whoever allocates for each
// flit is collected soon. Prints a line of JSON.
import { PerformanceObserver } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { clockedEngine, partsFor } from "../../dist/compile/clocked/engine.js"
import { CONTROL } from "../../dist/fabric/flit.js"
import { prepareFlit } from "../../dist/run/simulate.js"

const { spec, warm, cycles } = JSON.parse(process.argv[2])
const prepared = prepareFlit(spec, { read: (path) => `no file ${path}` })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
const { compiled } = prepared.ok
const engine = clockedEngine(compiled, { ...partsFor(compiled, 1), horizon: warm + cycles, series: 1024 })
engine.columns.control[CONTROL.from] = 0
const seen = []
new PerformanceObserver((list) => seen.push(...list.getEntries().map((e) => e.startTime))).observe({ type: "gc" })
engine.advance(warm)
// what the compiler left behind goes before the window begins
gc()
await setTimeout(20)
const hops = engine.flitHops()
const from = performance.now()
engine.advance(warm + cycles)
const to = performance.now()
await setTimeout(20)
const inside = seen.filter((t) => t > from && t < to).length
console.log(JSON.stringify({ collections: inside, before: seen.length - inside, hops: engine.flitHops() - hops }))
