// The debug mode finds what it is there to find: a write that is not noted, a draw that depends on what came before.
import { expect, test } from "vitest"
import { draw } from "../../core/rng.ts"
import type { Handler, Kernel } from "../../model/events.ts"
import { shareChannels } from "./channels.ts"
import { Memory } from "./memory.ts"
import { noStats, optimistic } from "./sync.ts"
import { makeWorker } from "./worker.ts"

const STRIDE = 8
const RECORDS = 16

/** Events that come every 100 ps to one process and count themselves; `handle` counts. */
function run(model: (kernel: Kernel, at: number) => (t: number) => void): number {
  const memory = new Memory()
  memory.reserve(RECORDS * STRIDE)
  const at = memory.reserve(16)
  const mem = memory.allocate()
  const plan = {
    mem,
    stride: STRIDE,
    recordsEnd: RECORDS * STRIDE,
    lps: 1,
    shift: 4,
    slots: 64,
    rebase() {},
    payload: [3],
  }
  const side = { me: 0, owner: new Uint8Array(1), channels: shareChannels(1), logWords: 1 << 8, rollbackCheck: true }
  const worker = makeWorker(plan, side, (kernel): Handler => {
    const count = model(kernel, at)
    return {
      lpOf: () => 0,
      handle(e, t, key) {
        count(t)
        kernel.push(e, t + 100, key)
      },
    }
  })
  worker.push(worker.alloc(), 0, 0)
  const steps = optimistic(worker, 1600, { window: 400, interval: 3, batch: 2, ahead: 100 }, noStats())
  while (steps.next().done !== true);
  expect(worker.events()).toBe(16)
  return mem[at]
}

test("a model that notes what it writes passes, and every event counts once", () => {
  const sum = run(({ mem, note }, at) => (t) => {
    note(at)
    mem[at] = mem[at] + t
  })
  // 0 + 100 + … + 1500
  expect(sum).toBe(12_000)
})

test("a write without a note is found at once", () => {
  const model = ({ mem }: Kernel, at: number) => {
    return (t: number) => {
      mem[at] = mem[at] + t + 1
    }
  }
  expect(() => run(model)).toThrow(/event of key 0 at 0 ps of LP 0, undone, leaves word \d+ at 1, where it was 0/)
})

test("a draw that is not a function of its place is found at once", () => {
  const model = ({ mem, note }: Kernel, at: number) => {
    let drawn = 0
    return () => {
      note(at)
      mem[at] = draw(1, drawn++)
    }
  }
  expect(() => run(model)).toThrow(/event of key 0 at 0 ps of LP 0, run again, makes word/)
})
