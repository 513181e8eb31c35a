// The round-trip time that a protocol uses: that of the idle network, or a longer one from the experiment. With a
// shorter one, propagation would count as queueing delay, and the full window would not fill the link. hpcc.ts and
// nscc.ts use it.
import { type Checked, complain } from "../core/complaint.ts"
import { auto, cycles } from "../core/schema.ts"
import type { CongestionModel, IdleTimes } from "../model/congestion.ts"

export const roundTripField = (about: string) =>
  auto(
    cycles({
      about: `${about}; auto = that of the longest packet to the farthest endpoint`,
      min: 1,
      max: 1e5,
      needed: false,
    }),
  )

/**
 * A model whose parameters depend on the round trip: `settle` replaces every `auto`, and `modelOf` creates the model
 * from the result.
 */
export function fitted<P extends { readonly roundTrip: number | "auto" }, S>(
  p: P,
  settle: (p: P, on: IdleTimes) => Checked<S>,
  modelOf: (settled: S) => CongestionModel,
): Pick<CongestionModel, "fit"> {
  return {
    fit(on) {
      if (p.roundTrip !== "auto" && p.roundTrip < on.roundTrip) {
        const says =
          `is ${p.roundTrip} cycles; the idle network takes ${on.roundTrip} ` +
          `cycles for a packet of ${on.packet} flits`
        return { bad: [complain("roundTrip", says, `set it to auto, or to at least ${on.roundTrip}cycles`)] }
      }
      if (on.roundTrip > LONGEST)
        return {
          bad: [
            complain(
              "roundTrip",
              `the idle network takes ${on.roundTrip} cycles`,
              `choose links so that it takes at most ${LONGEST}`,
            ),
          ],
        }
      const settled = settle(p, on)
      return "bad" in settled ? settled : { ok: modelOf(settled.ok) }
    },
  }
}

/** Maximum round trip, because timers and windows of protocols are 32-bit numbers. */
const LONGEST = 1e5

export function valueOr(given: number | "auto", otherwise: number): number {
  return given === "auto" ? otherwise : given
}
