// Parameters of the input-queued switch with a queue scheme. Sizes of the paper: links of 1 GB/s, packets of 64 B, 8 KB for each input port; with cycles of
// 1 ns and flits of 1 B that is a flit in each cycle. docs/isolation.md says what the paper leaves open.
import { choice, cycles, flag, flits, int, maybe, schema } from "../../core/schema.ts"

export const schemeNames = ["1q", "dbbm", "voq-switch", "voq-network", "fbicm-1", "fbicm-2", "recn", "bfc"] as const

export const params = schema({
  scheme: choice(schemeNames, {
    about:
      "queues of an input port: one, by destination modulo their number (dbbm), one for each output (voq-switch) or endpoint (voq-network); a normal one and a few for congested flows, with long or short lists of destinations (fbicm-1, fbicm-2) or named by turns (recn); one for each active flow (bfc)",
    default: "1q",
  }),
  memory: maybe(
    flits({
      about: "memory of an input port, in equal parts for its queues; 8192flits if not given; not of voq-network",
      min: 1,
      max: 65535,
    }),
  ),
  queues: maybe(int({ about: "queues of dbbm, 8 if not given, or of bfc, 32 if not given", min: 1, max: 1024 })),
  flows: maybe(int({ about: "bfc: flows (pairs of endpoints, by hash) that a port tells apart; 256 if not given", min: 1, max: 16384 })),
  queue: maybe(flits({ about: "memory of each queue of voq-network; 256flits if not given", min: 1, max: 65535 })),
  detection: maybe(choice(["on", "off"], { about: "fbicm, recn: congested flows are looked for (if not given), or never are" })),
  detect: maybe(
    int({
      about:
        "fbicm: the front of a normal queue of more packets than these is congested; recn: an output for which it has more; 8 if not given",
      min: 1,
      max: 65535,
    }),
  ),
  stop: maybe(
    int({
      about: "fbicm, recn: a line with more packets than these stops its senders; bfc: so does a queue; 8 if not given",
      min: 1,
      max: 65535,
    }),
  ),
  go: maybe(int({ about: "fbicm, recn, bfc: and lets them go on with so many; 4 if not given", min: 0, max: 65535 })),
  lines: maybe(int({ about: "fbicm, recn: CAM lines of a port, and queues for congested flows; 8 if not given", min: 1, max: 31 })),
  list: maybe(int({ about: "fbicm-2: destinations of a line; 8 if not given", min: 1, max: 65535 })),
  split: maybe(
    choice(["shared", "static"], {
      about: "fbicm: queues share the memory (if not given), or the normal one has a quarter of it and the others equal parts of the rest",
    }),
  ),
  credits: maybe(choice(["pool", "nfq"], { about: "fbicm: credits are those of the whole memory (if not given), or of the normal queue" })),
  cfq: maybe(flits({ about: "fbicm: most of the memory for one line; 3/16 of it if not given", min: 1, max: 65535 })),
  aside: maybe(flits({ about: "fbicm: most of the memory for all lines; 7/8 of it if not given", min: 1, max: 65535 })),
  timer: maybe(
    cycles({ about: "fbicm, recn: an empty line that may be filled is free after this time; 256cycles if not given", max: 8191 }),
  ),
  header: maybe(
    flits({ about: "fbicm, recn, bfc: size of a message between neighbours without what it names; 8flits if not given", max: 512 }),
  ),
  each: maybe(flits({ about: "fbicm, recn, bfc: size of a destination, a turn, a flow in a message; 2flits if not given", max: 64 })),
  stopList: maybe(
    choice(["listed", "field"], {
      about: "fbicm-1: a Stop carries the destinations of its line (if not given), or the field of the list with a place for each endpoint",
    }),
  ),
  answer: maybe(flag({ about: "fbicm-2: an Allocate is answered, and the line counts as stopped then; true if not given" })),
  stopRule: maybe(
    choice(["head", "line"], {
      about:
        "fbicm: a queue waits while its front's destination is stopped behind the output (if not given), or the line that it is linked to",
    }),
  ),
  cascade: maybe(
    flag({ about: "fbicm: fronts that are listed in another line of their output move on to the queue linked to that; true if not given" }),
  ),
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
/** CAM lines of a port, unless given */
export const LINES = 8

export type QueueSchemeParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
