// The options of a tiled switch after parsing. Functions of the link class replace values where ports differ.

export interface TiledOptions {
  readonly vcs: number
  readonly rows: number
  readonly columns: number
  /** core steps and link cycles: speed = link / core */
  readonly clock: { readonly link: number; readonly core: number }
  readonly pipeline: number
  /** flits of one VC's row buffer at a tile input, and of one VC's column buffer */
  readonly rowBuffer: number
  readonly columnBuffer: number
  readonly iterations: number
  /** free buffer space when the tail has left, not when the transfer starts (as if the packet left flit by flit) */
  readonly releaseAtTail: boolean
  /** sent packets stay in the output buffer for one round trip of the link */
  readonly retention: boolean
  /** the routing reads queue lengths without the flits of one round trip */
  readonly removeRoundTrip: boolean
  /** packets leave for their endpoint on any VC, not only on the last one */
  readonly ejectAny: boolean
  /** a packet at its last switch may take another VC than the drawn one, if that has no space */
  readonly ejectFree: boolean
  /** mask of the VCs that outputs of a link class use */
  carried(linkClass: number): number
  /** flits of a port's buffer that one VC may hold in addition to those of the last round trip */
  stillOf(linkClass: number): number
  /** longest packet, in flits */
  readonly packet: number
  /** flits of the pool of a port, by link class */
  poolOf(linkClass: number): number
  /** store copies of all packets from endpoints until they are acknowledged; absorb congested packets */
  readonly reliability: boolean
  readonly absorb: boolean
  /** store copies of speculative packets until they are confirmed or recalled */
  readonly speculation: boolean
  /** reserve pool space when a packet takes the row bus, not only at the pool */
  readonly reserveAtBus: boolean
  readonly sideband: number
  readonly sidebandSpread: number
  readonly retries: number
  /** cycles after which an unacknowledged copy is retransmitted; 0 = never */
  readonly timeout: number
  /** probability that a packet is damaged or lost in a switch before links of a class, and the share of losses */
  errorsOf(linkClass: number): number
  readonly lost: number
  /** probability that a transmission over links of a class is damaged and repeated by the link */
  linkErrorsOf(linkClass: number): number
}

/** Returns the pool space of a packet: two interleaved banks are filled in pairs of flits. */
export function banked(flits: number): number {
  return (flits + 1) & ~1
}
