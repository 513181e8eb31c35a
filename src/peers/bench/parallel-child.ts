// One run of `lacewing bench parallel` in a process of its own: engine as JSON, microseconds, credit latency.

import { prepare, simulate } from "../../run/simulate.ts"
import { specOf } from "./parallel.ts"

const [engine, us, credit] = process.argv.slice(2)
const prepared = prepare(specOf(JSON.parse(engine!) as Record<string, unknown>, Number(us), credit!), { read: () => "" })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
const before = process.cpuUsage()
const { fingerprint, values } = await simulate(prepared.ok)
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ fingerprint, values, cpu: (user + system) / 1e6 }))
