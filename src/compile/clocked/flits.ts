// The clocked engine for a compiled run.
import { FlitEngine } from "../../engines/flit/engine.ts"
import { makeLoop } from "../../engines/flit/loop.ts"
import { scratchOf } from "../../fabric/columns.ts"
import { Candidates, NetView, unreadable } from "../../model/routing.ts"
import type { Compiled } from "../compile.ts"
import { watchOf } from "../probes.ts"

export interface EngineOptions {
  readonly parts?: number
  readonly assign?: ArrayLike<number>
  /** each runs partitions that lie beside each other; absent = one for each partition */
  readonly workers?: number
  /** cycles that the time series must cover, and of its interval */
  readonly horizon: number
  readonly series: number
  /** a fresh copy of the loop (a second closure of one factory runs slower) */
  readonly makeLoop?: typeof makeLoop
  readonly adopt?: readonly ArrayBufferLike[]
}

export function flitEngine(c: Compiled, o: EngineOptions): FlitEngine {
  const { network, streams, spec } = c
  const model = network.switch
  if (model.moves === "packets") throw new Error("this switch moves packets: call transferEngine()")
  const { routingPlugin: plugin } = network
  const candidates = plugin.candidates ?? 1
  const adaptive = network.routing.readsQueues ?? plugin.adaptive !== false
  return new FlitEngine(
    {
      graph: network.topology.graph,
      vcs: model.vcs,
      buffer: model.buffer,
      timing: model.timing,
      injectRandom: network.endpoint.injectRandom,
      injectByStream: network.endpoint.injectByStream === true,
      turnaround: network.endpoint.turnaround,
      adaptive,
      scratch: plugin.scratch ?? 0,
      streams,
      seed: spec.seed,
      horizon: o.horizon,
      series: o.series,
      watch: watchOf(c.probes),
      ranks: c.ranks,
      flitBytes: network.scale.flit,
      ...(o.parts !== undefined ? { parts: o.parts } : {}),
      ...(o.assign !== undefined ? { assign: o.assign } : {}),
      ...(o.workers !== undefined ? { workers: o.workers } : {}),
      makeSwitch(site) {
        const { fields: a, layout, buffers } = site
        const net = new NetView({
          src: a.pSrc,
          dst: a.pDst,
          flits: a.pLen,
          hops: a.pHops,
          key: a.pKey,
          scratch: a.pScratch,
          scratchSlots: 1,
          slot: adaptive ? layout.slot : unreadable(plugin.name),
          capacity: buffers.capacity,
          credits: buffers.credits,
          vcs: layout.vcs,
        })
        return model.build(site, {
          routing: network.routing,
          net,
          out: new Candidates(candidates),
          candidates,
          adaptive,
          vcsPerClass: network.vcsPerClass,
          vcFirst: scratchOf(streams.map((s) => s.vcFirst)),
          streamPriority: scratchOf(streams.map((s) => s.priority)),
        })
      },
    },
    o.makeLoop ?? makeLoop,
    o.adopt,
  )
}
