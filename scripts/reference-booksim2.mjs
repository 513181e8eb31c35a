// Writes src/peers/booksim2/table.ts from the measurements beside the project (../shared/reference/booksim2/runs.json): facts only, compactly.
import { readFileSync, writeFileSync } from "node:fs"

const source = new URL("../../shared/reference/booksim2/runs.json", import.meta.url)
const runs = JSON.parse(readFileSync(source, "utf8"))
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
  ].join("\t")
})
writeFileSync(
  new URL("../src/peers/booksim2/table.ts", import.meta.url),
  `// Measured results of BookSim2 (commit 28f43299), three seeds each; written by scripts/reference-booksim2.mjs.
// id, group, nodes, offered, configuration, flags (s saturated, d deadlocked, n never drained), packet latency mean, sd, min, hops mean, sd,
// accepted flits per node and cycle mean, sd, cycles simulated.
export const table = \`${rows.join("\n")}\`
`,
)
console.log(`${rows.length} rows`)
