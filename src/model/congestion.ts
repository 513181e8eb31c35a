// Congestion management as two halves: what switches detect, what endpoints do about it (protocol.ts).
import type { EndpointProtocol, EndpointSite, ProtocolNeeds } from "./protocol.ts"

/** An input port is congested while it holds more than a share of its room, and marks what passes through it. */
export interface Marking {
  /** enters the state above `on`, leaves it at or below `off` (fractions) */
  readonly on: number
  readonly off: number
  /** of what one VC may hold there, of the port's room, of the lesser of both where one VC cannot fill the share, or of the room that the port would have
   *  without any stash */
  readonly base: "vc" | "port" | "reachable" | "whole"
}

export interface CongestionModel extends ProtocolNeeds {
  readonly marking?: Marking
  /** flits that may always be outstanding: no packet may be longer */
  readonly least?: number
  endpoint?(site: EndpointSite): EndpointProtocol
}
