// The page with all comparisons of lacewing: recorded output of `lacewing validate --json`, and the recorded rows of
// papers checked against the current bounds.
import { shown } from "../../draw/figure/format.ts"
import { html, type Markup } from "../../draw/report/html.ts"
import { sentence } from "../../manual-pages/reference.ts"
import { countOf, standing } from "../papers/judge.ts"
import { numberOf, type PaperFigure, wordOf } from "../papers/paper.ts"
import type { RecordedFile } from "../papers/record.ts"
import type { Row, Validation } from "../peers/validate/rows.ts"
import { peerReasonOf, reasonOf } from "./reasons.ts"

/** Recorded output of a suite, with the command and the date. */
export interface Kept {
  readonly command: string
  readonly finished: string
  readonly version: string
  readonly validation: Validation
}

export interface Papers {
  readonly figures: readonly PaperFigure[]
  recorded(id: string): RecordedFile
  /** the page that discusses a paper, by the folder of its figures: its file, title and text */
  page(paper: string): { readonly file: string; readonly title: string; readonly text: string } | undefined
}

/** Returns the body of the page. */
export function validationBody(kept: readonly Kept[], papers: Papers): Markup {
  const figures = papers.figures.map((figure) => ({ figure, is: standing(figure, papers.recorded(figure.id)) }))
  const rows = figures.flatMap((f) => f.is?.rows ?? [])
  const names = [...new Set(figures.map(({ figure }) => figure.id.split("/")[0]))]
  return html`<h1>Validation</h1>
<p>This page lists all comparisons of lacewing with other simulators, analytic formulas and papers. A row has the reference value, our value, and bounds that never come from the measurement. Failing rows are listed with their known cause; no row is omitted.</p>
<h2 id="peers">Comparison with other simulators</h2>
<p>Output of <code>lacewing validate SUITE --json</code>, recorded by <code>npm run manual -- --run</code>.</p>
${kept.map(suite)}
<h2 id="papers">Papers</h2>
<p>Values recorded by <code>lacewing paper ID --record</code>, checked against the current bounds: ${countOf(rows, "agrees")} rows agree, ${countOf(rows, "fails")} fail, ${countOf(rows, "open")} are open, ${countOf(rows, "not reproducible")} are not reproducible with the published code, ${countOf(rows, "unchecked")} are unchecked, ${countOf(rows, "misprint")} are misprints of a paper, ${countOf(rows, "definition")} are definitions, and ${countOf(rows, "sensitivity")} show what an assumption changes. <a href="papers.html">Reproducing papers</a> explains the words. <code>lacewing paper --gallery</code> draws the figures with their curves. A figure recorded at the size of the paper is marked <em>full</em>. Others are marked <em>quick</em>: a smaller network with bounds that follow from its size.</p>
${names.map((name) =>
  paper(
    name,
    figures.filter(({ figure }) => figure.id.startsWith(`${name}/`)),
    papers,
  ),
)}`
}

/** Returns the section of one suite: counts, failing rows, and all rows in a fold. */
function suite({ command, finished, version, validation }: Kept): Markup {
  const { rows } = validation
  const count = (p: Row["pass"]) => rows.filter((r) => r.pass === p).length
  const bad = rows.filter((r) => r.pass !== true)
  return html`<h3 id="suite-${validation.suite}">${validation.suite}</h3>
<p><code>${command}</code>: ${count(true)} rows pass, ${count(false)} fail, ${count("unchecked")} unchecked (lacewing ${version}, ${finished.slice(0, 10)}).</p>
${bad.length === 0 ? "" : peerTable(`Rows of ${validation.suite} that fail or are unchecked`, bad)}
<details><summary>All ${rows.length} rows</summary>${peerTable(`All rows of ${validation.suite}`, rows)}</details>`
}

/** Returns rows of a suite as a table. */
function peerTable(label: string, rows: readonly Row[]): Markup {
  const said = (x: number | string) => (typeof x === "number" ? shown(x) : x)
  const body = rows.map(
    (r) =>
      html`<tr><td class="text">${r.id}</td><td class="text">${r.claim}${noteOf(r)}</td><td>${said(r.reference)}</td><td>${said(r.value)}</td><td>${bounds(r.low, r.high)}</td><td class="text">${tag(r.pass === true ? "agrees" : r.pass === false ? "fails" : "unchecked")}</td></tr>
`,
  )
  return html`<div class="table numbers" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th class="text">run</th><th class="text">claim</th><th>theirs</th><th>ours</th><th>bounds</th><th class="text">verdict</th></tr></thead><tbody>${body}</tbody></table></div>`
}

function noteOf(r: Row): Markup | string {
  const known = r.pass === false ? (peerReasonOf(r.id) ?? "the cause is not known") : undefined
  const said = [r.note, known].filter((n) => n !== undefined).join("; ")
  return said === "" ? "" : html`<br><span class="note">${said}</span>`
}

function bounds(low: number | undefined, high: number | undefined): string {
  if (low === undefined || high === undefined || Number.isNaN(low)) return ""
  return low === high ? shown(low) : `${shown(low)} to ${shown(high)}`
}

function tag(word: string): Markup {
  return html`<span class="tag${word === "agrees" ? " good" : word === "fails" ? " bad" : word === "misprint" ? " warn" : ""}">${word}</span>`
}

type Stood = { readonly figure: PaperFigure; readonly is: ReturnType<typeof standing> }

/** Returns the section of one paper: counts per figure, and its failing rows. */
function paper(name: string, all: readonly Stood[], { page }: Papers): Markup {
  const rows = all.flatMap((s) => s.is?.rows ?? [])
  const to = page(name)
  const table = all.map(({ figure, is }) => {
    const r = is?.rows ?? []
    return html`<tr><td class="text">${numberOf(figure)}. ${figure.title}</td><td class="text">${is === undefined ? "not recorded" : is.mode}${(is?.changed.length ?? 0) > 0 ? ", older revisions" : ""}</td><td>${countOf(r, "agrees")}</td><td>${countOf(r, "fails")}</td><td>${countOf(r, "open")}</td><td>${countOf(r, "unchecked")}</td></tr>
`
  })
  return html`<h3 id="paper-${name}">${name}</h3><p>${all[0].figure.cites}. ${countOf(rows, "agrees")} rows agree, ${countOf(rows, "fails")} fail.${to === undefined ? "" : html` Assumptions and findings: <a href="${to.file}">${to.title}</a>.`}</p>
<div class="table numbers" tabindex="0" role="region" aria-label="Figures of ${name}"><table><thead><tr><th class="text">figure</th><th class="text">recorded</th><th>agree</th><th>fail</th><th>open</th><th>unchecked</th></tr></thead><tbody>${table}</tbody></table></div>
${all.map((one) => failingOf(one, to))}`
}

/** Returns the failing rows of one figure, and their known cause. */
function failingOf({ figure, is }: Stood, page: { readonly text: string } | undefined): Markup | undefined {
  const rows = (is?.rows ?? []).filter((r) => wordOf(r) === "fails")
  if (rows.length === 0) return undefined
  const known = page === undefined ? undefined : reasonOf(figure.id, page.text)
  const body = rows.map(
    (r) =>
      html`<tr><td class="text">${r.claim}</td><td>${typeof r.paper === "number" ? shown(r.paper) : r.paper}</td><td>${shown(r.value)}</td><td>${bounds(r.low, r.high)}</td><td class="text">${r.note ?? ""}</td></tr>
`,
  )
  return html`<h4 id="${figure.id.replace("/", "-")}">${numberOf(figure)}: rows that fail</h4>
<div class="table numbers" tabindex="0" role="region" aria-label="Rows of ${figure.id} that fail"><table><thead><tr><th class="text">claim</th><th>paper</th><th>ours</th><th>bounds</th><th class="text">note</th></tr></thead><tbody>${body}</tbody></table></div>
<p><b>Cause:</b> ${known === undefined ? "not known." : sentence(known)}</p>`
}
