// What all stages of the Omni-Path switch share: ports in MPorts, up-links, the central buffers, and its state for audits, fingerprints and reports.
// Ids: MPort m = router * MP + number in the router; up-link u = router * UP + number (UP = 2 * MP), both of the largest router; queues of the centre follow
// those of inputs and outputs: up-link u, output o (number in the router), VL v.
import { i32, u16 } from "../../fabric/columns.ts"
import { type RoomRules, roomRules } from "../../fabric/rooms.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import { inputQueues } from "../parts/input.ts"
import { schedulerOf } from "../parts/lanes.ts"
import { levelRecords, levelStages } from "../parts/level-stages.ts"
import { portsOf } from "../parts/ports.ts"
import { mostOf } from "../parts/sense.ts"
import type { PartsState } from "../parts/state.ts"
import { type OmniPathParams, UPLINKS } from "./params.ts"
import { portVlsOf, vlsOf } from "./tables.ts"
import { UP_LINK } from "./up-link.ts"

export interface OmniPathSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly p: OmniPathParams
  readonly hold: Uint16Array
}

export type Frame = ReturnType<typeof frameOf>

/** Memory first: every worker asks for the same columns in the same order. */
export function frameOf({ site, use, p, hold }: OmniPathSpec) {
  const { layout: l, columns } = site
  const ports = portsOf(l, false)
  const MP = Math.ceil(l.radix / p.mport)
  const UP = UPLINKS * MP
  const lanes = 1 << l.LV
  const firstQueue = inputQueues(site, ports, false)
  const firstCentral = firstQueue + ports.count * lanes
  const perUplink = (p.queues === "output" ? l.radix : 1) * lanes
  // behind the queues of the centre: packets on their way into it, a queue for each up-link
  const firstComing = firstCentral + l.routers * UP * perUplink
  const groups = (l.routers * UP * perUplink) / lanes + Math.ceil((l.routers * UP) / lanes)
  const records = levelRecords(columns.packets, ports, l.LV, groups)
  const upLinks = i32((l.routers * UP) << UP_LINK.shift)
  const scheduler = schedulerOf(use, ports)
  const central = centralRooms(l.routers * MP, l.LV, p)
  const shared = { site, use, ports, ...records, scheduler }
  const tables = { vlOf: vlsOf(p), vlAt: portVlsOf(p, l.radix) }
  const stages = levelStages(shared, { ...p, ...tables, hold, firstQueue, atLink: true, releaseAtTail: false })
  return { ...shared, ...stages, p, clock: { link: 1, core: 1 }, upLinks, central, MP, UP, firstCentral, perUplink, firstComing }
}

export interface CentralRooms {
  readonly rules: RoomRules
  /** [(m << LV) + VL] -> flits held; [m] -> shared flits left */
  readonly centralHeld: Uint16Array
  readonly centralLeft: Int32Array
}

function centralRooms(mports: number, LV: number, p: OmniPathParams): CentralRooms {
  const held = u16(mports << LV)
  const left = i32(mports).fill(p.central - p.vcs * p.least)
  const constant = (value: number) => i32(mports).fill(value)
  const reserve = u16(mports << LV)
  for (let slot = 0; slot < reserve.length; slot++) reserve[slot] = (slot & ((1 << LV) - 1)) < p.vcs ? p.least : 0
  const rooms = { OUT: 0, held, reserve, left, cap: constant(mostOf(p, p.central) - p.least), shared: left, part: constant(0), columns: {} }
  return { rules: roomRules(rooms, LV), centralHeld: held, centralLeft: left }
}

export type OmniPathState = Frame & PartsState
