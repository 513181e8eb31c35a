// A clocked network for tests, from a short wish: what is not named has the defaults of a plain input-queued mesh.

import { type EngineOptions, flitEngine } from "../../src/compile/clocked/flits.ts"
import { type Compiled, compile } from "../../src/compile/compile.ts"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import type { FlitEngine } from "../../src/engines/flit/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import type { Named, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"

export interface StreamWish extends Partial<Omit<TrafficSpec, "packet" | "message">> {
  readonly flits?: number
  readonly packet?: Named
  readonly message?: Named
}

export interface Wish {
  readonly topology?: Named
  readonly routing?: Named
  readonly switch?: Readonly<Record<string, unknown>>
  readonly endpoint?: Named
  readonly links?: Readonly<Record<string, string>>
  readonly traffic?: readonly StreamWish[]
  readonly measure?: Partial<RunSpec["measure"]>
  readonly probes?: RunSpec["probes"]
  readonly seed?: number
}

export function specOf(w: Wish): RunSpec {
  return {
    network: {
      topology: w.topology ?? { name: "mesh", k: 4, n: 2 },
      routing: w.routing ?? { name: "mesh.dimension-order" },
      switch: { name: "input-queued", ...w.switch },
      endpoint: w.endpoint ?? { name: "simple" },
      links: w.links ?? {},
      cycle: "1ns",
      flit: "8B",
    },
    engine: { name: "flit" },
    traffic: (w.traffic ?? [{}]).map(streamOf),
    measure: plainMeasure(w.measure ?? {}),
    probes: w.probes ?? [],
    seed: w.seed ?? 1,
  }
}

function streamOf({ flits = 1, ...t }: StreamWish, i: number): TrafficSpec {
  return plainStream({ name: `t${i}`, packet: { name: "fixed", size: `${flits}flits` }, load: 0.2, ...t })
}

export function compiledOf(w: Wish, files: Readonly<Record<string, string>> = {}): Compiled {
  const c = compile(specOf(w), { read: (path) => files[path] ?? "" })
  if ("bad" in c) throw new Error(c.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return c.ok
}

/** Everything that is created from cycle 0 on is measured. */
export function engineOf(w: Wish, o: Partial<EngineOptions> = {}): FlitEngine {
  const engine = flitEngine(compiledOf(w), { horizon: 20_000, series: 1024, ...o })
  engine.columns.control[CONTROL.from] = 0
  return engine
}

/** Flits that each endpoint took in cycles [from, to), on average. */
export function accepted(engine: FlitEngine, from: number, to: number): number {
  const { endOut } = engine.columns
  const sum = () => endOut.reduce((a, b) => a + b, 0)
  engine.advance(from)
  const before = sum()
  engine.advance(to)
  return (sum() - before) / (to - from) / engine.layout.graph.ends
}
