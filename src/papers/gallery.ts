// papers/index.html: every figure and table that lacewing reproduces, each with its claim, our curve, its rows and
// where they were made.
import { join } from "node:path"
import { duration, shown } from "../draw/figure/format.ts"
import { figureHtml } from "../draw/report/figure.ts"
import { html, type Markup } from "../draw/report/html.ts"
import { page } from "../draw/report/report.ts"
import { writeAtomic } from "../results/disk.ts"
import { countOf, type Standing, standing } from "./judge.ts"
import { numberOf, type PaperFigure, type Row, type Word, wordOf } from "./paper.ts"
import { type RecordedFile, readRecorded, secondsOf } from "./record.ts"

/** `from`: the folder in which a figure is recorded. */
export function writeGallery(papers: string, all: readonly PaperFigure[], from = (_id: string) => papers): string {
  const path = join(papers, "index.html")
  writeAtomic(path, galleryHtml(all.map((figure) => ({ figure, recorded: readRecorded(from(figure.id), figure.id) }))))
  return path
}

type Shown = { readonly figure: PaperFigure; readonly recorded: RecordedFile }

export function galleryHtml(all: readonly Shown[]): string {
  const papers = new Map<string, Shown[]>()
  for (const s of all) papers.set(s.figure.cites, [...(papers.get(s.figure.cites) ?? []), s])
  const stands = new Map(all.map((s) => [s.figure, standing(s.figure, s.recorded)]))
  const rows = [...stands.values()].flatMap((s) => s?.rows ?? [])
  const aged = [...stands.values()].filter((s) => s !== undefined && s.changed.length > 0).length
  const facts = [
    `${papers.size} ${papers.size === 1 ? "paper" : "papers"}`,
    `${all.length} figures and tables`,
    `${countOf(rows, "agrees")} rows agree`,
    `${countOf(rows, "fails")} fail`,
    `${countOf(rows, "open")} open`,
    `${countOf(rows, "not reproducible")} not reproducible with the published code`,
    `${countOf(rows, "unchecked")} unchecked`,
    `${countOf(rows, "misprint")} misprints`,
    `${countOf(rows, "definition")} definitions`,
    `${countOf(rows, "sensitivity")} assumptions swept`,
    ...(aged > 0 ? [`${aged} recorded with older revisions`] : []),
    ...(countOf(rows, "ours") > 0 ? [`${countOf(rows, "ours")} additional checks`] : []),
  ]
  let number = 0
  const card = ({ figure }: Shown): Markup => {
    const found = stands.get(figure)
    const recorded = found?.recorded.figures ?? []
    const drawn = (figure.plots?.(recorded) ?? recorded).map((f) => figureHtml(f, ++number, false, true))
    const older = (found?.changed.length ?? 0) > 0 ? html` <span class="tag">older</span>` : ""
    const verdict = html`${badge(found?.word ?? "not recorded")}${older}`
    const result =
      found === undefined
        ? html`<p class="sub">Not recorded yet: <code>lacewing paper ${figure.id} --record</code></p>`
        : html`${rowsTable(found.rows)}${origin(figure, found)}`
    return html`<section id="${figure.id}"><h2>${numberOf(figure)}. ${figure.title} ${verdict}</h2>
<p>${figure.claim}</p>
${drawn.length === 0 ? "" : html`<div class="figures">${drawn}</div>`}
${result}
</section>`
  }
  return page(
    "Papers reproduced",
    html`<header><h1>Papers reproduced</h1><p class="sub">${facts.map((f) => html`<span>${f}</span>`)}</p></header>
<p class="lead">Every number below was written by <code>lacewing paper</code>, never by hand. A row
<em>agrees</em> if our value is within the bounds in the same row, and <em>fails</em> if it is not.
A row is <em>open</em> if one of its bounds lies inside the interval of the seeds, so that other seeds might decide
otherwise. It is <em>not reproducible</em> if the code that was published with the paper does not give the value of the
paper either; the result of that code is the evidence.
Other words do not count as agreement or failure. A <em>definition</em> is arithmetic or wording of the paper, for which lacewing
measures nothing.
A <em>misprint</em> is a value of the paper that contradicts its own numbers; the bounds follow from those
numbers. A <em>sensitivity</em> row changes one assumption that the paper leaves open, and its value is the number of rows that
then come out otherwise.
<em>ours</em> is a check that the paper does not make.
A record is <em>older</em> if a plug-in, an engine or the measurement has a newer revision than its runs used.
It has not been repeated since, so its values may change within their noise.</p>
${[...papers].map(([cites, cards]) => html`<h2 class="paper">${cites}</h2>${cards.map(card)}`)}
<footer>Made by lacewing. This file is self-contained.</footer>`,
  )
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
