// The default: no congestion management. Links apply only credit-based back-pressure.
import { schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "congestion",
  name: "none",
  about: "No congestion control except back-pressure.",
  params: schema({}),
  make: (): CongestionModel => ({}),
} satisfies Plugin<Record<never, never>, CongestionModel, unknown>
