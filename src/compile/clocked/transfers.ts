// Creates the packet-moving engine for a compiled run.
import { TransferEngine } from "../../engines/flit/transfers/engine.ts"
import { makeTransferLoop } from "../../engines/flit/transfers/loop.ts"
import { scratchOf } from "../../fabric/columns.ts"
import { DST, FLITS, HOPS, KEY, PLACE, SRC } from "../../fabric/packets.ts"
import type { TransferSwitchModel } from "../../fabric/switch-model.ts"
import { QUEUE_TOP, type TransferSite } from "../../fabric/transfer.ts"
import { Candidates, NetView, unreadable } from "../../model/routing.ts"
import { planOf, routingsOf } from "../classes.ts"
import type { Compiled } from "../compile.ts"
import { offeredTo } from "../offered.ts"
import { watchOf } from "../probes.ts"

export interface TransferEngineOptions {
  readonly parts?: number
  readonly assign?: ArrayLike<number>
  readonly horizon: number
  readonly series: number
  readonly makeLoop?: typeof makeTransferLoop
  readonly adopt?: readonly ArrayBufferLike[]
}

/** Creates the engine with its VC plan and one routing function per class. */
export function transferEngine(c: Compiled, o: TransferEngineOptions): TransferEngine {
  const { network, streams, spec } = c
  const model = network.switch
  if (model.moves === "flits") throw new Error("this switch moves flits: call flitEngine()")
  const { routing } = network
  const { candidates, adaptive, scratch, name } = network.boundRouting
  const plan = planOf(network, streams)
  return new TransferEngine(
    {
      graph: network.topology.graph,
      model,
      endpoint: network.endpoint,
      congestion: network.congestion,
      plan,
      qos: network.qos,
      flitBytes: network.scale.flit,
      scratch,
      streams,
      seed: spec.seed,
      horizon: o.horizon,
      series: o.series,
      offeredTo: () => offeredTo(c, network.topology.graph.ends),
      watch: watchOf(c.probes),
      ranks: c.ranks,
      ...(o.parts !== undefined ? { parts: o.parts } : {}),
      ...(o.assign !== undefined ? { assign: o.assign } : {}),
      makeSwitch: (site) =>
        model.build(
          site,
          {
            routing,
            net: viewOf(site, model, adaptive ? site.layout.slot : unreadable(name)),
            out: new Candidates(candidates),
            candidates,
            adaptive,
            vcsPerClass: network.vcsPerClass,
            vcFirst: scratchOf(streams.map((s) => s.vcFirst)),
            streamPriority: scratchOf(streams.map((s) => s.priority)),
            plan,
            qos: network.qos,
            flitBytes: network.scale.flit,
            routings: routingsOf(network, plan, spec.seed),
          },
          network.congestion,
        ),
    },
    o.makeLoop ?? makeTransferLoop,
    o.adopt,
  )
}

/** Returns [slot] -> the maximum number of flits that a VC may hold, independent of other VCs. */
function mostOf({ sharedBuffers, layout }: TransferSite): Uint16Array {
  return sharedBuffers.reserve.map((reserve, slot) => reserve + sharedBuffers.cap[slot >> layout.LV])
}

/** Creates the network view; it reads packet records through views that start at the word in question. */
function viewOf(site: TransferSite, { vcs, layout }: TransferSwitchModel, slot: Int32Array): NetView {
  const { packets } = site.columns
  const word = (w: number) => packets.subarray(w)
  return new NetView({
    src: word(SRC),
    dst: word(DST),
    flits: word(FLITS),
    hops: word(HOPS),
    key: word(KEY),
    control: word(PLACE),
    scratch: word(site.constants.scratchAt),
    scratchSlots: 1,
    slot,
    capacity: new Uint16Array(site.queued.length).fill(QUEUE_TOP),
    credits: site.queued,
    vcs,
    ...(layout.sums === true
      ? { sums: site.load, slotBits: site.layout.LV, held: site.sharedBuffers.held, limits: mostOf(site) }
      : {}),
  })
}
