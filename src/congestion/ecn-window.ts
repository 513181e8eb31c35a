// Explicit congestion notification with a window for each destination. A packet may leave while outstanding flits + its
// flits <= window. Each marked acknowledgement multiplies the window by `cut`. The window grows by one flit per `grow`
// cycles, counted from its last change. These are the windows of TCP (RFC 3168) on a lossless network, as in M. A.
// Blumrich, N. Jiang and L. R. Dennison, "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage",
// 2018. Growth is computed when the window is read, so it needs no timer event. Limits: one window is stored for each
// pair of endpoints, so memory grows with the square of their number.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, cycles, flits, fraction, schema } from "../core/schema.ts"
import type { CongestionModel, Marking } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import {
  DIRECT_CLASS,
  type EndpointProtocol,
  type EndpointSite,
  type PacketView,
  PLAIN_CLASS,
} from "../model/protocol.ts"

type Params = {
  window: number
  unit: "flits" | "packets"
  cut: number
  minWindow: number
  grow: number
  on: number
  off: number
  base: Marking["base"]
  direct: number
}

class Windows implements EndpointProtocol {
  readonly columns: Readonly<Record<string, Int32Array>>
  private readonly cut: Int32Array
  private readonly since: Int32Array
  private readonly out: Int32Array
  private readonly packets: PacketView
  private readonly ends: number
  protected readonly max: number
  private readonly least: number
  private readonly share: number
  private readonly grow: number

  constructor({ rows, ends, maxPacket, packets, column }: EndpointSite, p: Params) {
    this.packets = packets
    this.ends = ends
    this.max = p.unit === "packets" ? p.window * maxPacket : p.window
    this.least = p.minWindow
    this.share = p.cut
    this.grow = p.grow
    // Difference to the full window at time `since`; outstanding flits.
    this.cut = column(rows * ends)
    this.since = column(rows * ends)
    this.out = column(rows * ends)
    this.columns = { cut: this.cut, since: this.since, outstanding: this.out }
  }

  /** Returns the present window. */
  window(from: number, to: number, now: number): number {
    const i = from * this.ends + to
    const missing = this.cut[i]
    if (missing === 0) return this.max
    const grown = Math.floor((now - this.since[i]) / this.grow)
    return grown >= missing ? this.max : this.max - missing + grown
  }

  /** Returns 0 if a packet may leave, otherwise the cycle in which growth alone will permit it. */
  mayInject(from: number, to: number, flits: number, now: number): number {
    const i = from * this.ends + to
    const lacks = this.out[i] + flits - this.window(from, to, now)
    if (lacks <= 0) return 0
    if (this.out[i] + flits > this.max) return now + 0x10000000
    // The window is large enough after this many periods of its timer.
    const passed = (now - this.since[i]) % this.grow
    return now - passed + lacks * this.grow
  }

  injected(from: number, to: number, packet: number): void {
    this.out[from * this.ends + to] += this.packets.flits(packet)
  }

  /** Handles an acknowledgement. */
  received(from: number, packet: number, now: number): boolean {
    const to = this.packets.src(packet)
    const i = from * this.ends + to
    this.out[i] -= this.packets.answered(packet)
    if (this.packets.marked(packet)) this.shrink(from, to, i, now)
    return false
  }

  private shrink(from: number, to: number, i: number, now: number): void {
    this.cut[i] = this.max - Math.max(this.least, Math.floor(this.share * this.window(from, to, now)))
    this.since[i] = now
  }
}

/**
 * Packets to a destination with a small window use shortest paths, because a detour would lead to the same congested
 * endpoint.
 */
class StraightWindows extends Windows {
  private readonly below: number

  constructor(site: EndpointSite, p: Params) {
    super(site, p)
    this.below = this.max * p.direct
  }

  vcClass(e: number, to: number, now: number): number {
    return this.window(e, to, now) < this.below ? PLAIN_CLASS | DIRECT_CLASS : PLAIN_CLASS
  }
}

export default {
  kind: "congestion",
  name: "ecn-window",
  about:
    "Congested inputs mark packets, and acknowledgements return the mark. The window of each " +
    "destination shrinks with marks and grows with time.",
  cites:
    "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, " +
    "M. A. Blumrich, N. Jiang and L. R. Dennison, 2018",
  limits: "stores three words for each pair of endpoints",
  needs: () => ["marks", "windows"],
  params: schema({
    window: flits({
      about: "Maximum window of a destination, which is also its initial value",
      min: 1,
      default: "4096flits",
    }),
    unit: choice(["flits", "packets"], {
      about: "Unit of the window: flits, or packets of the largest size",
      default: "flits",
    }),
    cut: fraction({ about: "Factor on the window for each marked acknowledgement", default: 0.8 }),
    minWindow: flits({
      aliases: ["least"],
      about: "Minimum congestion window of a flow",
      min: 1,
      default: "24flits",
    }),
    grow: cycles({ about: "Number of cycles in which a window grows by one flit", min: 1, default: "30cycles" }),
    on: fraction({ about: "An input becomes congested when it is filled to more than this fraction", default: 0.5 }),
    off: fraction({ about: "An input stops being congested when it is filled to this fraction or less", default: 0.5 }),
    base: choice(["port", "vc", "reachable", "whole"], {
      about:
        "Buffer that the fractions refer to: the port's normal input buffer, the limit of one VC, the " +
        "first of these that one VC can fill, or the whole buffer with its stash",
      default: "port",
    }),
    direct: fraction({
      about:
        "Send packets minimally while the window of their destination is below this fraction of the maximum; 0 = never",
      default: 0,
    }),
  }),
  check(p): Complaint[] {
    const bad: Complaint[] = []
    if (p.off > p.on) bad.push(complain("off", `${p.off} is above on (${p.on})`, `set off to at most ${p.on}`))
    if (p.minWindow > p.window)
      bad.push(
        complain(
          "minWindow",
          `${p.minWindow} flits is more than the window of ${p.window}`,
          `set minWindow to at most ${p.window}flits`,
        ),
      )
    return bad
  },
  make: (p): CongestionModel => ({
    marking: { on: p.on, off: p.off, base: p.base },
    least: p.minWindow,
    acknowledged: true,
    endpoint: (site) => (p.direct > 0 ? new StraightWindows(site, p) : new Windows(site, p)),
  }),
} satisfies Plugin<Params, CongestionModel, unknown>
