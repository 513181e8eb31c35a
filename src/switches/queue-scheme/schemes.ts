// All queue schemes, by name.
import type { Graph } from "../../model/graph.ts"
import type { QueueSchemeParams } from "./params.ts"
import type { Scheme, SchemeFile } from "./scheme.ts"
import oneQueue from "./schemes/1q.ts"
import bfc from "./schemes/bfc.ts"
import dbbm from "./schemes/dbbm.ts"
import fbicm1 from "./schemes/fbicm-1.ts"
import fbicm2 from "./schemes/fbicm-2.ts"
import recn from "./schemes/recn.ts"
import voqNetwork from "./schemes/voq-network.ts"
import voqSwitch from "./schemes/voq-switch.ts"

export const schemes = {
  "1q": oneQueue,
  dbbm,
  "voq-switch": voqSwitch,
  "voq-network": voqNetwork,
  "fbicm-1": fbicm1,
  "fbicm-2": fbicm2,
  recn,
  bfc,
} as const satisfies Record<string, SchemeFile>

/** Returns the number of ports of the largest router. */
export function radixOf(graph: Graph): number {
  let radix = 1
  for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, graph.firstChan[r + 1] - graph.firstChan[r])
  return radix
}

export function schemeOf(p: QueueSchemeParams, graph: Graph): Scheme {
  return schemes[p.scheme].make({ p, radix: radixOf(graph), ends: graph.ends })
}
