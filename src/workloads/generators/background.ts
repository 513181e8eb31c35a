// Traffic of a job that never ends: its ranks send each other messages at a fixed rate, whatever else happens. It is no program but a stream on
// endpoints of its own, so it costs what traffic costs.
import { choice, fraction, int, schema, time } from "../../core/schema.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  ranks: int({ about: "ranks that send", min: 2, max: 1 << 20, default: 16 }),
  load: fraction({
    about: "what each sends, as a fraction of one endpoint channel; above 1 for several rails",
    above: 0,
    max: 64,
    default: 0.1,
  }),
  period: time({ about: "time between two messages of a rank: load and period give their size", above: 0, default: "100us" }),
  phase: choice(["random", "together", "exponential"], {
    about:
      "random: each starts somewhere in its first period; together: all at once; exponential: gaps are drawn, with the period as their mean",
    default: "random",
  }),
  pattern: choice(["uniform", "ring", "hotspot"], {
    about: "to whom: any other rank, the next one, or the first one, which sends nothing",
    default: "uniform",
  }),
})
type Params = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const backgroundWorkload: WorkloadPlugin<Params> = {
  kind: "workload",
  name: "background",
  about: "Messages of one size at a fixed rate between ranks of its own, until the run ends.",
  params,
  make: (p) => ({ ...p, background: true }),
}
