// The recorded tables of BookSim2 in src/reproduce/peers/booksim2, for the scripts that write them:
// reference-booksim2.mjs and measure-booksim2.mjs. src/reproduce/peers/booksim2/config.ts reads the same columns.
import { readFileSync, writeFileSync } from "node:fs"

const columns = [
  ...["id", "group", "nodes", "offered", "config", "flags", "latency", "latency_sd", "latency_min"],
  ...["hops", "hops_sd", "accepted", "accepted_sd", "cycles", "seeds"],
]
const notes = {
  runs: ["Results of BookSim2 (commit 28f43299), three seeds each. Written by scripts/reference-booksim2.mjs."],
  more: [
    "Results of BookSim2 (commit 28f43299) for configurations that runs.tsv " +
      "lacks: odd numbers of VCs, stage delays above",
    "1, replies, traffic classes. Written by scripts/measure-booksim2.mjs.",
  ],
  again: [
    "Rows of runs.tsv measured again with BookSim2 (commit 28f43299), with " +
      "more seeds or longer samples. They replace the",
    "rows of the same id. Written by scripts/measure-booksim2.mjs.",
  ],
}
const legend = [
  "flags: s saturated, d deadlocked, n never drained. Latencies in cycles, of packets. cycles: simulated cycles.",
  "offered, accepted: flits per node and cycle. Means and standard deviations (_sd) over the seeds.",
]
const fileOf = (name) => new URL(`../src/reproduce/peers/booksim2/${name}.tsv`, import.meta.url)

/** Returns the rows of the table `name`, each as a list of fields. */
export function readTable(name) {
  const lines = readFileSync(fileOf(name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  return lines.slice(1).map((line) => line.split("\t"))
}

/** Writes rows, each a list of fields in the order of the columns, as the table `name`. */
export function writeTable(name, rows) {
  const head = [...notes[name], ...legend].map((note) => `# ${note}`)
  const lines = [columns, ...rows].map((fields) => fields.join("\t"))
  writeFileSync(fileOf(name), `${[...head, ...lines].join("\n")}\n`)
}
