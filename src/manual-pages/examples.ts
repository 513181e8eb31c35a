// Small networks for the pictures of the manual: one of each topology, and for each routing the topology it was written
// for.
import type { AnyPlugin } from "../library.ts"

type Raw = Readonly<Record<string, string | number>>

/** Files that examples name. */
export const files: Readonly<Record<string, string>> = {
  "cube.edges": "0 1\n1 2\n2 3\n3 0\n4 5\n5 6\n6 7\n7 4\n0 4\n1 5\n2 6\n3 7\n",
  "square.txt": "0 1 1\n0 2 2\n0 3 1 0\n0 3 2 0\n1 0 0\n1 3 3\n1 2 0\n2 0 0\n2 3 3\n2 1 3\n3 1 1\n3 2 2\n3 0 2\n",
}

export const networks: Readonly<Record<string, Raw>> = {
  butterfly: { k: 3, n: 3 },
  cmesh: { k: 4 },
  crossbar: { n: 8 },
  dragonfly: { p: 2, a: 4, h: 2 },
  fitfly: { q: 3, p: 2 },
  graph: { file: "cube.edges" },
  hyperx: { sides: "4x4", p: 2 },
  megafly: { groups: 5, leaves: 4, spines: 4, p: 2 },
  mesh: { sides: "5x4" },
  slimfly: { q: 5 },
  torus: { sides: "5x5" },
  tree: { k: 3, n: 3 },
  cascade: { groups: 3, rows: 2, columns: 4, p: 1 },
  hypercube: { n: 4 },
  xgft: {},
  clos: {},
  oft: {},
  polarfly: {},
  jellyfish: { routers: 16, r: 4, p: 1 },
}

/** Networks of routings that need other parameters, or another topology than their name suggests. */
const special: Readonly<Record<string, { topology: string; raw: Raw; routing?: Raw }>> = {
  "any.table": { topology: "mesh", raw: { sides: "2x2" }, routing: { file: "square.txt" } },
  "any.layered": { topology: "slimfly", raw: { q: 3, p: 1 } },
  "any.shortest": { topology: "hypercube", raw: { n: 4 } },
  "any.up-down": { topology: "graph", raw: { file: "cube.edges" } },
  "any.valiant": { topology: "hypercube", raw: { n: 3 } },
  "dragonfly.booksim-minimal": { topology: "dragonfly", raw: { p: 2, a: 4, h: 2, arrangement: "absolute" } },
  "dragonfly.booksim-ugal": { topology: "dragonfly", raw: { p: 2, a: 4, h: 2, arrangement: "absolute" } },
  "dragonfly.codes-minimal": { topology: "dragonfly", raw: { p: 2, a: 4, h: 2, arrangement: "codes" } },
  "dragonfly.codes-nonminimal": { topology: "dragonfly", raw: { p: 1, a: 4, h: 2, g: 5, arrangement: "codes" } },
  "dragonfly.codes-prog-adaptive": { topology: "dragonfly", raw: { p: 1, a: 4, h: 2, g: 5, arrangement: "codes" } },
  "slimfly.codes-adaptive": { topology: "fitfly", raw: { q: 3, p: 1 } },
}

export function networkFor(routing: AnyPlugin): { topology: string; raw: Raw; routing: Raw } {
  const given = special[routing.name]
  if (given !== undefined) return { topology: given.topology, raw: given.raw, routing: given.routing ?? {} }
  const topology = routing.name.split(".")[0]
  return { topology, raw: networks[topology] ?? {}, routing: {} }
}
