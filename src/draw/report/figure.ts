// A figure inside the page: drawn twice, for a wide and for a narrow screen, with the values that the pointer can read.

import { draw } from "../figure/draw.ts"
import type { Drawing, Hit } from "../figure/drawing.ts"
import type { Fact, Figure } from "../figure/figure.ts"
import { shown } from "../figure/format.ts"
import { html, jsonIn, type Markup, raw } from "./html.ts"

const WIDE = 480
const FULL = 1040
const NARROW = 352

/**
 * `live`: where the points of the figure can be opened as runs. `brief`: of a page with very many figures, whose exact
 * values are kept elsewhere: four digits, whole pixels.
 */
export function figureHtml(figure: Figure, number: number, full: boolean, brief = false, live?: string): Markup {
  const drawings: [string, Drawing][] = [
    ["wide", draw(figure, full ? FULL : WIDE)],
    ["narrow", draw(figure, NARROW)],
  ]
  const marks = figure.kind === "lines" ? (figure.marks ?? []) : []
  const sources = [...new Set(marks.map((m) => m.source))].join("; ")
  const names = marks.map((m) => m.name).join("; ")
  const said = marks.length === 0 ? "" : html`<p class="note">${sources}: ${names}.</p>`
  const pictures = drawings.map(([size, drawing]) => {
    const id = `hits-${number}-${size}`
    const lines = brief ? drawing.svg.replace(/ d="[^"]*"/g, (d) => d.replace(/(\.\d)\d+/g, "$1")) : drawing.svg
    const svg = lines.replace(
      "<svg ",
      `<svg class="${size}" tabindex="0" data-hits="${id}" data-said="said-${number}" `,
    )
    const places = drawing.hits.map((hit) => placeOf(hit, brief ? 1 : 100))
    return html`${raw(svg)}${data(id, places)}`
  })
  // the same in both sizes: values are written once, words once for all values
  const values = data(`said-${number}`, saidBy(drawings[0][1].hits, brief))
  const more = live === undefined ? "" : html` <a class="live" href="${live}">Run a point live</a>`
  const caption = html`<figcaption><h3>${figure.title}</h3><p>${figure.caption}${more}</p></figcaption>`
  const width = full ? "full" : "half"
  return html`<figure id="figure-${number}" class="${width}">${caption}${pictures}${values}${said}</figure>
`
}

/** Data for the script of the page. */
function data(id: string, value: unknown): Markup {
  return html`<script type="application/json" id="${id}">${jsonIn(value)}${raw("</script>")}`
}

/** x, y, and width and height of a box. */
function placeOf({ x, y, w, h }: Hit, parts: number): number[] {
  const cut = (v: number) => Math.round(v * parts) / parts
  return w === undefined || h === undefined ? [cut(x), cut(y)] : [cut(x), cut(y), cut(w), cut(h)]
}

/**
 * For each hit the number of its title among all words, then its details: number of the name, text to show, and the
 * exact value where the text is rounded.
 */
function saidBy(hits: readonly Hit[], brief: boolean): { words: string[]; said: unknown[] } {
  const words = new Map<string, number>()
  const numberOf = (word: string): number => {
    const known = words.get(word) ?? words.size
    words.set(word, known)
    return known
  }
  const factOf = ([name, value]: Fact): readonly [number, string, string?] => {
    const text = typeof value === "number" ? shown(value) : value
    return brief || text === String(value) ? [numberOf(name), text] : [numberOf(name), text, String(value)]
  }
  const said = hits.map((hit) => [numberOf(hit.title), ...hit.facts.map(factOf)])
  return { words: [...words.keys()], said }
}
