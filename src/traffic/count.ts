// Parameters that are whole numbers of flits (packet sizes) or of packets (message sizes), written with their unit. All
// plug-ins in sizes/ use them.
import { complain } from "../core/complaint.ts"
import { json } from "../core/json-schema.ts"
import type { Field } from "../core/schema.ts"
import { quantity } from "../core/units.ts"

const says = "flits, packets, B, kB or KiB"

/** `5flits`, `2packets` or `64B` as a whole number of at least 1; bytes are rounded up to whole flits. */
export function count(about: string): Field<number> {
  return {
    info: { about, type: "size", unit: says, range: "at least 1", required: true },
    json: json.string().describe(about),
    parse(raw, path, scale) {
      const packets = typeof raw === "string" && /packets?\s*$/.test(raw)
      const v = quantity(raw, packets ? "packets" : "flits", scale)
      if (typeof v === "string") return { bad: [complain(path, v, `write a value in ${says}, for example 5flits`)] }
      if (!(v > 0 && v < 2 ** 31))
        return { bad: [complain(path, `${String(raw)} is not a size`, "choose a value of at least 1")] }
      const whole = Math.ceil(v - 1e-9)
      const exact = /flits?\s*$|packets?\s*$/.test(String(raw))
      if (exact && Math.abs(whole - v) > 1e-9)
        return {
          bad: [complain(path, `${String(raw)} is not whole`, `write ${whole}${packets ? "packets" : "flits"}`)],
        }
      return { ok: whole }
    },
  }
}
