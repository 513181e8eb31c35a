// Wake-up of sources: 1024 sources, each due again after about 50 cycles; 1000 cycles per round.
import { Heap } from "../../src/core/heap.ts"
import { below, draw, streamOf } from "../../src/core/rng.ts"
import { Wheel } from "../../src/core/wheel.ts"
import { race } from "./race.ts"

const N = 1024
const CYCLES = 1000
const gap = (item: number, t: number): number => 1 + below(draw(streamOf(1, item), t), 99)

function first(put: (item: number, t: number) => void): void {
  for (let i = 0; i < N; i++) put(i, gap(i, 0))
}

await race("wake 1024 sources, one in 50 cycles each (per cycle)", CYCLES, {
  "timing wheel of 128 slots": () => {
    const wheel = new Wheel(N, 128)
    const due = new Int32Array(N)
    first((i, t) => wheel.add(i, t))
    let sum = 0
    for (let t = 0; t < CYCLES; t++) {
      const n = wheel.drain(t, due)
      for (let k = 0; k < n; k++) {
        const i = due[k]
        sum += i
        wheel.add(i, t + gap(i, t))
      }
    }
    return sum
  },
  "event heap": () => {
    const heap = new Heap(N)
    first((i, t) => heap.push(t, 0, i))
    let sum = 0
    for (let t = 0; t < CYCLES; t++) {
      while (heap.firstTime === t) {
        const i = heap.pop()
        sum += i
        heap.push(t + gap(i, t), 0, i)
      }
    }
    return sum
  },
  "ask each in every cycle": () => {
    const next = new Int32Array(N)
    first((i, t) => {
      next[i] = t
    })
    let sum = 0
    for (let t = 0; t < CYCLES; t++) {
      for (let i = 0; i < N; i++) {
        if (next[i] !== t) continue
        sum += i
        next[i] = t + gap(i, t)
      }
    }
    return sum
  },
})
