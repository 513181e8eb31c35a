// What the paper leaves open of adapters: injection queues that copy the switch's, the rate at which packets join them,
// the gate in front of them, and detection in them. Compared with admittance queues alone, where stopped packets wait.
import { assumptionFigure, type Variation } from "./varied.ts"

const endpoint = { injection: "copy" }

const variations: readonly Variation[] = [
  { name: "injection queues", endpoint },
  { name: "injection queues, packets join at any rate", endpoint: { ...endpoint, rate: "any" } },
  { name: "injection queues, no gate", endpoint, fbicmEndpoint: { gate: false } },
  { name: "injection queues, detection", endpoint, fbicmEndpoint: { detect: true } },
  { name: "injection queues, no gate, detection", endpoint, fbicmEndpoint: { gate: false, detect: true } },
]

export default assumptionFigure(
  { id: "fbicm/adapters", title: "What the paper leaves open of adapters, on 64 endpoints" },
  variations,
  { name: "defaults", endpoint: { injection: "none" } },
)
