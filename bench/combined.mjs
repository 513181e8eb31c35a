// Speed of the combined switch: node bench/combined.mjs [cycles=20000] [load=0.5] [only=combined|input-queued]
// 8x8 HyperX with 8 endpoints for each router, links of 100 cycles, packets of 32 flits, UGAL. Prints flit-hops and packet-hops per CPU second, beside the
// input-queued switch with the same packets (flit by flit: cut-through, packets hold the crossbar), one JSON line each. bench/tiled.mjs net=mid is the other row.
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { prepare } from "../dist/run/simulate.js"

const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))
const cycles = Number(given.cycles ?? 20000)
const load = Number(given.load ?? 0.5)

const switches = {
  combined: { name: "combined", vcs: 4, buffer: "256flits" },
  "input-queued": { name: "input-queued", vcs: 4, buffer: "256flits", flow: "cut-through", hold: true, transfer: "flits", speed: 2 },
}

function specOf(sw) {
  return {
    network: {
      topology: { name: "hyperx", sides: "8x8", p: 8 },
      routing: { name: "hyperx.ugal-l" },
      switch: sw,
      endpoint: { name: "simple" },
      links: { end: "1cycle", link: "100cycles" },
      cycle: "1ns",
      flit: "8B",
    },
    engine: { name: "flit" },
    traffic: [
      {
        name: "uniform",
        pattern: { name: "uniform" },
        arrivals: { name: "bernoulli" },
        packet: { name: "fixed", size: "32flits" },
        message: { name: "fixed", size: "1packets" },
        load,
        from: "all",
        start: "0cycles",
        stop: "never",
        priority: 0,
        class: 0,
        reply: "0flits",
      },
    ],
    measure: {
      warmup: "0cycles",
      window: "1000cycles",
      limit: "1000cycles",
      drain: "none",
      saturation: "never",
      precision: "5%",
      series: "1024cycles",
    },
    probes: [],
    seed: 1,
  }
}

for (const [name, sw] of Object.entries(switches)) {
  if (given.only !== undefined && given.only !== name) continue
  const ready = prepare(specOf({ ...sw, ...JSON.parse(given.switch ?? "{}") }), { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad, undefined, 1))
  const horizon = name === "combined" ? cycles : Math.ceil(cycles / 5)
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, workers: 1, horizon, series: 1024 })
  engine.advance(Math.floor(horizon / 4))
  const before = engine.flitHops()
  const start = process.cpuUsage()
  engine.advance(horizon)
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  const flitHops = engine.flitHops() - before
  console.log(
    JSON.stringify({
      switch: name,
      delivered: engine.stat("delivered"),
      accepted: Number((engine.columns.endOut.reduce((a, b) => a + b, 0) / engine.layout.graph.ends / horizon).toFixed(3)),
      seconds: Number(seconds.toFixed(2)),
      flitHopsPerSecond: Math.round(flitHops / seconds),
      packetHopsPerSecond: Math.round(flitHops / 32 / seconds),
      mib: Math.round(process.memoryUsage().rss / 2 ** 20),
    }),
  )
}
