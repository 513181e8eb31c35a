// Parameters of the chunk router. What CODES does differently from what one would build is a named option, off by default; docs/parallel.md and
// `lacewing validate codes` say what each changes.
import { type Complaint, complain } from "../../core/complaint.ts"
import { bytes, choice, int, maybe, rate, schema, time } from "../../core/schema.ts"
import type { Plugin } from "../../model/plugin.ts"
import { layChunk, makeChunk, type Order } from "./packet.ts"

const orders = ["fifo", "strict-high", "strict-low", "round-robin"] as const satisfies readonly Order[]

const params = schema({
  vcs: int({ about: "virtual channels of each channel, all classes together", min: 1, max: 31, default: 4 }),
  chunk: bytes({ about: "largest piece of a packet that moves and is stored as one", min: 1, default: "4KiB" }),
  buffer: bytes({ about: "room behind a channel for each VC, in whole chunks", default: "64KiB" }),
  endBuffer: maybe(bytes({ about: "the same for the channels to and from endpoints; as buffer if left out" })),
  bandwidth: maybe(rate({ about: "of every channel; one flit for each cycle if left out" })),
  delay: time({ about: "from the end of sending to the arrival, besides the link's latency: the router's pipeline", default: "90ns" }),
  credit: time({
    about: "from a chunk's leave to the sender's knowledge, besides the link's latency and the credit's own length",
    default: "90ns",
  }),
  creditSize: bytes({ about: "bytes of a credit on the wire", default: "8B" }),
  order: choice(orders, {
    about: "who leaves first: in order of joining, the highest or the lowest VC, or VCs in turn",
    default: "fifo",
  }),
  switching: choice(["store-and-forward", "cut-through"], {
    about: "a chunk goes on when all of it has arrived, or when its first flit has",
    default: "store-and-forward",
  }),
  jitter: choice(["none", "codes"], { about: "CODES adds 0.5 to 1 ns of noise to every step", default: "none" }),
  commit: choice(["free", "early"], {
    about: "CODES: a channel commits itself to a chunk when it joins; order counts only among chunks that join together",
    default: "free",
  }),
  creditWire: choice(["link", "none"], { about: "CODES: credits take no time on the link", default: "link" }),
  propagation: choice(["links", "chunk"], {
    about: "CODES' dragonfly: every link is as long as a chunk takes, besides its latency",
    default: "links",
  }),
  endRate: choice(["each", "times-rails"], {
    about: "CODES' Fit Fly: full chunks cross an endpoint's link as many times faster as it has rails",
    default: "each",
  }),
})

export type ChunkParams = typeof params extends { parse(raw: unknown, path: string): infer C } ? Extract<C, { ok: unknown }>["ok"] : never

/** What the packet engine is told about this switch. */
export interface ChunkModel {
  readonly engine: "packet"
  readonly vcs: number
  readonly params: ChunkParams
  /** Reserves its columns; makes it on them. */
  readonly lay: typeof layChunk
  readonly build: typeof makeChunk
}

/** More chunks than this fit in no buffer. */
const MOST = 1000

const others = orders.map((order) => ({ with: () => ({ order }), uniform: 0.95 }))
const variants = [{ uniform: 0.95 }, ...others]

export default {
  kind: "switch",
  name: "chunk",
  about: "Store-and-forward router of the packet engine: output queues, VC credits, waiting lists.",
  cites: "Enabling parallel simulation of large-scale HPC network systems, M. Mubarak, C. D. Carothers, R. B. Ross and P. Carns, 2017",
  limits: "packet engine only; room is counted in whole chunks; no input buffers, no crossbar conflicts",
  can: ["classes", "farQueues"],
  behaviour: {
    engine: "packet",
    stand: (flits) => ({ vcs: 1, chunk: "4flits", buffer: `${flits}flits`, delay: "0ns", credit: "0ns", creditSize: "0B" }),
    variants,
    // all chunks of an input buffer are in the waiting list of their slot, and each has its own wait
    waiting: (flits) => flits / 4,
  },
  params,
  check(p: ChunkParams): Complaint[] {
    const bad: Complaint[] = []
    const room = (key: "buffer" | "endBuffer", size: number) => {
      const chunks = Math.floor(size / p.chunk)
      if (chunks < 1) bad.push(complain(key, `${size} bytes hold no chunk of ${p.chunk}`, `set ${key} to at least ${p.chunk}B`))
      if (chunks > MOST) bad.push(complain(key, `${chunks} chunks in one VC`, `choose at most ${MOST * p.chunk}B, or larger chunks`))
    }
    room("buffer", p.buffer)
    if (p.endBuffer !== undefined) room("endBuffer", p.endBuffer)
    if (p.commit === "early" && p.order === "round-robin")
      bad.push(complain("commit", "early commit knows no turns", "set order: strict-high or strict-low, or commit: free"))
    if (p.commit === "early" && p.order === "fifo")
      bad.push(
        complain(
          "commit",
          "in order of joining there is nothing to commit early to",
          "set order: strict-high or strict-low, or commit: free",
        ),
      )
    return bad
  },
  make: (p: ChunkParams): ChunkModel => ({ engine: "packet", vcs: p.vcs, params: p, lay: layChunk, build: makeChunk }),
} satisfies Plugin<ChunkParams, ChunkModel, unknown>
