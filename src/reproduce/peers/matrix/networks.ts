// Small networks of every family, with a routing that fits and VCs that are enough for it.
import type { Named } from "../../../model/experiment.ts"
import type { RandomConfig } from "./random-config.ts"

export interface Network {
  readonly topology: Named
  readonly routing: Named
  /** VCs of one class that the routing needs */
  readonly vcs: number
  /** classes of links, the endpoints' first */
  readonly links: readonly string[]
}

const plain = ["end", "link"]
const grouped = ["end", "local", "global"]

function grid(d: RandomConfig): string {
  return d.pick(["4x4", "3x3", "5x3", "4x3", "3x3x2", "8"])
}

/** Routings for any topology. `diameter`: most links of a shortest path. */
function any(d: RandomConfig, topology: Named, diameter: number, links = plain): Network {
  const routing = d.pick<Named>([
    { name: "any.up-down" },
    { name: "any.up-down", spread: "least-queued" },
    { name: "any.shortest", spread: d.pick(["first", "least-queued"]) },
  ])
  return { topology, routing, vcs: diameter + 1, links }
}

function of(
  topology: Named,
  links: readonly string[],
  [name, vcs]: readonly [string, number],
  more: object = {},
): Network {
  return { topology, routing: { name, ...more }, vcs, links }
}

type Make = (d: RandomConfig) => Network

/** All routers have as many ports. */
const regular: readonly Make[] = [
  (d) =>
    of(
      { name: "torus", sides: grid(d), p: d.int(1, 2) },
      plain,
      d.pick([
        ["torus.dimension-order", 2],
        ["torus.adaptive", 3],
      ]),
    ),
  (d) => of({ name: "butterfly", k: d.int(2, 3), n: d.int(2, 3) }, plain, ["butterfly.destination-tag", 1]),
  (d) =>
    of(
      { name: "hyperx", sides: d.pick(["4x3", "3x3", "4x4", "5"]), p: d.int(1, 2) },
      plain,
      d.pick([
        ["hyperx.minimal", 1],
        ["hyperx.valiant", 2],
        ["hyperx.ugal-l", 2],
        ["hyperx.dimwar", 4],
      ]),
    ),
  (d) =>
    of(
      {
        name: "dragonfly",
        p: d.int(1, 2),
        a: d.pick([2, 4]),
        h: d.int(1, 2),
        ...d.maybe(0.3, () => ({ roles: "random" })),
      },
      grouped,
      d.pick([
        ["dragonfly.minimal", 3],
        ["dragonfly.valiant", 6],
        ["dragonfly.ugal-l", 6],
        ["dragonfly.par", 7],
        ["dragonfly.par62", 6],
      ]),
    ),
  (d) => any(d, { name: "jellyfish", routers: 2 * d.int(4, 8), r: d.int(3, 4), p: d.int(1, 2) }, 5),
  (d) => any(d, { name: "hypercube", n: d.int(2, 4), p: d.int(1, 2) }, 4),
  (d) => any(d, { name: "torus", sides: grid(d) }, 6),
  (d) => of({ name: "crossbar", n: d.int(4, 12) }, ["end"], ["crossbar.direct", 1]),
]

const others: readonly Make[] = [
  (d) =>
    of(
      { name: "mesh", sides: grid(d), p: d.int(1, 2) },
      plain,
      d.pick([
        ["mesh.dimension-order", 1],
        ["mesh.adaptive", 3],
      ]),
    ),
  (d) =>
    of(
      { name: "tree", k: d.int(2, 3), n: d.int(2, 3) },
      plain,
      d.pick([
        ["tree.nearest-ancestor", 1],
        ["tree.destination-digit", 1],
        ["tree.valiant", 1],
      ]),
    ),
  (d) => of({ name: "tree", k: d.int(2, 3), n: d.int(2, 3) }, plain, ["tree.nearest-ancestor", 1], { up: "adaptive" }),
  (d) =>
    of(
      {
        name: "megafly",
        groups: d.int(3, 4),
        leaves: d.int(2, 4),
        spines: d.int(2, 4),
        p: d.int(1, 2),
        ...d.maybe(0.5, () => ({ h: 4 })),
      },
      grouped,
      d.pick([
        ["megafly.minimal", 4],
        ["megafly.par", 6],
      ]),
    ),
  (d) =>
    of(
      { name: "slimfly", q: d.pick([3, 4]), p: d.int(1, 2) },
      grouped,
      d.pick([
        ["slimfly.minimal", 2],
        ["slimfly.valiant", 4],
        ["slimfly.ugal-l", 4],
        ["slimfly.codes-adaptive", 4],
      ]),
    ),
  (d) => any(d, { name: "xgft", m: [d.int(2, 4), d.int(2, 3)], w: [1, d.int(1, 2)] }, 4),
  (d) => any(d, { name: "clos", leaves: d.int(3, 6), spines: d.int(2, 3), p: d.int(1, 3) }, 2),
  (d) =>
    of({ name: "cmesh", k: d.int(2, 3), express: false }, ["end", "link", "express"], ["cmesh.dimension-order", 1]),
]

/** Partitions of 32, 64, 96 routers and one more: what goes through a partition 32 routers at a time must stop at its
 *  end. */
const wide: Make = (d) =>
  of({ name: "torus", sides: d.pick(["65", "97", "129", "13x5", "43x3"]), p: 2 }, plain, ["torus.dimension-order", 2])

/** More than 1,000 routers: numbers that no longer fit into ten bits, and many words of every bit set. */
const huge: Make = (d) =>
  of({ name: "torus", sides: d.pick(["33x32", "41x25", "1025", "11x10x10"]), p: 1 }, plain, [
    "torus.dimension-order",
    2,
  ])

/** Several rails: each endpoint is on several routers. */
const railed: readonly Make[] = [
  (d) =>
    of(
      { name: "fitfly", q: d.pick([3, 4]), p: d.int(1, 2), rails: d.int(2, 4) },
      grouped,
      d.pick([
        ["slimfly.minimal", 2],
        ["slimfly.ugal-l", 4],
        ["slimfly.codes-adaptive", 4],
      ]),
    ),
]

export function hasGroups(net: Network): boolean {
  return net.links === grouped
}

/** `rails`: endpoints may be on several routers; `regular`: all routers have as many ports. */
export function networkOf(d: RandomConfig, want: "any" | "rails" | "regular"): Network {
  if (d.huge > 0 && d.chance(d.huge)) return huge(d)
  if (d.wide > 0 && d.chance(d.wide)) return wide(d)
  if (want === "regular") return d.pick(regular)(d)
  return d.pick(want === "rails" && d.chance(0.3) ? railed : [...regular, ...others])(d)
}
