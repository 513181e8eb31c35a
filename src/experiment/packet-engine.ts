// Parameters of the packet engine, as the experiment file gives them.
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
