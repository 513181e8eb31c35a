// Storage traffic without a trace. Hosts alternate between bursts of requests and pauses, both with Pareto lengths, and
// prefer a few of the disks. This is a model of self-similar traffic: W. Willinger, M. S. Taqqu, R. Sherman and D. V.
// Wilson, "Self-Similarity Through High-Variability", 1997.
import type { Complaint } from "../../core/complaint.ts"
import { exponential, logarithm } from "../../core/logarithm.ts"
import type { Draws } from "../../core/rng.ts"
import { fraction, int, real, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Script } from "../../model/traffic.ts"
import { bySender } from "../block/requests.ts"
import { hostsAndDisks, Storage } from "../block/storage.ts"
import { ends } from "../endpoint-lists.ts"
import { failures, perTrial } from "../inter-arrival.ts"

type Params = {
  hosts: readonly End[]
  disks: readonly End[]
  requests: number
  kib: number
  reads: number
  skew: number
  hot: number
  on: number
  burst: number
  alpha: number
}

/** Of mean 1: P(x > y) falls as y^-alpha. */
function pareto(alpha: number, rng: Draws): number {
  return ((alpha - 1) / alpha) * exponential(-logarithm(rng.unit()) / alpha)
}

/** Time of this script is counted in requests of a burst; how long that is follows from the load. */
function scriptOf(p: Params, ends: number, rng: Draws): Script {
  const { hosts, disks, requests: n } = p
  const count = n * hosts.length
  const made = {
    from: new Int32Array(count),
    to: new Int32Array(count),
    time: new Float64Array(count),
    bytes: new Float64Array(count),
  }
  const size = perTrial(1 / p.kib)
  const hot = Math.max(1, Math.round(p.hot * disks.length))
  let lasts = 0
  let at = 0
  for (const host of hosts) {
    // pauses are so long that bursts take their share of the time
    const pause = () => Math.floor(1000 * p.burst * (1 / p.on - 1) * pareto(p.alpha, rng))
    const begin = at
    let now = 0
    let left = 0
    for (let i = 0; i < n; i++, at++) {
      if (left <= 0) {
        left = Math.max(1, Math.round(p.burst * pareto(p.alpha, rng)))
        if (p.on < 1) now += pause()
      }
      left--
      const few = rng.unit() <= p.skew
      const disk = disks[few || hot === disks.length ? rng.below(hot) : hot + rng.below(disks.length - hot)]
      const read = rng.unit() <= p.reads
      made.from[at] = read ? disk : host
      made.to[at] = read ? host : disk
      made.time[at] = now
      made.bytes[at] = 1024 * (1 + failures(size, rng))
      now += 1000
    }
    lasts += now / hosts.length
    // the start of a host is random
    const phase = Math.floor(rng.unit() * now)
    for (let i = begin; i < at; i++) made.time[i] = (made.time[i] + phase) % now
  }
  return { ...bySender(made, ends), lasts }
}

export default {
  kind: "pattern",
  name: "storage",
  about: "Storage traffic: bursts of reads and writes between hosts and disks, some of which are preferred.",
  limits:
    "determines sources, sizes and times, so arrivals, message and from must not be set; a host sends nothing after its requests",
  params: schema({
    hosts: ends("Endpoints that send requests"),
    disks: ends("Endpoints that are disks; the first of them are the preferred ones"),
    requests: int({ about: "Number of requests of each host", min: 1, max: 1_000_000, default: 2000 }),
    kib: real({
      about: "Mean size of a request in KiB; sizes are whole numbers with a geometric distribution",
      min: 1,
      max: 1024,
      default: 8,
    }),
    reads: fraction({ about: "Fraction of the requests that read, so that the data come from the disk", default: 0.5 }),
    skew: fraction({ about: "Fraction of the requests that go to the preferred disks", default: 0.8 }),
    hot: fraction({ about: "Fraction of the disks that are preferred", above: 0, default: 0.2 }),
    on: fraction({ about: "Mean fraction of the time that a host is in a burst", above: 0, default: 0.2 }),
    burst: real({ about: "Mean number of requests of a burst", min: 1, max: 1e6, default: 16 }),
    alpha: real({ about: "Exponent of the lengths of bursts and pauses", above: 1, max: 100, default: 1.5 }),
  }),
  check: (p, on): Complaint[] => hostsAndDisks(p, on),
  make: (p, on) => new Storage(p, scriptOf(p, on.topology.graph.ends, on.rng)),
} satisfies PatternPlugin<Params>
