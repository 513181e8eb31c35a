// Automorphisms of a network, found by trial and verified channel by channel. Nothing is taken from what a topology
// declares about itself.
//
// The candidates are shifts and reflections of one digit of the router number in a mixed radix: r = (block, digit,
// rest) with digit + step or (top - digit). Step 2, without reflections, serves routings that treat even and odd
// coordinates differently. Translations of tori, group shifts of dragonflies and megaflies with a relative arrangement,
// coordinates of HyperX, digits of trees and the y shift of a Slim Fly of prime q all have this form. A candidate is
// accepted only if it maps every link to a link of the same class, and endpoints to endpoints. Parallel links and the
// endpoints of a router keep their order.
//
// One destination of each class is enough for the following reason. If the routing treats images alike (route(f(state))
// = f(route(state))), the dependencies of packets for f(d) are the images of those of packets for d. close() adds the
// images under all generators until nothing is new. The graph that is judged is therefore the whole one, with every
// channel in it, and no quotient. The symmetry of the graph does not prove that of the routing: prove.ts compares
// random other destinations with the closed set, and gives up the symmetry if one does not fit.
import { endOf, type Graph, UNWIRED } from "../model/graph.ts"
import type { End } from "../model/ids.ts"
import type { Dependencies } from "./dependencies.ts"

export interface Automorphism {
  /** [chan] -> its image */
  readonly chan: Int32Array
  /** [end] -> its image */
  readonly end: Int32Array
}

/** Returns all verified automorphisms of the form above. */
export function automorphisms(graph: Graph, step: 1 | 2 = 1): Automorphism[] {
  const { routers } = graph
  const image = new Int32Array(routers)
  const found: Automorphism[] = []
  const divisors: number[] = []
  for (let d = 1; d <= routers; d++) if (routers % d === 0) divisors.push(d)
  for (const block of divisors) {
    for (const unit of divisors) {
      if (block % unit !== 0 || block === unit) continue
      const radix = block / unit
      if (radix % step !== 0 || radix === step) continue
      for (const reflect of step === 1 ? [false, true] : [false]) {
        for (let r = 0; r < routers; r++) {
          const digit = Math.floor((r % block) / unit)
          image[r] = r + ((reflect ? radix - 1 - digit : (digit + step) % radix) - digit) * unit
        }
        const a = verified(graph, image)
        if (a !== undefined) found.push(a)
      }
    }
  }
  return found
}

/** Returns the router permutation as a map of channels and endpoints, or undefined if it is no automorphism. */
function verified(graph: Graph, image: Int32Array): Automorphism | undefined {
  const { firstChan, routerOf, far, near, linkClass, home, rails } = graph
  const chan = new Int32Array(graph.chans).fill(-1)
  const end = new Int32Array(graph.ends).fill(-1)
  const taken = new Uint8Array(graph.chans)
  for (let r = 0; r < graph.routers; r++) {
    const r2 = image[r]
    const first2 = firstChan[r2]
    const last2 = firstChan[r2 + 1]
    if (last2 - first2 !== firstChan[r + 1] - firstChan[r]) return undefined
    for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
      const mark = far[c]
      const goal = mark >= 0 ? image[routerOf[mark]] : mark === UNWIRED ? UNWIRED : -2
      let c2 = first2
      for (; c2 < last2; c2++) {
        if (taken[c2] === 1) continue
        const mark2 = far[c2]
        const goal2 = mark2 >= 0 ? routerOf[mark2] : mark2 === UNWIRED ? UNWIRED : -2
        if (goal2 === goal && linkClass[c2] === linkClass[c]) break
      }
      if (c2 === last2) return undefined
      taken[c2] = 1
      chan[c] = c2
      if (goal === -2) end[endOf(mark)] = endOf(far[c2])
    }
  }
  // the endpoints must inject where their images do, on all rails
  for (let e = 0; e < graph.ends; e++) {
    for (let rail = 0; rail < rails; rail++) {
      const there = graph.entry[end[e] * rails + rail]
      if (routerOf[there] !== image[routerOf[graph.entry[e * rails + rail]]]) return undefined
      if (near[there] === UNWIRED || routerOf[home[end[e] * rails + rail]] !== image[routerOf[home[e * rails + rail]]])
        return undefined
    }
  }
  return { chan, end }
}

/** Returns the first endpoint of each class of endpoints that the automorphisms map onto one another (union-find). */
export function classesOf(ends: number, maps: readonly Automorphism[]): End[] {
  const top = Int32Array.from({ length: ends }, (_, e) => e)
  const find = (e: End): End => {
    let t = e
    while (top[t] !== t) t = top[t] = top[top[t]]
    return t
  }
  for (const m of maps) {
    for (let e = 0; e < ends; e++) {
      const a = find(e)
      const b = find(m.end[e])
      if (a !== b) top[Math.max(a, b)] = Math.min(a, b)
    }
  }
  const firsts: End[] = []
  for (let e = 0; e < ends; e++) if (find(e) === e) firsts.push(e)
  return firsts
}

/** Adds the images of all dependencies under the automorphisms until the set is closed. The list grows while it is
 *  visited. */
export function close(deps: Dependencies, maps: readonly Automorphism[]): void {
  const { vcs, entered } = deps
  for (let i = 0; i < deps.edges; i++) {
    const from = deps.from.data[i]
    const to = deps.to.data[i]
    const dest = deps.dest.data[i]
    const a = (from / vcs) | 0
    const b = (to / vcs) | 0
    for (const m of maps) deps.add(m.chan[a] * vcs + (from - a * vcs), m.chan[b] * vcs + (to - b * vcs), m.end[dest])
  }
  const queue: number[] = []
  for (let v = 0; v < deps.nodes; v++) if (entered[v] === 1) queue.push(v)
  for (let i = 0; i < queue.length; i++) {
    const c = (queue[i] / vcs) | 0
    for (const m of maps) {
      const image = m.chan[c] * vcs + (queue[i] - c * vcs)
      if (entered[image] === 0) queue.push(image)
      entered[image] = 1
    }
  }
}
