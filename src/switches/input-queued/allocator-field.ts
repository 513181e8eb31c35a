// The YAML field that names an allocator, such as `islip` or `islip(2)`. The parameters of `input-queued` use it for
// the VC allocator and the switch allocator.
import { complain, nearest } from "../../core/complaint.ts"
import { json } from "../../core/json-schema.ts"
import type { Field } from "../../core/schema.ts"
import { kindOf } from "../../core/units.ts"
import type { AllocatorChoice, AllocatorName } from "../parts/allocator.ts"

export const allocatorNames: readonly AllocatorName[] = [
  "islip",
  "separable-input-first",
  "separable-output-first",
  "wavefront",
  "pim",
  "maximum",
]

/** A field with the name of an allocator and, in brackets, its number of iterations (default: 1). */
export function allocators(o: { about: string; default: string }): Field<AllocatorChoice> {
  return {
    info: {
      about: o.about,
      type: `${allocatorNames.join(" | ")}, or NAME(iterations)`,
      fallback: o.default,
      required: false,
    },
    json: json.string().describe(o.about),
    parse(raw, path) {
      const m = typeof raw === "string" ? /^\s*([a-z-]+)\s*(?:\(\s*(\d+)\s*\))?\s*$/.exec(raw) : null
      const name = allocatorNames.find((n) => n === m?.[1])
      if (m === null || name === undefined) {
        const near = typeof raw === "string" ? nearest(raw, allocatorNames) : undefined
        return {
          bad: [
            complain(
              path,
              `${kindOf(raw)} is not an allocator`,
              near !== undefined ? `did you mean "${near}"?` : `choose one of ${allocatorNames.join(", ")}`,
            ),
          ],
        }
      }
      const iterations = Number(m[2] ?? 1)
      if (iterations < 1 || iterations > 64)
        return { bad: [complain(path, `has ${iterations} iterations`, "choose 1 to 64")] }
      return { ok: { name, iterations } }
    },
  }
}
