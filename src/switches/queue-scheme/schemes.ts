// All queue schemes, by name.
import type { SchemeFile } from "./scheme.ts"
import oneQueue from "./schemes/1q.ts"
import dbbm from "./schemes/dbbm.ts"
import fbicm1 from "./schemes/fbicm-1.ts"
import fbicm2 from "./schemes/fbicm-2.ts"
import voqNetwork from "./schemes/voq-network.ts"
import voqSwitch from "./schemes/voq-switch.ts"

export const schemes = {
  "1q": oneQueue,
  dbbm,
  "voq-switch": voqSwitch,
  "voq-network": voqNetwork,
  "fbicm-1": fbicm1,
  "fbicm-2": fbicm2,
} as const satisfies Record<string, SchemeFile>
