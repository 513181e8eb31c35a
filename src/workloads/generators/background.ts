// Background traffic of a job: its ranks send messages at a fixed rate until the run ends. It is a traffic stream on
// the endpoints of the job, not a program, so it needs no rank state and costs as little as other traffic.
import { choice, fraction, int, schema, time } from "../../core/schema.ts"
import type { WorkloadPlugin } from "./workload-plugin.ts"

const params = schema({
  ranks: int({ about: "Number of ranks", min: 2, max: 1 << 20, default: 16 }),
  load: fraction({
    about:
      "Offered load of each rank, as a fraction of one endpoint channel; above 1 for several rails; 0 sends nothing",
    max: 64,
    default: 0.1,
  }),
  period: time({
    about: "Time between two messages of a rank; load and period determine the message size",
    above: 0,
    default: "100us",
  }),
  phase: choice(["random", "together", "exponential"], {
    about:
      "Start of the messages. random: each rank starts at a random time in its first period; together: all ranks " +
      "start at the same time; exponential: random inter-arrival times with the period as their mean",
    default: "random",
  }),
  pattern: choice(["uniform", "ring", "hotspot"], {
    about: "Destination: any other rank (uniform), the next rank (ring), or rank 0, which sends nothing (hotspot)",
    default: "uniform",
  }),
})
type Params = ReturnType<typeof params.parse> extends infer C ? Extract<C, { ok: unknown }>["ok"] : never

export const backgroundWorkload: WorkloadPlugin<Params> = {
  kind: "workload",
  name: "background",
  about: "Messages of one size at a fixed rate between the ranks of the job, until the run ends.",
  params,
  rules: { "codes-2019": [{ keys: { phase: "together" } }] },
  make: (p) => ({ ...p, background: true }),
}
