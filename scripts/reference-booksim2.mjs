// Writes src/reproduce/peers/booksim2/runs.tsv from a file of measurements: the results of BookSim2 over three seeds,
// as JSON.
//   node scripts/reference-booksim2.mjs RUNS.json
import { readFileSync } from "node:fs"
import { writeTable } from "./booksim2-tables.mjs"

const runs = JSON.parse(readFileSync(process.argv[2], "utf8"))
const drop = new Set(["stopping_thres", "acc_stopping_thres"])
const number = (x) => (x === undefined || x === null ? "" : String(x))
const rows = runs.map((e) => {
  const r = e.results
  const config = Object.entries(e.config)
    .filter(([k]) => !drop.has(k))
    .map(([k, v]) => `${k}=${v}`)
    .join(" ")
  const flags = `${r.saturated ? "s" : ""}${r.deadlock_seeds > 0 ? "d" : ""}${r.never_drained_seeds > 0 ? "n" : ""}`
  const mean = (x) => (x === undefined || x === null ? ["", ""] : [number(x.mean), number(x.sd)])
  const cycles = r.cycles_simulated?.reduce((a, b) => a + b, 0) / (r.cycles_simulated?.length ?? 1)
  return [
    e.id,
    e.group,
    e.nodes,
    e.offered_flits_per_node_cycle,
    config,
    flags,
    ...mean(r.packet_latency?.avg),
    number(r.packet_latency?.min),
    ...mean(r.hops_avg),
    ...mean(r.accepted_flit_rate?.avg),
    Math.round(cycles || 0),
    3,
  ]
})
writeTable("runs", rows)
console.log(`${rows.length} rows`)
