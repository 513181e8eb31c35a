// Lists of endpoints as users write them: 3, [0, 5, "8-15"], "0-7,32". Streams and patterns parse their `from`, `set`
// and similar parameters with it.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { json } from "../core/json-schema.ts"
import { type Field, join } from "../core/schema.ts"
import { kindOf } from "../core/units.ts"
import type { End } from "../model/ids.ts"
import type { Site } from "../model/plugin.ts"

const LONGEST = 2 ** 24

/** Expands numbers and inclusive ranges; the order is kept, and so are repetitions (a target named twice is drawn twice
 *  as often). */
export function expandEnds(raw: unknown, path: string): Checked<readonly End[]> {
  const items: readonly unknown[] = Array.isArray(raw) ? raw : typeof raw === "string" ? raw.split(",") : [raw]
  const ok: End[] = []
  const bad: Complaint[] = []
  items.forEach((item, i) => {
    const m = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(
      typeof item === "number" || typeof item === "string" ? String(item) : "",
    )
    const first = Number(m?.[1] ?? -1)
    const last = Number(m?.[2] ?? first)
    const at = items.length > 1 ? join(path, i) : path
    if (m === null || first < 0)
      bad.push(complain(at, `expected an endpoint or a range of them, found ${kindOf(item)}`, 'write 5 or "8-15"'))
    else if (last < first)
      bad.push(complain(at, `the range ${first}-${last} runs backwards`, `write "${last}-${first}"`))
    else if (ok.length + last - first >= LONGEST)
      bad.push(complain(at, `names more than ${LONGEST} endpoints`, "give a smaller range"))
    else for (let e = first; e <= last; e++) ok.push(e)
  })
  if (items.length === 0) bad.push(complain(path, "names no endpoint", "give at least one"))
  return bad.length > 0 ? { bad } : { ok }
}

export function ends(about: string): Field<readonly End[]> {
  return {
    info: { about, type: "list of endpoints and ranges", required: true },
    json: json.union([json.int(), json.string(), json.array(json.union([json.int(), json.string()]))]).describe(about),
    parse: (raw, path) => expandEnds(raw, path),
  }
}

/** One complaint for all the endpoints of a list that this network does not have. */
export function outside(list: readonly End[], on: Site, path: string): Complaint[] {
  const n = on.topology.graph.ends
  const wrong = list.filter((e) => e >= n)
  if (wrong.length === 0) return []
  const named = wrong.slice(0, 5).join(", ") + (wrong.length > 5 ? ", …" : "")
  return [complain(path, `this network has no endpoint ${named}`, `choose from 0 to ${n - 1}`)]
}
