import fc from "fast-check"
import { expect, test } from "vitest"
import { Heap } from "./heap.ts"

type Event = [time: number, tie: number, item: number]
const event = fc.tuple(fc.nat(20), fc.nat(3), fc.nat(5))

function order(a: Event, b: Event): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

function drain(heap: Heap): Event[] {
  const out: Event[] = []
  while (heap.size > 0) {
    const time = heap.firstTime
    const tie = heap.firstTie
    out.push([time, tie, heap.pop()])
  }
  return out
}

test("comes out in total order whatever the order of insertion", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 300 }), (events) => {
      const heap = new Heap(1)
      for (const [time, tie, item] of events) heap.push(time, tie, item)
      const expected = [...events].sort(order)
      expect(drain(heap)).toEqual(expected)
      for (const [time, tie, item] of [...events].reverse()) heap.push(time, tie, item)
      expect(drain(heap)).toEqual(expected)
    }),
  )
})

test("agrees with a sorted list under pushes and pops in between", () => {
  fc.assert(
    fc.property(fc.array(fc.option(event, { freq: 3 }), { maxLength: 300 }), (steps) => {
      const heap = new Heap()
      const list: Event[] = []
      for (const step of steps) {
        if (step !== null) {
          heap.push(...step)
          list.push(step)
          list.sort(order)
        } else if (list.length > 0) expect(heap.pop()).toBe(list.shift()![2])
        expect(heap.size).toBe(list.length)
        expect(heap.firstTime).toBe(list[0]?.[0] ?? Number.NaN)
      }
    }),
  )
})

test("picoseconds of an hour keep their order, and an empty heap says what to do", () => {
  const hour = 3600e12
  const heap = new Heap()
  heap.push(hour + 1, 0, 1)
  heap.push(hour, 0, 2)
  expect(heap.pop()).toBe(2)
  expect(heap.pop()).toBe(1)
  expect(() => heap.pop()).toThrow("check size first")
  expect(heap.firstTime).toBeNaN()
})
