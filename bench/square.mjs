// What the benches of switches and protocols on the 8x8 HyperX share: the run, and the CPU time of its last three quarters.
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { prepare } from "../dist/run/simulate.js"

export const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))

/** 8 endpoints for each of 64 routers unless `sides` and `p` say otherwise, links of 100 cycles, packets of 32 flits, uniform, UGAL. */
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

/** Runs so many cycles; answers the engine, CPU seconds, and by how much a counter of it has grown in them. */
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
