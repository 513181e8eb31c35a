// Why nothing moves: the cyclic wait named hop by hop, or who starves, or that it is a mere stall.

import type { ClockedEngine } from "../engines/flit/clocked.ts"
import { diagnose } from "../engines/flit/diagnose.ts"
import { FlitEngine } from "../engines/flit/engine.ts"
import type { StopReason } from "../model/experiment.ts"
import type { Topology } from "../model/topology.ts"

/** Undefined if this is no deadlock and something still moves. */
export function explainStall(
  engine: ClockedEngine,
  topology: Topology,
  cycles: number,
  rate: number,
): { why: StopReason; explains: string } | undefined {
  const moved = rate === 0 ? "no flit moved" : `only ${rate.toFixed(2)} flits a cycle moved`
  const still = `${moved} for ${cycles} cycles while ${engine.inFlight()} packets were on their way`
  if (!(engine instanceof FlitEngine)) return rate > 0 ? undefined : { why: "deadlock", explains: still }
  const { layout: l, fields } = engine
  const { graph } = l
  const chanAt = new Map<number, number>()
  for (let c = 0; c < graph.chans; c++) chanAt.set(l.slot[c]! >> l.LV, c)
  const vcOf = (id: number) => id & ((1 << l.LV) - 1)
  const place = (ov: number) => ({ chan: chanAt.get(ov >> l.LV)!, vc: vcOf(ov) })
  const idOf = (chan: number, vc: number) => l.slot[chan]! + vc
  const waits = engine.sw.waits()
  const wants = new Map(waits.map((w) => [w.packet, w.wants]))
  const found = diagnose({
    waiters: () => waits.map((w) => ({ packet: w.packet, chan: Math.max(-1, graph.near[chanAt.get(w.at >> l.LV)!]!), vc: vcOf(w.at) })),
    waitsFor: (w) => (wants.get(w.packet) ?? []).map(place),
    holder: (chan, vc) => engine.sw.holder(idOf(chan, vc)),
    waited: () => cycles,
    overtaken: () => 0,
    source: (p) => fields.pSrc[p]!,
    destination: (p) => fields.pDst[p]!,
    channelLabel: (c) => channelLabel(topology, c),
  })
  if (rate > 0 && found.kind !== "deadlock") return undefined
  const why: StopReason = found.kind === "starvation" ? "starved" : "deadlock"
  return { why, explains: `${still}\n${found.words.join("\n")}` }
}

function channelLabel(topology: Topology, c: number): string {
  const { graph } = topology
  const far = graph.far[c]!
  return `${topology.label(graph.routerOf[c]!)} -> ${far >= 0 ? topology.label(graph.routerOf[far]!) : `endpoint ${-2 - far}`}`
}
