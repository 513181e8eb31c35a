// A stand-in for the engines in tests of the lab: answers by formula, and misbehaves when a stream is named after a
// misdeed.
export function prepare(spec) {
  if (spec.traffic[0].name === "refuse")
    return { bad: [{ path: "network.switch.vcs", says: "5 are needed", fix: "set vcs to 5 or more" }] }
  return { ok: spec }
}

export async function simulate(spec, options) {
  const { name, load } = spec.traffic[0]
  if (name === "crash") throw new TypeError("something is undefined")
  if (name === "exit") process.exit(7)
  if (name === "eat") for (const kept = []; ; ) kept.push(new Array(1000).fill({}))
  if (name === "array") new Float64Array(2 ** 40)
  if (name === "hang") for (;;);
  if (name === "slow") {
    const [begun, whole] = [performance.now(), 60_000]
    for (let t = 0; t < whole && !options.shouldStop(); t = performance.now() - begun)
      options.onProgress(t / whole, "measuring")
  }
  if (name === "work") {
    const until = performance.now() + 20
    while (performance.now() < until);
  }
  options.onProgress(1, "done")
  const knee = 0.7 + spec.seed * 1e-4
  const saturated = load >= knee
  const why = name === "deadlock" ? "deadlock" : saturated ? "saturated" : "steady"
  const mean = saturated ? 500 : 10 + load / (2 * (1 - load / knee)) + spec.seed * 0.01
  const values = {
    offered: load,
    accepted: Math.min(load, knee),
    "latency.mean": mean,
    "latency.p99": 2 * mean,
    "latency.max": 3 * mean,
  }
  return {
    why,
    explains: `${why} by formula`,
    fingerprint: `${load}/${spec.seed}`,
    values: {
      ...values,
      "network.mean": mean - 1,
      "hops.mean": 3,
      cycles: 10000,
      "flit-hops": 1e5 * load,
      seconds: 0.001,
    },
    tables: {},
  }
}
