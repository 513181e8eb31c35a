// Jellyfish: a random regular graph. "Jellyfish: networking data centers randomly", A. Singla, C.-Y. Hong, L. Popa and
// P. B. Godfrey, 2012. Every router has r links to different routers drawn at random, and the network is connected.
//
// Construction: stubs (link ends) are paired in random order. Links that are loops or duplicates then exchange partners
// with random links until none is left, and finally all links are mixed by further exchanges. The paper adds links one
// at a time instead; both methods give nearly uniform regular graphs. A dense graph is drawn as the complement of a
// sparse one.
//
// The graph depends only on its parameters: another `seed` gives another graph, and the seed of the run has no
// influence. Ports: p endpoints, then links by ascending neighbour. Limits: routers * r must be even, and r below
// routers.
import { type Complaint, complain } from "../core/complaint.ts"
import { components, csr, Distances } from "../core/csr.ts"
import { Draws } from "../core/rng.ts"
import { int, schema } from "../core/schema.ts"
import type { Graph } from "../model/graph.ts"
import type { End, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { Wiring } from "./parts/wiring.ts"

type Params = { routers: number; r: number; p: number; seed: number }

export class Jellyfish implements Topology {
  readonly name = "jellyfish"
  readonly graph: Graph
  readonly p: number
  private distances: Distances | undefined

  constructor({ routers, r, p, seed }: Params) {
    this.p = p
    const links = randomRegular(routers, r, seed)
    const wiring = new Wiring(routers, p)
    for (const [a, b] of links.sort((x, y) => x[0] - y[0] || x[1] - y[1])) wiring.link(a, b, 1)
    this.graph = wiring.graph(["end", "link"])
  }
  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  hops(a: Router, b: Router): number {
    this.distances ??= new Distances(neighbours(this.graph))
    return this.distances.between(a, b)
  }
  label(r: Router): string {
    return `router ${r}`
  }
}

type Link = [number, number]

/** Returns the links (a, b), a < b, of a connected random graph of n vertices with degree r. */
export function randomRegular(n: number, r: number, seed: number): Link[] {
  if (r > (n - 1) / 2) {
    const without =
      r === n - 1 ? new Set<number>() : new Set(pairs(n, n - 1 - r, seed, false).map(([a, b]) => a * n + b))
    const links: Link[] = []
    for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) if (!without.has(a * n + b)) links.push([a, b])
    return links
  }
  return pairs(n, r, seed, true)
}

/** Returns the links of one random regular graph. An attempt can fail in any of its phases and is then repeated with
 *  other random numbers. */
function pairs(n: number, r: number, seed: number, connected: boolean): Link[] {
  const rng = new Draws(seed)
  for (let attempt = 0; attempt < 1000; attempt++) {
    const links = new Links(n, r, rng.at(attempt, 0))
    if (links.mend() && links.mix() && (!connected || links.connect())) return links.list()
  }
  throw new Error(`no ${r}-regular graph of ${n} vertices was found in 1000 attempts`)
}

/** The links of an attempt as two columns of ends, with a count of each pair, so that an exchange takes constant
 *  time. */
class Links {
  private readonly n: number
  private readonly rng: Draws
  private readonly a: Int32Array
  private readonly b: Int32Array
  /** a * n + b, a <= b -> how often */
  private readonly count = new Map<number, number>()

  constructor(n: number, r: number, rng: Draws) {
    this.n = n
    this.rng = rng
    const stubs = Int32Array.from({ length: n * r }, (_, i) => i % n)
    for (let i = stubs.length - 1; i > 0; i--) {
      const j = rng.below(i + 1)
      const kept = stubs[i]
      stubs[i] = stubs[j]
      stubs[j] = kept
    }
    this.a = stubs.slice(0, stubs.length / 2)
    this.b = stubs.slice(stubs.length / 2)
    for (let i = 0; i < this.a.length; i++) this.note(this.a[i], this.b[i], 1)
  }

  /** Removes loops and duplicates by exchanges. Returns false if it does not succeed. */
  mend(): boolean {
    for (let i = 0; i < this.a.length; i++) {
      for (let tries = 0; this.times(this.a[i], this.b[i]) > 1 || this.a[i] === this.b[i]; tries++) {
        if (tries > 200) return false
        this.exchange(i, this.rng.below(this.a.length))
      }
    }
    return true
  }

  /** Exchanges the ends of random links. This removes the bias of the repairs, because a long sequence of exchanges
   *  makes all regular graphs nearly equally likely. */
  mix(): true {
    const { a, b, rng } = this
    for (let i = 2 * a.length; i > 0; i--) {
      const j = rng.below(a.length)
      if (rng.below(2) === 1) [a[j], b[j]] = [b[j], a[j]]
      this.exchange(rng.below(a.length), j)
    }
    return true
  }

  /** Joins the components: a link of one and a link of another exchange ends, unless that leaves as many components as
   *  before. Returns false if it does not succeed. */
  connect(): boolean {
    for (let tries = 0; tries < 1000; tries++) {
      const { of, count } = components(csr(this.n, this.a, this.b, true))
      if (count === 1) return true
      const i = this.rng.below(this.a.length)
      const j = this.rng.below(this.a.length)
      if (of[this.a[i]] === of[this.a[j]]) continue
      this.exchange(i, j)
      if (components(csr(this.n, this.a, this.b, true)).count >= count) this.exchange(i, j)
    }
    return false
  }

  list(): Link[] {
    return Array.from(this.a, (a, i): Link => [Math.min(a, this.b[i]), Math.max(a, this.b[i])])
  }

  /** Replaces (u,v) and (x,y) by (u,x) and (v,y), if that makes no loop and no duplicate. All degrees stay the same. */
  private exchange(i: number, j: number): void {
    const [u, v, x, y] = [this.a[i], this.b[i], this.a[j], this.b[j]]
    if (i === j || u === x || v === y || this.times(u, x) > 0 || this.times(v, y) > 0) return
    if ((u === v && x === y) || (u === y && v === x)) return
    this.note(u, v, -1)
    this.note(x, y, -1)
    this.note(u, x, 1)
    this.note(v, y, 1)
    this.b[i] = x
    this.a[j] = v
  }
  private key(a: number, b: number): number {
    return a < b ? a * this.n + b : b * this.n + a
  }
  private times(a: number, b: number): number {
    return this.count.get(this.key(a, b)) ?? 0
  }
  private note(a: number, b: number, change: number): void {
    const key = this.key(a, b)
    const now = (this.count.get(key) ?? 0) + change
    if (now === 0) this.count.delete(key)
    else this.count.set(key, now)
  }
}

function check({ routers, r }: Params): Complaint[] {
  if (r >= routers)
    return [
      complain("r", `${r} links to different routers need more than ${routers} routers`, `choose r = ${routers - 1}`),
    ]
  if ((routers * r) % 2 === 1)
    return [
      complain(
        "r",
        `${routers} routers of ${r} links have an odd number of ends`,
        `choose r = ${r - 1 || 2} or routers = ${routers + 1}`,
      ),
    ]
  if (r === 1 && routers > 2)
    return [complain("r", "one link each joins routers only in pairs", "choose r = 2 or more")]
  return []
}

export default {
  kind: "topology",
  name: "jellyfish",
  aliases: ["random-regular"],
  about: "Random regular graph of routers.",
  cites: "Jellyfish: networking data centers randomly, A. Singla, C.-Y. Hong, L. Popa and P. B. Godfrey, 2012",
  limits: "routers * r even, r below routers",
  params: schema({
    routers: int({ about: "Number of routers", min: 2, max: 4_000_000, default: 20 }),
    r: int({ about: "Number of links of each router", min: 1, max: 4096, default: 4 }),
    p: int({ about: "Number of endpoints on each router", min: 1, max: 65_536, default: 2 }),
    seed: int({ about: "Seed of the random graph", min: 0, default: 1 }),
  }),
  check,
  size: ({ routers, r, p }) => ({ ends: routers * p, routers, chans: routers * (p + r) }),
  make: (p) => new Jellyfish(p),
} satisfies TopologyPlugin<Params, Jellyfish>
