// Parameters of the input-queued switch with a queue scheme. Sizes of the paper: links of 1 GB/s, packets of 64 B, 8 KB for each input port; with cycles of
// 1 ns and flits of 1 B that is a flit in each cycle. docs/isolation.md says what the paper leaves open.
import { choice, cycles, flits, int, maybe, schema } from "../../core/schema.ts"

export const schemeNames = ["1q", "dbbm", "voq-switch", "voq-network"] as const

export const params = schema({
  scheme: choice(schemeNames, {
    about:
      "queues of an input port: one, by destination modulo their number (dbbm), one for each output (voq-switch) or endpoint (voq-network)",
    default: "1q",
  }),
  memory: maybe(
    flits({
      about: "memory of an input port, in equal parts for its queues; 8192flits if not given; not of voq-network",
      min: 1,
      max: 65535,
    }),
  ),
  queues: maybe(int({ about: "queues of dbbm; 8 if not given", min: 1, max: 1024 })),
  queue: maybe(flits({ about: "memory of each queue of voq-network; 256flits if not given", min: 1, max: 65535 })),
  pipeline: cycles({ about: "cycles from the arrival of a head until it may ask for the crossbar", min: 1, max: 64, default: "1cycle" }),
  iterations: int({ about: "iterations of iSLIP", min: 1, max: 8, default: 1 }),
  slot: cycles({
    about: "the crossbar is matched at multiples of this time alone; 0cycles = whenever a port is free",
    max: 2047,
    default: "0cycles",
  }),
})

/** flits of an input port, queues of dbbm and flits of a queue of voq-network, unless given: 8 KB, 8, and 256 B of 1-byte flits */
export const MEMORY = 8192
export const QUEUES = 8
export const QUEUE = 256

export type QueueSchemeParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
