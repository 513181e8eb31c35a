// Graphs of dependencies (GOAL, Chakra) as the stream of a rank: every operation behind those that it needs, requests numbered and given again when nobody asks any more.
import { type Kind, NONE } from "../program.ts"
import type { OpFields, RankWriter } from "../writer.ts"

export interface Vertex {
  readonly kind: Kind
  readonly fields: OpFields
  /** vertices that must have ended before this one starts, and (`started`) those that only must have started */
  readonly needs: number[]
  readonly started: number[]
}

/** Writes all vertices; answers a circle of vertices that need each other, if there is one, and then nothing is written. */
export function writeGraph(vertices: readonly Vertex[], to: RankWriter): readonly number[] | undefined {
  const order = ordered(vertices)
  if (order.length < vertices.length) return circleIn(vertices, order)
  /** when the last that needs a vertex is written */
  const last = new Int32Array(vertices.length).fill(-1)
  order.forEach((v, at) => {
    for (const n of vertices[v]!.needs) last[n] = at
    for (const n of vertices[v]!.started) last[n] = at
  })
  const slot = new Int32Array(vertices.length)
  const free: number[] = []
  let next = 0
  /** slots to be given again, by the place in the order behind which they are free */
  const due = new Map<number, number[]>()
  order.forEach((v, at) => {
    const { kind, fields, needs, started } = vertices[v]!
    let request = NONE
    if (last[v]! >= 0) {
      request = free.pop() ?? next++
      slot[v] = request
      due.set(last[v]!, [...(due.get(last[v]!) ?? []), request])
    }
    const asks = new Set([...needs.map((n) => slot[n]!), ...started.map((n) => ~slot[n]!)])
    to.op(kind, { ...fields, request, needs: [...asks] })
    const back = due.get(at)
    if (back !== undefined) free.push(...back)
    due.delete(at)
  })
  return undefined
}

/** Kahn's order, among those that are ready the first in the file; shorter than the list when there is a circle. */
function ordered(vertices: readonly Vertex[]): number[] {
  const left = new Int32Array(vertices.length)
  const behind: number[][] = vertices.map(() => [])
  vertices.forEach((v, i) => {
    for (const n of [...v.needs, ...v.started]) {
      left[i]!++
      behind[n]!.push(i)
    }
  })
  const order: number[] = []
  const done = new Uint8Array(vertices.length)
  // in the order of the file, with what became ready by an earlier one taken at once
  for (let start = 0; start < vertices.length; start++) {
    const stack = done[start] === 0 && left[start] === 0 ? [start] : []
    for (let v = stack.pop(); v !== undefined; v = stack.pop()) {
      done[v] = 1
      order.push(v)
      // those further on in the file come by themselves
      for (const b of behind[v]!) if (--left[b]! === 0 && b < start) stack.push(b)
    }
  }
  return order
}

function circleIn(vertices: readonly Vertex[], order: readonly number[]): number[] {
  const out = new Set(order)
  let at = vertices.findIndex((_, i) => !out.has(i))
  const trail: number[] = []
  const seen = new Map<number, number>()
  while (!seen.has(at)) {
    seen.set(at, trail.length)
    trail.push(at)
    const v = vertices[at]!
    at = [...v.needs, ...v.started].find((n) => !out.has(n))!
  }
  return trail.slice(seen.get(at))
}
