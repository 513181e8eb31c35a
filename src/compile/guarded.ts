// Converts an exception of an experiment's own plug-in into a complaint about it.
import type { Checked } from "../core/complaint.ts"
import { faultOf } from "../experiment/outside/fault.ts"

/** Runs `build`. Errors that are not faults of a plug-in of the experiment are thrown on. */
export function guarded<T>(build: () => Checked<T>): Checked<T> {
  try {
    return build()
  } catch (e) {
    const fault = faultOf(e)
    if (fault === undefined) throw e
    return { bad: [fault] }
  }
}
