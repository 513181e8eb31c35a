// Names of the kinds of heat on the screen.
import type { HeatKind } from "../shared/messages.ts"

export const heatNames: Readonly<Record<HeatKind, string>> = {
  utilisation: "Utilisation",
  queue: "Queue length",
  stall: "Blocked flits",
  blame: "Bottleneck",
}
