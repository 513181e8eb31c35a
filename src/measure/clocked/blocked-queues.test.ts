// Tests of the sampler of blocked queues with constructed queues, and a check that a real network gives the same log
// for any number of workers.
import { expect, test } from "vitest"
import type { ClockedEngine, VisitFront } from "../../engines/flit/clocked.ts"
import { GraphBuilder } from "../../model/graph.ts"
import { BlockedQueueSampler } from "./blocked-queues.ts"

type Front = Parameters<VisitFront>

/** Three routers in a row, an endpoint on each: port 0 is the endpoint's, 1 leads left, 2 right. */
function line() {
  const b = new GraphBuilder(3, 3, 3, { classes: ["end", "link"], latencies: [1, 1] })
  for (let r = 0; r < 3; r++) b.attach(r, r, 0)
  b.link(0, 2, 1, 1, 1)
  b.link(1, 2, 2, 1, 1)
  return b.finish()
}

function looks(
  wish: { cycles: number; hot: number[]; router: number },
  seen: readonly (readonly [now: number, fronts: readonly Front[]])[],
) {
  const graph = line()
  const all = new BlockedQueueSampler(wish)
  for (const [now, fronts] of seen) {
    const engine = {
      now,
      layout: { graph },
      queues: (visit: VisitFront) => {
        for (const f of fronts) visit(...f)
      },
    }
    all.look(engine as never as ClockedEngine)
  }
  return all
}

// channels: of router r the first is 3 r
const toSink: Front = [6, 40, 0, 2, false, 1, 77, 1, -1, 0]
const middle: Front = [5, 24, 0, 2, false, 1, 78, 2, -1, 0]
const left: Front = [2, 16, 0, 2, false, 0, 79, 3, -1, 0]
const moving: Front = [2, 8, 0, 1, true, 0, 80, 4, -1, 0]

test("a front that was there a look before stands, with all flits of its queue; a new one does not", () => {
  const { standing } = looks({ cycles: 10, hot: [2], router: -1 }, [
    [10, [toSink, middle]],
    [20, [toSink, middle, moving]],
    [30, [toSink, moving]],
  ]).log()
  // time, link class, VC, hot, queues, flits
  expect(standing).toEqual([
    ...[20, 0, 1, 1, 1, 40],
    ...[20, 1, 1, 1, 1, 24],
    ...[30, 0, 1, 1, 1, 40],
    ...[30, 1, 0, 0, 1, 8],
  ])
})

test("twice as long: only what was there two looks before", () => {
  const { standing } = looks({ cycles: 20, hot: [], router: -1 }, [
    [10, [toSink]],
    [20, [toSink, middle]],
    [30, [toSink, middle]],
  ]).log()
  expect(standing).toEqual([30, 0, 1, 0, 1, 40])
})

test("waits are followed from the sink's router outwards; a queue with credits waits for no router", () => {
  const all: Front[] = [toSink, middle, left, moving]
  const { waits } = looks({ cycles: 10, hot: [2], router: 2 }, [
    [10, all],
    [20, all],
  ]).log()
  // time, distance, link class, VC, hot, routers, queues, flits
  expect(waits).toEqual([...[20, 0, 0, 1, 1, 1, 1, 40], ...[20, 1, 1, 1, 1, 1, 1, 24], ...[20, 2, 1, 0, 1, 1, 1, 16]])
})

test("a saved sampler continues as if it had not been interrupted", () => {
  const wish = { cycles: 10, hot: [2], router: 2 }
  const all: Front[] = [toSink, middle]
  const first = looks(wish, [[10, all]])
  const second = looks(wish, [])
  second.resume("standing0", { state: null, columns: first.save("standing0") })
  const engine = {
    now: 20,
    layout: { graph: line() },
    queues: (visit: VisitFront) => {
      for (const f of all) visit(...f)
    },
  }
  second.look(engine as never as ClockedEngine)
  expect(second.log()).toEqual(
    looks(wish, [
      [10, all],
      [20, all],
    ]).log(),
  )
})
