// More than an endpoint's channels can carry is a slip of the pen, and refused: overload is studied at 1, or with several streams.
import { type Complaint, complain } from "../core/complaint.ts"
import type { TrafficSpec } from "../model/experiment.ts"

/** `most`: channels of an endpoint: 1, or its rails in the packet engine. */
export function tooHeavy(traffic: readonly TrafficSpec[], most: number): Complaint[] {
  return traffic.flatMap((t, i) =>
    t.load > most ? [complain(`traffic.${i}.load`, `${t.load} is too large`, `choose a value at least 0, at most ${most}`)] : [],
  )
}
