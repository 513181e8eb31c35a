// One row of `lacewing bench phold` in a process of its own: its number in the table.
import { pholdRuns, runPhold } from "./phold.ts"

const got = runPhold(pholdRuns()[Number(process.argv[2])])
console.log(JSON.stringify({ ...got, rss: process.resourceUsage().maxRSS / 1024 }))
