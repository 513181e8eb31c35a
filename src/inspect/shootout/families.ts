// Families of networks, and their members near a number of endpoints with routers of at most a given radix. The
// properties here are formulas for the selection; the selected members are built and measured.
import { primePower } from "../../core/galois.ts"

export interface Wish {
  readonly endpoints: number
  /** maximum number of ports of a router */
  readonly radix: number
}

export interface Member {
  readonly family: string
  readonly params: Readonly<Record<string, number | string>>
  readonly ends: number
  readonly routers: number
  /** ports in use of all routers, and of the largest one */
  readonly ports: number
  readonly radix: number
  /**
   * load per endpoint that its channels sustain on average, under uniform traffic on shortest paths; 1 is balanced in
   * the sense of its designers
   */
  readonly carries: number
}

type Draft = Omit<Member, "family" | "ports"> & { readonly links: number }

/** A pattern that is hard for a family, as in the experiment file. */
export type Pattern = Readonly<Record<string, number | string>> & { readonly name: string }

export interface Family {
  readonly name: string
  /** routings that are tried; the best one counts */
  readonly routings: readonly Readonly<Record<string, string>>[]
  worst(p: Member["params"], ends: number): readonly Pattern[]
  members(wish: Wish): Iterable<Draft>
}

const num = (p: Member["params"], key: string) => Number(p[key])
const named = (...names: string[]) => names.map((name) => ({ name }))
/** All endpoints of a router send to those of the next one, or all of a group to the next group. */
const routerShift = (p: Member["params"]): Pattern => ({ name: "group-adversarial", size: num(p, "p") })
const groupShift: Pattern = { name: "group-adversarial" }
const permutation: Pattern = { name: "random-permutation" }
const anyRouting = named("any.shortest", "any.up-down", "any.valiant")
/** Every shortest path of a fat tree goes up, then down: packets are spread at random or to the shortest queue. */
const ascents = [
  { name: "any.shortest", spread: "random" },
  { name: "any.shortest", spread: "least-queued" },
  { name: "any.up-down", spread: "least-queued" },
]

/** Returns integers around N / parts. */
function near(n: number, parts: number): number[] {
  const x = n / parts
  return [...new Set([Math.floor(x), Math.ceil(x)])].filter((p) => p >= 1)
}

const upTo = (n: number, from = 1) => Array.from({ length: Math.max(0, Math.floor(n) - from + 1) }, (_, i) => from + i)
const primePowers = (most: number) => upTo(most, 3).filter((q) => primePower(q) !== undefined)

/**
 * Meshes and tori of equal sides. The bisection bounds the load: 4 k^(n-1) channels for half of the uniform traffic
 * (mesh), twice as many in a torus.
 */
function* grids({ endpoints, radix }: Wish, wrap: boolean): Iterable<Draft> {
  for (const n of upTo(6))
    for (const k of upTo(n === 1 ? 64 : Math.ceil((2 * endpoints) ** (1 / n)), 3)) {
      const routers = k ** n
      if (routers > 2 * endpoints) break
      for (const p of near(endpoints, routers))
        for (const trunk of upTo((radix - p) / (2 * n))) {
          const links = wrap ? n * routers * trunk : n * (routers - routers / k) * trunk
          const carries = ((wrap ? 8 : 4) * trunk) / (k * p)
          const params = { sides: Array.from({ length: n }, () => k).join("x"), p, trunk }
          yield { params, ends: routers * p, routers, links, radix: 2 * n * trunk + p, carries }
        }
    }
}

/** HyperX with up to three dimensions. The smallest side bounds the load. */
function* hyperx({ endpoints, radix }: Wish): Iterable<Draft> {
  const sides = function* (left: number, most: number): Iterable<number[]> {
    yield []
    if (left > 0) for (const s of upTo(most, 2)) for (const rest of sides(left - 1, s)) yield [s, ...rest]
  }
  for (const s of sides(3, radix)) {
    const routers = s.reduce((a, b) => a * b, 1)
    if (s.length === 0 || routers > endpoints) continue
    for (const p of near(endpoints, routers))
      for (const links of upTo(Math.min(4, (radix - p) / s.reduce((sum, side) => sum + side - 1, 0)))) {
        const degree = links * s.reduce((sum, side) => sum + side - 1, 0)
        const carries = (Math.min(...s) * links) / p
        yield {
          params: { sides: s.join("x"), p, links },
          ends: routers * p,
          routers,
          links: (routers * degree) / 2,
          radix: degree + p,
          carries,
        }
      }
  }
}

/** Dragonflies with g groups of a routers. Global links or local links (used twice per path) bound the load. */
function* dragonflies({ endpoints, radix }: Wish): Iterable<Draft> {
  for (const a of upTo(radix, 2))
    for (const h of upTo(radix - a))
      for (const p of upTo(radix - a - h + 1)) {
        for (const g of near(endpoints, a * p)) {
          if (g < 2 || g > a * h + 1) continue
          const parallel = Math.floor((a * h) / (g - 1))
          const links = (g * (a * (a - 1) + parallel * (g - 1))) / 2
          const carries = Math.min((parallel * g) / (a * p), a / (2 * p))
          yield { params: { p, a, h, g }, ends: a * p * g, routers: a * g, links, radix: p + a - 1 + h, carries }
        }
      }
}

/** Megaflies (Dragonfly+): groups are two-level fat trees. */
function* megaflies({ endpoints, radix }: Wish): Iterable<Draft> {
  for (const s of upTo(radix - 1, 2))
    for (const p of upTo(radix - s))
      for (const h of upTo(radix - s))
        for (const groups of near(endpoints, s * p)) {
          const rounds = groups < 2 ? 0 : Math.floor((s * h) / (groups - 1))
          if (rounds < 1) continue
          const links = groups * s * s + (groups * (groups - 1) * rounds) / 2
          const carries = Math.min(s / p, (rounds * groups) / (s * p))
          const params = { groups, leaves: s, spines: s, p, h }
          yield { params, ends: groups * s * p, routers: 2 * groups * s, links, radix: Math.max(s + p, s + h), carries }
        }
}

/** Cascades: groups are two-dimensional with `blue` cables between groups. */
function* cascades({ endpoints, radix }: Wish): Iterable<Draft> {
  for (const rows of [2, 3, 4, 6])
    for (const columns of [4, 8, 16])
      for (const p of upTo(16))
        for (const groups of near(endpoints, rows * columns * p))
          for (const bundle of [2, 4])
            for (const blue of [1, 2, 4]) {
              const routers = groups * rows * columns
              const globals = groups * (groups - 1) * rows * bundle * blue
              const local = columns - 1 + (rows - 1) * 3
              const most = p + local + Math.ceil((groups - 1) / Math.floor(columns / bundle)) * blue
              if (groups < 2 || most > radix) continue
              const carries = Math.min(globals / (groups * rows * columns * p), local / (3.4 * p))
              const params = { groups, rows, columns, bundle, blue, p }
              yield { params, ends: routers * p, routers, links: (routers * local + globals) / 2, radix: most, carries }
            }
}

/** Slim Flies of degree (3q - delta) / 2, with one network per rail. The mean distance is about 2 links. */
function* slimFlies({ endpoints, radix }: Wish, rails: number): Iterable<Draft> {
  for (const q of primePowers(radix)) {
    const delta = q % 4 === 1 ? 1 : q % 4 === 3 ? -1 : 0
    const degree = (3 * q - delta) / 2
    const routers = 2 * q * q
    for (const p of near(endpoints, routers)) {
      const carries = (rails * degree) / (p * (2 - (degree + 2) / routers))
      const params = rails === 1 ? { q, p } : { q, p, rails }
      yield {
        params,
        ends: routers * p,
        routers: routers * rails,
        links: (rails * routers * degree) / 2,
        radix: degree + p,
        carries,
      }
    }
  }
}

/** PolarFlies: q^2 + q + 1 routers of degree q + 1 with diameter 2. */
function* polarFlies({ endpoints, radix }: Wish): Iterable<Draft> {
  for (const q of primePowers(radix)) {
    const routers = q * q + q + 1
    for (const p of near(endpoints, routers)) {
      const carries = (q + 1) / (p * (2 - (q + 3) / routers))
      yield {
        params: { q, p },
        ends: routers * p,
        routers,
        links: (routers * (q + 1) - (q + 1)) / 2,
        radix: q + 1 + p,
        carries,
      }
    }
  }
}

/** Random regular graphs. The mean distance is that of the Moore bound. */
function* jellyfish({ endpoints, radix }: Wish): Iterable<Draft> {
  for (const p of upTo(radix - 2)) {
    for (const routers of near(endpoints, p))
      for (const r of upTo(radix - p, 3)) {
        if ((routers * r) % 2 === 1 || r >= routers) continue
        // Routers at distance 1, 2, 3, …: each level is as full as it can be.
        let [seen, level, sum] = [1, r, 0]
        for (let d = 1; seen < routers; d++, level *= r - 1) {
          const here = Math.min(level, routers - seen)
          sum += d * here
          seen += here
        }
        const carries = (r * (routers - 1)) / (p * sum)
        yield { params: { routers, r, p }, ends: routers * p, routers, links: (routers * r) / 2, radix: r + p, carries }
      }
  }
}

/** Fat trees with two or three levels, full or tapered. */
function* fatTrees({ endpoints, radix }: Wish): Iterable<Draft> {
  for (const a of upTo(radix - 1))
    for (const taper of [1, 2, 4]) {
      const up = a / taper
      if (!Number.isInteger(up) || a + up > radix) continue
      // Two levels with parallel links, then three levels.
      for (const c of near(endpoints, a))
        for (const links of upTo(radix / c)) {
          if (up % links !== 0 || c < 2) continue
          const tops = up / links
          yield {
            params: { m: `${a}x${c}`, w: `1x${tops}`, links: `1x${links}` },
            ends: a * c,
            routers: c + tops,
            links: c * up,
            radix: Math.max(a + up, c * links),
            carries: 1 / taper,
          }
        }
      for (const b of upTo(radix / 2, 2))
        for (const c of near(endpoints, a * b))
          for (const links of upTo(Math.min(b, radix / Math.max(1, c)))) {
            if (b % links !== 0 || c < 2) continue
            const tops = b / links
            const routers = b * c + c * up + up * tops
            const params = { m: `${a}x${b}x${c}`, w: `1x${up}x${tops}`, links: `1x1x${links}` }
            yield {
              params,
              ends: a * b * c,
              routers,
              links: 2 * b * c * up,
              radix: Math.max(a + up, 2 * b, c * links),
              carries: 1 / taper,
            }
          }
    }
}

export const families: readonly Family[] = [
  {
    name: "torus",
    routings: named("torus.dimension-order", "torus.adaptive"),
    worst: () => [{ name: "tornado" }],
    members: (wish) => grids(wish, true),
  },
  {
    name: "mesh",
    routings: named("mesh.dimension-order", "mesh.adaptive"),
    // Every packet crosses the bisection, in each dimension if possible.
    worst: (_, ends) => [Number.isInteger(Math.log2(ends)) ? { name: "bit-complement" } : permutation],
    members: (wish) => grids(wish, false),
  },
  {
    name: "cmesh",
    routings: named("cmesh.dimension-order"),
    worst: (_, ends) => [Number.isInteger(Math.log2(ends)) ? { name: "bit-complement" } : permutation],
    *members({ endpoints }) {
      for (const k of near(endpoints ** 0.5, 2).map((x) => x - (x % 2))) {
        if (k < 2) continue
        yield {
          params: { k },
          ends: 4 * k * k,
          routers: k * k,
          links: 2 * k * (k - 1) + 2 * k,
          radix: 8,
          carries: (k + 2) / (k * k),
        }
      }
    },
  },
  {
    name: "hypercube",
    routings: anyRouting,
    worst: (p) => [routerShift(p), permutation],
    *members({ endpoints, radix }) {
      for (const n of upTo(20))
        for (const p of near(endpoints, 2 ** n))
          if (n + p <= radix && 2 ** n <= 2 * endpoints)
            yield {
              params: { n, p },
              ends: 2 ** n * p,
              routers: 2 ** n,
              links: (2 ** n * n) / 2,
              radix: n + p,
              carries: 2 / p,
            }
    },
  },
  {
    name: "hyperx",
    routings: named("hyperx.minimal", "hyperx.valiant", "hyperx.ugal-l", "hyperx.dimwar"),
    worst: (p) => [routerShift(p)],
    members: hyperx,
  },
  {
    name: "tree",
    routings: [
      { name: "tree.nearest-ancestor", up: "random" },
      { name: "tree.nearest-ancestor", up: "adaptive" },
      ...named("tree.destination-digit"),
    ],
    worst: () => [permutation],
    *members({ endpoints, radix }) {
      for (const n of upTo(6, 2))
        for (const k of near(endpoints ** (1 / n), 1).filter((x) => x >= 2 && 2 * x <= radix))
          yield {
            params: { k, n },
            ends: k ** n,
            routers: n * k ** (n - 1),
            links: (n - 1) * k ** n,
            radix: 2 * k,
            carries: 1,
          }
    },
  },
  { name: "xgft", routings: ascents, worst: () => [permutation], members: fatTrees },
  {
    name: "clos",
    routings: ascents,
    worst: (p) => [routerShift(p), permutation],
    *members({ endpoints, radix }) {
      for (const p of upTo(radix - 1))
        for (const leaves of [...new Set([...near(endpoints, p).filter((n) => n <= radix), radix])])
          for (const links of upTo(Math.min(8, radix / leaves)))
            for (const spines of upTo((radix - p) / links))
              if (leaves > 1)
                yield {
                  params: { leaves, spines, p, links },
                  ends: leaves * p,
                  routers: leaves + spines,
                  links: leaves * spines * links,
                  radix: Math.max(p + spines * links, leaves * links),
                  carries: (spines * links) / p,
                }
    },
  },
  {
    name: "oft",
    routings: anyRouting,
    worst: (p) => [routerShift(p)],
    *members({ endpoints, radix }) {
      for (const q of primePowers(radix)) {
        const n = q * q + q + 1
        for (const copies of upTo(radix / (q + 1)))
          for (const p of near(endpoints, n * copies))
            yield {
              params: { q, p, copies },
              ends: n * copies * p,
              routers: n * (copies + 1),
              links: n * copies * (q + 1),
              radix: Math.max(p + q + 1, copies * (q + 1)),
              carries: (q + 1) / p,
            }
      }
    },
  },
  {
    name: "dragonfly",
    routings: named("dragonfly.minimal", "dragonfly.valiant", "dragonfly.ugal-l", "dragonfly.par"),
    worst: () => [groupShift],
    members: dragonflies,
  },
  { name: "cascade", routings: anyRouting, worst: () => [groupShift], members: cascades },
  { name: "megafly", routings: named("megafly.minimal", "megafly.par"), worst: () => [groupShift], members: megaflies },
  {
    name: "slimfly",
    routings: named("slimfly.minimal", "slimfly.valiant", "slimfly.ugal-l"),
    worst: (p) => [routerShift(p)],
    members: (wish) => slimFlies(wish, 1),
  },
  {
    name: "fitfly",
    routings: named("slimfly.minimal", "slimfly.ugal-l"),
    worst: (p) => [routerShift(p)],
    members: (wish) => slimFlies(wish, 2),
  },
  { name: "polarfly", routings: anyRouting, worst: (p) => [routerShift(p)], members: polarFlies },
  { name: "jellyfish", routings: anyRouting, worst: (p) => [routerShift(p)], members: jellyfish },
  {
    name: "butterfly",
    routings: named("butterfly.destination-tag"),
    // There is one path for each pair. Endpoints of a first router that send to those of one last router share a link.
    worst: (p) => [{ name: "group-adversarial", size: num(p, "k") }],
    *members({ endpoints, radix }) {
      for (const n of upTo(6, 2))
        for (const k of near(endpoints ** (1 / n), 1).filter((x) => x >= 2 && x <= radix))
          yield {
            params: { k, n },
            ends: k ** n,
            routers: n * k ** (n - 1),
            links: (n - 1) * k ** n,
            radix: k,
            carries: 1,
          }
    },
  },
  {
    name: "crossbar",
    routings: named("crossbar.direct"),
    worst: () => [permutation],
    *members({ endpoints, radix }) {
      const n = Math.min(endpoints, radix)
      yield { params: { n }, ends: n, routers: 1, links: 0, radix: n, carries: 1 }
    },
  },
]

/** Returns all members that the radix allows. */
export function membersOf(family: Family, wish: Wish): Member[] {
  return [...family.members(wish)].flatMap(({ links, ...m }) =>
    m.radix <= wish.radix && m.ends > 1
      ? [{ ...m, family: family.name, ports: m.ends * Number(m.params["rails"] ?? 1) + 2 * links }]
      : [],
  )
}
