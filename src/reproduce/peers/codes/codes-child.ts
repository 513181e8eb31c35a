// Runs of one entry of the CODES table in a separate process, so that V8 compiles the code only for it. The arguments
// are id, seeds, end in ns (0 = CODES' own), quirks left out, and the factor by which messages are spread in time.
// Prints the results with the CPU seconds of the run loop and the memory of the process.
import { codesEntries, runCodes } from "./experiments.ts"
import type { Quirk } from "./network.ts"

const [id, seeds, end, off, spread] = process.argv.slice(2)
const entry = codesEntries().find((e) => e.id === id)
if (entry === undefined) throw new Error(`no run ${id}`)
const run = { ...entry, load: entry.load / Number(spread) }
const without = new Set((off ?? "").split(",").filter((q) => q !== "") as Quirk[])
const results = seeds!
  .split(",")
  .map((seed) => runCodes(run, Number(seed), without, Number(end) > 0 ? Number(end) : run.end))
console.log(JSON.stringify(results.map((r) => ({ ...r, rss: process.resourceUsage().maxRSS / 1024 }))))
