// Small networks of combined switches, and of others that move whole packets, built as an experiment would build them.
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import { type Compiled, compile } from "../../src/compile/compile.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import type { SwitchContext, TransferSite } from "../../src/fabric/transfer.ts"
import type { CongestionModel } from "../../src/model/congestion.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { specOf, type Wish } from "./machine.ts"

export function combinedSpec(w: Wish): RunSpec {
  return specOf({ ...w, switch: { name: "combined", ...w.switch } })
}

export function compiledCombined(w: Wish): Compiled {
  return compiledWhole(combinedSpec(w))
}

export function compiledWhole(spec: RunSpec): Compiled {
  const c = compile(spec, { read: () => "" })
  if ("bad" in c) throw new Error(c.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return c.ok
}

export function combinedEngine(w: Wish, parts = 1): TransferEngine {
  return wholeEngine(combinedSpec(w), parts)
}

/** Everything that is created from cycle 0 on is measured. `parts`: routers are dealt out in turn. */
export function wholeEngine(spec: RunSpec, parts = 1): TransferEngine {
  const made = compiledWhole(spec)
  const assign = Uint8Array.from({ length: made.network.topology.graph.routers }, (_, r) => r % parts)
  const engine = transferEngine(made, { horizon: 20_000, series: 1024, ...(parts > 1 ? { parts, assign } : {}) })
  engine.columns.control[CONTROL.from] = 0
  return engine
}

/** What the engine gives the switch, for tests of one of its parts alone. */
export function siteOf(w: Wish): { site: TransferSite; use: SwitchContext } {
  const made = compiledCombined(w)
  const { network } = made
  const model = network.switch
  if (model.moves === "flits") throw new Error("it moves flits")
  let got: { site: TransferSite; use: SwitchContext } | undefined
  const sw = {
    ...model,
    build(site: TransferSite, use: SwitchContext, congestion: CongestionModel) {
      got = { site, use }
      return model.build(site, use, congestion)
    },
  }
  transferEngine({ ...made, network: { ...network, switch: sw } }, { horizon: 1000, series: 1024 })
  if (got === undefined) throw new Error("no switch was built")
  return got
}

/** Runs until nothing is on its way, with an audit every so often. */
export function drained(engine: TransferEngine, audits = 100, limit = 100_000): TransferEngine {
  for (let quiet = 0; quiet < 5; quiet = engine.inFlight() === 0 ? quiet + 1 : 0) {
    engine.advance(engine.now + audits)
    const bad = engine.audit()
    if (bad.length > 0) throw new Error(bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
    if (engine.now > limit) throw new Error(`does not drain: ${engine.inFlight()} packets are left`)
  }
  return engine
}
