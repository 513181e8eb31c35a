import { expect, test } from "vitest"
import { Draws } from "../../core/rng.ts"
import { NEXT } from "../../model/events.ts"
import { makeWheel } from "./wheel.ts"

const STRIDE = 4

/** Draws when the next event takes place: mostly soon, sometimes several groups ahead, sometimes beyond the horizon. */
function delay(rng: Draws): number {
  return 1 + rng.below([4, 100, 1000][rng.below(3)])
}

test.each([1, 2, 3, 4])(
  "opens events in order, as a sorted list does, and after the clock was set back (%i)",
  (seed) => {
    const rng = new Draws(seed)
    const mem = new Int32Array(STRIDE * 4096)
    const wheel = makeWheel(mem, 0, 256, 128)
    /** record -> time */
    const filed = new Map<number, number>()
    const first = () => Math.min(...filed.values())
    let [record, latest] = [0, 0]
    const file = (time: number) => {
      record = (record % 4095) + 1
      if (filed.has(record)) return
      filed.set(record, time)
      wheel.link(record * STRIDE, time)
    }
    let opened = 0
    for (let step = 0; step < 8000; step++) {
      const now = wheel.current()
      latest = Math.max(latest, now)
      expect(wheel.pending()).toBe(filed.size)
      const what = rng.below(10)
      if (what < 3) file(now + delay(rng))
      else if (what === 3 && filed.size > 0) {
        const [one, time] = [...filed][rng.below(filed.size)]
        expect(wheel.unlink(one * STRIDE, time)).toBe(true)
        filed.delete(one)
      } else if (what === 4 && rng.below(8) === 0) {
        // Never further than half a lap, so that the wheel holds no more than one lap.
        const back = Math.max(-1, now - rng.below(100), latest - 127)
        if (back < now) wheel.back(back)
      } else if (what === 5) {
        const limit = now + 1 + rng.below(300)
        expect(wheel.earliest(limit)).toBe(Math.min(limit, first()))
      } else if (what === 6 && rng.below(8) === 0) wheel.restore(wheel.save())
      else {
        const limit = now + 1 + rng.below(rng.below(2) === 0 ? 20 : 2000)
        const due = first()
        const taken: number[] = []
        for (let e = wheel.open(limit); e !== 0; e = mem[e + NEXT]) taken.push(e / STRIDE)
        if (due >= limit) expect([taken, wheel.current()]).toEqual([[], limit - 1])
        else {
          const expected = [...filed].filter(([, time]) => time === due).map(([one]) => one)
          expect([taken.sort((a, b) => a - b), wheel.current()]).toEqual([expected.sort((a, b) => a - b), due])
          for (const one of expected) filed.delete(one)
          wheel.took(expected.length)
          opened++
        }
      }
    }
    expect(opened).toBeGreaterThan(800)
  },
)
