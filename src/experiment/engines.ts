// Parameters of the packet engine and of the ideal network, as the experiment file gives them.
import { choice, int, maybe, schema } from "../core/schema.ts"
import { raw } from "./fields.ts"

export const packetEngine = schema({
  rules: maybe(
    choice(["codes-2019"], {
      about:
        "Rules of another simulator, which set the keys of switch, endpoint and jobs that the experiment does not set: " +
        "those of CODES in July 2019, the release of the Fit Fly study",
      needed: false,
    }),
  ),
  sync: choice(["sequential", "conservative", "optimistic"], {
    about: "Synchronisation of the workers; the results are identical",
    default: "sequential",
  }),
  protocol: choice(["windows", "null-messages"], {
    about:
      "Conservative synchronisation: barriers at windows of the shortest lookahead, or null messages between workers",
    default: "windows",
  }),
  optimism: raw("time", {
    about: "Time that a worker may run ahead of the global virtual time; for optimistic synchronisation",
    default: "250ns",
  }),
  interval: int({
    about: "Number of events between two computations of the global virtual time; for optimistic synchronisation",
    min: 1,
    max: 100_000_000,
    default: 4096,
  }),
  workers: maybe(
    int({
      about: "Number of workers of one run (default: the number that the command gives)",
      min: 1,
      max: 255,
      needed: false,
    }),
  ),
})

export type PacketEngineParams = typeof packetEngine extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** The LogGOPS parameters (engines/ideal/engine.ts). */
export const idealEngine = schema({
  rules: maybe(
    choice(["loggopsim"], {
      about:
        "Rules of the model: those of LogGOPSim, for schedules of sends, receives and calculations (default: those of " +
        "lacewing, with collectives)",
      needed: false,
    }),
  ),
  L: raw("time", { about: "Latency of a message from interface to interface", default: "1us" }),
  g: raw("time", { about: "Minimum time between the starts of two messages of one interface", default: "100ns" }),
  G: raw("time", { about: "Time of each byte after the first on an interface", default: "80ps" }),
  o: maybe(raw("time", { about: "Processor time of each send and receive (default: mpi.overhead of each job)" })),
  O: maybe(
    raw("time", { about: "Processor time of each byte after the first (default: mpi.overheadByte of each job)" }),
  ),
  S: maybe(
    raw("bytes", {
      about: "Maximum size of messages that are sent without a rendezvous (default: mpi.eager of each job)",
    }),
  ),
})

export type IdealEngineParams = typeof idealEngine extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
