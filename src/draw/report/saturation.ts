// The answer of a search, above everything else in its report.
import { isMap } from "../../experiment/fields.ts"
import { searchOf } from "../../experiment/search.ts"
import { saturationRows, saturationsOf, saturationText } from "../../results/findings/saturation.ts"
import type { RunRecord } from "../../results/record.ts"
import { shown, withInterval } from "../figure/format.ts"
import { html, type Markup } from "./html.ts"
import { pointText } from "./warnings.ts"

/** `raw`: the search as recorded in the folder, which may have been edited. An invalid one is silently left out. */
export function saturationHtml(records: readonly RunRecord[], raw: unknown): Markup {
  const search = isMap(raw) ? searchOf({ ...raw, name: "saturation" }, []) : undefined
  if (search === undefined) return html``
  const rows = saturationRows(saturationsOf(records, search))
  if (rows.length === 0) return html`<p class="saturation">The search for the saturation load is not complete.</p>`
  const one = (r: (typeof rows)[number]) => {
    const at = Object.keys(r.point).length > 0 ? html` (${pointText(r.point)})` : ""
    const value = Number.isFinite(r.value.half) ? withInterval(r.value.mean, r.value.half) : shown(r.value.mean)
    const reached = r.low === r.high ? saturationText(r, shown) : html`between ${saturationText(r, shown)}`
    const runs = `${r.runs} ${r.runs === 1 ? "run" : "runs"}`
    return html`<p class="saturation">Saturation load${at}: <b>${value}</b>, ${reached}; ${runs}</p>
`
  }
  return html`${rows.map(one)}`
}
