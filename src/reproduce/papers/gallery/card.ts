// One figure of a paper in the gallery: its claim, our curves, its rows and where they were made.
import { duration, shown } from "../../../draw/figure/format.ts"
import { figureHtml } from "../../../draw/report/figure.ts"
import { html, type Markup } from "../../../draw/report/html.ts"
import type { Standing } from "../judge.ts"
import { numberOf, type PaperFigure, type Row, type Word, wordOf } from "../paper.ts"
import { secondsOf } from "../record.ts"

export type Shown = { readonly figure: PaperFigure; readonly found: Standing | undefined }

export const wordIn = (found: Standing | undefined): Word | "not recorded" => found?.word ?? "not recorded"

/** `count` numbers the drawings of a page. */
export function card({ figure, found }: Shown, count: () => number): Markup {
  const recorded = found?.recorded.figures ?? []
  const drawn = (figure.plots?.(recorded) ?? recorded).map((f) => figureHtml(f, count(), false, true))
  const result =
    found === undefined
      ? html`<p class="sub">Not recorded yet: <code>lacewing paper ${figure.id} --record</code></p>`
      : html`${rowsTable(found.rows)}${origin(figure, found)}`
  return html`<section id="${figure.id}" data-verdict="${wordIn(found)}"><h2>${numberOf(figure)}. ${figure.title} ${verdictOf(found)}</h2>
<p>${figure.claim}</p>
${drawn.length === 0 ? "" : html`<div class="figures">${drawn}</div>`}
${result}
</section>`
}

/** The word of a figure, and a mark if its record is older than the model. */
export function verdictOf(found: Standing | undefined): Markup {
  const older = (found?.changed.length ?? 0) > 0 ? html` <span class="tag">older</span>` : ""
  return html`${badge(wordIn(found))}${older}`
}

function badge(word: Word | "not recorded"): Markup {
  const warns: readonly string[] = ["misprint", "open", "not reproducible"]
  const tone = word === "agrees" ? " good" : word === "fails" ? " bad" : warns.includes(word) ? " warn" : ""
  return html`<span class="tag${tone}">${word}</span>`
}

function rowsTable(rows: readonly Row[]): Markup {
  const body = rows.map((r) => {
    const paper = typeof r.paper === "number" ? shown(r.paper) : r.paper
    const bounds = Number.isNaN(r.low) ? "" : r.low === r.high ? shown(r.low) : `${shown(r.low)} to ${shown(r.high)}`
    const said = [r.source, r.note, r.evidence].filter((text) => text !== undefined)
    const note = said.map((text) => html`<br><span class="note">${text}</span>`)
    const half = r.half === undefined ? "" : ` ± ${shown(r.half)}`
    const numbers = [paper, `${shown(r.value)}${half}`, bounds].map((text) => html`<td>${text}</td>`)
    return html`<tr><td class="text wrap">${r.claim}${note}</td>${numbers}<td class="text">${badge(wordOf(r))}</td></tr>
`
  })
  const heads = ["paper", "lacewing", "bounds"].map((name) => html`<th>${name}</th>`)
  const head = html`<tr><th class="text">claim</th>${heads}<th class="text"></th></tr>`
  return html`<div class="table"><table class="rows"><thead>${head}</thead><tbody>
${body}</tbody></table></div>`
}

function origin(figure: PaperFigure, { mode, recorded, changed }: Standing): Markup {
  const { version, node, machine, finished } = recorded.provenance
  const seconds = secondsOf(recorded)
  const scaled = mode === "quick" && figure.quick?.scaled !== undefined ? ` Scaled down: ${figure.quick.scaled}.` : ""
  const took = seconds === undefined ? "time of the runs not recorded" : duration(seconds)
  const runs =
    recorded.runs.length === 0
      ? "no experiment needed"
      : `${recorded.runs.length} run${recorded.runs.length === 1 ? "" : "s"}`
  const size = mode === "full" ? "At the size of the paper" : "Quick version"
  const total = recorded.runs.length === 0 || seconds === undefined ? "" : " in total"
  const older = changed.length > 0 ? `, older: ${changed.join(", ")}` : ""
  const made = `lacewing ${version}${older}, node ${node}, ${machine}, ${finished.slice(0, 10)}`
  const again = `lacewing paper ${figure.id}${recorded.runs.length === 0 ? "" : ` --${mode}`}`
  return html`<p class="sub small">${size}, ${runs}, ${took}${total}; ${made}.${scaled}
Repeat it with <code>${again}</code></p>`
}
