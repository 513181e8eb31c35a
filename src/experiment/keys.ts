// Every key of an experiment file, described once: complaints, `explain`, the manual and the editor's schema derive from it.
import { choice, type Field, fraction, int, maybe, nested, type Schema, schema, text } from "../core/schema.ts"
import { workloads } from "../library.ts"
import type { JobSpec, MeasureSpec, Named, NetworkSpec, TrafficSpec } from "../model/experiment.ts"
import type { Catalog } from "./catalog.ts"
import { settle, usualSwitch } from "./conditions.ts"
import { idealEngine, packetEngine } from "./engines.ts"
import { endpointList, latencies, raw, slot, written } from "./fields.ts"
import { layoutKeys } from "./layout-keys.ts"

export interface Keys {
  readonly network: Schema<NetworkSpec>
  readonly stream: Schema<TrafficSpec>
  readonly job: Schema<JobSpec>
  readonly measure: Schema<MeasureSpec & { readonly deadlock: "stop" | "watch" }>
  readonly probe: Field<Named>
  readonly engines: Readonly<Record<string, Schema<unknown>>>
}

const made = new WeakMap<Catalog, Keys>()

export function keysOf(catalog: Catalog): Keys {
  const keys = made.get(catalog) ?? describeKeys(catalog)
  made.set(catalog, keys)
  return keys
}

function describeKeys(catalog: Catalog): Keys {
  const shorthand = fixedSize(catalog)
  return {
    network: settling(catalog, {
      topology: slot(catalog, "topology", { about: "how routers and endpoints are wired" }),
      routing: slot(catalog, "routing", { about: "how a packet finds its way; must fit the topology" }),
      switch: slot(catalog, "switch", { about: "micro-architecture of every router", default: usualSwitch }),
      endpoint: slot(catalog, "endpoint", {
        about: "how endpoints queue and inject",
        default: catalog.family("endpoint")[0]?.name ?? "source",
      }),
      congestion: maybe(slot(catalog, "congestion", { about: "how congestion is detected and answered; none if left out" })),
      qos: maybe(slot(catalog, "qos", { about: "which service level sends next on a link that several share; round-robin if left out" })),
      links: latencies("latency by link class (end, local, global, …); classes that are not named keep the topology's own"),
      layout: maybe({
        ...nested(layoutKeys),
        info: {
          about: "cabinets on a floor: links that are not named in links get their latency from their length; none if left out",
          type: "map",
          required: false,
        },
      }),
      cycle: raw("time", { about: "duration of one link cycle: only to convert ns to cycles", default: "1ns" }),
      flit: raw("bytes", { about: "size of one flit: only to convert KiB to flits", default: "8B" }),
    }),
    stream: schema({
      name: text({ about: "name of this stream in the results; its pattern unless given", default: "" }),
      pattern: slot(catalog, "pattern", { about: "who sends to whom", default: "uniform" }),
      arrivals: slot(catalog, "arrivals", { about: "when packets are created", default: "bernoulli" }),
      packet: slot(catalog, "sizes", { about: "packet size, for example 1flit", default: "1flit", shorthand }),
      message: slot(catalog, "sizes", { about: "message size in packets", default: "1packet", shorthand }),
      load: fraction({
        about: "offered load as a fraction of one endpoint channel (flits per cycle and endpoint); above 1 for several rails",
        max: 64,
      }),
      from: endpointList("endpoints that send"),
      start: raw("cycles", { about: "when it is switched on", default: "0cycles" }),
      stop: raw("cycles", { about: "when it is switched off", default: "never", words: ["never"] }),
      priority: int({ about: "larger = more urgent", default: 0 }),
      class: int({ about: "streams of one class share VCs; each class has a set of its own", min: 0, max: 15, default: 0 }),
      reply: raw("flits", { about: "answer each packet with one of this size, in the next class; 0flits = none", default: "0flits" }),
    }),
    job: schema({
      name: text({ about: "name of this job in the results; its workload unless given", default: "" }),
      workload: slot(catalog, "workload", { about: "what its ranks do" }),
      start: raw("time", { about: "when its ranks begin", default: "0ns" }),
      place: choice(["contiguous", "random", "routers", "groups", "file"], {
        about:
          "where its ranks sit: the next free endpoints, any, one on each router in turn, one in each group in turn, or as a file says",
        default: "contiguous",
      }),
      file: maybe(text({ about: "place: file: a text with an endpoint for each rank", needed: false })),
      among: maybe(
        int({
          about: "only the first so many endpoints are taken: random places are then the same in networks of other sizes",
          min: 1,
          needed: false,
        }),
      ),
      each: int({ about: "ranks of each endpoint", min: 1, max: 1024, default: 1 }),
      packet: maybe(
        raw("flits", {
          about: "clocked switches: packets that messages of all jobs are cut into; the longest that the switch takes if left out",
        }),
      ),
      mpi: written(workloads.mpiParams, "what MPI costs and how it decides"),
    }),
    measure: schema({
      warmup: raw("cycles", { about: "cycles before measurement starts; auto finds the steady state", default: "auto", words: ["auto"] }),
      window: raw("cycles", { about: "measured window; auto runs until precision is reached", default: "auto", words: ["auto"] }),
      precision: fraction({ about: "half width of the 95 % confidence interval of the mean latency, relative", above: 0, default: 0.02 }),
      limit: raw("cycles", { about: "hard limit on simulated cycles", default: "200kcycles" }),
      drain: choice(["measured", "all", "none"], {
        about: "after the window: wait for the measured packets, empty the network, or stop",
        default: "measured",
      }),
      saturation: choice(["early", "never"], {
        about: "stop as soon as the backlog proves saturation, or run the whole window",
        default: "early",
      }),
      deadlock: choice(["stop", "watch"], {
        about: "Where the proof before cycle 0 finds a cycle: refuse to run, or run and watch whether the network deadlocks",
        default: "stop",
      }),
      until: maybe(
        choice(["jobs"], { about: "jobs: the run ends when all jobs have, whatever the window; else the window ends it", needed: false }),
      ),
      series: raw("cycles", { about: "interval of the time series; 0cycles = none", default: "0cycles" }),
    }),
    probe: slot(catalog, "probe", { about: "what else to record" }),
    engines: {
      flit: schema({}),
      packet: packetEngine,
      ideal: idealEngine,
    },
  }
}

/** Keys of the switch that the routing needs are as if they had been written. */
function settling<F extends Readonly<Record<string, Field<unknown>>>>(catalog: Catalog, fields: F): ReturnType<typeof schema<F>> {
  const plain = schema(fields)
  return { ...plain, parse: (raw, path, scale) => plain.parse(settle(raw, catalog).network, path, scale) }
}

/** `4flits` and `64B` are fixed sizes; anything else is a plug-in's name. */
function fixedSize(catalog: Catalog): (written: string) => Named | undefined {
  const param = Object.keys(catalog.find("sizes", "fixed")?.params.fields ?? {})[0] ?? "size"
  return (written) => (/^\s*[\d.]/.test(written) ? { name: "fixed", [param]: written } : undefined)
}

/** The keys at the top of the file, for unknown-key complaints and `explain`. */
export const topKeys: Readonly<Record<string, string>> = {
  lacewing: "version of the file format: 1",
  title: "one line that says what is asked",
  name: "short name; the results go to results/NAME unless --out is given",
  include: "another file, or a list of them, whose keys are taken where this file has none",
  plugins: "modules of your own with routings, topologies, patterns: a path or a list of them; they are code and are executed",
  network: "topology, routing, switch, endpoint, congestion, qos, links, layout",
  engine: "flit (default), packet, or ideal (jobs alone: no network but latency, gap and bandwidth of interfaces)",
  traffic: "one stream, or a list of streams",
  jobs: "parallel programs on endpoints of their own, one or a list; beside them traffic is the background",
  measure: "warm-up, window, precision and limits of a run",
  probes: "what else to record, by name",
  seeds: "how many seeds (3 = 1, 2, 3), or a list of them",
  sweep: "key: [values]: every combination is run; a range is { from, to, step }",
  zip: "key: [values]: lists of equal length that vary together",
  variants: "name: { keys that differ }: each is run",
  expect: 'thresholds, for example "latency.mean at load=0.1 < 60cycles"; a failed one gives exit code 1',
  search: "saturation: find the load where latency leaves its bounds by bisection instead of a grid",
  limits: "of each run: time (5min) and memory (2GiB)",
  cluster: "what `run --on slurm` asks a scheduler for: partition, account, time, mem, cpus and so on",
}
