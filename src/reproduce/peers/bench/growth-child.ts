// One timed run on a torus of side x side routers at a given channel load: side, workers, cycles. Prints time per
// flit-hop, memory and fingerprint.

import { clockedEngine, partsFor } from "../../../compile/clocked/engine.ts"
import { compile } from "../../../compile/compile.ts"
import { plainMeasure } from "../../../compile/plain-run.ts"
import { gather } from "../../../run/clocked/worker-group.ts"
import { torusSpec } from "./parallel-networks.ts"

const [side, workers, cycles] = process.argv.slice(2).map(Number) as [number, number, number]
const spec = torusSpec(side, plainMeasure({}))
const compiled = compile(spec, { read: () => "" })
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
const layout = { ...partsFor(compiled.ok, workers), horizon: cycles, series: 256 }
const engine = clockedEngine(compiled.ok, layout)
const { assign } = layout
const home =
  workers > 1 && assign !== undefined
    ? await gather(engine, { ...layout, assign, spec, folder: ".", size: workers })
    : undefined
// fill the network first: packets need side / 2 hops of about six cycles
const fill = Math.floor(cycles / 3)
engine.advance(fill)
const before = engine.flitHops()
const busy = () =>
  Array.from({ length: workers > 1 ? workers : 0 }, (_, w) => {
    const { work, messages } = engine.team!.busy(w)
    return work + messages
  })
const busyBefore = busy()
const started = performance.now()
const cpu = process.cpuUsage()
engine.advance(cycles)
const wall = (performance.now() - started) / 1000
const used = process.cpuUsage(cpu).user / 1e6
const waited = busy().map((seconds, w) => 1 - (seconds - busyBefore[w]) / wall)
await home?.()
const flitHops = engine.flitHops() - before
console.log(
  JSON.stringify({
    endpoints: side * side,
    workers,
    cycles: cycles - fill,
    flitHops,
    wallSeconds: wall,
    cpuSeconds: used,
    nanoseconds: (1e9 * used) / flitHops,
    rate: flitHops / wall,
    waited,
    fingerprint: engine.fingerprint(),
    rss: Math.round(process.memoryUsage().rss / 2 ** 20),
  }),
)
