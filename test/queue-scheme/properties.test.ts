// Under every scheme, whatever the thresholds, memories and messages: packets of a pair arrive in order, nothing is
// lost, what is stopped does not ask, both ends of a link agree about its lines once their messages have arrived, and
// in the end all lines are free.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { CREATED, NEXT, SRC } from "../../src/fabric/packets.ts"
import type { Named } from "../../src/model/experiment.ts"
import type { StreamWish } from "../support/machine.ts"
import { schemeEngine } from "../support/queue-scheme.ts"

/** Packets in the order in which they set out on the last link of their way, by pair of endpoints. */
class Order {
  private readonly allocated = new Map<number, number>()
  private readonly last: Int32Array
  wrong = 0
  seen = 0
  constructor(engine: TransferEngine) {
    this.last = new Int32Array(engine.layout.ends)
  }
  look({ columns: { packets, endFlyHead }, layout }: TransferEngine): void {
    for (let e = 0; e < layout.ends; e++) {
      // at most one packet begins in a cycle: the last of the chain
      let p = endFlyHead[e]
      while (p !== 0 && packets[p + NEXT] !== 0) p = packets[p + NEXT]
      if (p === 0) this.last[e] = 0
      if (p === 0 || p === this.last[e]) continue
      this.last[e] = p
      this.seen++
      const pair = packets[p + SRC] * layout.ends + e
      if (packets[p + CREATED] < (this.allocated.get(pair) ?? -1)) this.wrong++
      this.allocated.set(pair, packets[p + CREATED])
    }
  }
}

/** Lines of outputs that are not copies of the line behind the link, where no message about it is on its way. */
function strangers({ columns: a, layout: l, sw }: TransferEngine, L: number): number {
  const c = sw.columns as Readonly<Record<string, Int32Array>>
  const W = Math.ceil(l.graph.ends / 32)
  let wrong = 0
  for (let x = 0; x < l.routers * l.PS; x++) {
    const q = l.down[x] >> l.LV
    if (l.down[x] < 0 || c["notes"][2 * q] !== 0 || a.controlHead[x] !== 0) continue
    for (let i = 0; i < L; i++) {
      if (c["outOn"][x * L + i] === 0) continue
      if (c["lineOn"][q * L + i] === 0 || c["outHops"][x * L + i] !== c["lineHops"][q * L + i] + 1) wrong++
      for (let w = 0; w < W; w++)
        if ((c["outList"][(x * L + i) * W + w] & ~c["lineList"][(q * L + i) * W + w]) !== 0) wrong++
    }
  }
  return wrong
}

const flits = (n: number) => `${n}flits`
const memory = fc.constantFrom(96, 192, 384).map(flits)
const stop = fc.integer({ min: 1, max: 5 })
const isolating = fc
  .record({
    scheme: fc.constantFrom("fbicm-1", "fbicm-2"),
    memory: fc.constantFrom(192, 384).map(flits),
    detect: fc.integer({ min: 1, max: 5 }),
    stop,
    lines: fc.integer({ min: 1, max: 6 }),
    cascade: fc.boolean(),
    stopRule: fc.constantFrom("head", "line"),
    timer: fc.constantFrom(0, 20, 200).map((n) => `${n}cycles`),
    header: fc.constantFrom(0, 3, 8).map(flits),
    each: fc.constantFrom(0, 2).map(flits),
  })
  .chain((sw) =>
    fc
      .record({ go: fc.integer({ min: 0, max: sw.stop }), list: fc.integer({ min: 1, max: 9 }), answer: fc.boolean() })
      .map((more) => ({
        ...sw,
        go: more.go,
        ...(sw.scheme === "fbicm-2" ? { list: more.list, answer: more.answer } : {}),
      })),
  )
const waiting = {
  stop,
  go: fc.integer({ min: 0, max: 1 }),
  header: fc.constantFrom(0, 3, 8).map(flits),
  each: fc.constantFrom(0, 2).map(flits),
}
const turns = fc.record({
  scheme: fc.constant("recn"),
  memory: fc.constantFrom(192, 384).map(flits),
  detect: fc.integer({ min: 1, max: 5 }),
  lines: fc.integer({ min: 1, max: 6 }),
  timer: fc.constantFrom(0, 20, 200).map((n) => `${n}cycles`),
  ...waiting,
})
const byFlow = fc.record({
  scheme: fc.constant("bfc"),
  memory: fc.constantFrom(96, 384).map(flits),
  queues: fc.integer({ min: 1, max: 32 }),
  flows: fc.constantFrom(1, 5, 64),
  ...waiting,
})
const plain = fc.oneof(
  fc.record({ scheme: fc.constantFrom("1q", "voq-switch"), memory }),
  fc.record({ scheme: fc.constant("dbbm"), memory, queues: fc.integer({ min: 2, max: 6 }) }),
  fc.record({ scheme: fc.constant("voq-network"), queue: fc.constantFrom(8, 24).map(flits) }),
)
const scene = fc.record({
  tree: fc.constantFrom({ k: 2, n: 3 }, { k: 3, n: 2 }, { k: 2, n: 2 }),
  targets: fc.constantFrom([3], [0, 2], [1, 2, 3]),
  from: fc.integer({ min: 0, max: 300 }),
  lasts: fc.integer({ min: 100, max: 700 }),
  seed: fc.integer({ min: 1, max: 1000 }),
})

/** Packets leave from the queues of messages, or through injection queues. */
const copying = fc.constantFrom<Named>({ name: "adapter" }, { name: "adapter", injection: "copy" })
const setAside = fc.constantFrom<Named>(
  { name: "adapter" },
  { name: "adapter", injection: "copy" },
  { name: "adapter", injection: "copy", detect: true },
  { name: "adapter", injection: "copy", gate: false, detect: true },
)

/** What is 0 once the network is empty. */
const ofLines = [
  "lineOn",
  "outOn",
  "owner",
  "outOwner",
  "moved",
  "lines",
  "setAside",
  "lineList",
  "outList",
  "outLines",
]
const ofTurns = ["standing", "root", "outLinks", "outDue"]
/** of injection queues: those of lines, where there are some, and what is in them */
const ofAdapters = [...ofLines, "used", "heads", "waiting", "packetsIn"]
const none = new Int32Array(0)
const ofFlows = [
  "flowQueue",
  "flowPackets",
  "flowPaused",
  "outPaused",
  "pausedHead",
  "queuePackets",
  "queueFlows",
  "requested",
  "taken",
]

function check(
  sw: Readonly<Record<string, unknown>>,
  { tree, targets, from, lasts, seed }: Parameters<Parameters<typeof scene.map>[0]>[0],
  endpoint: Named = { name: "adapter" },
): void {
  const ends = tree.k ** tree.n
  const hot: StreamWish = {
    pattern: { name: "to-set", set: targets },
    load: 1,
    start: `${from}cycles`,
    stop: `${from + lasts}cycles`,
  }
  const odd = Array.from({ length: ends / 2 }, (_, i) => String(2 * i + 1)).filter((e) => Number(e) < ends)
  const even = Array.from({ length: Math.ceil(ends / 2) }, (_, i) => String(2 * i))
  const e = schemeEngine({
    topology: { name: "tree", ...tree },
    switch: sw,
    endpoint,
    links: { link: "3cycles", end: "2cycles" },
    traffic: [
      { ...hot, from: odd },
      { pattern: { name: "uniform" }, load: 0.8, from: even, stop: "1000cycles" },
    ],
    seed,
  })
  const L = Number(sw["lines"] ?? 0)
  const order = new Order(e)
  for (let t = 1; t <= 1000; t++) {
    e.advance(t)
    order.look(e)
    if (L > 0 && t % 20 === 0) expect(strangers(e, L)).toBe(0)
    if (t % 100 === 0) expect(e.audit()).toEqual([])
  }
  e.columns.control[CONTROL.quiet] = 1000
  for (let n = 0; n < 20_000 && (e.busy || e.onLinks() > 0 || e.timersDue() > 0); n++) {
    e.advance(e.now + 1)
    order.look(e)
  }
  expect(e.audit()).toEqual([])
  expect([order.wrong, e.stat("created") - e.stat("delivered"), e.onLinks(), e.timersDue()]).toEqual([0, 0, 0, 0])
  expect(e.stat("delivered")).toBeGreaterThan(50)
  if (e.loop.protocol === undefined) return
  const c = e.sw.columns as Readonly<Record<string, Int32Array>>
  const used = (column: ArrayLike<number>) => Array.from(column).filter((x) => x !== 0).length
  for (const name of L > 0 ? ofLines : sw["scheme"] === "bfc" ? ofFlows : [])
    expect([name, used(c[name])]).toEqual([name, 0])
  if (sw["scheme"] === "recn") for (const name of ofTurns) expect([name, used(c[name])]).toEqual([name, 0])
  const held = endpoint["injection"] === "copy" ? ofAdapters : Object.keys(e.loop.protocol.columns)
  for (const name of held) expect([name, used(e.loop.protocol.columns[name] ?? none)]).toEqual([name, 0])
}

test(
  "64 endpoints, a hot spot, short lists: lists mix congested points, packets move " +
    "on from line to line, and all pairs keep their order",
  () => {
    const hot = Array.from({ length: 16 }, (_, i) => String(4 * i + 1))
    const e = schemeEngine({
      topology: { name: "tree", k: 4, n: 3 },
      switch: { scheme: "fbicm-2", memory: "512flits", detect: 3, stop: 3, go: 1, list: 4, timer: "16cycles" },
      traffic: [
        { pattern: { name: "to-set", set: [32] }, from: hot, load: 1, start: "200cycles" },
        {
          pattern: { name: "to-set", set: [0, 16, 32, 48, 5, 21] },
          from: Array.from({ length: 64 }, (_, i) => String(i)),
          load: 0.4,
        },
      ],
    })
    const order = new Order(e)
    for (let t = 1; t <= 3000; t++) {
      e.advance(t)
      order.look(e)
    }
    expect(e.audit()).toEqual([])
    const { cascaded, skipped } = e.sw.columns as Readonly<Record<string, Int32Array>>
    const sum = (c: Int32Array) => c.reduce((a, b) => a + b, 0)
    expect(sum(cascaded!)).toBeGreaterThan(100)
    expect(sum(skipped!)).toBeGreaterThan(10)
    expect(order.seen).toBeGreaterThan(1500)
    expect(order.wrong).toBe(0)
  },
)

test("schemes that isolate", () => {
  fc.assert(fc.property(isolating, scene, setAside, check), { numRuns: 14, seed: 7 })
})

test("lines that are named by turns", () => {
  fc.assert(
    fc.property(turns, scene, (sw, s) => check(sw, s)),
    { numRuns: 8, seed: 9 },
  )
})

test("flows", () => {
  fc.assert(
    fc.property(byFlow, scene, (sw, s) => check(sw, s)),
    { numRuns: 8, seed: 10 },
  )
})

test("plain schemes", () => {
  fc.assert(fc.property(plain, scene, copying, check), { numRuns: 8, seed: 8 })
})
