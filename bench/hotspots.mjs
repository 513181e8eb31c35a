// Runs one point of the congestion figures of the stashing paper with other parameters, for screening.
//   node bench/hotspots.mjs [net=mid|full] [what=hot|uniform|adversarial|bursts] …
//   stash=CAPACITY (default: no stash)  each=N (sinks of each source; default: all)  load=, us=, seed=, packets= (bursts)
//   sources=N (hot): N sources instead of four for each sink, with the same total traffic; a sink then has N ECN windows
//   standing=CYCLES (hot): packets that have not moved for this long, and those that wait for the switch of the first
//     sink, at 30, 36, 42, … us
//   set=figures: the parameters of all figures (papers/stashing/README.md) instead of the plug-ins' defaults
//   routing=, switch=, endpoint=, congestion= (JSON, merged into the network)  label=TEXT
// Prints one JSON line with the values of the rows of figures 5 to 9.
import { readFileSync } from "node:fs"
import { burstRun } from "../dist/reproduce/papers/stashing/fig9.js"
import { hotRouter, hotspotRun } from "../dist/reproduce/papers/stashing/hotspots.js"
import { chosen, measured, stashingNetwork, stream, windows } from "../dist/reproduce/papers/stashing/network.js"
import { prepare, simulate } from "../dist/run/simulate.js"

const given = Object.fromEntries(
  process.argv.slice(2).map((a) => [a.slice(0, a.indexOf("=")), a.slice(a.indexOf("=") + 1)]),
)
const num = (key, fallback) => Number(given[key] ?? fallback)
const json = (key) => JSON.parse(given[key] ?? "{}")
const net = given["net"] ?? "full"
const what = given["what"] ?? "hot"
const stash = given["stash"] === undefined ? {} : { stash: num("stash", 1) }
const use = { uniform: { reliability: true }, hot: { absorb: true }, bursts: { absorb: true } }[what] ?? {}
const figures = given["set"] === "figures"
const set = figures ? chosen : { routing: {}, switch: {} }
const congestion = { ...windows, ...json("congestion") }
const options = {
  net,
  ...stash,
  routing: { ...set.routing, ...json("routing") },
  switch: { ...set.switch, ...(given["stash"] === undefined ? {} : use), ...json("switch") },
  endpoint: json("endpoint"),
  seed: num("seed", 1),
}

function specOf() {
  if (what === "hot")
    return hotspotRun({
      ...options,
      congestion,
      until: num("us", 90),
      ...(given["each"] === undefined ? {} : { each: num("each", 1) }),
    })
  if (what === "bursts")
    return burstRun({
      ...options,
      congestion,
      packets: num("packets", 128),
      until: num("us", 100),
    })
  const us = num("us", 40)
  return {
    network: stashingNetwork(options),
    engine: { name: "flit" },
    traffic: [
      stream("uniform", num("load", 1), what === "adversarial" ? { pattern: { name: "group-adversarial" } } : {}),
    ],
    measure: measured(us / 2, us / 2),
    probes: ["series", "latency"].map((name) => ({ name })),
    seed: options.seed,
  }
}

/** More than four sources for each sink, each with less traffic. */
function shared(spec) {
  if (given["sources"] === undefined || what !== "hot") return spec
  const [victims, aggressors] = spec.traffic
  const { sinks, sources } = aggressors.pattern
  const more = victims.from.flatMap(listed).filter((_, i) => i % 7 === 3)
  const all = [...sources, ...more].slice(0, num("sources", 0))
  const left = victims.from.flatMap(listed).filter((e) => !all.includes(e))
  const load = (4 * sinks.length) / all.length
  return {
    ...spec,
    traffic: [
      { ...victims, from: left, pattern: { name: "to-set", set: left } },
      {
        ...aggressors,
        from: all,
        pattern: { name: "sinks", sinks, sources: all },
        load,
        arrivals: { name: "periodic", phase: "random" },
      },
    ],
  }
}
/** "3-5" is 3, 4, 5. */
function listed(range) {
  const [first, last = first] = String(range).split("-").map(Number)
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

function watched(spec) {
  if (given["standing"] === undefined || what !== "hot") return spec
  const { sinks } = spec.traffic[1].pattern
  const router = Math.floor(sinks[0] / spec.network.topology.p)
  return {
    ...spec,
    probes: [...spec.probes, { name: "blocked", cycles: `${given["standing"]}cycles`, hot: sinks, router }],
  }
}

const spec = watched(shared(specOf()))
const prepared = prepare(spec, { read: (path) => readFileSync(path, "utf8") })
if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad, undefined, 1))
const start = process.cpuUsage()
const { values, tables } = await simulate(prepared.ok, { workers: 1 })
const cpu = process.cpuUsage(start)
const round = (x, digits = 0) => (Number.isFinite(x) ? Number(x.toFixed(digits)) : null)

/** Returns a column of a series at times in us. */
function at(table, column, times, factor = 1, digits = 0) {
  const { time = [], [column]: all = [] } = tables[table] ?? {}
  return times.map((us) => round(all[time.findIndex((t) => Number(t) >= us * 1000)] * factor, digits)).join(" ")
}

function hot() {
  const { time, network, injected } = tables["victims.series"]
  const us = time.map((t) => Number(t) / 1000)
  const level = network.filter((_, i) => us[i] > 10 && us[i] <= 20).reduce((a, b, _, all) => a + b / all.length, 0)
  let back = 20
  us.forEach((u, i) => {
    if (u > 20 && network[i] > 1.1 * level) back = us[i + 1] ?? 999
  })
  const ends = endsOf(net)
  const sinks = spec.traffic[1].pattern.sinks.length
  const load = tables["aggressors.series"].injected.map((v) => (v * ends) / sinks)
  const after = us.filter((u) => u > 20).length
  const carried = tables["victims.series"].accepted.filter((_, i) => us[i] > 20).reduce((a, b) => a + b, 0) / after
  const mean = (from, to) => {
    const inside = load.filter((_, i) => us[i] > from && us[i] <= to)
    return inside.reduce((a, b) => a + b, 0) / inside.length
  }
  const early = us.findIndex((u, i) => u > 22 && load[i] < 3)
  return {
    victims: at("victims.series", "network", [24, 28, 32, 36, 40, 45, 50, 55, 60, 70, 80, 89]),
    injected: at(
      "aggressors.series",
      "injected",
      [22, 24, 28, 32, 36, 40, 45, 50, 55, 60, 70, 80, 89],
      ends / sinks,
      2,
    ),
    drained: at("aggressors.series", "accepted", [22, 28, 36, 40, 50, 60, 70, 80, 89], ends / sinks, 2),
    peak: round(Math.max(...network.filter((_, i) => us[i] > 20))),
    back: round(back, 1),
    p999: round(values["victims.network.p999"]),
    max: round(values["victims.network.max"]),
    plateau: round(mean(22, 30), 2),
    below3: early < 0 ? null : round(us[early], 1),
    late: round(mean(65, 75), 2),
    carried: round(carried, 4),
    stash: round(values["stash.pool.peak"] / values["stash.pool.flits"], 2),
    ...stashed(us),
    offered: round(injected.filter((_, i) => us[i] > 20).reduce((a, b) => a + b, 0) / after, 4),
  }
}
/** The stash of the first sink's switch: the minimum utilisation in 30..50 us, the maximum after 80 us, and samples. */
function stashed(us) {
  const { time = [], router = [], flits = [] } = tables["stash"] ?? {}
  if (time.length === 0) return {}
  const part = us.map(() => 0)
  time.forEach((t, i) => {
    const slot = us.findIndex((u) => 1000 * u >= Number(t))
    if (Number(router[i]) === hotRouter(net) && slot >= 0) part[slot] = Number(flits[i]) / values["stash.pool.flits"]
  })
  const between = (from, to) => part.filter((_, i) => us[i] > from && us[i] <= to)
  return {
    stash30to50: round(Math.min(...between(30, 50)), 2),
    stashAfter80: round(Math.max(...between(80, 1e6)), 2),
    stashAt: [25, 30, 35, 40, 50, 60, 70, 80, 90, 120, 150]
      .map((u) => `${u}: ${round(between(u - 1.1, u)[0], 2)}`)
      .join(", "),
  }
}
/** Returns the blocked flits at some times, by the keys of their rows. */
function stood(table, keys) {
  const rows = tables[table] ?? { time: [] }
  const found = {}
  rows.time.forEach((t, i) => {
    if (t % 6000 !== 0 || t < 24000) return
    const name = keys.map((k) => (k === "hot" ? (rows.hot[i] === 1 ? "hot" : "victim") : rows[k][i])).join(" ")
    const at = (found[t / 1000] ??= {})
    at[name] = (at[name] ?? 0) + rows.flits[i]
  })
  return found
}
const endsOf = (name) => ({ small: 110, mid: 462, full: 3080 })[name]

const shown =
  what === "hot"
    ? hot()
    : what === "bursts"
      ? {
          accepted: round(2 * values["victims.accepted"], 4),
          p90: round(values["victims.network.p90"]),
          p99: round(values["victims.network.p99"]),
          aggressors: round(2 * values["aggressors.accepted"], 4),
        }
      : {
          accepted: round(values["accepted"], 4),
          latency: round(values["latency.mean"]),
          series: at("series", "accepted", [10, 20, 30, 40, 50, 60], 1, 3),
        }
console.log(
  JSON.stringify({
    label: given["label"] ?? process.argv.slice(2).join(" "),
    what,
    net,
    stashed: given["stash"] ?? "none",
    ...shown,
    ...(tables["blocked"] === undefined
      ? {}
      : { standing: stood("standing", ["link", "vc", "hot"]), waits: stood("waits", ["distance", "hot"]) }),
    hops: round(values["hops.mean"] ?? values["victims.hops.mean"], 3),
    seconds: round((cpu.user + cpu.system) / 1e6, 1),
  }),
)
