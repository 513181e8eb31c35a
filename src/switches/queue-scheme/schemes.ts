// All queue schemes, by name.
import type { SchemeFile } from "./scheme.ts"
import oneQueue from "./schemes/1q.ts"
import dbbm from "./schemes/dbbm.ts"
import voqNetwork from "./schemes/voq-network.ts"
import voqSwitch from "./schemes/voq-switch.ts"

export const schemes = { "1q": oneQueue, dbbm, "voq-switch": voqSwitch, "voq-network": voqNetwork } as const satisfies Record<
  string,
  SchemeFile
>
