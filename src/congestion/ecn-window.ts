// Explicit congestion notification with a transmission window for each destination: a packet may leave while outstanding + its flits <= window; each
// acknowledgement that carries the mark cuts the window to a share of itself; a timer of the window's own, which starts at its last change, lets it
// grow again. The windows of TCP (RFC 3168) on a network that loses nothing, as in M. A. Blumrich, N. Jiang and L. R. Dennison, "Exploiting Idle
// Resources in a High-Radix Switch for Supplemental Storage", 2018.
// Limits: one window for each pair of endpoints is stored, so memory grows with their square. Growth is worked out when it is asked for.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, cycles, flits, fraction, schema } from "../core/schema.ts"
import type { CongestionModel, Marking } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { DIRECT_RIDE, type EndpointProtocol, type EndpointSite, type PacketView, PLAIN_RIDE } from "../model/protocol.ts"

type Params = {
  window: number
  unit: "flits" | "packets"
  cut: number
  least: number
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
    this.least = p.least
    this.share = p.cut
    this.grow = p.grow
    // what is missing to the full window at time `since`; flits outstanding
    this.cut = column(rows * ends)
    this.since = column(rows * ends)
    this.out = column(rows * ends)
    this.columns = { cut: this.cut, since: this.since, outstanding: this.out }
  }

  window(from: number, to: number, now: number): number {
    const i = from * this.ends + to
    const missing = this.cut[i]!
    if (missing === 0) return this.max
    const grown = Math.floor((now - this.since[i]!) / this.grow)
    return grown >= missing ? this.max : this.max - missing + grown
  }

  mayInject(from: number, to: number, flits: number, now: number): number {
    const i = from * this.ends + to
    const lacks = this.out[i]! + flits - this.window(from, to, now)
    if (lacks <= 0) return 0
    if (this.out[i]! + flits > this.max) return now + 0x10000000
    // the timer opens the window far enough after so many of its periods
    const passed = (now - this.since[i]!) % this.grow
    return now - passed + lacks * this.grow
  }

  injected(from: number, to: number, packet: number): void {
    this.out[from * this.ends + to]! += this.packets.flits(packet)
  }

  /** An acknowledgement. */
  received(from: number, packet: number, now: number): boolean {
    const to = this.packets.src(packet)
    const i = from * this.ends + to
    this.out[i]! -= this.packets.answered(packet)
    if (this.packets.marked(packet)) this.shrink(from, to, i, now)
    return false
  }

  private shrink(from: number, to: number, i: number, now: number): void {
    this.cut[i] = this.max - Math.max(this.least, Math.floor(this.share * this.window(from, to, now)))
    this.since[i] = now
  }
}

/** What is told of congestion on its way to a destination stays on that way: a detour would lead to the same place. */
class StraightWindows extends Windows {
  private readonly below: number

  constructor(site: EndpointSite, p: Params) {
    super(site, p)
    this.below = this.max * p.direct
  }

  vcClass(e: number, to: number, now: number): number {
    return this.window(e, to, now) < this.below ? PLAIN_RIDE | DIRECT_RIDE : PLAIN_RIDE
  }
}

export default {
  kind: "congestion",
  name: "ecn-window",
  about:
    "Congested inputs mark packets; acknowledgements bring the mark back; a window for each destination shrinks with it and grows with time.",
  cites: "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, M. A. Blumrich, N. Jiang and L. R. Dennison, 2018",
  limits: "stores three words for each pair of endpoints",
  needs: () => ["marks", "windows"],
  params: schema({
    window: flits({ about: "largest window, and its first value", min: 1, default: "4096flits" }),
    unit: choice(["flits", "packets"], { about: "the window counts flits, or packets of the largest size", default: "flits" }),
    cut: fraction({ about: "what a marked acknowledgement leaves of the window", default: 0.8 }),
    least: flits({ about: "no window becomes smaller", min: 1, default: "24flits" }),
    grow: cycles({ about: "cycles in which a window grows by one flit", min: 1, default: "30cycles" }),
    on: fraction({ about: "an input is congested when it holds more than this share", default: 0.5 }),
    off: fraction({ about: "and no longer when it holds this share or less", default: 0.5 }),
    base: choice(["port", "vc", "reachable", "whole"], {
      about:
        "share of the port's normal input buffer, of what one VC may hold of it, of the port's buffer unless one VC can never fill that share (then of what one VC may hold), or of the whole buffer with its stash",
      default: "port",
    }),
    direct: fraction({
      about:
        "packets to a destination whose window is below this share of the largest go the shortest way, whatever the routing; 0 = none do",
      default: 0,
    }),
  }),
  check(p): Complaint[] {
    const bad: Complaint[] = []
    if (p.off > p.on) bad.push(complain("off", `${p.off} is above on (${p.on})`, `set off to at most ${p.on}`))
    if (p.least > p.window)
      bad.push(complain("least", `${p.least} flits is more than the window of ${p.window}`, `set least to at most ${p.window}flits`))
    return bad
  },
  make: (p): CongestionModel => ({
    marking: { on: p.on, off: p.off, base: p.base },
    least: p.least,
    acknowledged: true,
    endpoint: (site) => (p.direct > 0 ? new StraightWindows(site, p) : new Windows(site, p)),
  }),
} satisfies Plugin<Params, CongestionModel, unknown>
