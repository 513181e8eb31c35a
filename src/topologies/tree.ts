// Fat tree as a k-ary n-tree: k^n endpoints p = p_{n-1}..p_0 under n stages of k^(n-1) switches <s, w_{n-2}..w_0>, with
// stage 0 at the bottom. "k-ary n-trees: high performance networks for massively parallel architectures", F. Petrini
// and M. Vanneschi, 1997. Switch <s, w> has the number s * k^(n-1) + w.
//
// Endpoint p is attached to <0, p_{n-1}..p_1>, port p_0. Switches <s, w> and <s+1, w'> are linked when they agree in
// every digit but digit s: the lower end uses up port k + w'_s, the upper end down port w_s. Ports 0 to k-1 lead down,
// ports k to 2k-1 up; the top stage has only the former.
import { int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { End, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { k: number; n: number }

export class Tree implements Topology {
  readonly name = "tree"
  readonly graph: Graph
  readonly k: number
  readonly n: number
  /** switches in one stage */
  readonly width: number
  /** [i] -> k^i */
  private readonly power: Int32Array
  readonly digits: { readonly radix: number; readonly count: number; readonly ends: number }
  /** the switches of a stage are alike */
  readonly representatives: readonly Router[]

  constructor({ k, n }: Params) {
    this.k = k
    this.n = n
    this.width = k ** (n - 1)
    this.power = Int32Array.from({ length: n + 1 }, (_, i) => k ** i)
    this.digits = { radix: k, count: n, ends: 1 }
    this.representatives = Array.from({ length: n }, (_, s) => s * this.width)
    this.graph = this.build()
  }

  private build(): Graph {
    const { k, n, width } = this
    const ports = Array.from({ length: n * width }, (_, r) => (r < (n - 1) * width ? 2 * k : k))
    const b = new GraphBuilder(k * width, n * width, ports, { classes: ["end", "link"] })
    for (let e = 0; e < k * width; e++) b.attach(e, Math.floor(e / k), e % k)
    for (let s = 0; s + 1 < n; s++) {
      const weight = k ** s
      for (let w = 0; w < width; w++) {
        const digit = Math.floor(w / weight) % k
        for (let up = 0; up < k; up++) b.link(s * width + w, k + up, (s + 1) * width + w + (up - digit) * weight, digit)
      }
    }
    return b.finish()
  }

  stageOf(r: Router): number {
    return Math.floor(r / this.width)
  }

  /** Returns whether the endpoint is below this switch, that is whether its digits above the stage agree with those of
   *  the switch. */
  covers(r: Router, e: End): boolean {
    const below = this.power[this.stageOf(r)]
    return Math.floor(e / (below * this.k)) === Math.floor((r % this.width) / below)
  }

  /** Returns digit i of an endpoint: the down port at stage i on the path to it. */
  digit(e: End, i: number): number {
    return Math.floor(e / this.power[i]) % this.k
  }

  /** Returns the links between two switches. Digit i changes only between stages i and i+1, so a path must visit all
   *  stages between the lowest and the highest digit that differ. */
  hops(a: Router, b: Router): number {
    const { k, n, width } = this
    const s = this.stageOf(a)
    const t = this.stageOf(b)
    let low = Math.min(s, t)
    let high = Math.max(s, t)
    for (let i = 0, weight = 1; i < n - 1; i++, weight *= k) {
      if (Math.floor((a % width) / weight) % k === Math.floor((b % width) / weight) % k) continue
      low = Math.min(low, i)
      high = Math.max(high, i + 1)
    }
    return high - low + Math.min(s - low + high - t, high - s + t - low)
  }

  label(r: Router): string {
    const { k, n } = this
    const digits = Array.from({ length: n - 1 }, (_, i) => Math.floor((r % this.width) / k ** (n - 2 - i)) % k)
    return `<${this.stageOf(r)}, ${digits.join(k > 10 ? "." : "")}>`
  }
}

export default {
  kind: "topology",
  name: "tree",
  aliases: ["fattree"],
  about: "k-ary n-tree: a fat tree of equal switches with full bandwidth at each stage.",
  cites:
    "k-ary n-trees: high performance networks for massively parallel architectures, F. Petrini and M. Vanneschi, 1997",
  params: schema({
    k: int({ about: "Number of ports down, and up, of a switch", min: 2 }),
    n: int({ about: "Number of stages", min: 1, max: 30 }),
  }),
  size: ({ k, n }) => ({ ends: k ** n, routers: n * k ** (n - 1), chans: (2 * n - 1) * k ** n }),
  make: (p) => new Tree(p),
} satisfies TopologyPlugin<Params, Tree>
