// Sends a million packets with errors of all kinds and checks that each is delivered exactly once. Packets are damaged
// or lost in switches, links repeat transmissions, and acknowledgements are lost; copies in the stash and sequence
// numbers recover them. The exit code is 1 if a packet is missing, was delivered twice, or remains in a stash.
//   node bench/exactly-once.mjs [net=small|mid|full] [packets=1000000] [load=0.5] [error=0.01] [seed=1]

import { partsFor } from "../dist/compile/clocked/engine.js"
import { transferEngine } from "../dist/compile/clocked/transfers.js"
import { CONTROL } from "../dist/fabric/flit.js"
import { stashingRun } from "../dist/reproduce/papers/stashing/network.js"
import { prepareFlit } from "../dist/run/simulate.js"

const given = Object.fromEntries(
  process.argv.slice(2).map((a) => [a.slice(0, a.indexOf("=")), a.slice(a.indexOf("=") + 1)]),
)
const num = (key, fallback) => Number(given[key] ?? fallback)
const error = num("error", 0.01)
const load = num("load", 0.5)
const spec = stashingRun({
  net: given["net"] ?? "small",
  load,
  seed: num("seed", 1),
  stash: 1,
  switch: {
    errors: { end: error, local: error, global: error },
    lost: 0.5,
    linkErrors: { local: error, global: error },
    timeout: "10us",
    retries: 250,
    sidebandSpread: 200,
  },
})
const prepared = prepareFlit(spec, { read: (path) => path })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad, undefined, 1))
const { compiled } = prepared.ok
const { ends } = compiled.network.topology.graph
const cycles = Math.ceil((num("packets", 1e6) * 24) / load / ends / 1000) * 1000
const engine = transferEngine(compiled, {
  horizon: 4 * cycles,
  seriesShift: 14,
  series: 16384,
  ...partsFor(compiled, 1),
})
const empty = Array.from(engine.sw.columns.poolFree)
const started = performance.now()
engine.columns.control[CONTROL.quiet] = cycles
const values = () => engine.sw.values(engine.now)
const idle = () =>
  engine.now >= cycles && engine.inFlight() === 0 && values()["stash.copied"] === values()["stash.deleted"]
while (!idle() && engine.now < 4 * cycles) engine.advance(engine.now + 10_000)

const { columns: a, layout: l } = engine
const inner = new Int32Array(ends)
for (let e = 0; e < l.ends; e++) if (l.outerEnd[e] >= 0) inner[l.outerEnd[e]] = e
let numbered = 0
let incomplete = 0
for (let from = 0; from < ends; from++) {
  for (let to = 0; to < ends; to++) {
    const sent = a.flowNext[inner[from] * ends + to]
    numbered += sent
    if (a.flowBase[inner[to] * ends + from] !== sent) incomplete++
  }
}
const v = values()
const held = empty.filter((flits, i) => engine.sw.columns.poolFree[i] !== flits).length
const created = engine.stat("created")
const delivered = engine.stat("delivered")
const audit = engine.audit().length
const good = delivered === created && numbered === created && incomplete + held + audit + v["stash.abandoned"] === 0
console.log(
  JSON.stringify({
    created,
    delivered,
    incompleteFlows: incomplete,
    duplicatesRefused: engine.extraValues()["flows.duplicates"],
    lost: v["errors.lost"],
    damaged: v["errors.damaged"],
    repeatedByLinks: v["errors.relaunched"],
    repeatedFromStash: v["stash.repeated"],
    timeouts: v["stash.timeouts"],
    unknownAnswers: v["stash.unknown"],
    abandoned: v["stash.abandoned"],
    poolsNotEmpty: held,
    complaints: audit,
    cycles: engine.now,
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    verdict: good ? "each exactly once" : "NOT exactly once",
  }),
)
process.exitCode = good ? 0 : 1
