// The hold model of event queues: remove the first of n events and insert it again at a later time.
import { Heap } from "../../src/core/heap.ts"
import { draw, streamOf, unit } from "../../src/core/rng.ts"
import { race } from "./race.ts"

const STEPS = 20_000
type Event = { time: number; tie: number; item: number }

for (const n of [256, 16384]) {
  const later = (i: number, item: number): number => Math.floor(1000 * unit(draw(streamOf(3, item), i)))
  await race(`take out and put back, ${n} events (per step)`, STEPS, {
    "columns, 4 children": () => {
      const heap = new Heap(n)
      for (let i = 0; i < n; i++) heap.push(later(-1, i), 0, i)
      let sum = 0
      for (let i = 0; i < STEPS; i++) {
        const t = heap.firstTime
        const item = heap.pop()
        sum += item
        heap.push(t + later(i, item), 0, item)
      }
      return sum
    },
    "objects, 2 children": () => {
      const heap: Event[] = []
      for (let i = 0; i < n; i++) push(heap, { time: later(-1, i), tie: 0, item: i })
      let sum = 0
      for (let i = 0; i < STEPS; i++) {
        const e = pop(heap)
        sum += e.item
        push(heap, { time: e.time + later(i, e.item), tie: 0, item: e.item })
      }
      return sum
    },
  })
}

function before(a: Event, b: Event): boolean {
  return a.time < b.time || (a.time === b.time && (a.tie < b.tie || (a.tie === b.tie && a.item < b.item)))
}
function push(heap: Event[], e: Event): void {
  let at = heap.push(e) - 1
  while (at > 0) {
    const up = (at - 1) >> 1
    if (!before(e, heap[up])) break
    heap[at] = heap[up]
    at = up
  }
  heap[at] = e
}
function pop(heap: Event[]): Event {
  const first = heap[0]
  const e = heap.pop()!
  const n = heap.length
  if (n === 0) return first
  let at = 0
  for (let child = 1; child < n; child = 2 * at + 1) {
    if (child + 1 < n && before(heap[child + 1], heap[child])) child++
    if (!before(heap[child], e)) break
    heap[at] = heap[child]
    at = child
  }
  heap[at] = e
  return first
}
