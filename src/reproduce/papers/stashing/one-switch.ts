// One tiled switch on the bench, for the drawings of figures 1 to 4: its structure is read off while packets pass, not
// off its parameters.

import { transferEngine } from "../../../compile/clocked/transfers.ts"
import type { TrafficSpec } from "../../../model/experiment.ts"
import { prepareFlit } from "../../../run/simulate.ts"
import { measured, stream } from "./network.ts"

export interface Bench {
  readonly engine: ReturnType<typeof transferEngine>
  /** a column of the switch, by its name in src/switches/tiled/columns.ts */
  column(name: string): ArrayLike<number>
  /** virtual channels inside the switch, in addition to those of the network */
  readonly innerVcs: number
}

/** `ports` endpoints on one switch. */
export function benchOf(
  ports: number,
  params: Readonly<Record<string, unknown>>,
  traffic: readonly TrafficSpec[],
  congestion = "none",
): Bench {
  const got = prepareFlit(
    {
      network: {
        topology: { name: "crossbar", n: ports },
        routing: { name: "crossbar.direct" },
        switch: { name: "tiled", cap: {}, ...params },
        // acknowledgements are packets too, so there are none where no sender waits for them
        endpoint: {
          name: "queue-pairs",
          ack: params["reliability"] === true || congestion !== "none" ? "1flit" : "0flits",
        },
        congestion: { name: congestion },
        links: { end: "5ns" },
        cycle: "1ns",
        flit: "10B",
      },
      engine: { name: "flit" },
      traffic,
      measure: measured(0, 20),
      probes: [],
      seed: 1,
    },
    { read: (path) => path },
  )
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const { compiled } = got.ok
  const model = compiled.network.switch
  const engine = transferEngine(compiled, { horizon: 20_000, series: 1024 })
  return {
    engine,
    column: (name) => engine.sw.columns[name] ?? [],
    innerVcs: model.moves === "packets" ? (model.layout.innerVcs ?? 0) : 0,
  }
}

/** One packet at cycle 0 from one port to another, and nothing else. */
export function single(from: number, to: number, flits = 24): TrafficSpec {
  return stream("one", flits / 100_000, {
    pattern: { name: "fixed", pairs: [[from, to]] },
    arrivals: { name: "periodic", phase: "none" },
    packet: { name: "fixed", size: `${flits}flits` },
    from: [from],
  })
}

/** Numbers of the entries that are not 0 at some time while the engine runs. */
export function touched(bench: Bench, name: string, cycles: number): number[] {
  const seen = new Set<number>()
  for (let t = bench.engine.now + 1; t <= cycles; t++) {
    bench.engine.advance(t)
    const column = bench.column(name)
    for (let i = 0; i < column.length; i++) if (column[i] !== 0) seen.add(i)
  }
  return [...seen].sort((a, b) => a - b)
}

/** First cycle after which an entry of the column is not 0, and for how many cycles it stays so. */
export function busy(
  bench: Bench,
  names: readonly string[],
  cycles: number,
): Readonly<Record<string, { first: number; cycles: number }>> {
  const found = Object.fromEntries(names.map((n) => [n, { first: -1, cycles: 0 }]))
  for (let t = bench.engine.now + 1; t <= cycles; t++) {
    bench.engine.advance(t)
    for (const n of names) {
      const column = bench.column(n)
      let on = false
      for (let i = 0; i < column.length; i++) on ||= column[i] !== 0
      if (!on) continue
      if (found[n].first < 0) found[n].first = t
      found[n].cycles++
    }
  }
  return found
}

/** Capacity of every pool, in flits. */
export function poolsOf(bench: Bench): number[] {
  return Array.from(bench.column("poolFree"))
}

/** Flits that pools have taken since they were `empty`, of those that hold any. */
export function heldBy(bench: Bench, empty: readonly number[]): number[] {
  const free = bench.column("poolFree")
  return empty.map((flits, q) => flits - free[q]).filter((flits) => flits > 0)
}
