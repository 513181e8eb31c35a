// The measured values that results, `expect`, tables and `explain` speak of, with their units.
export interface ValueInfo {
  readonly about: string
  /** inner unit; a threshold on a value in cycles must be written with a unit */
  readonly unit: "cycles" | "fraction" | "hops" | "count" | "seconds"
}

const statistics: Readonly<Record<string, string>> = {
  mean: "mean",
  min: "smallest",
  p50: "median",
  p90: "90th percentile",
  p99: "99th percentile",
  p999: "99.9th percentile",
  max: "largest",
}

function spread(of: string, about: string, unit: ValueInfo["unit"]): Record<string, ValueInfo> {
  return Object.fromEntries(Object.entries(statistics).map(([k, word]) => [`${of}.${k}`, { about: `${about}: ${word}`, unit }]))
}

const parts: Readonly<Record<string, string>> = {
  source: "before the head left its endpoint",
  serialisation: "flits behind the head",
  wires: "wires of the fastest way",
  pipelines: "switches of the fastest way, with nothing in the way",
  detour: "wires and switches beyond the fastest way",
  credits: "waiting for room behind a link",
  stash: "put aside in the stash of a switch (tiled switches that have one)",
  output: "all other waiting in switches",
}

export const values: Readonly<Record<string, ValueInfo>> = {
  offered: { about: "load that the sources created in the window, fraction of one endpoint channel", unit: "fraction" },
  accepted: { about: "load that arrived in the window, fraction of one endpoint channel", unit: "fraction" },
  "accepted.ci": { about: "half width of the 95 % confidence interval of the accepted load", unit: "fraction" },
  "accepted.min": { about: "accepted load of the endpoint that received least", unit: "fraction" },
  "accepted.max": { about: "accepted load of the endpoint that received most", unit: "fraction" },
  ...spread("latency", "packet latency, from creation to the arrival of the tail", "cycles"),
  "latency.ci": { about: "half width of the 95 % confidence interval of the mean latency", unit: "cycles" },
  ...spread("network", "network latency, from injection of the head to the arrival of the tail", "cycles"),
  ...spread("hops", "routers visited, source and destination router included", "hops"),
  "links.mean": { about: "router-to-router channels crossed: mean", unit: "hops" },
  ...Object.fromEntries(
    Object.entries(parts).map(([k, part]) => [`time.${k}`, { about: `part of the mean latency: ${part}`, unit: "cycles" as const }]),
  ),
  saturated: {
    about: "1 if clearly less was accepted than offered (by more than twice the interval, or than the noise of the count), else 0",
    unit: "count",
  },
  packets: { about: "packets measured", unit: "count" },
  abandoned: {
    about: "packets of the whole run that were given up after all retries and never arrived (switches that can lose packets)",
    unit: "count",
  },
  cycles: { about: "cycles simulated", unit: "cycles" },
  "flit-hops": { about: "flits times routers visited in the whole run", unit: "count" },
  seconds: { about: "duration of the run on this machine", unit: "seconds" },
}

/** The value itself, or that of one stream or probe (`uniform.latency.mean`). */
export function valueInfo(name: string, owners: readonly string[] = []): ValueInfo | undefined {
  if (Object.hasOwn(values, name)) return values[name]
  const owner = owners.find((o) => name.startsWith(`${o}.`))
  if (owner === undefined) return undefined
  const rest = name.slice(owner.length + 1)
  return Object.hasOwn(values, rest) ? values[rest] : undefined
}
