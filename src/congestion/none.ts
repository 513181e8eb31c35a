import { schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "congestion",
  name: "none",
  about: "No congestion management beside back-pressure.",
  params: schema({}),
  make: (): CongestionModel => ({}),
} satisfies Plugin<Record<never, never>, CongestionModel, unknown>
