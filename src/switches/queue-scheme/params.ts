// Parameters of the queue-scheme switch. Defaults are those of the paper: links of 1 GB/s, packets of 64 B, 8 KB per
// input port. With cycles of 1 ns and flits of 1 B, a link carries one flit per cycle.
// docs/guide/congestion-isolation.md lists the rules that the paper leaves open.
import { choice, cycles, flag, flits, int, maybe, schema } from "../../core/schema.ts"

export const schemeNames = ["1q", "dbbm", "voq-switch", "voq-network", "fbicm-1", "fbicm-2", "recn", "bfc"] as const

export const params = schema({
  scheme: choice(schemeNames, {
    about:
      "Queues of an input port: one, by destination modulo N (dbbm), per output (voq-switch) or " +
      "endpoint (voq-network), with congestion isolation (fbicm-1, fbicm-2, recn), or per flow (bfc)",
    default: "1q",
  }),
  memory: maybe(
    flits({
      about: "Memory of an input port, divided equally among its queues, except for voq-network (default: 8192flits)",
      min: 1,
      max: 65535,
    }),
  ),
  queues: maybe(int({ about: "Number of queues of dbbm (default: 8) or of bfc (default: 32)", min: 1, max: 1024 })),
  flows: maybe(
    int({
      about: "Number of flows (pairs of endpoints, by hash) that a port distinguishes, for bfc (default: 256)",
      min: 1,
      max: 16384,
    }),
  ),
  queue: maybe(flits({ about: "Memory of each queue, for voq-network (default: 256flits)", min: 1, max: 65535 })),
  detection: maybe(choice(["on", "off"], { about: "Detect congested flows, for fbicm and recn (default: on)" })),
  detect: maybe(
    int({
      about:
        "Detection threshold: a normal queue (fbicm), or an output in it (recn), is congested with more " +
        "packets than this (default: 8)",
      min: 1,
      max: 65535,
    }),
  ),
  stop: maybe(
    int({
      about:
        "Stop threshold: a line (fbicm, recn) or queue (bfc) with more packets than this stops its " +
        "senders (default: 8)",
      min: 1,
      max: 65535,
    }),
  ),
  go: maybe(
    int({
      about:
        "Go threshold: a stopped line (fbicm, recn) or queue (bfc) restarts its senders at this many " +
        "packets (default: 4)",
      min: 0,
      max: 65535,
    }),
  ),
  lines: maybe(
    int({
      about: "Number of CAM lines of a port, each with a queue for congested flows, for fbicm and recn (default: 8)",
      min: 1,
      max: 31,
    }),
  ),
  list: maybe(int({ about: "Number of destinations of a CAM line, for fbicm-2 (default: 8)", min: 1, max: 65535 })),
  split: maybe(
    choice(["shared", "static"], {
      about:
        "Memory of the queues, for fbicm: shared by all (default), or a quarter for the normal queue and " +
        "equal parts of the rest",
    }),
  ),
  credits: maybe(
    choice(["pool", "nfq"], {
      about: "Credits of a port, for fbicm: for the whole memory (default), or for the normal queue",
    }),
  ),
  cfq: maybe(
    flits({
      about: "Maximum memory of one CAM line, for fbicm (default: 3/16 of the port memory)",
      min: 1,
      max: 65535,
    }),
  ),
  cfqTotal: maybe(
    flits({
      aliases: ["aside"],
      about:
        "Maximum memory of all congested-flow queues of a port together, for fbicm (default: 7/8 of it, " +
        "or all fixed parts)",
      min: 1,
      max: 65535,
    }),
  ),
  timer: maybe(
    cycles({
      about: "Time after which an empty CAM line that is not stopped is freed, for fbicm and recn (default: 256cycles)",
      max: 8191,
    }),
  ),
  header: maybe(
    flits({
      about: "Size of a control message between neighbours without its list, for fbicm, recn and bfc (default: 8flits)",
      max: 512,
    }),
  ),
  each: maybe(
    flits({
      about: "Size of one destination, turn or flow in a control message, for fbicm, recn and bfc (default: 2flits)",
      max: 64,
    }),
  ),
  stopList: maybe(
    choice(["listed", "field"], {
      about:
        "Content of a Stop message, for fbicm-1: the destinations of its line (default), or a bit field " +
        "with one bit for each endpoint",
    }),
  ),
  allocateAck: maybe(
    flag({
      aliases: ["answer"],
      about: "Acknowledge an Allocate message, and treat the line as stopped from then on, for fbicm-2 (default: true)",
    }),
  ),
  stopRule: maybe(
    choice(["head", "line"], {
      about:
        "Reason for a queue to wait, for fbicm: the destination of its head packet is stopped at the " +
        "output (default), or its linked line is",
    }),
  ),
  cascade: maybe(
    flag({
      about:
        "Move head packets that another line of their output lists to the queue linked to that line, for " +
        "fbicm (default: true)",
    }),
  ),
  pipeline: cycles({
    about: "Number of cycles from the arrival of a head until it may request the crossbar",
    min: 1,
    max: 64,
    default: "1cycle",
  }),
  iterations: int({ about: "Number of iterations of iSLIP", min: 1, max: 8, default: 1 }),
  slot: cycles({
    about: "Match the crossbar only at multiples of this time; 0cycles = whenever a port is free",
    max: 2047,
    default: "0cycles",
  }),
})

/** Defaults: flits of an input port, queues of dbbm, flits of a queue of voq-network. They are 8 KB, 8 and 256 B. */
export const MEMORY = 8192
export const QUEUES = 8
export const QUEUE = 256
/** CAM lines of a port (default). */
export const LINES = 8

export type QueueSchemeParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
