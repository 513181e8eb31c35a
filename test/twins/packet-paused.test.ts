// A packet run that is paused at random common times, saved, carried through JSON and continued by a new machine ends as if it had been left alone.
import { describe, expect, it } from "vitest"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import { Draws } from "../../src/core/rng.ts"
import type { MeasureSpec, NetworkSpec, RunResult, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import { openPacket, preparePacket } from "../../src/run/packet/simulate.ts"
import type { Saved } from "../../src/run/pausable.ts"

const chunk = { name: "chunk", vcs: 8, chunk: "2KiB", buffer: "8KiB", bandwidth: "25GiB/s", delay: "90ns", credit: "5ns" }

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
      plainStream({ name: `s${i}`, arrivals: { name: "poisson" }, packet: { name: "range", min: "64B", max: "3KiB" }, load: 0.4, ...t }),
    ),
    measure: plainMeasure({ warmup: "auto", window: "auto", limit: "30us", drain: "measured", saturation: "early", ...w.measure }),
    probes: [{ name: "series" }, { name: "latency" }],
    seed: 1,
  }
}

function prepared(spec: RunSpec, engine: Readonly<Record<string, unknown>>) {
  const p = preparePacket({ ...spec, engine: { ...spec.engine, ...engine } }, { read: () => "" })
  if ("bad" in p) throw new Error(p.bad[0]!.says)
  return p.ok
}

/** As a file would carry it. */
function carried({ state, columns }: Saved): Saved {
  return { state: JSON.parse(JSON.stringify(state)), columns: structuredClone(columns) }
}

/** Runs it, saved and continued by another machine after as many common times as `pauses` answers. */
async function run(spec: RunSpec, engine: Readonly<Record<string, unknown>>, workers: number, pauses: () => number) {
  const p = prepared(spec, engine)
  let at = await openPacket(p, { workers })
  let paused = 0
  for (let left = pauses(); !at.step(1); ) {
    if (--left > 0) continue
    const saved = carried(at.save())
    await at.close()
    at = await openPacket(p, { workers }, saved)
    left = pauses()
    paused++
  }
  return { paused, result: await at.result() }
}

/** All but what a clock measured. */
function outcome({ values, ...rest }: RunResult): object {
  const timed = ["seconds", "engine.gather", "engine.idle"]
  return { ...rest, values: Object.fromEntries(Object.entries(values).filter(([key]) => !timed.includes(key))) }
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

const cases: Record<string, Wish> = {
  "drawn packets in drawn messages, two streams": {
    traffic: [{ message: { name: "range", min: "1packets", max: "4packets" } }, { pattern: { name: "random-permutation" }, load: 0.2 }],
  },
  "two rails, noise": {
    network: {
      topology: { name: "fitfly", q: 3, p: 2, rails: 2 },
      routing: { name: "slimfly.minimal" },
      switch: { ...chunk, jitter: "codes" },
    },
  },
  "a routing that reads queues, overloaded": {
    network: { topology: { name: "dragonfly", a: 2, p: 2, h: 1 }, routing: { name: "dragonfly.ugal" } },
    traffic: [{ load: 0.95, pattern: { name: "tornado" } }],
  },
  "a fixed window": { measure: { warmup: "1us", window: "12us", limit: "100us" } },
}

describe("a packet run that pauses", () => {
  for (const [name, wish] of Object.entries(cases))
    it(name, async () => {
      const rng = new Draws(5)
      for (const [engine, workers] of modes) {
        const truth = await run(specOf(wish), engine, workers, () => Number.POSITIVE_INFINITY)
        expect(truth.result.values["packets"]).toBeGreaterThan(50)
        const got = await run(specOf(wish), engine, workers, () => 1 + rng.below(20))
        expect(got.paused).toBeGreaterThan(0)
        expect({ engine, workers, ...outcome(got.result) }).toEqual({ engine, workers, ...outcome(truth.result) })
      }
    })
})
