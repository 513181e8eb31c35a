// One timed run of the flit engine: specification as JSON, cycles. Prints cycles, flit-hops and CPU seconds.
import type { RunSpec } from "../../../model/experiment.ts"
import { keepCompiled } from "../../../run/compile-here.ts"

// as the command line does
keepCompiled()
const { flitEngine } = await import("../../../compile/clocked/flits.ts")
const { hostOf } = await import("../../../model/host.ts")
const { compile } = await import("../../../compile/compile.ts")

const [spec, length] = process.argv.slice(2) as [string, string]
const compiled = compile(JSON.parse(spec) as RunSpec, hostOf())
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
const cycles = Number(length)
const engine = flitEngine(compiled.ok, { horizon: cycles, series: 1024 })
const start = process.cpuUsage()
engine.advance(cycles)
const cpu = process.cpuUsage(start).user / 1e6
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    cycles,
    flitHops: engine.flitHops(),
    cpu,
    held: engine.constants.held,
    whole: (user + system) / 1e6,
    rss: Math.round(process.memoryUsage().rss / 2 ** 20),
  }),
)
