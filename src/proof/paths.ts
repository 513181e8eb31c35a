// Two properties of the state graph of one destination: the length of the longest path, and whether every packet can
// arrive. walk.ts computes them after each destination.
import type { Ints } from "./ints.ts"

/** Successors of state s are succ[succAt[s]] to succ[succAt[s + 1] - 1]; `ejects` lists states that can eject. */
export interface StateGraph {
  readonly count: number
  readonly succ: Ints
  readonly succAt: Ints
  readonly ejects: Ints
}

/** Returns the maximum number of routers on a path, or Infinity if a packet may return to a state. States without
 *  predecessors are removed one after the other (Kahn, 1962); states on a cycle are never removed. */
export function longestPath(g: StateGraph): number {
  const { count } = g
  const succ = g.succ.data
  const at = g.succAt.data
  const before = new Int32Array(count)
  for (let i = 0; i < g.succ.n; i++) before[succ[i]]++
  const order = new Int32Array(count)
  const hops = new Int32Array(count)
  let longest = 0
  let n = 0
  for (let s = 0; s < count; s++) if (before[s] === 0) order[n++] = s
  for (let i = 0; i < n; i++) {
    const s = order[i]
    const h = hops[s] + 1
    if (h > longest) longest = h
    for (let j = at[s]; j < at[s + 1]; j++) {
      const t = succ[j]
      if (h > hops[t]) hops[t] = h
      if (--before[t] === 0) order[n++] = t
    }
  }
  return n === count ? longest : Number.POSITIVE_INFINITY
}

/** Returns a state from which no path leads to an ejection, or -1. It searches backwards from all ejections. */
export function lostState(g: StateGraph): number {
  const { count } = g
  const succ = g.succ.data
  const at = g.succAt.data
  const into = new Int32Array(count + 1)
  for (let i = 0; i < g.succ.n; i++) into[succ[i] + 1]++
  for (let s = 0; s < count; s++) into[s + 1] += into[s]
  const pred = new Int32Array(g.succ.n)
  const fill = into.slice(0, count)
  for (let s = 0; s < count; s++) for (let j = at[s]; j < at[s + 1]; j++) pred[fill[succ[j]]++] = s
  const arrives = new Uint8Array(count)
  const queue = new Int32Array(count)
  let n = 0
  for (let i = 0; i < g.ejects.n; i++) {
    const s = g.ejects.data[i]
    if (arrives[s] === 0) queue[n++] = s
    arrives[s] = 1
  }
  for (let i = 0; i < n; i++) {
    const s = queue[i]
    for (let j = into[s]; j < into[s + 1]; j++) {
      const p = pred[j]
      if (arrives[p] === 0) queue[n++] = p
      arrives[p] = 1
    }
  }
  return arrives.indexOf(0)
}
