// A congestion tree on its network: the channels that lead to congested points, coloured by how far these are. From the
// table of CAM lines that a run left at its end, or from its events, which have the lines of any cycle.
import type { Table } from "../../model/experiment.ts"
import { endOf, UNWIRED } from "../../model/graph.ts"
import type { Topology } from "../../model/topology.ts"
import { TRACE, traceEventNames } from "../../model/trace-events.ts"
import type { RunRecord } from "../../results/record.ts"
import { topologyOf } from "../topology/specified.ts"
import type { Fact, GraphFigure } from "./figure.ts"
import { nodesOf } from "./network.ts"

/** A line of an input port: packets from there to `output` cross the congested point this many hops away. */
export interface TreeLine {
  readonly router: number
  readonly port: number
  readonly line: number
  readonly hops: number
  readonly output: number
}

/** Lines of input ports, from the table `lines`. */
export function linesIn(table: Table): TreeLine[] {
  const column = (name: string): readonly (string | number)[] => table[name] ?? []
  return column("router").flatMap((router, i) =>
    column("side")[i] === "input"
      ? [
          {
            router: Number(router),
            port: Number(column("port")[i]),
            line: Number(column("line")[i]),
            hops: Number(column("hops")[i]),
            output: Number.parseInt(String(column("to")[i]), 10),
          },
        ]
      : [],
  )
}

/** The lines after a cycle, replayed from the table `events` of the whole run. */
export function linesAt(events: Table, cycle: number): TreeLine[] {
  const column = (name: string): readonly (string | number)[] => events[name] ?? []
  const alive = new Map<string, TreeLine>()
  const [allocated, died] = [traceEventNames[TRACE.lineAllocated], traceEventNames[TRACE.lineFreed]]
  for (let i = 0; i < column("cycle").length && Number(column("cycle")[i]) <= cycle; i++) {
    const event = column("event")[i]
    if (event !== allocated && event !== died) continue
    const [a, b, c] = ["a", "b", "c"].map((name) => Number(column(name)[i])) as [number, number, number]
    const key = `${a} ${b}`
    if (event === died) alive.delete(key)
    else alive.set(key, { router: a, port: b >> 8, line: b & 255, hops: c >> 8, output: c & 255 })
  }
  return [...alive.values()]
}

/** The cycle after which most lines were in use. */
export function largestAt(events: Table): number {
  const [cycle, event] = [events["cycle"] ?? [], events["event"] ?? []]
  let [n, most, at] = [0, 0, 0]
  for (let i = 0; i < cycle.length; i++) {
    n += event[i] === traceEventNames[TRACE.lineAllocated] ? 1 : event[i] === traceEventNames[TRACE.lineFreed] ? -1 : 0
    if (n <= most) continue
    most = n
    at = Number(cycle[i])
  }
  return at
}

/** Trees of a run: as its events have them at their largest, else as its table of lines has them at the end. */
export function runTree(run: RunRecord, id: string, title: string): GraphFigure | undefined {
  const { events, lines } = run.result.tables
  const topology = topologyOf(run.spec)
  if (topology === undefined) return undefined
  const cycle = events === undefined ? 0 : largestAt(events)
  if (cycle > 0) return treeFigure(topology, linesAt(events!, cycle), id, `${title}, cycle ${cycle}`)
  return lines === undefined ? undefined : treeFigure(topology, linesIn(lines), id, title)
}

export function treeFigure(
  topology: Topology,
  lines: readonly TreeLine[],
  id: string,
  title: string,
): GraphFigure | undefined {
  if (lines.length === 0) return undefined
  const { graph } = topology
  // [channel] -> hops to the nearest congested point, counted from the channel that is one; lines that say so
  const depth = new Map<number, number>()
  const said = new Map<number, number>()
  const see = (channel: number, value: number): void => {
    depth.set(channel, Math.min(value, depth.get(channel) ?? value))
    said.set(channel, (said.get(channel) ?? 0) + 1)
  }
  const entries = new Map<number, number>()
  for (const l of lines) {
    const first = graph.firstChan[l.router]
    const near = graph.near[first + l.port]
    if (l.hops === 0) see(first + l.output, 0)
    if (near >= 0) see(near, l.hops + 1)
    else if (near !== UNWIRED) entries.set(endOf(near), Math.min(l.hops + 1, entries.get(endOf(near)) ?? l.hops + 1))
  }
  const channels: GraphFigure["channels"][number][] = []
  const factsOf = (value: number, c: number): Fact[] => [
    ["hops to the congested point", value],
    ["lines", said.get(c) ?? 1],
  ]
  for (let e = 0; e < graph.ends; e++) {
    const home = graph.home[e * graph.rails]
    const value = depth.get(home) ?? entries.get(e)
    channels.push({
      from: graph.routerOf[home],
      to: graph.routers + e,
      ...(value === undefined ? {} : { value, facts: factsOf(value, home) }),
    })
  }
  for (let c = 0; c < graph.chans; c++) {
    const far = graph.far[c]
    if (far < 0) continue
    const value = depth.get(c)
    const [from, to] = [graph.routerOf[c], graph.routerOf[far]]
    // both directions are one faint line
    if (value === undefined && from > to) continue
    channels.push({ from, to, ...(value === undefined ? {} : { value, facts: factsOf(value, c) }) })
  }
  const max = Math.max(...channels.map((c) => c.value ?? 0))
  return {
    kind: "graph",
    id,
    title,
    caption:
      "Channels with CAM lines behind them; colour: hops to the congested point, 0 is the congested channel itself.",
    unit: "hops",
    max,
    nodes: nodesOf(topology),
    channels,
  }
}
