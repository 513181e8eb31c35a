// The probe `channels` reports the load of every channel, and of every class of channels. The engine counts the flits
// of each channel during the measurement window.
import { flag, schema } from "../core/schema.ts"
import { Moments } from "../core/stats.ts"
import type { Table } from "../model/experiment.ts"
import { endOf, type Graph, UNWIRED } from "../model/graph.ts"
import type { Counts, OverTime, ProbePlugin } from "../model/probe.ts"
import type { Topology } from "../model/topology.ts"

/**
 * Returns one row for each connected channel: its number, its router (number and name), its destination, its class and
 * its load (flits per cycle).
 */
export function channelTable(topology: Pick<Topology, "graph" | "label">, flits: Counts, window: number): Table {
  const { graph } = topology
  const wired = wiredOf(graph)
  return {
    chan: wired,
    from: wired.map((c) => graph.routerOf[c]),
    at: wired.map((c) => topology.label(graph.routerOf[c])),
    to: wired.map((c) =>
      graph.far[c] >= 0 ? topology.label(graph.routerOf[graph.far[c]]) : `endpoint ${endOf(graph.far[c])}`,
    ),
    class: wired.map((c) => classOf(graph, c)),
    load: wired.map((c) => flits[c] / window),
  }
}

/**
 * Returns one row for each class of channels: their number, the mean, minimum and maximum load, and maximum over mean
 * (1: balanced).
 */
export function classTable(graph: Graph, flits: Counts, window: number): Table {
  const classes = new Map<string, Moments>()
  for (const c of wiredOf(graph)) {
    const name = classOf(graph, c)
    classes.set(name, (classes.get(name) ?? new Moments()).add(flits[c] / window))
  }
  const all = [...classes]
  return {
    class: all.map(([name]) => name),
    count: all.map(([, m]) => m.n),
    mean: all.map(([, m]) => m.mean),
    min: all.map(([, m]) => m.min),
    max: all.map(([, m]) => m.max),
    unevenness: all.map(([, m]) => m.max / m.mean),
  }
}

/** Returns one row for each interval and connected channel with flits, in order of time. */
export function channelSeries(graph: Graph, { intervals, counts }: OverTime, interval: number): Table {
  const wired = wiredOf(graph)
  const rows = { time: [] as number[], chan: [] as number[], class: [] as string[], load: [] as number[] }
  for (let i = 0; i < intervals; i++)
    for (const c of wired) {
      const flits = counts[c * intervals + i]
      if (flits === 0) continue
      rows.time.push((i + 1) * interval)
      rows.chan.push(c)
      rows.class.push(classOf(graph, c))
      rows.load.push(flits / interval)
    }
  return rows
}

const NOTHING: OverTime = { intervals: 0, each: 1, counts: new Uint32Array(0) }

function wiredOf(graph: Graph): number[] {
  return Array.from({ length: graph.chans }, (_, c) => c).filter((c) => graph.far[c] !== UNWIRED)
}

function classOf(graph: Graph, c: number): string {
  return graph.far[c] >= 0 ? graph.classes[graph.linkClass[c]] : graph.classes[0]
}

export default {
  kind: "probe",
  name: "channels",
  about: "Load of each channel and of each class of channels.",
  params: schema({
    overTime: flag({
      about:
        "Also record the load of each channel in each interval (measure.series) from cycle 0: table channels.series, " +
        "drawn as a map. Not available in the packet engine.",
      default: false,
    }),
  }),
  needs: (p) => (p.overTime ? ["occupancy"] : []),
  counters: (p) => (p.overTime ? ["channelFlits"] : []),
  figures: [
    {
      table: "channels.series",
      kind: "heat",
      title: "Load of every channel over time",
      caption: "Flits per cycle in each interval. Idle channels are blank.",
      x: { column: "time", label: "Time (cycles)" },
      y: { column: "chan", label: "Channel" },
      value: { column: "load", label: "load" },
    },
  ],
  make: (p, { topology }) => ({
    report: (run) => ({
      tables: {
        channels: channelTable(topology, run.channel, run.window),
        "channels.classes": classTable(topology.graph, run.channel, run.window),
        ...(p.overTime
          ? { "channels.series": channelSeries(topology.graph, run.overTime?.channelFlits ?? NOTHING, run.interval) }
          : {}),
      },
    }),
  }),
} satisfies ProbePlugin<{ overTime: boolean }>
