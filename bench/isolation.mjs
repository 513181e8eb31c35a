// Measures the speed of queue schemes on a 4-ary 4-tree (256 endpoints), with packets of 64 flits and links of 1 cycle.
// A quarter of the endpoints send to one destination, the others uniformly.
//   node bench/isolation.mjs [cycles=3000000] [load=1]
//     [only=1q|dbbm|voq-switch|voq-network|fbicm-1|fbicm-2|recn|bfc] [hot=0] [tiled=DIR]
// Prints packet-hops per CPU second and memory, one JSON line for each scheme, compared with bench/tiled.mjs net=mid
// (of another built checkout, if DIR names one). Compare load=0.01 hot=0 with load=0.5 hot=0 for the cost of an idle
// network.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { prepare } from "../dist/run/simulate.js"

const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))
const cycles = Number(given.cycles ?? 3000000)
const load = Number(given.load ?? 1)
const hot = given.hot !== "0"
const schemes = ["1q", "dbbm", "voq-switch", "voq-network", "fbicm-1", "fbicm-2", "recn", "bfc"]
const ends = Array.from({ length: 256 }, (_, e) => e)
const sources = ends.filter((e) => hot && e % 4 === 1)

function stream(name, from, pattern) {
  return {
    ...{ name, from, pattern, load, arrivals: { name: "bernoulli" }, packet: { name: "fixed", size: "64flits" } },
    ...{
      message: { name: "fixed", size: "1packets" },
      start: "0cycles",
      stop: "never",
      priority: 0,
      class: 0,
      reply: "0flits",
    },
  }
}

function specOf(scheme) {
  return {
    network: {
      topology: { name: "tree", k: 4, n: 4 },
      routing: { name: "tree.destination-digit" },
      switch: { name: "queue-scheme", scheme },
      endpoint: { name: "adapter", backlog: 2048, capped: hot ? ["hot"] : [], cap: 256 },
      ...{ links: {}, cycle: "1ns", flit: "1B" },
    },
    engine: { name: "flit" },
    traffic: [
      stream(
        "cold",
        ends.filter((e) => !sources.includes(e)),
        { name: "uniform" },
      ),
      ...(hot ? [stream("hot", sources, { name: "to-set", set: [123] })] : []),
    ],
    measure: {
      ...{ warmup: "0cycles", window: "1000cycles", limit: "1000cycles", drain: "none" },
      ...{ saturation: "never", precision: "5%", series: "10000cycles" },
    },
    probes: [],
    seed: 1,
  }
}

/** Runs a row in a separate process, because code that has been optimised for two networks is slower for both. */
function rowOf(script, more) {
  const out = execFileSync(process.execPath, [script, ...more], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  return JSON.parse(out.trim().split("\n").pop())
}

function measure(scheme) {
  const ready = prepare(specOf(scheme), { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, horizon: cycles + 1, series: 10000 })
  const before = process.cpuUsage()
  engine.advance(cycles)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const hops = engine.packetHops()
  const mib = Math.round(process.memoryUsage().rss / 2 ** 20)
  const fingerprint = engine.fingerprint()
  return { scheme, load, hot, cycles, seconds, hops, "packet-hops/s": Math.round(hops / seconds), mib, fingerprint }
}

if (given.only !== undefined) console.log(JSON.stringify(measure(given.only)))
else {
  const tiled = join(given.tiled ?? join(import.meta.dirname, ".."), "bench/tiled.mjs")
  const beside = () => rowOf(tiled, ["net=mid"]).rate
  const first = beside()
  const rows = schemes.map((scheme) => rowOf(import.meta.filename, [...process.argv.slice(2), `only=${scheme}`]))
  // Before and after, because the speed of a machine changes over time.
  const last = beside()
  console.log(JSON.stringify({ tiled: [first, last] }))
  for (const row of rows)
    console.log(
      JSON.stringify({ ...row, "over tiled": Number(((2 * row["packet-hops/s"]) / (first + last)).toFixed(3)) }),
    )
}
