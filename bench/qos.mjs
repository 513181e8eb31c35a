// Measures the speed of the switches with service levels on an 8x8x8 torus with trunks of 4 and 2,048 endpoints (small:
// 4x4x4, trunks of 2, 256), with seven levels and a deficit table in every link and endpoint.
//   node bench/qos.mjs [cycles=4000] [load=0.9] [only=infiniband|omni-path] [net=large|small]
// Prints packet-hops per CPU second and megabytes, one JSON line each, each switch in a separate process. Compare it
// with bench/tiled.mjs net=mid. The whole measurement is 1.2 ms: cycles=234375.
import { spawnSync } from "node:child_process"
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { hostAt } from "../dist/experiment/disk/host.js"
import { plan } from "../dist/experiment/plan.js"
import { plainSource } from "../dist/experiment/source.js"
import { experimentOf, switches } from "../dist/reproduce/papers/qos/network.js"
import { prepare } from "../dist/run/simulate.js"

const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))
const cycles = Number(given.cycles ?? 4000)
const small = given.net === "small"
const topology = small
  ? { name: "torus", sides: "4x4x4", p: 4, trunk: 2 }
  : { name: "torus", sides: "8x8x8", p: 4, trunk: 4 }
if (given.only === undefined) {
  for (const name of switches)
    spawnSync(process.execPath, [...process.argv.slice(1), `only=${name}`], { stdio: "inherit" })
} else measure(given.only)

function measure(name) {
  const experiment = experimentOf(name, { topology, routing: "torus.bubble", times: [1, cycles], seeds: 1 }, [
    Number(given.load ?? 0.9),
  ])
  const planned = plan({ source: plainSource("qos", experiment), host: hostAt("."), name: "qos" })
  if ("bad" in planned) throw new Error(planned.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const [{ spec }] = planned.ok.runs
  const ready = prepare(spec, { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, workers: 1, horizon: cycles, series: 1024 })
  // Warm up, so that the code is compiled.
  engine.advance(Math.min(1000, Math.floor(cycles / 4)))
  const [from, hops, cpu] = [engine.now, engine.packetHops(), process.cpuUsage()]
  engine.advance(from + cycles)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (user + system) / 1e6
  const done = engine.packetHops() - hops
  console.log(
    JSON.stringify({
      switch: name,
      endpoints: small ? 256 : 2048,
      cycles,
      "packet-hops": done,
      "packet-hops per s": Math.round(done / seconds),
      seconds: Math.round(100 * seconds) / 100,
      MiB: Math.round(process.memoryUsage().rss / 2 ** 20),
    }),
  )
}
