// All keys of an experiment file, declared once. Complaints, `explain`, the manual and the editor schema are derived
// from these declarations.
import { choice, type Field, fraction, int, list, maybe, nested, type Schema, schema, text } from "../core/schema.ts"
import { workloads } from "../library.ts"
import type { JobSpec, MeasureSpec, Named, NetworkSpec, TrafficSpec } from "../model/experiment.ts"
import type { Catalog } from "./catalog.ts"
import { settle, usualSwitch } from "./conditions.ts"
import { idealEngine, packetEngine } from "./engines.ts"
import { endpointList, latencies, raw, slot, written } from "./fields.ts"
import { layoutKeys } from "./layout-keys.ts"
import { ruled } from "./rules/engine-rules.ts"
import type { Tree } from "./settings.ts"

export interface Keys {
  readonly network: Schema<NetworkSpec>
  readonly stream: Schema<TrafficSpec>
  readonly job: Schema<JobSpec>
  readonly measure: Schema<MeasureSpec & { readonly deadlock: "stop" | "watch" }>
  readonly probe: Field<Named>
  readonly engines: Readonly<Record<string, Schema<unknown>>>
  /** adds the keys that the rules of the engine set */
  ruled(tree: Tree): Tree
}

const made = new WeakMap<Catalog, Keys>()

/** Returns the keys for a catalog, cached. */
export function keysOf(catalog: Catalog): Keys {
  const keys = made.get(catalog) ?? describeKeys(catalog)
  made.set(catalog, keys)
  return keys
}

function networkKeys(catalog: Catalog) {
  return settling(catalog, {
    topology: slot(catalog, "topology", { about: "How links connect routers and endpoints" }),
    routing: slot(catalog, "routing", { about: "Routing algorithm, which must support the topology" }),
    switch: slot(catalog, "switch", { about: "Microarchitecture of every router", default: usualSwitch }),
    endpoint: slot(catalog, "endpoint", {
      about: "Model of the endpoints: how they queue and inject packets",
      default: catalog.family("endpoint")[0]?.name ?? "source",
    }),
    congestion: maybe(slot(catalog, "congestion", { about: "Congestion control protocol (default: none)" })),
    qos: maybe(
      slot(catalog, "qos", {
        about: "Scheduler that selects the service level that sends next on a link (default: round-robin)",
      }),
    ),
    links: latencies(
      "latency by link class (end, local, global, …); classes that are not named keep the topology's own",
    ),
    layout: maybe({
      ...nested(layoutKeys),
      info: {
        about:
          "Layout of cabinets on a floor, which sets the latency of all link classes that `links` does not " +
          "name (default: none)",
        type: "map",
        required: false,
      },
    }),
    cycle: raw("time", { about: "Duration of one link cycle, used only to convert ns to cycles", default: "1ns" }),
    flit: raw("bytes", { about: "Size of one flit, used only to convert KiB to flits", default: "8B" }),
  })
}

function streamKeys(catalog: Catalog) {
  const shorthand = fixedSize(catalog)
  return schema({
    name: text({ about: "Name of this stream in the results (default: its pattern)", default: "" }),
    pattern: slot(catalog, "pattern", {
      about: "Traffic pattern: the destination of each packet",
      default: "uniform",
    }),
    arrivals: slot(catalog, "arrivals", { about: "Arrival process: when packets are created", default: "bernoulli" }),
    packet: slot(catalog, "sizes", { about: "Packet size, for example 1flit", default: "1flit", shorthand }),
    message: slot(catalog, "sizes", { about: "Message size in packets", default: "1packet", shorthand }),
    load: fraction({
      about:
        "Offered load as a fraction of one endpoint channel (flits per cycle and endpoint); above 1 for " +
        "several rails",
      max: 64,
    }),
    from: endpointList("endpoints that send"),
    start: raw("cycles", { about: "Time at which the stream starts", default: "0cycles" }),
    stop: raw("cycles", { about: "Time at which the stream ends", default: "never", words: ["never"] }),
    priority: int({ about: "Priority of the stream; packets with a larger number go first", default: 0 }),
    class: int({
      about: "Traffic class of the stream; streams of one class share VCs, and each class has a separate set",
      min: 0,
      max: 15,
      default: 0,
    }),
    reply: raw("flits", {
      about: "Answer each packet with a reply of this size in the next class; 0flits = no replies",
      default: "0flits",
    }),
  })
}

function jobKeys(catalog: Catalog) {
  return schema({
    name: text({ about: "Name of this job in the results (default: its workload)", default: "" }),
    workload: slot(catalog, "workload", { about: "Workload: what the ranks of the job do" }),
    start: raw("time", { about: "Time at which the ranks of the job start", default: "0ns" }),
    placement: choice(["contiguous", "random", "routers", "groups", "file"], {
      aliases: ["place"],
      about:
        "Endpoints of the ranks: the next free ones, random ones, one per router or per group " +
        "round-robin, or those of a file",
      default: "contiguous",
    }),
    file: maybe(text({ about: "Text file with an endpoint for each rank; for placement: file", needed: false })),
    among: maybe(
      int({
        about:
          "Use only this many endpoints, from 0 on, so that random placements are the same in networks of " +
          "other sizes",
        min: 1,
        needed: false,
      }),
    ),
    copies: maybe(
      int({
        about: "Number of copies of the workload, each a separate job with its own endpoints (default: 1)",
        min: 1,
        max: 4096,
        needed: false,
      }),
    ),
    each: int({ about: "Number of ranks on each endpoint", min: 1, max: 1024, default: 1 }),
    packet: maybe(
      raw("flits", {
        about:
          "Size of the packets into which messages of all jobs are divided, for clocked switches (default: " +
          "the longest that the switch accepts)",
      }),
    ),
    mpi: written(workloads.mpiParams, "what MPI costs and how it decides"),
  })
}

const measureKeys = schema({
  warmup: raw("cycles", {
    about: "Number of cycles before the measurement starts; auto = until the steady state",
    default: "auto",
    words: ["auto"],
  }),
  window: raw("cycles", {
    about: "Measurement window; auto = until `precision` is reached",
    default: "auto",
    words: ["auto"],
  }),
  precision: fraction({
    about: "Target half width of the 95 % confidence interval of the mean latency, relative to the mean",
    above: 0,
    default: 0.02,
  }),
  limit: raw("cycles", { about: "Maximum number of simulated cycles", default: "200kcycles" }),
  drain: choice(["measured", "all", "none"], {
    about: "After the window: wait for the measured packets, empty the network, or stop",
    default: "measured",
  }),
  follow: maybe(
    list(text({ about: "Name of a stream" }), {
      about:
        "Streams whose measured packets the run waits for, if drain is measured (default: all); packets of a hot " +
        "spot that never drains need no wait",
      needed: false,
    }),
  ),
  saturation: choice(["early", "never"], {
    about: "Stop as soon as the backlog proves saturation, or run the whole window",
    default: "early",
  }),
  deadlock: choice(["stop", "watch"], {
    about:
      "If the proof before cycle 0 finds a cyclic dependency: reject the run, or run it and report an " +
      "actual deadlock",
    default: "stop",
  }),
  until: maybe(
    choice(["jobs"], {
      about: "End of the run: when all jobs have ended (jobs), or with the measurement window",
      needed: false,
    }),
  ),
  series: raw("cycles", { about: "Interval of the time series; 0cycles = no time series", default: "0cycles" }),
})

function describeKeys(catalog: Catalog): Keys {
  return {
    ruled: (tree) => ruled(tree, catalog),
    network: networkKeys(catalog),
    stream: streamKeys(catalog),
    job: jobKeys(catalog),
    measure: measureKeys,
    probe: slot(catalog, "probe", { about: "Additional tables and values to record" }),
    engines: {
      flit: schema({}),
      packet: packetEngine,
      ideal: idealEngine,
    },
  }
}

/** Adds the switch keys that the routing requires, as if they had been written (conditions.ts). */
function settling<F extends Readonly<Record<string, Field<unknown>>>>(
  catalog: Catalog,
  fields: F,
): ReturnType<typeof schema<F>> {
  const plain = schema(fields)
  return { ...plain, parse: (raw, path, scale) => plain.parse(settle(raw, catalog).network, path, scale) }
}

/** `4flits` and `64B` are fixed sizes; any other text is the name of a plug-in. */
function fixedSize(catalog: Catalog): (written: string) => Named | undefined {
  const param = Object.keys(catalog.find("sizes", "fixed")?.params.fields ?? {})[0] ?? "size"
  return (written) => (/^\s*[\d.]/.test(written) ? { name: "fixed", [param]: written } : undefined)
}

/** The top-level keys of the file, for unknown-key complaints and `explain`. */
export const topKeys: Readonly<Record<string, string>> = {
  lacewing: "Version of the file format: 1",
  title: "One line that describes the experiment",
  name: "Short name; the results folder is results/NAME (or --out)",
  include: "File, or list of files, whose keys apply where this file has none",
  plugins:
    "Path, or list of paths, of custom modules with plug-ins such as routings or protocols; lacewing executes them as code",
  network: "Network: topology, routing, switch, endpoint, congestion, qos, links, layout",
  engine: "Engine: flit (default), packet, or ideal (LogGOPS model without a network, for jobs only)",
  traffic: "One traffic stream, or a list of streams",
  jobs: "One parallel program, or a list of them, on separate endpoints; traffic is then the background",
  measure: "Warm-up, window, precision and limits of the measurement",
  probes: "Names of additional tables and values to record",
  seeds: "Number of seeds (3 = 1, 2, 3), or a list of seeds",
  sweep: "Keys with lists of values, as key: [values]; lacewing runs every combination; a range is { from, to, step }",
  zip: "Keys with lists of values of equal length that vary together, as key: [values]",
  variants: "Variants of the experiment, as name: { keys that differ }",
  expect: 'Thresholds, for example "latency.mean at load=0.1 < 60cycles"; a failed one gives exit code 1',
  references:
    "References of every run with jobs, for slowdowns: a list of idle (no other traffic) and ideal (no network)",
  search: "Search by bisection instead of a grid: `saturation` finds the saturation load",
  limits: "Limits of each run: time (for example 5min) and memory (for example 2GiB)",
  cluster: "Resources that `run --on slurm` requests: partition, account, time, mem, cpus and others",
}
