// Kinds of traffic on which confidence intervals are tested: network, traffic, requested precision, limit (default:
// 200kcycles), and the true mean latency in cycles. The true means come from runs of 200,000 cycles with the seeds 1 to
// 80 (`npm run coverage -- --truth`). The intervals are tested with the seeds from 1001 on.
const flits = (n) => `${n}flits`
const iq = { name: "input-queued", vcs: 2, buffer: flits(8) }
const crossbar = (n) => ({
  topology: { name: "crossbar", n },
  routing: "crossbar.direct",
  switch: iq,
  cycle: "1ns",
  flit: "8B",
})
const mesh = (sides) => ({
  topology: { name: "mesh", sides },
  routing: "mesh.dimension-order",
  switch: iq,
  cycle: "1ns",
  flit: "8B",
})
const chunks = {
  ...crossbar(4),
  switch: { name: "chunk", vcs: 2, chunk: "256B", buffer: "1KiB", bandwidth: "8GB/s", credit: "2ns" },
  endpoint: "rails",
}
const uniform = (load, rest) => ({ pattern: "uniform", load, ...rest })
const message = { name: "range", min: "1packets", max: "30packets" }

export const coverageKinds = {
  bernoulli: { network: crossbar(8), traffic: uniform(0.5, { packet: flits(1) }), precision: "2%", truth: 12.329 },
  "on-off": {
    network: crossbar(8),
    traffic: uniform(0.3, { packet: flits(4), arrivals: { name: "on-off", on: "100cycles" } }),
    precision: "5%",
    truth: 16.233,
  },
  "on-off, long": {
    network: crossbar(8),
    traffic: uniform(0.4, { packet: flits(4), arrivals: { name: "on-off", on: "400cycles" } }),
    precision: "10%",
    truth: 49.775,
  },
  bursts: {
    network: mesh("3x3"),
    traffic: uniform(0.2, { packet: flits(4), arrivals: { name: "burst", count: 16 } }),
    precision: "5%",
    truth: 61.325,
  },
  messages: {
    network: crossbar(4),
    traffic: uniform(0.3, { packet: flits(4), message }),
    precision: "10%",
    truth: 93.047,
  },
  knee: { network: mesh("4x4"), traffic: uniform(0.42, { packet: flits(1) }), precision: "2%", truth: 24.565 },
  "packet engine": {
    network: chunks,
    engine: "packet",
    traffic: uniform(0.5, { packet: "256B", arrivals: "poisson" }),
    precision: "2%",
    truth: 194.037,
  },
  "packet engine, messages": {
    network: chunks,
    engine: "packet",
    traffic: uniform(0.25, { packet: "256B", arrivals: "poisson", message }),
    precision: "10%",
    limit: "1Mcycles",
    truth: 676.016,
  },
}
