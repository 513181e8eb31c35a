// Congestion management as two halves: what switches detect, what endpoints do about it.

/** Injection of endpoints, flow by flow; `from` is the engine's own row of the endpoint, `to` the network's number. State is columns. */
export interface InjectionControl {
  /** 0 = go; else the cycle in which to ask again (an acknowledgement asks earlier) */
  mayInject(from: number, to: number, flits: number, now: number): number
  injected(from: number, to: number, flits: number, now: number): void
  acknowledged(from: number, to: number, flits: number, marked: boolean, now: number): void
  readonly columns: Readonly<Record<string, Int32Array>>
}

/** An input port is congested while it holds more than a share of its room, and marks what passes through it. */
export interface Marking {
  /** enters the state above `on`, leaves it at or below `off` (fractions) */
  readonly on: number
  readonly off: number
  /** of what one VC may hold there, of the port's room, of the lesser of both where one VC cannot fill the share, or of the room that the port would have
   *  without any stash */
  readonly base: "vc" | "port" | "reachable" | "whole"
}

export interface CongestionModel {
  readonly marking?: Marking
  /** flits that may always be outstanding: no packet may be longer */
  readonly least?: number
  /** `rows` endpoints of the engine, `ends` of the network; flits of the longest packet; `column` makes memory that workers share */
  injection?(rows: number, ends: number, maxPacket: number, column: (n: number) => Int32Array): InjectionControl
}
