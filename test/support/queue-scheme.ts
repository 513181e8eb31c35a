// Small networks of queue-scheme switches, built as an experiment would build them.
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import { type Compiled, compile } from "../../src/compile/compile.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { specOf, type Wish } from "./machine.ts"

/** A 4-ary 2-tree unless told otherwise, packets of 8 flits, links of 1 cycle. */
export function schemeSpec(w: Wish): RunSpec {
  return specOf({
    topology: { name: "tree", k: 4, n: 2 },
    routing: { name: "tree.destination-digit" },
    endpoint: { name: "adapter" },
    ...w,
    switch: { name: "queue-scheme", ...w.switch },
    traffic: (w.traffic ?? [{}]).map((t) => ({ flits: 8, ...t })),
  })
}

export function compiledScheme(w: Wish): Compiled {
  const c = compile(schemeSpec(w), { read: () => "" })
  if ("bad" in c) throw new Error(c.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return c.ok
}

/** Everything that is created from cycle 0 on is measured. `parts`: routers are dealt out in turn. */
export function schemeEngine(w: Wish, parts = 1): TransferEngine {
  const made = compiledScheme(w)
  const assign = Uint8Array.from({ length: made.network.topology.graph.routers }, (_, r) => r % parts)
  const engine = transferEngine(made, { horizon: 400_000, series: 1024, ...(parts > 1 ? { parts, assign } : {}) })
  engine.columns.control[CONTROL.from] = 0
  return engine
}

/** Flits that each endpoint took in cycles [from, to), on average. */
export function accepted(engine: TransferEngine, from: number, to: number): number {
  const sum = () => engine.columns.endOut.reduce((a, b) => a + b, 0)
  engine.advance(from)
  const before = sum()
  engine.advance(to)
  return (sum() - before) / (to - from) / engine.layout.graph.ends
}

/** The state in cycle `end`, and what the protocol takes: of machines of 1, 2 and 4 partitions; of the last after it
 *  went back to its snapshot of cycle `middle`, and of another one that took that over. */
export function fingerprints(made: (parts: number) => TransferEngine, middle: number, end: number): string[] {
  const print = (e: TransferEngine): string => {
    e.advance(end)
    const bad = e.audit()
    if (bad.length > 0 || e.stat("delivered") < 100)
      throw new Error(`${e.stat("delivered")} delivered; ${bad.map((b) => b.says).join("; ")}`)
    return `${e.fingerprint()} ${e.extraValues()["control.memory"]}`
  }
  const last = made(4)
  last.advance(middle)
  const then = last.snapshot()
  const prints = [made(1), made(2), last].map(print)
  for (const e of [last, made(4)]) {
    e.restore(then)
    prints.push(print(e))
  }
  return prints
}

export function complaintsOf(w: Wish): string[] {
  const c = compile(schemeSpec(w), { read: () => "" })
  return "bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} | ${b.fix}`) : []
}
