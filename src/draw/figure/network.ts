// A network as nodes in the plane: its routers in the places of pictures (topology/places.ts), and its endpoints next
// to their routers. The congestion tree and the graphs of probes are drawn on it.
import type { Table } from "../../model/experiment.ts"
import { endOf } from "../../model/graph.ts"
import type { Topology } from "../../model/topology.ts"
import { placesOf } from "../topology/places.ts"
import type { Fact, GraphFigure } from "./figure.ts"
import type { Heat } from "./heat.ts"

type Node = GraphFigure["nodes"][number]
type Channel = GraphFigure["channels"][number]

/** Returns a node for each router, and after them one for each endpoint. */
export function nodesOf(topology: Topology): Node[] {
  const { graph } = topology
  const { x, y, out, step } = placesOf(topology)
  const nodes: Node[] = Array.from({ length: graph.routers }, (_, r) => ({
    x: x[r],
    y: y[r],
    facts: [["router", topology.label(r)] as Fact],
  }))
  const leaves = new Set(Array.from(graph.home, (c) => graph.routerOf[c]))
  const hung = new Map<number, number>()
  for (let e = 0; e < graph.ends; e++) {
    const r = graph.routerOf[graph.home[e * graph.rails]]
    // side by side under their router
    const place = hung.get(r) ?? 0
    hung.set(r, place + 1)
    const angle = out[r] + 0.3 * (place - (graph.ends / leaves.size - 1) / 2)
    nodes.push({
      x: x[r] + 0.6 * step * Math.cos(angle),
      y: y[r] + 0.6 * step * Math.sin(angle),
      end: true,
      facts: [["endpoint", e]],
    })
  }
  return nodes
}

/**
 * Returns the graph of a table that a probe declares: x and y are the two nodes of a row, and `value` is its colour. A
 * row with one node twice colours this node. Numbers are routers, and -2 - e is endpoint e. If the network cannot be
 * built again, or nodes have other names, they are in a circle.
 */
export function declaredGraph(table: Table, { id, title, caption, x, y, value }: Heat, topology?: Topology) {
  const [from, to, values] = [x, y, value].map(({ column }) => table[column] ?? [])
  if (values.length === 0 || from.length !== values.length || to.length !== values.length) return undefined
  const { nodes, at, plain, shape } =
    (topology === undefined ? undefined : inPlace(topology, from, to)) ?? circle(from, to)
  const channels: Channel[] = [...plain]
  values.forEach((cell, i) => {
    const [a, b] = [at(from[i]), at(to[i])]
    const row = Number(cell)
    if (!Number.isFinite(row)) return
    const fact: Fact = [value.label, row]
    if (a === b) nodes[a] = { ...nodes[a], value: row, facts: [...nodes[a].facts, fact] }
    else {
      const facts = [...ends(nodes, a, b, [x.label, y.label]), fact]
      channels.push({ from: a, to: b, ...shape(a, b), value: row, facts })
    }
  })
  const figure: GraphFigure = {
    ...{ kind: "graph", id, title, caption, unit: value.label, rising: true, nodes, channels },
    max: values.reduce<number>((most, v) => Math.max(most, Number(v) || 0), 0),
  }
  return figure
}

type Cells = Table[string]
interface Placed {
  readonly nodes: Node[]
  /** Returns the number of the node that a cell names. */
  at(cell: number | string): number
  /** links of the network, drawn faintly */
  readonly plain: readonly Channel[]
  shape(a: number, b: number): Pick<Channel, "bent">
}

function ends(nodes: readonly Node[], a: number, b: number, labels: readonly string[]): Fact[] {
  return [a, b].map((node, i): Fact => [labels[i], nodes[node].facts[0][1]])
}

function inPlace(topology: Topology, from: Cells, to: Cells): Placed | undefined {
  const { graph } = topology
  const isNode = (cell: number | string) =>
    Number.isInteger(cell) && Number(cell) < graph.routers && (Number(cell) >= 0 || isEnd(Number(cell), graph.ends))
  if (![...from, ...to].every(isNode)) return undefined
  const { straight } = placesOf(topology)
  const shape = (a: number, b: number): Pick<Channel, "bent"> =>
    a >= graph.routers || b >= graph.routers || straight(a, b) ? {} : { bent: true }
  const plain: Channel[] = []
  // both directions are one line
  for (let c = 0; c < graph.chans; c++)
    if (graph.far[c] >= 0 && graph.routerOf[c] < graph.routerOf[graph.far[c]]) {
      const [from, to] = [graph.routerOf[c], graph.routerOf[graph.far[c]]]
      plain.push({ from, to, ...shape(from, to) })
    }
  for (let e = 0; e < graph.ends; e++)
    plain.push({ from: graph.routerOf[graph.home[e * graph.rails]], to: graph.routers + e })
  const at = (cell: number | string) => (Number(cell) >= 0 ? Number(cell) : graph.routers + endOf(Number(cell)))
  return { nodes: nodesOf(topology), at, plain, shape }
}

function isEnd(cell: number, ends: number): boolean {
  return cell <= -2 && endOf(cell) < ends
}

function circle(from: Cells, to: Cells): Placed {
  const names = [...new Set([...from, ...to])]
  if (names.every((name) => typeof name === "number")) names.sort((a, b) => Number(a) - Number(b))
  const number = new Map(names.map((name, i) => [name, i]))
  const nodes = names.map((name, i): Node => {
    const angle = (2 * Math.PI * i) / names.length
    const isEndpoint = typeof name === "number" && name <= -2
    const fact: Fact = isEndpoint ? ["endpoint", endOf(name)] : ["node", name]
    return { x: Math.sin(angle), y: -Math.cos(angle), ...(isEndpoint ? { end: true } : {}), facts: [fact] }
  })
  return { nodes, at: (cell) => number.get(cell)!, plain: [], shape: () => ({}) }
}
