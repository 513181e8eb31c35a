// Visits of all queues of an Omni-Path switch, for probes and the deadlock diagnosis: those of inputs and outputs, and
// those of the centre, where no packet waits for space.
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { VisitQueue } from "../../fabric/switch.ts"
import type { AddFill } from "../../fabric/transfer.ts"
import { PLACES } from "../../model/probe.ts"
import { flitsIn } from "../parts/conservation.ts"
import { eachQueue, eachVl } from "../parts/each-queue.ts"
import type { OmniPathState } from "./shared-state.ts"

/** Adds the flits of each VL. A packet that is entering the centre counts there. */
export function eachLaneOf(f: OmniPathState, add: AddFill, first: number, end: number): void {
  const { site, packetQueues, UP, firstCentral, firstComing, perUplink } = f
  const { packets } = site.columns
  const bytes = new Uint8Array(packets.buffer)
  eachVl(f, add, first, end)
  const see = (u: number, queue: number) =>
    eachInChain(packets, packetQueues.first(queue), (p) =>
      add(Math.floor(u / UP), bytes[((p + STATE) << 2) + 1], PLACES.indexOf("centre"), packets[p + FLITS]),
    )
  for (let u = first * UP; u < end * UP; u++) {
    for (let n = 0; n < perUplink; n++) see(u, firstCentral + u * perUplink + n)
    see(u, firstComing + u)
  }
}

/** Visits the queues of routers [firstRouter, end). */
export function eachQueueOf(f: OmniPathState, visit: VisitQueue, firstRouter: number, end: number): void {
  const { site, packetQueues, UP, firstCentral, firstComing, perUplink } = f
  const bytes = new Uint8Array(site.columns.packets.buffer)
  eachQueue(f, visit, true, firstRouter, end)
  const see = (u: number, queue: number) => {
    const head = packetQueues.first(queue)
    if (head !== 0)
      visit(Math.floor(u / UP) * site.layout.PS + bytes[(head + STATE) << 2], flitsIn(f, queue), head, true, -1)
  }
  for (let u = firstRouter * UP; u < end * UP; u++) {
    for (let n = 0; n < perUplink; n++) see(u, firstCentral + u * perUplink + n)
    see(u, firstComing + u)
  }
}
