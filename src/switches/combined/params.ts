// Parameters of the combined input and output queued switch. The defaults are those of the routers in "Contention-based
// Congestion Management in Large-Scale Networks" (G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016), as far as it
// states them. The README lists the values that it leaves open.
import { choice, cycles, flits, int, maybe, real, schema } from "../../core/schema.ts"
import { matchings } from "../parts/matching.ts"
import { queuesField } from "./queues.ts"

export const params = schema({
  vcs: int({ about: "Number of virtual channels", min: 1, max: 31, default: 4 }),
  buffer: flits({
    about: "Input buffer of one VC; `depth` sets how its queues share it",
    min: 1,
    max: 32767,
    default: "256flits",
  }),
  queues: queuesField(),
  depth: choice(["shared", "each"], {
    about:
      "Queues of an input VC share its buffer, or each output of the largest router has this much (the " +
      "sender sees the sum)",
    default: "shared",
  }),
  output: flits({
    about: "Output buffer, shared by the VCs; no packet may be longer than it or than an input buffer",
    min: 1,
    max: 32767,
    default: "128flits",
  }),
  speed: real({
    about: "Crossbar speedup: core steps per link cycle, in each of which the crossbar moves one flit",
    min: 1,
    max: 8,
    default: 2,
  }),
  start: choice(["head", "interleaved", "dry", "stored"], {
    about:
      "Start of a transfer through a crossbar with speedup: with the head, until the tail has arrived, " +
      "with the head, while other packets cross in the gaps between its flits, as soon as it cannot run dry, " +
      "or when the whole packet has arrived (store and forward)",
    default: "head",
  }),
  release: choice(["flit", "tail", "each"], {
    about:
      "Free input buffer space with the first flit of a packet, when its tail has left, or for each flit as it crosses",
    default: "flit",
  }),
  route: cycles({ about: "Number of cycles before a packet may request the crossbar", max: 64, default: "0cycles" }),
  traverse: cycles({
    about: "Number of cycles through the crossbar, besides the cycle in which the link follows it",
    max: 8,
    default: "0cycles",
  }),
  allocator: choice(matchings, {
    about: "Allocator of the crossbar: which side selects first; iSLIP ignores priorities",
    default: "input-first",
  }),
  iterations: int({ about: "Number of iterations of the allocator in one core step", min: 1, max: 8, default: 1 }),
  vcAllocation: maybe(
    choice(["turns"], {
      about:
        "Give each packet a VC of its output before it may request the crossbar: each output VC has one owner, and " +
        "takes turns over the VCs of the inputs (default: no such stage, and outputs take turns over inputs)",
      needed: false,
    }),
  ),
  outputPackets: maybe(
    int({
      about:
        "Packets of each VC in an output buffer, instead of the flits of `output`; classes below data have one, and " +
        "only if no data packet has a place there; classes above data have no limit",
      min: 1,
      max: 255,
      needed: false,
    }),
  ),
  trim: maybe(
    flits({
      about:
        "Trim a data packet to its header if the queue of its output would exceed this length; the source sends it " +
        "again (default: packets wait for credits only)",
      min: 1,
      max: 1e6,
      needed: false,
    }),
  ),
  timeout: maybe(
    cycles({
      about:
        "Drop packets without a notice where `trim` would trim them: the source sends the lost packets of a flow " +
        "again when this timer expires, which starts with the first loss (default: headers return at once)",
      min: 1,
      max: 1e6,
      needed: false,
    }),
  ),
  loads: maybe(
    choice(["all"], {
      about: "Adaptive routing counts the flits of all VCs of an output (default: those of data VCs)",
      needed: false,
    }),
  ),
})

export type CombinedParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** Returns the flits of one VC of an input, if the largest router has `outputs` outputs. */
export function inputFlits(p: Pick<CombinedParams, "buffer" | "depth">, outputs: number): number {
  return p.depth === "each" ? p.buffer * outputs : p.buffer
}
