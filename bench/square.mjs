// Common parts of the benchmarks of switches and protocols on the 8x8 HyperX: the run, and the CPU time of its last
// three quarters.
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { prepare } from "../dist/run/simulate.js"

export const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))

/**
 * 8 endpoints for each of 64 routers (default of `sides` and `p`), links of 100 cycles, packets of 32 flits, uniform
 * traffic, UGAL.
 */
export function specOf({ network, message, load, sides = "8x8", p = 8 }) {
  return {
    network: {
      topology: { name: "hyperx", sides, p },
      routing: { name: "hyperx.ugal-l" },
      links: { end: "1cycle", link: "100cycles" },
      cycle: "1ns",
      flit: "8B",
      ...network,
    },
    engine: { name: "flit" },
    traffic: [
      {
        name: "uniform",
        pattern: { name: "uniform" },
        arrivals: { name: "bernoulli" },
        packet: { name: "fixed", size: "32flits" },
        message: { name: "fixed", size: `${message}packets` },
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

/** Runs this many cycles. Returns the engine, the CPU seconds, and the increase of one of its counters. */
export function timed(spec, cycles, counter) {
  const ready = prepare(spec, { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad, undefined, 1))
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, workers: 1, horizon: cycles, series: 1024 })
  engine.advance(Math.floor(cycles / 4))
  const before = counter(engine)
  const start = process.cpuUsage()
  engine.advance(cycles)
  const { user, system } = process.cpuUsage(start)
  return { engine, seconds: (user + system) / 1e6, counted: counter(engine) - before }
}
