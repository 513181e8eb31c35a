// Parameters of the tiled switch; docs/stashing.md says why each default is what it is.
import { choice, cycles, flag, flits, fraction, int, list, mapOf, real, schema } from "../../core/schema.ts"

export const params = schema({
  vcs: int({ about: "virtual channels of the network; storage and retrieval have one more each inside", min: 1, max: 14, default: 6 }),
  rows: int({ about: "rows of tiles", min: 1, max: 32, default: 4 }),
  columns: int({ about: "columns of tiles", min: 1, max: 32, default: 4 }),
  speed: real({ about: "core steps for each link cycle", min: 1, max: 8, default: 1.3 }),
  pipeline: cycles({ about: "cycles for routing, before a packet may ask for the row bus", max: 64, default: "1cycle" }),
  packet: flits({ about: "longest packet", min: 1, max: 2047, default: "24flits" }),
  buffer: flits({
    about: "memory of a port: its input buffer, and as much again for its output buffer",
    min: 2,
    max: 32767,
    default: "1000flits",
  }),
  rowBuffer: flits({ about: "row buffer at a tile input (rowSharing says for whom)", min: 1, max: 32767, default: "96flits" }),
  rowSharing: choice(["queue", "vc"], {
    about: "each virtual output queue of a VC has a row buffer of its own, or those of a VC share one",
    default: "queue",
  }),
  columnBuffer: flits({ about: "column buffer of one VC at an input of the output multiplexer", min: 1, max: 32767, default: "96flits" }),
  reserve: flits({ about: "kept for each VC that a link carries, in the shared buffers of its ports", min: 0, default: "24flits" }),
  carries: mapOf(list(int({ min: 0, max: 13 }), {}), {
    about: "VCs that links of a class carry; classes that are not named: all",
    default: {},
  }),
  eject: choice(["any", "last"], {
    about: "VC on the last link: any (a packet's own draw; endpoints always drain, so every VC is safe), or always the last one",
    default: "any",
  }),
  cap: mapOf(fraction({}), {
    about: "most that one VC may take of the shared part of a port's buffer, by link class; 1 if not named",
    default: {},
  }),
  still: mapOf(fraction({}), {
    about:
      "most of a port's buffer that one VC may fill with flits that do not move (beside those of one round trip), by link class; 1 if not named",
    default: { local: 0.4, global: 0.4 },
  }),
  fair: flag({
    about: "a VC that holds more than an equal part of a port's buffer lets those pass that hold less; otherwise all take turns",
    default: true,
  }),
  release: choice(["flit", "tail"], {
    about: "space is free again as the flits leave (counted in whole packets: when the first one leaves), or when the tail has left",
    default: "flit",
  }),
  retention: flag({ about: "sent packets stay in the output buffer for one round trip of the link", default: true }),
  removeRoundTrip: flag({ about: "routing sees queues without the flits that every busy link holds for a round trip", default: true }),
  iterations: int({ about: "iterations of the tile allocator in one core step", min: 1, max: 8, default: 1 }),
  stash: mapOf(fraction({}), {
    about: "share of a port's memory that is stash, by link class, for example { end: 0.875, local: 0.75 }",
    default: {},
  }),
  capacity: fraction({ about: "part of the stash that may be used", default: 1 }),
  reliability: flag({ about: "keep a copy of every packet that enters, until it is acknowledged", default: false }),
  absorb: flag({ about: "stash blocked packets of congested inputs at their last switch", default: false }),
  reserveAt: choice(["bus", "pool"], {
    about: "where a stashed packet gets its space: before it takes the row bus, or at the pool",
    default: "bus",
  }),
  sideband: int({ about: "core steps that a message between end port and pool takes", min: 1, max: 100000, default: 5 }),
  sidebandSpread: int({ about: "core steps that are added at random, below this", min: 0, max: 100000, default: 0 }),
  timeout: cycles({
    about: "an unanswered packet is sent again from its copy after this time; 0cycles = never",
    max: 1000000,
    default: "0cycles",
  }),
  errors: mapOf(fraction({}), { about: "chance that a packet is damaged or lost in a switch before a link, by link class", default: {} }),
  lost: fraction({ about: "share of losses among these errors; the rest arrives damaged and is refused", default: 0 }),
  linkErrors: mapOf(fraction({ max: 0.9 }), {
    about: "chance that a transmission is damaged on a link, which repeats it (go-back-N), by link class",
    default: {},
  }),
  retries: int({ about: "how often a refused packet is sent again", min: 1, max: 250, default: 8 }),
})

export type TiledParams = typeof params extends { parse(raw: unknown, path: string): infer C } ? Extract<C, { ok: unknown }>["ok"] : never
