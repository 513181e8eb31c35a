// Parameters of the packet engine and of the ideal network, as the experiment file gives them.
import { choice, int, maybe, schema } from "../core/schema.ts"
import { raw } from "./fields.ts"

export const packetEngine = schema({
  sync: choice(["sequential", "conservative", "optimistic"], {
    about: "how workers keep in step; the results are identical",
    default: "sequential",
  }),
  protocol: choice(["windows", "null-messages"], {
    about: "conservative: all meet at windows of the shortest look-ahead, or each promises each other a time",
    default: "windows",
  }),
  optimism: raw("time", { about: "optimistic: how far ahead of what is certain a worker runs", default: "250ns" }),
  interval: int({ about: "optimistic: events between two looks for what is certain", min: 1, max: 100_000_000, default: 4096 }),
  workers: maybe(int({ about: "workers of one run; the number that the command gives if left out", min: 1, max: 255, needed: false })),
})

export type PacketEngineParams = typeof packetEngine extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** LogGOPS (engines/ideal/engine.ts). */
export const idealEngine = schema({
  L: raw("time", { about: "latency of a message from interface to interface", default: "1us" }),
  g: raw("time", { about: "gap between the beginnings of two messages of one interface", default: "100ns" }),
  G: raw("time", { about: "time of each byte after the first on an interface", default: "80ps" }),
  o: maybe(raw("time", { about: "processor time of each send and receive; each job's mpi.overhead if left out" })),
  O: maybe(raw("time", { about: "processor time of each byte after the first; each job's mpi.overheadByte if left out" })),
  S: maybe(raw("bytes", { about: "messages up to this size are sent at once; each job's mpi.eager if left out" })),
})

export type IdealEngineParams = typeof idealEngine extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
