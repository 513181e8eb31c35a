// Measures the speed of the combined switch on an 8x8 HyperX with 8 endpoints per router, links of 100 cycles, packets
// of 32 flits, UGAL. Prints flit-hops and packet-hops per CPU second, and the same for the input-queued switch with the
// same packets (flit by flit: cut-through, packets hold the crossbar), one JSON line each. bench/tiled.mjs net=mid is
// the third row.
//   node bench/combined.mjs [cycles=20000] [load=0.5] [only=combined|input-queued]
// BOOKSIM2=/path/to/booksim also runs its flattened butterfly with the same endpoints and packets, and links of one
// cycle (it has no others here). An assertion in its flatfly_onchip.cpp requires equal endpoints of a router in x and
// y; remove it first.
import { bookSimRate } from "../dist/reproduce/peers/bench/booksim2.js"
import { given, specOf, timed } from "./square.mjs"

const cycles = Number(given.cycles ?? 20000)
const load = Number(given.load ?? 0.5)

const switches = {
  combined: { name: "combined", vcs: 4, buffer: "256flits" },
  "input-queued": {
    name: "input-queued",
    vcs: 4,
    buffer: "256flits",
    flow: "cut-through",
    hold: true,
    transfer: "flits",
    speed: 2,
  },
}

for (const [name, sw] of Object.entries(switches)) {
  if (given.only !== undefined && given.only !== name) continue
  const network = { switch: { ...sw, ...JSON.parse(given.switch ?? "{}") }, endpoint: { name: "simple" } }
  const horizon = name === "combined" ? cycles : Math.ceil(cycles / 5)
  const { engine, seconds, counted } = timed(specOf({ network, message: 1, load }), horizon, (e) => e.flitHops())
  console.log(
    JSON.stringify({
      switch: name,
      delivered: engine.stat("delivered"),
      accepted: Number(
        (engine.columns.endOut.reduce((a, b) => a + b, 0) / engine.layout.graph.ends / horizon).toFixed(3),
      ),
      seconds: Number(seconds.toFixed(2)),
      flitHopsPerSecond: Math.round(counted / seconds),
      packetHopsPerSecond: Math.round(counted / 32 / seconds),
      mib: Math.round(process.memoryUsage().rss / 2 ** 20),
    }),
  )
}

const { BOOKSIM2 } = process.env
if (BOOKSIM2 !== undefined && (given.only ?? "booksim2") === "booksim2") {
  const size = { topology: "flatfly", k: "8", n: "2", c: "8", x: "8", y: "8", xr: "4", yr: "2", use_noc_latency: "0" }
  const packets = {
    packet_size: "32",
    injection_rate_uses_flits: "1",
    injection_rate: String(load),
    traffic: "uniform",
  }
  const router = { routing_function: "ugal", num_vcs: "4", vc_buf_size: "256", internal_speedup: "2.0" }
  const run = {
    sim_type: "latency",
    warmup_periods: "1",
    sample_period: String(Math.ceil(cycles / 20)),
    max_samples: "2",
  }
  const rate = bookSimRate(BOOKSIM2, "flattened butterfly", 512, { ...size, ...packets, ...router, ...run })
  console.log(
    JSON.stringify({
      switch: "BookSim2",
      flitHopsPerSecond: Math.round(rate),
      packetHopsPerSecond: Math.round(rate / 32),
    }),
  )
}
