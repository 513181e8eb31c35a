// Marks by occupancy: an input (or one VC of it) is congested from the moment it holds more than a share of its room until it holds no more than another
// share, and what leaves it meanwhile is marked. A packet counts as a whole from its arrival until it begins to cross.
// Columns:
//   filled    [input VC, or input]  flits
//   congested [input VC, or input]  1 while it is
//   marked    [router]              packets that it marked
import { i32, u8 } from "../../fabric/columns.ts"
import { FLAG, FLITS, STATE } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Marking } from "../../model/congestion.ts"
import type { Ports } from "./ports.ts"

export interface MarkingPart {
  readonly columns: Readonly<Record<string, Int32Array | Uint8Array>>
  arrived(iv: number, p: number): void
  /** packet p leaves input VC iv */
  leaves(iv: number, p: number): void
}

/** `flits`: room of one VC, which is its own. */
export function makeMarking(site: TransferSite, use: TransferUse, ports: Ports, { on, off, base }: Marking, flits: number): MarkingPart {
  const { LV } = site.layout
  const { packets } = site.columns
  const { router } = ports
  const bytes = new Uint8Array(packets.buffer)
  const { plan } = use
  // the room of an input is that of its data: control packets have VCs of their own
  const vcs = plan.classes.reduce((n, c, i) => (i < plan.data ? n + c.count : n), 0)
  // one VC can fill the share of a port only if there are few
  const byPort = base === "port" || base === "whole" || (base === "reachable" && on * vcs <= 1)
  const SHIFT = byPort ? LV : 0
  const room = byPort ? flits * vcs : flits
  const ON = on * room
  const OFF = off * room
  const VMASK = (1 << LV) - 1
  const columns = {
    filled: i32((ports.inputs << LV) >> SHIFT),
    congested: u8((ports.inputs << LV) >> SHIFT),
    marked: i32(site.layout.routers),
  }
  const { filled, congested, marked } = columns

  function arrived(iv: number, p: number): void {
    if ((iv & VMASK) >= vcs) return
    const i = iv >> SHIFT
    filled[i]! += packets[p + FLITS]!
    if (filled[i]! > ON) congested[i] = 1
  }

  function leaves(iv: number, p: number): void {
    if ((iv & VMASK) >= vcs) return
    const i = iv >> SHIFT
    if (congested[i] !== 0) mark(iv, p)
    filled[i]! -= packets[p + FLITS]!
    if (filled[i]! <= OFF) congested[i] = 0
  }

  function mark(iv: number, p: number): void {
    const at = ((p + STATE) << 2) + 2
    if ((bytes[at]! & (FLAG.ack | FLAG.marked)) !== 0) return
    bytes[at]! |= FLAG.marked
    marked[router[iv >> LV]!]!++
  }

  return { columns, arrived, leaves }
}
