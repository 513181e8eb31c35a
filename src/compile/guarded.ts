// A plug-in that the experiment brings may throw where it should complain: then it is complained about.
import type { Checked } from "../core/complaint.ts"
import { faultOf } from "../experiment/outside/fault.ts"

export function guarded<T>(build: () => Checked<T>): Checked<T> {
  try {
    return build()
  } catch (e) {
    const fault = faultOf(e)
    if (fault === undefined) throw e
    return { bad: [fault] }
  }
}
