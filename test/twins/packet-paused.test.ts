// A packet run that is paused at random common times, saved, carried through JSON and continued by a new machine ends
// as if it had been left alone.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import { Draws } from "../../src/core/rng.ts"
import type { Phase, State } from "../../src/measure/course.ts"
import type { Saved } from "../../src/measure/saved.ts"
import type { MeasureSpec, NetworkSpec, RunResult, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import * as packet from "../../src/run/packet/simulate.ts"
import type { PausableRun } from "../../src/run/pausable.ts"
import { built } from "../support/build.ts"

const chunk = {
  name: "chunk",
  vcs: 8,
  chunk: "2KiB",
  buffer: "8KiB",
  bandwidth: "25GiB/s",
  delay: "90ns",
  credit: "5ns",
}

/** Two rings of four, joined by links that no packet takes; both are sent round one way, without a dateline. */
const routers = Array.from({ length: 8 }, (_, r) => r)
const next = (r: number) => (r % 4 === 3 ? r - 3 : r + 1)
const files: Readonly<Record<string, string>> = {
  "two.edges": [...routers.map((r) => `${r} ${next(r)}`), ...routers.slice(0, 4).map((r) => `${r} ${r + 4}`)].join(
    "\n",
  ),
  "two.table": routers
    .flatMap((at) => routers.filter((to) => to !== at).map((to) => ({ at, to })))
    .map(({ at, to }) => `${at} ${to} ${at < 4 !== to < 4 && at % 4 === 0 ? (at + 4) % 8 : next(at)}`)
    .join("\n"),
}

interface Wish {
  readonly network?: Partial<NetworkSpec>
  readonly traffic?: readonly Partial<TrafficSpec>[]
  readonly measure?: Partial<MeasureSpec>
}

function specOf(w: Wish): RunSpec {
  return {
    network: {
      ...{ topology: { name: "torus", sides: "3x3" }, routing: { name: "torus.dimension-order" } },
      ...{ switch: chunk, endpoint: { name: "rails" }, links: {}, cycle: "1ns", flit: "64B", ...w.network },
    },
    engine: { name: "packet" },
    traffic: (w.traffic ?? [{}]).map((t, i) =>
      plainStream({
        name: `s${i}`,
        arrivals: { name: "poisson" },
        packet: { name: "range", min: "64B", max: "3KiB" },
        load: 0.4,
        ...t,
      }),
    ),
    measure: plainMeasure({
      warmup: "auto",
      window: "auto",
      limit: "4us",
      drain: "measured",
      saturation: "early",
      ...w.measure,
    }),
    probes: [{ name: "series" }, { name: "latency" }],
    seed: 1,
  }
}

function prepared(spec: RunSpec, engine: Readonly<Record<string, unknown>>) {
  const p = packet.preparePacket(
    { ...spec, engine: { ...spec.engine, ...engine } },
    { read: (path) => files[path] ?? "" },
  )
  if ("bad" in p) throw new Error(p.bad[0].says)
  return p.ok
}

/** As a file would carry it. */
function carried({ state, columns }: Saved): Saved {
  return { state: JSON.parse(JSON.stringify(state)), columns: structuredClone(columns) }
}

function phaseOf(saved: Saved): Phase {
  const { measurement }: { measurement: { measure: State } } = JSON.parse(JSON.stringify(saved.state))
  return measurement.measure.phase
}

/** Runs it, saved and continued by another machine after as many common times as `pauses` answers. */
async function run(
  spec: RunSpec,
  engine: Readonly<Record<string, unknown>>,
  workers: number,
  pauses: () => number,
  { openPacket }: { openPacket(...given: Parameters<typeof packet.openPacket>): Promise<PausableRun> } = packet,
) {
  const p = prepared(spec, engine)
  let at = await openPacket(p, { workers })
  const all: Saved[] = []
  for (let left = pauses(); !at.step(1); ) {
    if (--left > 0) continue
    const saved = carried(at.save())
    all.push(saved)
    await at.close()
    at = await openPacket(p, { workers }, saved)
    left = pauses()
  }
  return { saved: all, result: await at.result() }
}

/** All that must not depend on how it was run. */
function outcome({ values, ...rest }: RunResult): object {
  return {
    ...rest,
    values: Object.fromEntries(
      Object.entries(values).filter(([key]) => !key.startsWith("engine.") && key !== "seconds"),
    ),
  }
}

const modes: readonly (readonly [Readonly<Record<string, unknown>>, number])[] = [
  [{ sync: "sequential" }, 1],
  ...[1, 2, 3].flatMap((workers) =>
    [
      { sync: "conservative", protocol: "windows" },
      { sync: "conservative", protocol: "null-messages" },
      { sync: "optimistic", optimism: "1500ns", interval: 200 },
    ].map((engine): readonly [Readonly<Record<string, unknown>>, number] => [engine, workers]),
  ),
]

/** Each, and the phases that it is paused in. */
const cases: Record<string, Wish & { readonly in: readonly Phase[]; readonly most?: number; readonly why?: string }> = {
  "drawn packets in drawn messages, two streams": {
    traffic: [
      { message: { name: "range", min: "1packets", max: "4packets" } },
      { pattern: { name: "random-permutation" }, load: 0.2 },
    ],
    in: ["warm up", "precise"],
  },
  "two rails, noise": {
    network: {
      topology: { name: "fitfly", q: 3, p: 1, rails: 2 },
      routing: { name: "slimfly.minimal" },
      switch: { ...chunk, jitter: "codes" },
    },
    traffic: [{ load: 0.6 }],
    measure: { warmup: "1us", limit: "3us" },
    in: ["precise"],
  },
  "a routing that reads queues, overloaded": {
    network: { topology: { name: "dragonfly", a: 2, p: 2, h: 1 }, routing: { name: "dragonfly.ugal-l" } },
    traffic: [{ load: 0.95, pattern: { name: "random-permutation" } }],
    measure: { limit: "12us", precision: 0.01 },
    in: ["overloaded"],
  },
  // known only from what moved since the last looks
  "one ring stands still, the other moves": {
    network: {
      ...{ topology: { name: "graph", file: "two.edges" }, routing: { name: "any.table", file: "two.table" } },
      switch: { name: "chunk", vcs: 1, chunk: "64B", buffer: "128B" },
    },
    traffic: [
      { load: 0.9, packet: { name: "fixed", size: "64B" }, pattern: { name: "fixed", to: [3, 0, 1, 2, 5, 6, 7, 4] } },
    ],
    measure: { limit: "20us", saturation: "never" },
    why: "deadlock",
    in: ["warm up"],
  },
  "a fixed window": {
    traffic: [{ load: 0.1 }],
    measure: { warmup: "11us", window: "11us", limit: "100us" },
    most: 2,
    in: ["lead", "window", "drain"],
  },
}

describe("a packet run that pauses", () => {
  for (const [name, wish] of Object.entries(cases))
    it(name, async () => {
      const rng = new Draws(5)
      const spec = specOf(wish)
      const truth = await run(spec, { sync: "sequential" }, 1, () => Number.POSITIVE_INFINITY)
      expect(truth.result.values["chunk-hops"]).toBeGreaterThan(100)
      if (wish.why !== undefined) expect(truth.result.why).toBe(wish.why)
      const phases = new Set<Phase>()
      for (const [engine, workers] of modes) {
        const got = await run(spec, engine, workers, () => 1 + rng.below(wish.most ?? 14))
        expect({ engine, workers, ...outcome(got.result) }).toEqual({ engine, workers, ...outcome(truth.result) })
        for (const saved of got.saved) phases.add(phaseOf(saved))
      }
      expect([...phases]).toEqual(expect.arrayContaining([...wish.in]))
    })

  it("on threads, and from threads into one", async () => {
    const { open }: typeof import("../../src/run/simulate.ts") = await import(
      pathToFileURL(join(built(), "app/simulate.js")).href
    )
    const spec = specOf(cases["drawn packets in drawn messages, two streams"])
    const truth = await run(spec, { sync: "sequential" }, 1, () => Number.POSITIVE_INFINITY)
    for (const [engine] of modes.slice(1, 4)) {
      const got = await run(spec, engine, 2, () => 8, { openPacket: open })
      expect(got.saved.length).toBe(1)
      expect({ engine, ...outcome(got.result) }).toEqual({ engine, ...outcome(truth.result) })
      const goesOn = await packet.openPacket(prepared(spec, engine), { workers: 2 }, got.saved[0])
      while (!goesOn.step(Number.POSITIVE_INFINITY));
      expect(outcome(await goesOn.result())).toEqual(outcome(truth.result))
    }
  })

  it("is refused by another specification, synchronisation or number of workers, which is named", async () => {
    const spec = specOf({})
    const engine = { sync: "conservative", protocol: "windows" }
    const { openPacket } = packet
    const at = await openPacket(prepared(spec, engine), { workers: 2 })
    at.step(1)
    const saved = at.save()
    const goesOn = (s: RunSpec, e: object, workers: number) => openPacket(prepared(s, { ...e }), { workers }, saved)
    await expect(goesOn({ ...spec, seed: 2 }, engine, 2)).rejects.toThrow("seed is 1 in the saved state and 2 here")
    const other = { ...spec, traffic: spec.traffic.map((t) => ({ ...t, load: 0.5 })) }
    await expect(goesOn(other, engine, 2)).rejects.toThrow("traffic.0.load is 0.4 in the saved state and 0.5 here")
    await expect(goesOn(spec, { ...engine, protocol: "null-messages" }, 2)).rejects.toThrow(
      'engine.protocol is "windows" in the saved state and "null-messages" here',
    )
    await expect(goesOn(spec, engine, 3)).rejects.toThrow("layout.workers is 2 in the saved state and 3 here")
    const { window: _, ...columns } = saved.columns
    await expect(openPacket(prepared(spec, engine), { workers: 2 }, { ...saved, columns })).rejects.toThrow(
      "column window",
    )
    await expect(openPacket(prepared(spec, engine), { workers: 2 }, { state: {}, columns: {} })).rejects.toThrow(
      "not a saved run of the packet engine",
    )
  })
})
