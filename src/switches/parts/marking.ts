// Packet marking by input occupancy (forward explicit congestion notification). An input port, or one VC of it, becomes
// congested when it holds more than the share `on` of its capacity. It stays so until it holds at most the share `off`.
// All packets that leave it in between are marked. A packet counts in full from its arrival until it starts to cross.
//
// Columns:
//   `filled`     [input VC, or input]  flits in the buffer;
//   `congested`  [input VC, or input]  1 while it is congested;
//   `marked`     [router]              number of packets that the router has marked.
import { i32, u8 } from "../../fabric/columns.ts"
import { FLAG, FLITS, STATE } from "../../fabric/packets.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { Marking } from "../../model/congestion.ts"
import type { PluginValues } from "../../model/values.ts"
import type { Ports } from "./ports.ts"

export const markingValues = {
  "ecn.marked": { about: "packets marked by congested inputs or by contended outputs", unit: "count" },
} satisfies PluginValues

export interface MarkingPart {
  readonly columns: Readonly<Record<string, Int32Array | Uint8Array>>
  arrived(iv: number, p: number): void
  /** Packet p leaves input VC iv, and is marked if the buffer is congested. */
  leaves(iv: number, p: number): void
}

/** `flits` is the private buffer capacity of one VC. */
export function makeMarking(
  site: TransferSite,
  use: SwitchContext,
  ports: Ports,
  { on, off, base }: Marking,
  flits: number,
): MarkingPart {
  const { LV } = site.layout
  const { packets } = site.columns
  const { router } = ports
  const bytes = new Uint8Array(packets.buffer)
  const { plan } = use
  // The capacity of an input counts its data VCs only. Control packets have separate VCs.
  const vcs = plan.classes.reduce((n, c, i) => (i < plan.data ? n + c.count : n), 0)
  // With base `reachable`, the port is used if one VC can fill the share of the port alone; otherwise the VC.
  const byPort = base === "port" || base === "whole" || (base === "reachable" && on * vcs <= 1)
  const SHIFT = byPort ? LV : 0
  const capacity = byPort ? flits * vcs : flits
  const ON = on * capacity
  const OFF = off * capacity
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
    filled[i] += packets[p + FLITS]
    if (filled[i] > ON) congested[i] = 1
  }

  function leaves(iv: number, p: number): void {
    if ((iv & VMASK) >= vcs) return
    const i = iv >> SHIFT
    if (congested[i] !== 0) mark(iv, p)
    filled[i] -= packets[p + FLITS]
    if (filled[i] <= OFF) congested[i] = 0
  }

  function mark(iv: number, p: number): void {
    const at = ((p + STATE) << 2) + 2
    if ((bytes[at] & (FLAG.ack | FLAG.marked)) !== 0) return
    bytes[at] |= FLAG.marked
    marked[router[iv >> LV]]++
  }

  return { columns, arrived, leaves }
}
