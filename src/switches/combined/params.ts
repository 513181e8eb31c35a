// Parameters of the combined input and output queued switch. Defaults are those of the routers in "Contention-based Congestion Management in Large-Scale
// Networks" (G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016) where it gives them; the README says which it leaves open.
import { choice, cycles, flits, int, real, schema } from "../../core/schema.ts"
import { matchings } from "../parts/matching.ts"

export const params = schema({
  vcs: int({ about: "virtual channels", min: 1, max: 31, default: 4 }),
  buffer: flits({ about: "input buffer of one VC (depth says what its queues have of it)", min: 1, max: 32767, default: "256flits" }),
  queues: choice(["voq", "fifo"], {
    about: "an input VC has a queue for each output (packets are routed when they arrive), or one FIFO (routed at its front)",
    default: "voq",
  }),
  depth: choice(["shared", "each"], {
    about: "the queues of an input VC share its buffer, or it has as much for each output of the largest router (its sender knows the sum)",
    default: "shared",
  }),
  output: flits({
    about: "output buffer, shared by the VCs; no packet is longer than it, nor than an input buffer",
    min: 1,
    max: 32767,
    default: "128flits",
  }),
  speed: real({ about: "core steps for each link cycle: flits that the crossbar moves", min: 1, max: 8, default: 2 }),
  start: choice(["head", "dry"], {
    about:
      "a transfer through a crossbar that is faster than the links starts at the head and lasts until the tail is there, or when it cannot run dry",
    default: "head",
  }),
  release: choice(["flit", "tail"], {
    about: "space is free again as the flits leave (counted in whole packets: when the first one leaves), or when the tail has left",
    default: "flit",
  }),
  route: cycles({ about: "cycles before a packet may ask for the crossbar", max: 64, default: "0cycles" }),
  traverse: cycles({ about: "cycles through the crossbar, beside the one in which the link follows it", max: 8, default: "0cycles" }),
  allocator: choice(matchings, { about: "which side of the crossbar chooses first; iSLIP knows no priorities", default: "input-first" }),
  iterations: int({ about: "iterations of the allocator in one core step", min: 1, max: 8, default: 1 }),
})

export type CombinedParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
