// One run of the CODES table in a process of its own, so that its code is compiled for it alone: id, seed, end in ns (0 = CODES' own), quirks left out.
// Prints the result with the CPU seconds of the run loop and the memory of the process.
import { codesEntries, type Quirk, runCodes } from "./reference/codes.ts"

const [id, seed, end, off] = process.argv.slice(2)
const run = codesEntries().find((e) => e.id === id)
if (run === undefined) throw new Error(`no run ${id}`)
const without = new Set((off ?? "").split(",").filter((q) => q !== "") as Quirk[])
const result = runCodes(run, Number(seed), without, Number(end) > 0 ? Number(end) : run.end)
console.log(JSON.stringify({ ...result, rss: process.resourceUsage().maxRSS / 1024 }))
