// Creates the flit engine for a compiled run.
import { FlitEngine } from "../../engines/flit/engine.ts"
import { makeLoop } from "../../engines/flit/loop.ts"
import { scratchOf } from "../../fabric/columns.ts"
import { Candidates, NetView, unreadable } from "../../model/routing.ts"
import type { Compiled } from "../compile.ts"
import { watchOf } from "../probes.ts"

export interface EngineOptions {
  readonly parts?: number
  readonly assign?: ArrayLike<number>
  /** each worker executes consecutive partitions; absent: one worker per partition */
  readonly workers?: number
  /** length of the run and of an interval of the time series, in cycles */
  readonly horizon: number
  readonly series: number
  /** a fresh copy of the loop's factory, because a second closure of the same factory runs slower */
  readonly makeLoop?: typeof makeLoop
  readonly adopt?: readonly ArrayBufferLike[]
}

/** Creates the engine. The network view of a routing that declares no queue reads throws if it reads one. */
export function flitEngine(c: Compiled, o: EngineOptions): FlitEngine {
  const { network, streams, spec } = c
  const model = network.switch
  if (model.moves === "packets") throw new Error("this switch moves packets: call transferEngine()")
  const { candidates, scratch, name } = network.boundRouting
  const adaptive = network.routing.readsQueues ?? network.boundRouting.adaptive
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
      scratch,
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
          slot: adaptive ? layout.slot : unreadable(name),
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
