// One timed run: entry id, how many times longer than the reference; "packets" or "flits": the same with cut-through and packet hold, moved in one
// piece or flit by flit. Prints cycles, flit-hops and CPU seconds.
import { readFileSync } from "node:fs"
import { flitEngine } from "./flit-engine.ts"
import { entry, specOf } from "./reference/booksim2.ts"
import { prepareFlit } from "./simulate.ts"

const e = entry(process.argv[2] ?? "")
if (e === undefined) throw new Error(`no entry ${process.argv[2]}`)
const spec = specOf(e, 1)
const transfer = process.argv[4]
const length = Number(e.config["packet_size"] ?? 1)
const held = {
  speed: 1,
  hold: true,
  flow: "cut-through",
  transfer,
  buffer: `${Math.max(length, Number(e.config["vc_buf_size"] ?? 8))}flits`,
}
const network = transfer === undefined ? spec.network : { ...spec.network, switch: { ...spec.network.switch, ...held } }
const prepared = prepareFlit({ ...spec, network }, { read: (p) => readFileSync(p, "utf8") })
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
