// Credits flit by flit (`release: each`): the space of a flit in an input buffer is free when this flit has crossed,
// and not with the first or the last flit of its packet. It decides how fast a VC is that holds only one or two
// packets.
//
// A transfer moves one flit in each core step, but flit i of a packet that is still arriving is here only i cycles
// after its head. With `start: interleaved`, a transfer leaves the crossbar to others after as many core steps as the
// packet has flits, and the rest of the packet crosses as it arrives. Such a packet is the last one of its link, so an
// input has at most one rest besides its transfer. In each cycle an input returns the credits of one VC, round-robin.
//
// Columns. Indices: q input, s = 2 * q + 1 for the rest of a packet, 2 * q for the transfer; iv VC of an input.
//   `left`      [s]   flits that have not crossed, 0: none;
//   `flits`     [s]   flits of the packet;
//   `since`     [s]   core step in which its first flit crosses;
//   `headAt`    [s]   cycle in which its head came, 0 if all of it is here;
//   `route`     [s]   output port << 10 | VC of the output << 5 | VC of the input;
//   `unsent`    [iv]  flits that have crossed and whose credits have not left;
//   `unsentOf`  [q]   VCs of an input with such flits;
//   `next`      [q]   round-robin pointer over the VCs of an input;
//   `active`          bit r: routers with any of these.
import { lowest } from "../../core/bitset.ts"
import { i32, u8, u16 } from "../../fabric/columns.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { FlitStreams } from "../parts/crossbar.ts"
import type { Ports } from "../parts/ports.ts"

export interface FlitCredits extends FlitStreams {
  readonly columns: ReturnType<typeof creditColumns>
  /** f flits of a VC were dropped. */
  dropped(iv: number, f: number): void
  /** Moves flits in core step s of cycle t, after its arbitration: routers of the words [from, to) of `active`. */
  step(s: number, t: number, from: number, to: number): void
  /** Sends credits at the end of cycle t. */
  send(t: number, from: number, to: number): void
}

export interface FlitCreditSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  /** VCs whose flits adaptive routing counts are those below */
  readonly counted: number
  readonly columns: ReturnType<typeof creditColumns>
}

export function creditColumns({ layout: l }: TransferSite, ports: Ports) {
  return {
    left: u16(2 * ports.inputs),
    flits: u16(2 * ports.inputs),
    since: i32(2 * ports.inputs),
    headAt: i32(2 * ports.inputs),
    route: i32(2 * ports.inputs),
    unsent: u16(ports.count << l.LV),
    unsentOf: i32(ports.count),
    next: u8(ports.count),
    active: i32((l.routers + 31) >> 5),
  }
}

/** `freed`: the last flit of a packet has crossed to a VC of an output after the end of its transfer. */
export function makeFlitCredits(
  { site, use, ports, counted: COUNTED, columns }: FlitCreditSpec,
  { returnCredit }: Pick<SwitchPorts, "returnCredit">,
  freed: (port: number, vc: number) => void,
): FlitCredits {
  const low = lowest
  const { LV, PS, down, radix: R } = site.layout
  const { load } = site
  const { router, count: PORTS, inputs } = ports
  const { left, flits, since, headAt, route, unsent, unsentOf, next, active } = columns
  const READ = use.adaptive
  // The internal input of a router comes after its ports.
  const LAST = inputs > PORTS ? R : R - 1
  const VMASK = (1 << LV) - 1

  function starts(q: number, v: number, port: number, to: number, f: number, s: number, head: number): void {
    const at = 2 * q
    left[at] = f
    flits[at] = f
    since[at] = s
    headAt[at] = head
    route[at] = (port << 10) | (to << 5) | v
    active[router[q] >> 5] |= 1 << router[q]
  }

  function ended(q: number): boolean {
    const at = 2 * q
    if (left[at] === 0) return false
    left[at + 1] = left[at]
    flits[at + 1] = flits[at]
    since[at + 1] = since[at]
    headAt[at + 1] = headAt[at]
    route[at + 1] = route[at]
    left[at] = 0
    return true
  }

  function dropped(iv: number, f: number): void {
    const q = iv >> LV
    unsent[iv] += f
    unsentOf[q] |= 1 << (iv & VMASK)
    active[router[q] >> 5] |= 1 << router[q]
  }

  function step(s: number, t: number, from: number, to: number): void {
    for (let w = from; w < to; w++)
      for (let m = active[w]; m !== 0; m &= m - 1) {
        const r = (w << 5) + low(m)
        for (let i = 0; i <= LAST; i++) {
          const at = 2 * (i < R ? r * PS + i : PORTS + r)
          if (left[at] !== 0) moves(at, s, t)
          if (left[at + 1] !== 0) moves(at + 1, s, t)
        }
      }
  }

  /** Counts the flits that have crossed up to core step s. */
  function moves(at: number, s: number, t: number): void {
    const f = flits[at]
    const steps = s - since[at] + 1
    const here = t - headAt[at] + 1
    const could = steps < here ? steps : here
    const n = (could < f ? could : f) - (f - left[at])
    if (n <= 0) return
    left[at] -= n
    const port = route[at] >> 10
    const vc = (route[at] >> 5) & 31
    if (READ && down[port] >= 0 && vc < COUNTED) load[port] += n
    const q = at >> 1
    if (q < PORTS) {
      const v = route[at] & 31
      unsent[(q << LV) + v] += n
      unsentOf[q] |= 1 << v
    }
    if ((at & 1) === 1 && left[at] === 0) freed(port, vc)
  }

  function send(t: number, from: number, to: number): void {
    for (let w = from; w < to; w++)
      for (let m = active[w]; m !== 0; m &= m - 1) {
        const r = (w << 5) + low(m)
        let any = false
        for (let i = 0; i < R; i++) {
          const q = r * PS + i
          if (unsentOf[q] !== 0) sendFrom(q, t)
          if (unsentOf[q] !== 0 || left[2 * q] !== 0 || left[2 * q + 1] !== 0) any = true
        }
        if (LAST === R && (left[2 * (PORTS + r)] !== 0 || left[2 * (PORTS + r) + 1] !== 0)) any = true
        if (!any) active[w] &= ~(m & -m)
      }
  }

  /** Sends the credits of the next VC of input q. */
  function sendFrom(q: number, t: number): void {
    const later = unsentOf[q] & (-1 << next[q])
    const v = low(later !== 0 ? later : unsentOf[q])
    unsentOf[q] &= ~(1 << v)
    next[q] = (v + 1) & VMASK
    returnCredit((q << LV) + v, unsent[(q << LV) + v], t)
    unsent[(q << LV) + v] = 0
  }

  return { columns, starts, ended, dropped, step, send }
}

/** Returns the VC of output o that the rest of a packet of input q crosses to, -1 if there is none. For audits. */
export function restAt(columns: ReturnType<typeof creditColumns> | undefined, q: number, o: number): number {
  const at = 2 * q + 1
  return columns === undefined || columns.left[at] === 0 || columns.route[at] >> 10 !== o
    ? -1
    : (columns.route[at] >> 5) & 31
}

/** Returns the flits of VC v at input q that have left their queue and whose credits have not left. For audits. */
export function uncredited(
  { left, route, unsent }: ReturnType<typeof creditColumns>,
  LV: number,
  q: number,
  v: number,
) {
  const of = (at: number) => (left[at] !== 0 && (route[at] & 31) === v ? left[at] : 0)
  return unsent[(q << LV) + v] + of(2 * q) + of(2 * q + 1)
}
