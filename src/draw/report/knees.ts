// The answer of a search, above everything else in its report.
import { isMap } from "../../experiment/fields.ts"
import { searchOf } from "../../experiment/search.ts"
import { kneeRows, kneesOf, kneeText } from "../../results/knees.ts"
import type { RunRecord } from "../../results/record.ts"
import { shown, withInterval } from "../figure/format.ts"
import { html, type Markup } from "./html.ts"
import { pointText } from "./warnings.ts"

/** `raw`: the search as the folder says it, which may have been edited. Nothing is said of one that makes no sense. */
export function kneesHtml(records: readonly RunRecord[], raw: unknown): Markup {
  const search = isMap(raw) ? searchOf({ ...raw, name: "saturation" }, []) : undefined
  if (search === undefined) return html``
  const rows = kneeRows(kneesOf(records, search))
  if (rows.length === 0) return html`<p class="knee">The search is not complete.</p>`
  const one = (r: (typeof rows)[number]) => {
    const at = Object.keys(r.point).length > 0 ? html` (${pointText(r.point)})` : ""
    const value = Number.isFinite(r.value.half) ? withInterval(r.value.mean, r.value.half) : shown(r.value.mean)
    const reached = r.low === r.high ? kneeText(r, shown) : html`between ${kneeText(r, shown)}`
    return html`<p class="knee">Saturation${at}: <b>${value}</b>, ${reached}; ${r.runs} ${r.runs === 1 ? "run" : "runs"}</p>
`
  }
  return html`${rows.map(one)}`
}
