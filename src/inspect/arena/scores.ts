// The scores of the arena: what each one measures of a run, and which direction is better. Reports, help and the
// definition of the Pareto front read this list.
import { jain } from "../../core/stats.ts"
import { plainScale, quantity } from "../../core/units.ts"
import { valueIn } from "../../model/missing.ts"
import { type Found, hasStream, isMissing, type Judged, missing, streamValue, tableOf } from "./judged.ts"
import { type Series, settlingOf } from "./settling.ts"

/** What a run is compared with. All of them have the same seed and grid point. */
export interface Ground {
  /** the same victims without hot flows; if there are none, without congestion control */
  readonly reference: Judged | undefined
  /** endpoints that sent or received hot flows under any participant: a starved sender counts */
  readonly senders: readonly number[]
  readonly receivers: readonly number[]
  /** series of the victims, and the latency below which they have settled */
  readonly series: Series | undefined
  readonly band: number | undefined
}

export interface Score {
  readonly name: string
  readonly head: string
  readonly unit: string
  readonly better: "less" | "more"
  /** mean over the grid points: ratios have geometric means */
  readonly mean: "geometric" | "arithmetic"
  readonly about: string
  of(run: Judged, ground: Ground): Found
}

const NO_HOT = missing("no hot flows")
const NO_IDEAL = missing("no ideal isolation")

/** The reference without hot flows has their stream with load 0. */
const sendsHot = (run: Judged) => run.spec.traffic.some((t) => t.name === "hot" && t.load !== 0)

/** The stream whose throughput and fairness count. */
const mainOf = (run: Judged) => (hasStream(run, "hot") ? "hot" : "victims")

/** Returns the ratio of a value to that of the reference. */
function relative(run: Judged, { reference }: Ground, name: string): Found {
  if (!hasStream(run, "victims")) return missing("no victims")
  if (reference === undefined) return missing("no reference")
  const [own, other] = [streamValue(run, "victims", name), streamValue(reference, "victims", name)]
  if (isMissing(own)) return own
  return isMissing(other) ? missing(`reference: ${other.missing}`) : own / other
}

function hotThroughput(run: Judged, { senders, receivers }: Ground): Found {
  const ends = tableOf(run, mainOf(run), "endpoints")
  if (ends === undefined) return missing("not measured")
  const flits = (ends["accepted"] ?? []).reduce((sum, load) => sum + load, 0)
  return flits / Math.max(1, Math.min(senders.length, receivers.length))
}

/** Jain's index of the flows' shares: by sender, or by receiver if there are more receivers. */
function fairness(run: Judged, { senders, receivers }: Ground): Found {
  if (hasStream(run, "hot") && !sendsHot(run)) return NO_HOT
  // Ranks of jobs send what their program says, whatever the congestion control does.
  if (run.spec.traffic.length === 0) return missing("no flows")
  const ends = tableOf(run, mainOf(run), "endpoints")
  const bySender = senders.length >= receivers.length
  const shares = ends?.[bySender ? "injected" : "accepted"]
  if (shares === undefined) return missing("not measured")
  const among = bySender ? senders : receivers
  if (among.length < 2) return missing("one flow")
  const index = jain(among.map((e) => shares[e]))
  return Number.isNaN(index) ? missing("no packet", true) : index
}

/** Flits of control packets and acknowledgements for each flit of data, in the whole run. */
function control(run: Judged): Found {
  const series = run.result.tables["series"]
  const ends = run.result.tables["endpoints"]
  if (series === undefined || ends === undefined) return missing("not measured")
  const time = (series["time"] ?? []).map(Number)
  const accepted = (series["accepted"] ?? []).map(Number)
  const [interval = 0] = time
  const data = accepted.reduce((sum, load) => sum + load, 0) * interval * (ends["end"] ?? []).length
  if (data === 0) return missing("no packet", true)
  const ack = quantity(run.spec.network.endpoint["ack"] ?? "0flits", "flits", plainScale)
  const packets = (series["packets"] ?? []).map(Number).reduce((sum, n) => sum + n, 0)
  const acks = typeof ack === "number" ? ack * packets : 0
  const own = valueIn(run.result, "control.packets") ?? 0
  const messages = valueIn(run.result, "isolation.flits") ?? 0
  return (own + messages + acks) / data
}

export const scores: readonly Score[] = [
  {
    name: "slowdown",
    head: "victims' slowdown",
    unit: "ratio",
    better: "less",
    mean: "geometric",
    about: "mean latency of the victims, relative to the same victims without hot flows",
    of: (run, ground) => relative(run, ground, "latency.mean"),
  },
  {
    name: "tail",
    head: "p99 slowdown",
    unit: "ratio",
    better: "less",
    mean: "geometric",
    about: "99th percentile of the victims' latency, relative to the same victims without hot flows",
    of: (run, ground) => relative(run, ground, "latency.p99"),
  },
  {
    name: "carried",
    head: "victims' throughput",
    unit: "fraction",
    better: "more",
    mean: "arithmetic",
    about: "accepted load of the victims, relative to the same victims without hot flows",
    of: (run, ground) => relative(run, ground, "accepted"),
  },
  {
    name: "hot",
    head: "hot throughput",
    unit: "fraction",
    better: "more",
    mean: "arithmetic",
    about: "accepted load of the hot flows, as a fraction of the channels of their receivers or senders",
    of: (run, ground) => (sendsHot(run) ? hotThroughput(run, ground) : NO_HOT),
  },
  {
    name: "fairness",
    head: "fairness",
    unit: "index",
    better: "more",
    mean: "arithmetic",
    about: "Jain's index of the loads of the hot senders (of the receivers if they are more)",
    of: fairness,
  },
  {
    name: "settling",
    head: "settling time",
    unit: "cycles",
    better: "less",
    mean: "arithmetic",
    about:
      "cycles from the start of the hot flows until the victims' latency stays in the noise band of ideal isolation",
    of: (_run, { series, band }) =>
      series === undefined ? missing("no onset") : band === undefined ? NO_IDEAL : settlingOf(series, band),
  },
  {
    name: "buffer",
    head: "largest queue",
    unit: "flits",
    better: "less",
    mean: "arithmetic",
    about: "largest number of flits in the queues of one router",
    of: (run) => valueIn(run.result, "occupancy.max") ?? missing("not measured"),
  },
  {
    name: "control",
    head: "control traffic",
    unit: "ratio",
    better: "less",
    mean: "arithmetic",
    about: "flits of control packets and acknowledgements for each flit of data",
    of: control,
  },
  {
    name: "time",
    head: "time of the jobs",
    unit: "ratio",
    better: "less",
    mean: "geometric",
    about: "longest communication time of a rank, relative to an ideal network without latency and contention",
    of(run) {
      const value = valueIn(run.result, "slowdown.ideal")
      if (value !== undefined) return value
      return valueIn(run.result, "jobs.ended") === undefined ? missing("no jobs") : missing("did not end", true)
    },
  },
]
