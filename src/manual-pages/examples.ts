// Small networks for the pictures of the manual: one of each topology, and for each routing the topology it was written
// for.
import type { AnyPlugin } from "../library.ts"

type Raw = Readonly<Record<string, string | number>>

/** Files that examples name. */
export const files: Readonly<Record<string, string>> = {
  "cube.edges": "0 1\n1 2\n2 3\n3 0\n4 5\n5 6\n6 7\n7 4\n0 4\n1 5\n2 6\n3 7\n",
  // two switches with two hosts each and two cables
  "fabric.net":
    'Switch 8 "S-1" # "sw1" base port 0 lid 1 lmc 0\n[1] "H-11"[1] # "node11" lid 11 4xEDR\n[2] "H-12"[1] # "node12" lid 12 4xEDR\n[3] "S-2"[3] # "sw2" lid 2 4xEDR\n[4] "S-2"[4] # "sw2" lid 2 4xEDR\n' +
    'Switch 8 "S-2" # "sw2" base port 0 lid 2 lmc 0\n[1] "H-21"[1] # "node21" lid 21 4xEDR\n[2] "H-22"[1] # "node22" lid 22 4xEDR\n[3] "S-1"[3] # "sw1" lid 1 4xEDR\n[4] "S-1"[4] # "sw1" lid 1 4xEDR\n',
  "fabric.lft":
    "Unicast lids [0x0-0x40] of switch Lid 1 guid 0x1 (sw1):\n0x000b 001\n0x000c 002\n0x0015 003\n0x0016 004\n" +
    "Unicast lids [0x0-0x40] of switch Lid 2 guid 0x2 (sw2):\n0x000b 003\n0x000c 004\n0x0015 001\n0x0016 002\n",
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
  "rail-optimised": { islands: 4, gpus: 4, spines: 2 },
  hammingmesh: { a: 2, b: 2, x: 3, y: 2 },
  cascade: { groups: 3, rows: 2, columns: 4, p: 1 },
  hypercube: { n: 4 },
  xgft: {},
  clos: {},
  oft: {},
  polarfly: {},
  jellyfish: { routers: 16, r: 4, p: 1 },
  ibnetdiscover: { file: "fabric.net" },
}

/** Networks of routings that need other parameters, or another topology than their name suggests. */
const special: Readonly<Record<string, { topology: string; raw: Raw; routing?: Raw }>> = {
  "any.table": { topology: "mesh", raw: { sides: "2x2" }, routing: { file: "square.txt" } },
  "ibnetdiscover.lft": { topology: "ibnetdiscover", raw: { file: "fabric.net" }, routing: { file: "fabric.lft" } },
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
