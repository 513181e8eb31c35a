// Measures the speed of this machine: a small network runs for a quarter of a second, once per process, in CPU time.
// The cost of other engines and larger networks relative to it are constants from measurements.

import { flitEngine } from "../compile/clocked/flits.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { plan } from "../experiment/plan.ts"
import { plainSource } from "../experiment/source.ts"
import { prepareFlit } from "../run/simulate.ts"
import type { Predicted } from "./run.ts"
import type { Moves } from "./shape.ts"

const SAMPLE = {
  lacewing: 1,
  title: "8x8 mesh",
  network: {
    topology: { name: "mesh", sides: "8x8" },
    routing: "mesh.dimension-order",
    switch: { name: "input-queued", vcs: 4, buffer: "8flits" },
  },
  traffic: { pattern: "uniform", load: 0.3 },
}
/** cycles of a slice: about 30 ms, because clocks of CPU time may have steps of 4 ms */
const SLICE = 1024
const MILLISECONDS = 250
/** flit-hops per second of one core if nothing can be measured */
const USUAL = 3e6

let measured: number | undefined

/**
 * Returns the flit-hops per second of one core: the best of several slices, because the first ones run uncompiled code.
 */
export function flitHopsPerSecond(): number {
  measured ??= measure()
  return measured
}

function measure(): number {
  const planned = plan({ source: plainSource("sample", SAMPLE), host: hostAt("."), name: "sample" })
  if ("bad" in planned) return USUAL
  const prepared = prepareFlit(planned.ok.runs[0].spec, hostAt("."))
  if ("bad" in prepared) return USUAL
  const engine = flitEngine(prepared.ok.compiled, { horizon: 1 << 20, series: 256 })
  // CPU time, because other load on the machine does not change its speed.
  const milliseconds = () => process.cpuUsage().user / 1000
  const begin = milliseconds()
  let best = 0
  for (let before = begin; before < begin + MILLISECONDS && engine.now < 1 << 20; ) {
    const hops = engine.flitHops()
    engine.advance(engine.now + SLICE)
    const now = milliseconds()
    if (now > before) best = Math.max(best, (1000 * (engine.flitHops() - hops)) / (now - before))
    before = now
  }
  return best > 0 ? best : USUAL
}

/** Cost of one unit over one hop in flit-hops of the small network, measured on one machine. */
const COST: Readonly<Record<Moves, number>> = { flits: 1, chunks: 2, packets: 36 }
/**
 * Slowdown of a network with ten times the channels, for the same hops, because of caches. Clocked engines run it in
 * partitions that fit.
 */
const TENFOLD: Readonly<Record<Moves, number>> = { flits: 0.1, packets: 0.1, chunks: 0.35 }
const NEAR = 1000
/** CPU seconds until a worker thread can start its first run. */
export const ISOLATE = 0.25
/** CPU seconds of a run before its first cycle, in a thread that has run others, and for each of its channels. */
const START = 0.007
const PER_CHANNEL = 2e-6

/** Returns the work of a run in flit-hops of the small network, and the seconds before its first cycle. */
export function costOf(p: Predicted): { readonly work: number; readonly start: number } {
  const far = 1 + TENFOLD[p.moves] * Math.max(0, Math.log10(p.chans / NEAR))
  return { work: p.pieceHops * COST[p.moves] * far, start: START + p.chans * PER_CHANNEL }
}
