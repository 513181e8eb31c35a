// The plug-in `chunk`: parameters of the chunk router. Behaviour of CODES that differs from a plain store-and-forward
// router is a named option and off by default. docs/architecture/parallel.md and `lacewing validate codes` describe the
// effect of each.
import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, choice, int, mapOf, maybe, rate, schema, time } from "../../core/schema.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import { layChunk, makeChunk, type Order } from "./packet.ts"

const orders = ["fifo", "strict-high", "strict-low", "round-robin"] as const satisfies readonly Order[]

const params = schema({
  vcs: int({ about: "Number of virtual channels of each channel, all classes together", min: 1, max: 31, default: 4 }),
  chunk: bytes({
    about: "Size of a chunk, the largest part of a packet that moves and is stored as a whole",
    min: 1,
    default: "4KiB",
  }),
  buffer: bytes({ about: "Downstream buffer of each VC of a channel, in whole chunks", default: "64KiB" }),
  endBuffer: maybe(bytes({ about: "Buffer of each VC of the channels to and from endpoints (default: buffer)" })),
  bandwidth: maybe(rate({ about: "Bandwidth of every channel (default: one flit per cycle)" })),
  delay: time({
    about: "Delay of the router pipeline, from the end of sending to the arrival, in addition to the link latency",
    default: "90ns",
  }),
  credit: time({
    about:
      "Delay of a credit from the departure of a chunk to its sender, in addition to the link latency " +
      "and the credit's own length",
    default: "90ns",
  }),
  creditSize: bytes({ about: "Size of a credit on the link", default: "8B" }),
  order: choice(orders, {
    about: "Order of the chunks at an output: order of arrival, highest VC, lowest VC, or VCs round-robin",
    default: "fifo",
  }),
  switching: choice(["store-and-forward", "cut-through"], {
    about: "Forward a chunk when all of it has arrived, or when its first flit has arrived",
    default: "store-and-forward",
  }),
  jitter: choice(["none", "codes"], {
    about: "Add 0.5 to 1 ns of random noise to every step, as CODES does",
    default: "none",
  }),
  commit: choice(["free", "early"], {
    about:
      "Assign the channel to a chunk when it joins the queue, as CODES does; the order then matters " +
      "only among chunks that join together",
    default: "free",
  }),
  creditWire: choice(["link", "none"], {
    about: "Send credits without time on the link, as CODES does",
    default: "link",
  }),
  propagation: choice(["links", "chunk"], {
    about: "Add the serialisation time of a chunk to the latency of every link, as CODES' dragonfly does",
    default: "links",
  }),
  rates: mapOf(rate({ about: "Bandwidth of a class of links" }), {
    about: "Bandwidth of classes of links (end, local, global, …) that differ from `bandwidth`",
    default: {},
  }),
  endRate: choice(["each", "times-rails"], {
    about: "Multiply the speed of an endpoint's link by its number of rails for full chunks, as CODES' Fit Fly does",
    default: "each",
  }),
})

export type ChunkParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** The information about this switch that the packet engine needs. */
export interface ChunkModel {
  readonly engine: "packet"
  readonly moves: "chunks"
  readonly vcs: number
  readonly params: ChunkParams
  /** Reserve its columns, and build it on them. */
  readonly lay: typeof layChunk
  readonly build: typeof makeChunk
}

/** Maximum number of chunks in a buffer. */
const MOST = 1000

const others = orders.map((order) => ({ with: () => ({ order }), uniform: 0.95 }))
const variants = [{ uniform: 0.95 }, ...others]

export default {
  kind: "switch",
  name: "chunk",
  moves: "chunks",
  about: "Store-and-forward router of the packet engine with output queues and credits for each VC.",
  cites:
    "Enabling parallel simulation of large-scale HPC network systems, M. " +
    "Mubarak, C. D. Carothers, R. B. Ross and P. Carns, 2017",
  limits: "packet engine only; buffer space is counted in whole chunks; no input buffers, no crossbar conflicts",
  can: ["classes", "farQueues"],
  rules: {
    "codes-2019": [
      { keys: { endRate: "times-rails", creditWire: "none" } },
      { on: ["slimfly", "fitfly"], keys: { jitter: "codes", order: "strict-high", commit: "early" } },
      { on: ["megafly"], keys: { jitter: "codes", order: "strict-low", commit: "early" } },
      { on: ["dragonfly"], keys: { order: "round-robin", propagation: "chunk" } },
    ],
  },
  values: {},
  drawing: [
    ["choose", "route", "on arrival,", "whole chunks"],
    ["choose", "room?", "else wait in the", "list of the slot"],
    ["store", "output queue", "of a channel", "and VC"],
    ["move", "link", "size / bandwidth", "+ delay"],
  ],
  behaviour: {
    engine: "packet",
    stand: (flits) => ({
      vcs: 1,
      chunk: "4flits",
      buffer: `${flits}flits`,
      delay: "0ns",
      credit: "0ns",
      creditSize: "0B",
    }),
    variants,
    // All chunks of an input buffer are in the waiting list of their slot, and each waits separately.
    waiting: (flits) => flits / 4,
  },
  params,
  check(p: ChunkParams): Complaint[] {
    const bad: Complaint[] = []
    const checkBuffer = (key: "buffer" | "endBuffer", size: number) => {
      const chunks = Math.floor(size / p.chunk)
      if (chunks < 1)
        bad.push(
          complain(key, `${size} bytes are too few for a chunk of ${p.chunk}`, `set ${key} to at least ${p.chunk}B`),
        )
      if (chunks > MOST)
        bad.push(complain(key, `one VC has ${chunks} chunks`, `choose at most ${MOST * p.chunk}B, or larger chunks`))
    }
    checkBuffer("buffer", p.buffer)
    if (p.endBuffer !== undefined) checkBuffer("endBuffer", p.endBuffer)
    if (p.commit === "early" && p.order === "round-robin")
      bad.push(
        complain(
          "commit",
          "early commit does not support this round-robin order",
          "set order: strict-high or strict-low, or commit: free",
        ),
      )
    if (p.commit === "early" && p.order === "fifo")
      bad.push(
        complain(
          "commit",
          "early commit has no effect on chunks in order of arrival",
          "set order: strict-high or strict-low, or commit: free",
        ),
      )
    return bad
  },
  make: (p: ChunkParams): ChunkModel => ({
    engine: "packet",
    moves: "chunks",
    vcs: p.vcs,
    params: p,
    lay: layChunk,
    build: makeChunk,
  }),
} satisfies SwitchPlugin<ChunkParams, ChunkModel, unknown>
