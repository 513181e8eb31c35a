// The history of a film stays small. The points of a sweep: runs become curves over the load, or over another
// number; runs above saturation are found.
import { expect, test } from "vitest"
import { Reel } from "../../studio/page/film/reel.ts"
import { axisOf, beyondSaturation, curvesOf, type Row } from "../../studio/page/sweep/points.ts"

const row = (point: Row["point"], seed: number, more: Partial<Row> = {}): Row => ({
  ...{ id: `${JSON.stringify(point)} ${seed}`, point, seed, load: Number(point["load"] ?? 0.2) },
  ...{ result: undefined, task: undefined },
  ...more,
})
const done = (latency: number, accepted: number, offered: number, why = "steady"): Partial<Row> => ({
  result: {
    ...{ why: why as "steady", explains: "", fingerprint: "", tables: {} },
    values: { "latency.mean": latency, accepted, offered, packets: 100_000 },
  },
})

test("seeds are averaged; a point with one saturated seed has no latency, and opens that seed", () => {
  const rows = [
    row({ load: 0.4 }, 1, done(20, 0.4, 0.4)),
    row({ load: 0.4 }, 2, done(30, 0.4, 0.4)),
    row({ load: 0.2 }, 1, done(10, 0.2, 0.2)),
    row({ load: 0.6 }, 1, done(50, 0.6, 0.6)),
    row({ load: 0.6 }, 2, done(900, 0.41, 0.6)),
    row({ load: 0.8 }, 1),
  ]
  const [{ name, points }] = curvesOf(rows, "latency.mean")
  expect(name).toBe("this experiment")
  // (20 + 30) / 2 = 25
  expect(points.map(({ x, y, state, n }) => [x, y, state, n])).toEqual([
    [0.2, 10, "done", 1],
    [0.4, 25, "done", 2],
    [0.6, undefined, "saturated", 2],
    [0.8, undefined, "waiting", 0],
  ])
  expect(points[2].id).toBe('{"load":0.6} 2')
  // (0.6 + 0.41) / 2 = 0.505
  expect(curvesOf(rows, "accepted")[0].points[2]).toMatchObject({ y: 0.505, state: "saturated" })
})

test("only unfinished runs of the same curve above its lowest saturated load are hopeless", () => {
  const rows = [
    row({ routing: "a", load: 0.2 }, 1, done(10, 0.2, 0.2)),
    row({ routing: "a", load: 0.4 }, 1, done(900, 0.3, 0.4)),
    row({ routing: "a", load: 0.4 }, 2),
    row({ routing: "a", load: 0.6 }, 1, { task: { state: "running" } }),
    row({ routing: "a", load: 0.8 }, 1, { task: { state: "stopped" } }),
    row({ routing: "b", load: 0.8 }, 1),
    row({ routing: "c", load: 0.2 }, 1, done(0, 0, 0.2, "deadlock")),
    row({ routing: "c", load: 0.3 }, 1),
  ]
  expect(beyondSaturation(rows)).toEqual(['{"routing":"a","load":0.6} 1', '{"routing":"c","load":0.3} 1'])
})

test("without a swept load, the axis is the number with the most values; a running point shows its mean so far", () => {
  const status = { cycle: 10, delivered: 4, latency: 100 } as NonNullable<Row["task"]>["status"] & object
  const rows = [2, 4, 8].map((vcs) => row({ vcs, buffer: 16, name: "x" }, 1))
  rows[1] = { ...rows[1], task: { state: "running", status } }
  expect(axisOf(rows)).toBe("vcs")
  const [{ name, points }] = curvesOf(rows, "latency.mean")
  expect(name).toBe("buffer 16 x")
  // 100 cycles of 4 packets are 25 each.
  expect(points.map(({ x, y, state }) => [x, y, state])).toEqual([
    [2, undefined, "waiting"],
    [4, 25, "running"],
    [8, undefined, "waiting"],
  ])
})

test("the counters of a million cycles stay few, evenly spaced, and right", () => {
  const reel = new Reel()
  reel.open(10, 0.5)
  const frame = (cycle: number) => ({
    // 0.4 flits per cycle of 10 endpoints, a packet of 20 cycles in every second cycle
    status: { cycle, accepted: 4 * cycle, delivered: cycle / 2, latency: 10 * cycle, blocked: cycle / 100 },
  })
  for (let cycle = 0; cycle <= 1_000_000; cycle += 4) {
    reel.add(frame(cycle) as Parameters<Reel["add"]>[0])
    if (cycle % 4000 === 0) reel.counters(cycle)
  }
  expect(reel.cycles.length).toBeLessThanOrEqual(6144)
  expect([reel.cycles[0], reel.cycles.at(-1)]).toEqual([0, 1_000_000])
  const gaps = reel.cycles.slice(1).map((c, i) => c - reel.cycles[i])
  expect(Math.min(...gaps)).toBe(4)
  // Older frames should be 1,000,000 / 2,048 = 488 cycles apart. Frames that an earlier thinning left may be twice that
  // apart, so the sum of both is the bound.
  expect(Math.max(...gaps)).toBeLessThan(3 * 489)
  for (const cycle of [500, 5000, 123_456, 999_000]) {
    const { accepted, latency, blocked } = reel.counters(cycle)
    expect(accepted).toBeCloseTo(0.4, 9)
    expect(latency).toBeCloseTo(20, 9)
    expect(Math.abs(blocked - cycle / 100)).toBeLessThan(15)
  }
  // 0.4 is less than 0.9 x 0.5, so the side is saturated from the first cycles on.
  expect(reel.events).toEqual([{ cycle: expect.any(Number), kind: "saturated" }])
  expect(reel.events[0].cycle).toBeLessThan(1000)
})
