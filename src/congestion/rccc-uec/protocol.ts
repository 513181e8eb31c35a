// Receiver credits as the Ultra Ethernet specification 1.0 grants them (`rules: uec` of rccc.ts), in the form of its
// reference model, uet-htsim (uec.cpp). W is the largest credit, and the first one.
//
//   Source: It may send while its credit is above zero. Each packet carries the pull target: the credits pulled so far,
//     plus the backlog (W at most), minus the credit that is left. While several flows of the endpoint can send, each
//     target adds only its share. The first credit is speculative: the rest of it lapses when the first
//     acknowledgement, pull or header comes back. Until then the target of a flow with a backlog is at least one
//     packet.
//   Destination: Sources whose target is above the pulled credits are active. Each one gets one quantum, round-robin,
//     but never more than its target. A source that got all of it joins the idle ones, and may be among them several times.
//     While no source is active, idle ones get quanta above their targets, round-robin, up to W (slow pulls). A header
//     of a trimmed packet makes its source active.
//
// Pulls and targets are running sums, so that messages may overtake each other. They carry the low bits of these sums
// and the number of the flow's present life, because a flow that was silent for a while ends, and its sums start again.
// A source that waits for a pull this long repeats its last target, which makes it active.
import type { EndpointProtocol, EndpointSite } from "../../model/protocol.ts"
import { withRepeats } from "../repeats.ts"
import { makePacer } from "./pacer.ts"
import { makeSource } from "./source.ts"
import { CREDIT, REQUEST, STARTED, type UecCredits } from "./words.ts"

/** Returns the earlier of two cycles; 0 means never. */
function sooner(a: number, b: number): number {
  return a === 0 || (b !== 0 && b < a) ? b : a
}

export function makeUecRccc(site: EndpointSite, p: UecCredits): EndpointProtocol {
  const { packets } = site
  const source = makeSource(site, p)
  const pacer = makePacer(site, p)

  function received(e: number, packet: number, now: number): boolean {
    const kind = packets.kind(packet)
    const from = packets.src(packet)
    const word = packets.value(packet)
    if (kind === REQUEST) pacer.announced(e, from, word, false, now)
    else if (kind === CREDIT || kind === STARTED) source.pulled(e, from, word, kind === CREDIT, now)
    return false
  }

  function due(e: number, now: number): void {
    const next = sooner(sooner(pacer.due(e, now), pacer.check(e, now)), source.check(e, now))
    if (next !== 0) site.wakeAt(e, next)
  }

  const protocol: EndpointProtocol = {
    columns: { ...source.columns, ...pacer.columns },
    mayInject: source.mayInject,
    injected: source.injected,
    generated: source.generated,
    delivered: (e, packet, now) => pacer.announced(e, packets.src(packet), packets.value(packet), true, now),
    received,
    headerReturned: source.headerReturned,
    headerArrived(e, packet, now) {
      pacer.announced(e, packets.src(packet), packets.value(packet), false, now)
      return false
    },
    due,
    digest(add) {
      source.digest(add)
      pacer.digest(add)
    },
  }
  return withRepeats(site, protocol, p.flows)
}
