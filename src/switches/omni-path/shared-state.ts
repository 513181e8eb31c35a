// The state that all stages of the Omni-Path switch share: MPorts, up-links, central buffers. Audits, digests and
// reports read it too. Ids are those of the largest router:
//   `m`  MPort: router * MP + number in the router;
//   `u`  up-link: router * UP + number, with UP = 2 * MP.
// The queues of the centre follow those of inputs and outputs: up-link u, output o (number in the router), VL v.
import { i32, u16 } from "../../fabric/columns.ts"
import { type SharedBufferRules, sharedBufferRules } from "../../fabric/shared-buffers.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import { inputQueues } from "../parts/input.ts"
import { mostOf } from "../parts/parameter-checks.ts"
import { portsOf } from "../parts/ports.ts"
import { serviceLevelRecords, serviceLevelStages } from "../parts/service-level-stages.ts"
import type { PartsState } from "../parts/state.ts"
import { schedulerOf } from "../parts/vl-outputs.ts"
import { type OmniPathParams, UPLINKS } from "./params.ts"
import { portVlsOf, vlsOf } from "./tables.ts"
import { UP_LINK } from "./up-link.ts"

export interface OmniPathSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly p: OmniPathParams
  readonly hold: Uint16Array
}

export type SharedState = ReturnType<typeof sharedStateOf>

/** Allocates the state. Memory comes first, because each worker must allocate the same columns in the same order. */
export function sharedStateOf({ site, use, p, hold }: OmniPathSpec) {
  const { layout: l, columns } = site
  const ports = portsOf(l, false)
  const MP = Math.ceil(l.radix / p.mport)
  const UP = UPLINKS * MP
  const lanes = 1 << l.LV
  const firstQueue = inputQueues(site, ports, false)
  const firstCentral = firstQueue + ports.count * lanes
  const perUplink = (p.queues === "output" ? l.radix : 1) * lanes
  // After the queues of the centre: packets that are entering it, one queue for each up-link.
  const firstComing = firstCentral + l.routers * UP * perUplink
  const groups = (l.routers * UP * perUplink) / lanes + Math.ceil((l.routers * UP) / lanes)
  const records = serviceLevelRecords(columns.packets, ports, l.LV, groups)
  const upLinks = i32((l.routers * UP) << UP_LINK.shift)
  const scheduler = schedulerOf(use, ports, l, site.constants.seed)
  const central = centralBuffers(l.routers * MP, l.LV, p)
  const shared = { site, use, ports, ...records, scheduler }
  const tables = { vlOf: vlsOf(p), vlAt: portVlsOf(p, l.radix) }
  const stages = serviceLevelStages(shared, { ...p, ...tables, hold, firstQueue, atLink: true, releaseAtTail: false })
  return {
    ...shared,
    ...stages,
    p,
    clock: { link: 1, core: 1 },
    upLinks,
    central,
    MP,
    UP,
    firstCentral,
    perUplink,
    firstComing,
  }
}

export interface CentralBuffers {
  readonly rules: SharedBufferRules
  /** [(m << LV) + VL] -> flits held; [m] -> shared flits left */
  readonly centralHeld: Uint16Array
  readonly centralLeft: Int32Array
}

/** Creates the central buffers: each VL has a reserved part, and a limit for its use of the shared part. */
function centralBuffers(mports: number, LV: number, p: OmniPathParams): CentralBuffers {
  const held = u16(mports << LV)
  const left = i32(mports).fill(p.central - p.vcs * p.reservedPerVl)
  const constant = (value: number) => i32(mports).fill(value)
  const reserve = u16(mports << LV)
  for (let slot = 0; slot < reserve.length; slot++)
    reserve[slot] = (slot & ((1 << LV) - 1)) < p.vcs ? p.reservedPerVl : 0
  const sharedBuffers = {
    OUT: 0,
    held,
    reserve,
    left,
    cap: constant(mostOf(p, p.central) - p.reservedPerVl),
    shared: left,
    part: constant(0),
    columns: {},
  }
  return { rules: sharedBufferRules(sharedBuffers, LV), centralHeld: held, centralLeft: left }
}

export type OmniPathState = SharedState & PartsState
