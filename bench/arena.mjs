// Price of the congestion protocols: node bench/arena.mjs [cycles=150000] [load=0.5] [only=cbcm,srp] [ends=512]
// 8x8 HyperX with 8 endpoints for each router (ends=4096: 64 for each), links of 100 cycles, messages of 4 packets of 32 flits, uniform, UGAL, one core. Prints CPU time, and that of a
// packet-hop beside `none`, control packets counted; state of the protocol in its columns, used part and room; one JSON line each.
import { spawnSync } from "node:child_process"
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { prepare } from "../dist/run/simulate.js"

const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))
const cycles = Number(given.cycles ?? 150000)
const load = Number(given.load ?? 0.5)
const p = Number(given.ends ?? 512) / 64

const protocols = {
  none: [{ name: "none" }, 4],
  ideal: [{ name: "ideal", to: [0] }, 5],
  "ecn-delay": [{ name: "ecn-delay" }, 5],
  cbcm: [{ name: "cbcm" }, 6],
  srp: [{ name: "srp" }, 8],
  smsrp: [{ name: "smsrp" }, 8],
  lhrp: [{ name: "lhrp" }, 7],
  dcqcn: [{ name: "dcqcn" }, 5],
  hpcc: [{ name: "hpcc" }, 5],
  nscc: [{ name: "nscc" }, 5],
  rccc: [{ name: "rccc" }, 5],
}

function specOf([congestion, vcs]) {
  return {
    network: {
      topology: { name: "hyperx", sides: "8x8", p },
      routing: { name: "hyperx.ugal-l", candidate: "any" },
      switch: { name: "combined", vcs, buffer: "256flits" },
      endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
      congestion,
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
        message: { name: "fixed", size: "4packets" },
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

function measure(name) {
  const ready = prepare(specOf(protocols[name]), { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad, undefined, 1))
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, workers: 1, horizon: cycles, series: 1024 })
  engine.advance(Math.floor(cycles / 4))
  const before = engine.packetHops()
  const start = process.cpuUsage()
  engine.advance(cycles)
  const { user, system } = process.cpuUsage(start)
  const columns = Object.values(engine.loop.protocol?.columns ?? {})
  const words = columns.reduce((n, c) => n + c.reduce((m, word) => m + (word !== 0 ? 1 : 0), 0), 0)
  return {
    protocol: name,
    delivered: engine.stat("delivered"),
    seconds: (user + system) / 1e6,
    nsPerPacketHop: Math.round((1000 * (user + system)) / (engine.packetHops() - before)),
    usedMib: Number(((4 * words) / 2 ** 20).toFixed(2)),
    roomMib: Number((columns.reduce((n, c) => n + c.byteLength, 0) / 2 ** 20).toFixed(1)),
  }
}

// each in a process of its own: a second machine of another shape in one process makes both slower
if (given.child !== undefined) console.log(JSON.stringify(measure(given.child)))
else {
  let base
  for (const name of Object.keys(protocols)) {
    if (name !== "none" && given.only !== undefined && !given.only.split(",").includes(name)) continue
    const { stdout } = spawnSync(process.execPath, [...process.argv.slice(1), `child=${name}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    })
    const row = JSON.parse(stdout)
    base ??= row
    const times = { times: row.seconds / base.seconds, timesPerPacketHop: row.nsPerPacketHop / base.nsPerPacketHop }
    console.log(JSON.stringify({ ...row, ...Object.fromEntries(Object.entries(times).map(([k, v]) => [k, Number(v.toFixed(3))])) }))
  }
}
