// Routings that can be one leg of a longer path, and the view of the network that such a leg gets. any.valiant composes
// two of them. A leg sees its own source and destination, its own VCs numbered from 0, its own scratch slots, and hops
// counted from its start. It therefore needs no knowledge of being a leg.
import type { Chan, End, Packet, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import { type NetColumns, NetView } from "../../model/routing.ts"
import dragonflyMinimal from "../dragonfly/minimal.ts"
import hyperxMinimal from "../hyperx/minimal.ts"
import meshDimensionOrder from "../mesh/dimension-order.ts"
import torusDimensionOrder from "../torus/dimension-order.ts"
import treeDestinationDigit from "../tree/destination-digit.ts"
import treeNearestAncestor from "../tree/nearest-ancestor.ts"
import anyLayered from "./layered.ts"
import anyShortest from "./shortest.ts"
import anyUpDown from "./up-down.ts"

/** A leg of unknown parameters and topology: it parses and checks its own. */
export type Leg = RoutingPlugin<unknown>

export const legs: readonly Leg[] = [
  anyLayered,
  anyShortest,
  anyUpDown,
  dragonflyMinimal,
  hyperxMinimal,
  meshDimensionOrder,
  torusDimensionOrder,
  treeDestinationDigit,
  treeNearestAncestor,
]
/** Legs whose VC is the number of hops so far: they need a counter that restarts with each leg. */
export const countsHops: readonly Leg[] = [anyShortest]

const none = new Int32Array(0)
const nothing: NetColumns = {
  src: none,
  dst: none,
  flits: none,
  hops: none,
  key: none,
  scratch: none,
  scratchSlots: 0,
  slot: none,
  capacity: none,
  credits: none,
  vcs: 0,
}

export class LegView extends NetView {
  private net: NetView = this
  private from: End = 0
  private to: End = 0
  private count = 0
  private firstVc = 0
  private readonly firstSlot: number

  constructor(firstSlot: number) {
    super(nothing)
    this.firstSlot = firstSlot
  }

  of(net: NetView, from: End, to: End, hops: number, firstVc: number): this {
    this.net = net
    this.from = from
    this.to = to
    this.count = hops
    this.firstVc = firstVc
    return this
  }
  override src(): End {
    return this.from
  }
  override dst(): End {
    return this.to
  }
  override flits(p: Packet): number {
    return this.net.flits(p)
  }
  override hops(): number {
    return this.count
  }
  override draw(p: Packet, n: number): number {
    return this.net.draw(p, n)
  }
  override queued(c: Chan): number {
    return this.net.queued(c)
  }
  override published(c: Chan): number {
    return this.net.published(c)
  }
  override queuedVc(c: Chan, v: Vc): number {
    return this.net.queuedVc(c, v + this.firstVc)
  }
  override credits(c: Chan, v: Vc): number {
    return this.net.credits(c, v + this.firstVc)
  }
  override get(p: Packet, slot: number): number {
    return this.net.get(p, this.firstSlot + slot)
  }
  override set(p: Packet, slot: number, value: number): void {
    this.net.set(p, this.firstSlot + slot, value)
  }
}
