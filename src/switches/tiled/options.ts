// Parameters of a tiled switch after reading, by link class where ports differ.

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
  /** space is free again when a packet's transfer out begins (as if it left flit by flit), or when its tail has left */
  readonly releaseAtTail: boolean
  /** sent packets stay in the output buffer for the round trip of the link */
  readonly retention: boolean
  /** routing sees queues without the flits that a round trip holds anyway */
  readonly removeRoundTrip: boolean
  /** packets leave for their endpoint on any VC, not only on the last one */
  readonly ejectAny: boolean
  /** VCs (mask) that outputs of a link class send on */
  carried(linkClass: number): number
  /** flits of a port's buffer that one VC may hold beside those of the last round trip */
  stillOf(linkClass: number): number
  /** longest packet */
  readonly packet: number
  /** flits of the pool of a port, by link class */
  poolOf(linkClass: number): number
  /** copies of all packets from endpoints are kept until they are acknowledged; congested packets are absorbed */
  readonly reliability: boolean
  readonly absorb: boolean
  /** copies of speculative packets are kept until these are confirmed or ordered to go again */
  readonly speculation: boolean
  /** pool space is reserved when a packet takes the row bus, not only at the pool */
  readonly reserveAtBus: boolean
  readonly sideband: number
  readonly sidebandSpread: number
  readonly retries: number
  /** cycles after which an unanswered copy is sent again; 0 = never */
  readonly timeout: number
  /** chance that a packet is damaged or lost in a switch before links of a class, and the share of losses in it */
  errorsOf(linkClass: number): number
  readonly lost: number
  /** chance that a transmission over links of a class must be repeated by the link itself */
  linkErrorsOf(linkClass: number): number
}

/** Flits as a pool counts them: two interleaved banks are filled in pairs. */
export function banked(flits: number): number {
  return (flits + 1) & ~1
}
