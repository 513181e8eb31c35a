// Converts a dependency graph (GOAL, Chakra) into the stream of a rank: every operation follows those that it needs.
// Request numbers are reused after the last operation that needs them, so the number of requests is the width of the
// graph and not its size.
import { type Kind, NONE } from "../program.ts"
import type { OpFields, RankWriter } from "../writer.ts"

export interface Vertex {
  readonly kind: Kind
  readonly fields: OpFields
  /** Vertices that must have finished before this one starts, and (`started`) those that must only have started. */
  readonly needs: number[]
  readonly started: number[]
}

export interface Written {
  /** A cycle of vertices that need each other. Then nothing is written. */
  readonly circle?: readonly number[]
  /** The vertices in the order in which they are written. */
  readonly order: readonly number[]
}

/** Writes all vertices. */
export function writeGraph(vertices: readonly Vertex[], to: RankWriter): Written {
  const order = ordered(vertices)
  if (order.length < vertices.length) return { circle: circleIn(vertices, order), order }
  /** [vertex] -> place in the order of the last vertex that needs it. */
  const last = new Int32Array(vertices.length).fill(-1)
  order.forEach((v, at) => {
    for (const n of vertices[v].needs) last[n] = at
    for (const n of vertices[v].started) last[n] = at
  })
  const slot = new Int32Array(vertices.length)
  const free: number[] = []
  let next = 0
  /** Request numbers to reuse, by the place in the order after which they are free. */
  const due = new Map<number, number[]>()
  order.forEach((v, at) => {
    const { kind, fields, needs, started } = vertices[v]
    let request = NONE
    // Only a vertex that another one needs gets a request number.
    if (last[v] >= 0) {
      request = free.pop() ?? next++
      slot[v] = request
      due.set(last[v], [...(due.get(last[v]) ?? []), request])
    }
    const asks = new Set([...needs.map((n) => slot[n]), ...started.map((n) => ~slot[n])])
    to.op(kind, { ...fields, request, needs: [...asks] })
    // This was the last use of these numbers, so later vertices can reuse them.
    const back = due.get(at)
    if (back !== undefined) free.push(...back)
    due.delete(at)
  })
  return { order }
}

/**
 * Returns a topological order (Kahn). Among ready vertices the first in the file comes first. The list is shorter than
 * the graph if there is a cycle.
 */
function ordered(vertices: readonly Vertex[]): number[] {
  const left = new Int32Array(vertices.length)
  const behind: number[][] = vertices.map(() => [])
  vertices.forEach((v, i) => {
    for (const n of [...v.needs, ...v.started]) {
      left[i]++
      behind[n].push(i)
    }
  })
  const order: number[] = []
  const done = new Uint8Array(vertices.length)
  // In file order; vertices that an earlier one made ready are taken at once.
  for (let start = 0; start < vertices.length; start++) {
    const stack = done[start] === 0 && left[start] === 0 ? [start] : []
    for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
      done[v] = 1
      order.push(v)
      // Vertices further on in the file are reached by the outer loop.
      for (const b of behind[v]) if (--left[b] === 0 && b < start) stack.push(b)
    }
  }
  return order
}

/** Returns one cycle: follows unordered needs until a vertex repeats. */
function circleIn(vertices: readonly Vertex[], order: readonly number[]): number[] {
  const out = new Set(order)
  let at = vertices.findIndex((_, i) => !out.has(i))
  const trail: number[] = []
  const seen = new Map<number, number>()
  while (!seen.has(at)) {
    seen.set(at, trail.length)
    trail.push(at)
    const v = vertices[at]
    at = [...v.needs, ...v.started].find((n) => !out.has(n))!
  }
  return trail.slice(seen.get(at))
}
