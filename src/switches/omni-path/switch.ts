// All Omni-Path switches of a partition, from the parts of ../parts and crossbars of their own:
//
//   arrive -> route -> FIFO of the VL -> crossbar of the MPort ───────────────────────────────────────> queue of the VL -> scheduler -> link
//                                              └─ up-link -> central buffer -> central crossbar ─┘
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { makeInput } from "../parts/input.ts"
import { laneSpan, laneWaits } from "../parts/lane-waits.ts"
import { makeLaneOutput } from "../parts/lanes.ts"
import { sweep, sweepSlot } from "../parts/sweep.ts"
import { crossbarUse } from "../parts/use.ts"
import { auditOmniPath } from "./audit.ts"
import { makeCrossbars } from "./crossbars.ts"
import { digestOmniPath } from "./digest.ts"
import { frameOf, type OmniPathSpec } from "./frame.ts"
import { eachQueueOf } from "./queues.ts"

export function makeOmniPath(spec: OmniPathSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, chains, mportMatching, centralMatching, central, named, ports, UP } = frame
    const { layout, constants } = site
    const { portWords: WORDS } = constants
    const { firstRouter, PS, LV } = layout
    const input = makeInput(frame.input)
    const { dirty } = input.columns
    const { router } = ports
    const renew = (port: number) => {
      dirty[router[port]! >> 5]! |= 1 << router[port]!
    }
    const output = makeLaneOutput(frame.output, wires, renew)
    const crossbars = makeCrossbars(frame, input, output, wires)
    const columns = {
      ...chains.columns,
      inNext: mportMatching.columns.inNext,
      outNext: mportMatching.columns.outNext,
      upNext: centralMatching.columns.inNext,
      centralNext: centralMatching.columns.outNext,
      centralHeld: central.centralHeld,
      centralLeft: central.centralLeft,
      ...input.columns,
      ...output.columns,
      ...crossbars.columns,
      ...named,
    }
    const state = { ...frame, columns, queueOf: input.queueOf, roomFor: output.roomFor }
    const { inEnds, readEnds, comingDue } = crossbars.columns
    const { linkDirty, linkDue } = output.columns
    const { wheelMask: LM } = output
    const { wheelMask: CM, upWords: UP_WORDS, ended, wasRead, came, arbitrate } = crossbars
    const visitLink = output.link
    const visitUp = (u: number) => came(u)
    let linkWheel = 0
    let coreWheel = 0
    let portBase = 0
    let upBase = 0
    let portFrom = 0
    let routerFrom = 0
    let routerTo = 0

    function enter(part: number): void {
      output.enter(part)
      crossbars.enter(part)
      linkWheel = part * (LM + 1)
      coreWheel = part * (CM + 1)
      portBase = firstRouter[part]! * PS
      upBase = firstRouter[part]! * UP
      portFrom = portBase >> 5
      routerFrom = firstRouter[part]! >> 5
      routerTo = (firstRouter[part + 1]! + 31) >> 5
    }

    /** The direct way of an output may be taken while the packet's own way, by the centre, is free: so the crossbars look in any case. */
    function arrive(iv: number, p: number, t: number): void {
      input.arrive(iv, p, t)
      renew(iv >> LV)
    }

    function link(t: number): void {
      sweepSlot(linkDue, (linkWheel + (t & LM)) * WORDS, WORDS, portBase, visitLink, 0, t)
      sweep(linkDirty, portFrom, portFrom + WORDS, visitLink, 0, t)
    }

    function core(s: number, t: number): void {
      const slot = coreWheel + (s & CM)
      sweepSlot(inEnds, slot * WORDS, WORDS, portBase, ended, s, t)
      sweepSlot(readEnds, slot * WORDS, WORDS, portBase, wasRead, s, t)
      sweepSlot(comingDue, slot * UP_WORDS, UP_WORDS, upBase, visitUp, s, t)
      sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    }

    return {
      enter,
      arrive,
      credit: output.credit,
      link,
      core,
      columns,
      digest: (d, outer) => digestOmniPath(state, d, outer),
      audit: (t) => auditOmniPath(state, t),
      copies: () => 0,
      values: (cycles) => crossbarUse(state, cycles),
      tables: () => ({}),
      queues: (visit, first, end) => eachQueueOf(state, visit, first, end),
      waits: () => laneWaits(state),
      span: laneSpan(frame),
      timersDue: () => 0,
    }
  }
}
