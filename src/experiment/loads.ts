// A load above the capacity of an endpoint's channels is usually a typing error. It is accepted only if the experiment
// requests overload explicitly.
import { type Complaint, complain } from "../core/complaint.ts"
import type { MeasureSpec, TrafficSpec } from "../model/experiment.ts"

/** `most`: channels of an endpoint, which is 1, or its rails in the packet engine. */
export function tooHeavy(traffic: readonly TrafficSpec[], most: number): Complaint[] {
  return heavy(traffic, most, "")
}

/** The clocked engines store any backlog: with `measure.saturation: never` they run through any overload. */
export function tooHeavyForFlits(
  traffic: readonly TrafficSpec[],
  measure: Pick<MeasureSpec, "saturation"> | undefined,
): Complaint[] {
  return measure?.saturation === "never"
    ? []
    : heavy(traffic, 1, ", or set measure.saturation: never to run an overload")
}

function heavy(traffic: readonly TrafficSpec[], most: number, or: string): Complaint[] {
  return traffic.flatMap((t, i) =>
    t.load > most
      ? [complain(`traffic.${i}.load`, `${t.load} is too large`, `choose a value at least 0, at most ${most}${or}`)]
      : [],
  )
}
