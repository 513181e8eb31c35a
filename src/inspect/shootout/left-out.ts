// Routings and topologies of the library that do not take part in a comparison of families, and why.

/** Routings of the library that are not tried, and why. */
export const untried: Readonly<Record<string, string>> = {
  ...every(
    "reads the queues of other routers, which hardware cannot do",
    "dragonfly.ugal-g",
    "hyperx.ugal-g",
    "slimfly.ugal-g",
  ),
  ...every(
    "copies another simulator",
    ...["dragonfly.booksim-minimal", "dragonfly.booksim-ugal", "dragonfly.par-codes"],
    ...["dragonfly.codes-minimal", "dragonfly.codes-nonminimal", "dragonfly.codes-prog-adaptive"],
    ...["megafly.codes-minimal", "megafly.codes-non-minimal-leaf", "megafly.codes-prog-adaptive"],
    ...["slimfly.codes-minimal", "slimfly.codes-nonminimal", "slimfly.codes-adaptive"],
  ),
  ...every(
    "needs six VCs on local and two on global links, but here all ports are equal",
    "dragonfly.par62",
    "dragonfly.par62-direct",
  ),
  ...every(
    "is the only routing of a family that does not take part",
    "hammingmesh.dimension-order",
    "rail-optimised.minimal",
  ),
  "any.table": "reads its paths from a file",
  "ibnetdiscover.lft": "reads its paths from a file",
  "any.layered": "uses one of the shortest paths that any.shortest uses",
  "torus.bubble": "uses the paths of torus.dimension-order, with fewer VCs",
  "tree.valiant": "uses the paths of tree.nearest-ancestor, chosen at the source",
}

function every(says: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, says]))
}

/** Topologies of the library that do not take part, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  graph: "is read from a file, so it has no parameters to choose",
  ibnetdiscover: "is read from a file, so it has no parameters to choose",
  hammingmesh: "has endpoints that forward packets, so its ports cannot be compared with those of switches",
  "rail-optimised": "has two kinds of links with separate prices, and the price book has one",
}
