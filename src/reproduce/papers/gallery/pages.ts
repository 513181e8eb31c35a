// The pages of the gallery: a start page with all papers and figures, and one page for each paper.
import { counted } from "../../../core/wording.ts"
import { html, type Markup, raw } from "../../../draw/report/html.ts"
import { page } from "../../../draw/report/report.ts"
import { countOf, type Standing, standing } from "../judge.ts"
import { numberOf, type PaperFigure, type Row, type Word } from "../paper.ts"
import type { RecordedFile } from "../record.ts"
import { card, type Shown, verdictOf, wordIn } from "./card.ts"

export type Given = { readonly figure: PaperFigure; readonly recorded: RecordedFile }

type Paper = {
  readonly name: string
  readonly cites: string
  readonly learned: readonly string[]
  readonly shown: Shown[]
}

/** Returns the pages by file name. `learned`: sentences on a paper, by the folder of its figures. */
export function galleryPages(
  all: readonly Given[],
  learned: (name: string) => readonly string[] = () => [],
): Map<string, string> {
  const papers = new Map<string, Paper>()
  for (const { figure, recorded } of all) {
    const name = nameOf(figure)
    const paper = papers.get(name) ?? { name, cites: figure.cites, learned: learned(name), shown: [] }
    paper.shown.push({ figure, found: standing(figure, recorded) })
    papers.set(name, paper)
  }
  const list = [...papers.values()]
  return new Map([
    ["index.html", startPage(list)],
    ...list.map((paper) => [`${paper.name}.html`, paperPage(paper)] as const),
  ])
}

const nameOf = ({ id }: PaperFigure): string => id.split("/")[0] ?? id
/** A citation begins with the title. */
const titleOf = ({ cites }: Paper): string => cites.split(", ")[0] ?? cites
const foundOf = (shown: readonly Shown[]): Standing[] => shown.flatMap((s) => s.found ?? [])
const rowsOf = (shown: readonly Shown[]): Row[] => foundOf(shown).flatMap((f) => f.rows)

/** Words of rows with their phrase, in the order of the header. */
const phrases: readonly (readonly [word: Word, one: string, many?: string])[] = [
  ["agrees", "row agrees", "rows agree"],
  ["fails", "fails", "fail"],
  ["open", "open"],
  ["not reproducible", "not reproducible with the published code"],
  ["unchecked", "unchecked"],
  ["misprint", "misprint", "misprints"],
  ["definition", "definition", "definitions"],
  ["sensitivity", "assumption swept", "assumptions swept"],
  ["ours", "additional check", "additional checks"],
]

function facts(shown: readonly Shown[], papers?: number): Markup {
  const rows = rowsOf(shown)
  const aged = foundOf(shown).filter((f) => f.changed.length > 0).length
  const texts = [
    ...(papers === undefined ? [] : [counted(papers, "paper")]),
    counted(shown.length, "figure or table", "figures and tables"),
    ...phrases.flatMap(([word, one, many]) => {
      const count = countOf(rows, word)
      return count > 0 ? [counted(count, one, many ?? one)] : []
    }),
    ...(aged > 0 ? [`${aged} recorded with older revisions`] : []),
  ]
  return html`<p class="sub">${texts.map((text) => html`<span>${text}</span>`)}</p>`
}

function startPage(papers: readonly Paper[]): string {
  const shown = papers.flatMap((p) => p.shown)
  const summaries = papers.map(
    (p) => html`<section><h2><a href="${p.name}.html">${titleOf(p)}</a></h2>
<p class="sub">${p.cites.slice(titleOf(p).length + 2)}</p>
${lessons(p)}${facts(p.shown)}</section>`,
  )
  const rows = papers.flatMap((p) =>
    p.shown.map(
      ({ figure, found }) =>
        html`<tr id="${figure.id}" data-paper="${p.name}" data-verdict="${wordIn(found)}"><td class="text">${p.name}</td><td class="text wrap"><a href="${p.name}.html#${figure.id}">${numberOf(figure)}. ${figure.title}</a></td><td class="text">${verdictOf(found)}</td><td class="text wrap">${found?.says ?? ""}</td></tr>
`,
    ),
  )
  const heads = ["paper", "figure", "verdict", "rows"].map((head) => html`<th class="text">${head}</th>`)
  return page(
    "Papers reproduced",
    html`<header><h1>Papers reproduced</h1>${facts(shown, papers.length)}</header>
${summaries}
<h2 id="contents">All figures and tables</h2>
${filters([
  choice(
    "paper",
    papers.map((p) => p.name),
  ),
  choice("verdict", verdictsOf(shown)),
])}
<div class="table"><table class="rows"><thead><tr>${heads}</tr></thead><tbody>
${rows}</tbody></table></div>
<h2 id="words">The words</h2>
${words}
<footer>Made by lacewing. This page needs no network; it links to one page for each paper.</footer>`,
  )
}

function paperPage(paper: Paper): string {
  let number = 0
  const links = paper.shown.map(
    ({ figure, found }) =>
      html`<li data-verdict="${wordIn(found)}"><a href="#${figure.id}">${numberOf(figure)}. ${figure.title}</a> ${verdictOf(found)}</li>
`,
  )
  return page(
    paper.cites,
    html`<header><p class="sub"><a href="index.html">Papers reproduced</a></p><h1>${titleOf(paper)}</h1>
<p class="sub">${paper.cites.slice(titleOf(paper).length + 2)}</p>${facts(paper.shown)}</header>
${lessons(paper)}
<h2 id="contents">Contents</h2>
${filters([choice("verdict", verdictsOf(paper.shown))])}
<ul>${links}</ul>
${paper.shown.map((s) => card(s, () => ++number))}
<h2 id="words">The words</h2>
${words}
<footer>Made by lacewing. <a href="index.html">All papers</a></footer>`,
  )
}

function lessons({ learned }: Paper): Markup | string {
  return learned.length === 0 ? "" : html`<ul class="lead">${learned.map((text) => html`<li>${text}</li>`)}</ul>`
}

function verdictsOf(shown: readonly Shown[]): string[] {
  return [...new Set(shown.map((s) => wordIn(s.found)))]
}

function choice(name: string, values: readonly string[]): Markup {
  const options = values.map((value) => html`<option>${value}</option>`)
  return html`<label>${name} <select data-filter="${name}"><option value="">all</option>${options}</select></label>`
}

/** Hides what a choice excludes. Without scripts, everything is shown and nothing can be chosen. */
function filters(choices: readonly Markup[]): Markup {
  return html`<p class="filters" hidden>${choices}</p>
<script>${raw(`addEventListener("DOMContentLoaded", () => {
  const selects = [...document.querySelectorAll("[data-filter]")]
  const apply = () => {
    for (const item of document.querySelectorAll("[data-verdict]"))
      item.hidden = selects.some((s) => s.value !== "" && item.dataset[s.dataset.filter] !== s.value)
  }
  for (const s of selects) s.addEventListener("change", apply)
  document.querySelector(".filters").hidden = false
})`)}${raw("</script>")}`
}

const words = html`<p>Every number was written by <code>lacewing paper</code>, never by hand. A row
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
It has not been repeated since, so its values may change within their noise.
Crosses and dashed lines in a figure are numbers that the paper prints.</p>`
