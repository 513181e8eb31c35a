// Speed of queue schemes: node bench/isolation.mjs [cycles=3000000] [load=1] [only=1q|dbbm|voq-switch|voq-network|fbicm-1|fbicm-2|recn|bfc] [hot=0]
// 4-ary 4-tree (256 endpoints), packets of 64 flits, links of 1 cycle; a quarter of the endpoints sends to one destination, the others uniformly. Prints packet-hops
// per CPU second and memory, one JSON line for each scheme. bench/tiled.mjs net=mid is the row that they are held against; load=0.01 hot=0 beside
// load=0.5 hot=0 shows what an idle network costs.
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
    ...{ message: { name: "fixed", size: "1packets" }, start: "0cycles", stop: "never", priority: 0, class: 0, reply: "0flits" },
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

for (const scheme of schemes) {
  if (given.only !== undefined && given.only !== scheme) continue
  const ready = prepare(specOf(scheme), { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, horizon: cycles + 1, series: 10000 })
  const before = process.cpuUsage()
  engine.advance(cycles)
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const hops = engine.packetHops()
  const mib = Math.round(process.memoryUsage().rss / 2 ** 20)
  console.log(JSON.stringify({ scheme, load, hot, cycles, seconds, hops, "packet-hops/s": Math.round(hops / seconds), mib }))
}
