// The parameters of the tiled switch. papers/stashing/README.md explains the defaults.
import { choice, cycles, flag, flits, fraction, int, list, mapOf, real, schema } from "../../core/schema.ts"

export const params = schema({
  vcs: int({
    about: "Number of virtual channels of the network; storage and retrieval have one more each inside the switch",
    min: 1,
    max: 14,
    default: 6,
  }),
  rows: int({ about: "Number of rows of tiles", min: 1, max: 32, default: 4 }),
  columns: int({ about: "Number of columns of tiles", min: 1, max: 32, default: 4 }),
  speed: real({ about: "Internal speedup: core steps per link cycle", min: 1, max: 8, default: 1.3 }),
  pipeline: cycles({
    about: "Number of cycles for routing before a packet may request the row bus",
    max: 64,
    default: "1cycle",
  }),
  packet: flits({ about: "Maximum packet size", min: 1, max: 2047, default: "24flits" }),
  buffer: flits({
    about: "Memory of a port: size of its input buffer, and of its output buffer",
    min: 2,
    max: 32767,
    default: "1000flits",
  }),
  rowBuffer: flits({
    about: "Row buffer at a tile input; `rowSharing` sets which queues share it",
    min: 1,
    max: 32767,
    default: "96flits",
  }),
  rowSharing: choice(["queue", "vc"], {
    about: "Row buffers: one for each virtual output queue of a VC, or one for each VC",
    default: "queue",
  }),
  columnBuffer: flits({
    about: "Column buffer of one VC at an input of the output multiplexer",
    min: 1,
    max: 32767,
    default: "96flits",
  }),
  reserve: flits({
    about: "Flits reserved in the shared port buffers for each VC that the link carries",
    min: 0,
    default: "24flits",
  }),
  carries: mapOf(list(int({ min: 0, max: 13 }), {}), {
    about: "VCs that the links of a class carry (default for each class: all)",
    default: {},
  }),
  eject: choice(["any", "free", "last"], {
    about:
      "VC on the last link: any VC, drawn by the packet (safe, because endpoints always drain); the same, or a free " +
      "one if its row buffer is full; or always the last VC",
    default: "any",
  }),
  cap: mapOf(fraction({}), {
    about: "Maximum fraction of the shared part of a port buffer that one VC may use, by link class (default: 1)",
    default: {},
  }),
  blockedCap: mapOf(fraction({}), {
    aliases: ["still"],
    about:
      "Maximum fraction of a port buffer that one VC may fill with blocked flits, besides one round " +
      "trip, by link class (default: 1)",
    default: { local: 0.4, global: 0.4 },
  }),
  fair: flag({
    about: "Prefer VCs that use less than an equal part of a port buffer over VCs that use more; false = round-robin",
    default: true,
  }),
  release: choice(["flit", "tail"], {
    about:
      "Free buffer space as the flits leave (for whole-packet counts, with the first flit), or when the tail has left",
    default: "flit",
  }),
  retention: flag({ about: "Keep sent packets in the output buffer for one round trip of the link", default: true }),
  removeRoundTrip: flag({
    about: "Subtract the flits that every busy link keeps for a round trip from the queue lengths that routing sees",
    default: true,
  }),
  iterations: int({ about: "Number of iterations of the tile allocator in one core step", min: 1, max: 8, default: 1 }),
  stash: mapOf(fraction({}), {
    about: "Fraction of a port memory that is stash, by link class, for example { end: 0.875, local: 0.75 }",
    default: {},
  }),
  capacity: fraction({ about: "Fraction of the stash that may be used", default: 1 }),
  reliability: flag({ about: "Store a copy of every packet that enters, until it is acknowledged", default: false }),
  absorb: flag({ about: "Stash blocked packets of congested inputs at their last switch", default: false }),
  reserveAt: choice(["bus", "pool"], {
    about: "When a stashed packet gets its space: before it takes the row bus, or at the pool",
    default: "bus",
  }),
  sideband: int({
    about: "Number of core steps of a message between an end port and a pool",
    min: 1,
    max: 100000,
    default: 5,
  }),
  sidebandSpread: int({
    about: "Upper bound of the random core steps added to such a message, exclusive",
    min: 0,
    max: 100000,
    default: 0,
  }),
  timeout: cycles({
    about: "Timeout after which an unacknowledged packet is sent again from its copy; 0cycles = never",
    max: 1000000,
    default: "0cycles",
  }),
  errors: mapOf(fraction({}), {
    about: "Probability that a packet is damaged or lost in a switch before a link, by link class",
    default: {},
  }),
  lost: fraction({
    about: "Fraction of losses among these errors; the other packets arrive damaged and are rejected",
    default: 0,
  }),
  linkErrors: mapOf(fraction({ max: 0.9 }), {
    about: "Probability that a transmission is damaged on a link and repeated by it (go-back-N), by link class",
    default: {},
  }),
  retries: int({ about: "Maximum number of retransmissions of a rejected packet", min: 1, max: 250, default: 8 }),
})

export type TiledParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
