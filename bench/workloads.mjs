// How fast traces are read: DUMPI from bytes in memory to operations of ranks, on one core. Goal: 50 MB/s or more.
//   node bench/workloads.mjs [megabytes=64]
import { cpuUsage } from "node:process"
import { readTrace } from "../dist/workloads/formats/read.js"
import { dumpiRing } from "../test/support/dumpi-ring.mjs"

const wanted = Number(process.argv.find((a) => a.startsWith("megabytes="))?.slice(10) ?? 64)
const ranks = 16
// 3 calls of some 60 bytes in each turn
const files = Array.from({ length: ranks }, (_, r) => [
  `ring-${String(r).padStart(4, "0")}.bin`,
  dumpiRing(r, ranks, Math.ceil((wanted * 1e6) / ranks / 171)),
])
const bytes = files.reduce((sum, [, b]) => sum + b.length, 0)

async function* chunks(b) {
  for (let at = 0; at < b.length; at += 2 ** 18) yield b.subarray(at, at + 2 ** 18)
}
async function* sources() {
  for (const [name, b] of files) yield { name, chunks: chunks(b) }
}

for (let round = 0; round < 3; round++) {
  const begun = cpuUsage()
  const { trace } = await readTrace("ring", sources)
  const { user, system } = cpuUsage(begun)
  const seconds = (user + system) / 1e6
  if (trace.bad.length > 0 || trace.missing.length > 0) throw new Error(JSON.stringify(trace.bad))
  const calls = trace.summary.totals.records
  console.log(
    `DUMPI: ${(bytes / 1e6).toFixed(0)} MB, ${calls} calls, ${ranks} ranks: ${seconds.toFixed(2)} CPU s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s, ${Math.round((seconds * 1e9) / calls)} ns a call`,
  )
}
