// What the paper leaves open of adapters: the gate in front of their injection queues, and detection in them. Without
// injection queues, stopped packets wait in the admittance queues.
import { assumptionFigure, type Variation } from "./varied.ts"

const variations: readonly Variation[] = [
  { name: "no injection queues", endpoint: { injection: "none" } },
  { name: "no gate", fbicmEndpoint: { gate: false } },
  { name: "detection", fbicmEndpoint: { detect: true } },
  { name: "no gate, detection", fbicmEndpoint: { gate: false, detect: true } },
]

export default assumptionFigure(
  { id: "fbicm/adapters", title: "What the paper leaves open of adapters, on 64 endpoints" },
  variations,
)
