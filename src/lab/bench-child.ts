// One timed run: entry id, how many times longer than the reference. Prints cycles, flit-hops and CPU seconds.
import { readFileSync } from "node:fs"
import { flitEngine } from "./flit-engine.ts"
import { entry, specOf } from "./reference/booksim2.ts"
import { prepareFlit } from "./simulate.ts"

const e = entry(process.argv[2] ?? "")
if (e === undefined) throw new Error(`no entry ${process.argv[2]}`)
const prepared = prepareFlit(specOf(e, 1), { read: (p) => readFileSync(p, "utf8") })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
const cycles = e.cycles * Number(process.argv[3])
const engine = flitEngine(prepared.ok.compiled, { horizon: cycles, seriesShift: 10 })
const start = process.cpuUsage()
engine.advance(cycles)
const cpu = process.cpuUsage(start).user / 1e6
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    cycles,
    flitHops: engine.flitHops(),
    cpu,
    whole: (user + system) / 1e6,
    rss: Math.round(process.memoryUsage().rss / 2 ** 20),
  }),
)
