// Measures the cost of the congestion protocols on an 8x8 HyperX with 8 endpoints per router (ends=4096: 16x16 with
// 16), links of 100 cycles, messages of 4 packets of 32 flits, uniform traffic, UGAL, one core.
//   node bench/arena.mjs [cycles=150000] [load=0.5] [only=cbcm,srp] [ends=512|4096]
// Prints the CPU time, the CPU time per packet-hop relative to `none` (control packets included), and the state of the
// protocol in its columns (used and allocated), one JSON line each. With state=1, it prints the allocated state at 512,
// 1,024 and 4,096 endpoints and the largest columns instead, and runs nothing.
import { spawnSync } from "node:child_process"
import { congestions } from "../dist/library.js"
import { given, specOf, timed } from "./square.mjs"

const cycles = Number(given.cycles ?? 150000)
const load = Number(given.load ?? 0.5)
const size = given.ends === "4096" ? { sides: "16x16", p: 16 } : {}

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

function measure(name) {
  const [congestion, vcs] = protocols[name]
  const network = {
    routing: { name: "hyperx.ugal-l", candidate: "any" },
    switch: { name: "combined", vcs, buffer: "256flits" },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
    congestion,
  }
  const { engine, seconds, counted } = timed(specOf({ network, message: 4, load, ...size }), cycles, (e) =>
    e.packetHops(),
  )
  const columns = Object.values(engine.loop.protocol?.columns ?? {})
  const words = columns.reduce((n, c) => n + c.reduce((m, word) => m + (word !== 0 ? 1 : 0), 0), 0)
  return {
    protocol: name,
    delivered: engine.stat("delivered"),
    seconds,
    nsPerPacketHop: Math.round((1e9 * seconds) / counted),
    usedMib: Number(((4 * words) / 2 ** 20).toFixed(2)),
    roomMib: Number((columns.reduce((n, c) => n + c.byteLength, 0) / 2 ** 20).toFixed(1)),
  }
}

/** Returns the MiB that a protocol allocates for this many endpoints. */
function room(name, ends) {
  const plugin = congestions.find((c) => c.name === name)
  const site = {
    rows: ends,
    ends,
    maxPacket: 32,
    firstClass: 1,
    column: (n) => new Int32Array(n),
    packets: {},
    outer: (e) => e,
  }
  const model = plugin.make(plugin.params.parse(name === "ideal" ? { to: [0] } : {}, "").ok)
  const columns = Object.entries(model.endpoint?.({ ...site, offered: () => new Float32Array(ends) }).columns ?? {})
  return columns.map(([key, c]) => ({ key, mib: c.byteLength / 2 ** 20 })).sort((a, b) => b.mib - a.mib)
}

function state(name) {
  const rooms = Object.fromEntries([512, 1024, 4096].map((ends) => [ends, room(name, ends)]))
  const all = Object.entries(rooms).map(([ends, columns]) => [
    ends,
    Number(columns.reduce((n, c) => n + c.mib, 0).toFixed(1)),
  ])
  const largest = rooms[4096].slice(0, 3).map(({ key, mib }) => `${key} ${mib}`)
  return { protocol: name, roomMib: Object.fromEntries(all), largest }
}

// Each in a separate process, because two machines of different shape in one process make both slower.
if (given.state !== undefined)
  for (const name of [...Object.keys(protocols), "ecn-window"]) console.log(JSON.stringify(state(name)))
else if (given.child !== undefined) console.log(JSON.stringify(measure(given.child)))
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
    console.log(
      JSON.stringify({
        ...row,
        ...Object.fromEntries(Object.entries(times).map(([k, v]) => [k, Number(v.toFixed(3))])),
      }),
    )
  }
}
