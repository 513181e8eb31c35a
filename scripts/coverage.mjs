// Counts how often the 95 % confidence interval of an automatic measurement contains the true mean latency. Prints one
// line for each kind of traffic: runs, mean cycles, the number of missed intervals, and on which side.
//   npm run coverage [-- --runs 70] [--kinds "bursts;on-off, long"] [--truth] [--dist FOLDER]
//   --truth: measures the true means again (80 runs of 200,000 cycles for each kind) instead of using the recorded ones
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const { values: o } = parseArgs({
  options: {
    runs: { type: "string", default: "70" },
    kinds: { type: "string" },
    truth: { type: "boolean", default: false },
    dist: { type: "string", default: fileURLToPath(new URL("../dist", import.meta.url)) },
  },
})
const { check } = await import(`${o.dist}/index.js`)
const { prepare, simulate } = await import(`${o.dist}/run/simulate.js`)
const { coverageKinds } = await import(new URL("./coverage-kinds.mjs", import.meta.url))

async function run(kind, measure, seed) {
  const { network, traffic, engine } = kind
  const got = await check({
    lacewing: 1,
    network,
    traffic,
    ...(engine === undefined ? {} : { engine }),
    measure,
    seeds: [seed],
  })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad[0]))
  const ready = prepare(got.ok.runs[0].spec, { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad[0]))
  return simulate(ready.ok, { workers: 1, threads: false })
}

async function truthOf(kind) {
  const measure = { warmup: "5kcycles", window: "195kcycles", limit: "1Mcycles", saturation: "never" }
  let sum = 0
  let packets = 0
  for (let seed = 1; seed <= 80; seed++) {
    const { values } = await run(kind, measure, seed)
    sum += values["latency.mean"] * values.packets
    packets += values.packets
  }
  return sum / packets
}

const wanted = o.kinds?.split(";")
const all = { runs: 0, low: 0, high: 0, none: 0 }
console.log("kind                    runs  without  low  high  covered  mean cycles  true mean")
for (const [name, kind] of Object.entries(coverageKinds)) {
  if (wanted !== undefined && !wanted.includes(name)) continue
  const truth = o.truth ? await truthOf(kind) : kind.truth
  const sum = { runs: 0, low: 0, high: 0, none: 0, cycles: 0 }
  for (let seed = 1001; seed <= 1000 + Number(o.runs); seed++) {
    const { values } = await run(kind, { precision: kind.precision, limit: kind.limit ?? "200kcycles" }, seed)
    const half = values["latency.ci"]
    sum.cycles += values.cycles
    if (half === undefined) sum.none++
    else {
      sum.runs++
      if (values["latency.mean"] + half < truth) sum.low++
      if (values["latency.mean"] - half > truth) sum.high++
    }
  }
  for (const key of Object.keys(all)) all[key] += sum[key]
  const cycles = Math.round(sum.cycles / (sum.runs + sum.none))
  console.log(`${row(name, sum)}  ${String(cycles).padStart(11)}  ${truth.toFixed(3).padStart(9)}`)
}
console.log(row("all", all))
const covered = 1 - (all.low + all.high) / all.runs
if (covered < 0.92 || covered > 0.98) process.exitCode = 1

function row(name, { runs, none, low, high }) {
  const covered = ((100 * (runs - low - high)) / runs).toFixed(1)
  const cell = (x, width) => String(x).padStart(width)
  return (
    `${name.padEnd(23)} ${cell(runs, 4)}  ${cell(none, 7)}  ` +
    `${cell(low, 3)}  ${cell(high, 4)}  ${cell(covered, 5)} %`
  )
}
