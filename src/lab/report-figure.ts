// A figure inside the page: drawn twice, for a wide and for a narrow screen, with the values that the pointer can read.
import type { Fact, Figure } from "./figure.ts"
import { draw } from "./figure-draw.ts"
import { shown } from "./figure-format.ts"
import type { Drawing } from "./figure-plot.ts"
import { html, jsonIn, type Markup, raw } from "./report-html.ts"

const WIDE = 480
const FULL = 1040
const NARROW = 352

export function figureHtml(figure: Figure, number: number, full: boolean): Markup {
  const drawings: [string, Drawing][] = [
    ["wide", draw(figure, full ? FULL : WIDE)],
    ["narrow", draw(figure, NARROW)],
  ]
  const pictures = drawings.map(([size, drawing]) => {
    const id = `hits-${number}-${size}`
    const svg = drawing.svg.replace("<svg ", `<svg class="${size}" tabindex="0" data-hits="${id}" `)
    return html`${raw(svg)}<script type="application/json" id="${id}">${jsonIn(drawing.hits.map(hitOf))}${raw("</script>")}`
  })
  return html`<figure id="figure-${number}" class="${full ? "full" : "half"}"><figcaption><h3>${figure.title}</h3><p>${figure.caption}</p></figcaption>${pictures}</figure>
`
}

function hitOf(hit: Drawing["hits"][number]): unknown {
  const { x, y, w, h } = hit
  const size = w === undefined || h === undefined ? {} : { w: cut(w), h: cut(h) }
  return { x: cut(x), y: cut(y), ...size, title: hit.title, facts: hit.facts.map(factOf) }
}

/** Name, text to show, exact value: the last is what is stored, digit for digit. */
function factOf([name, value]: Fact): readonly [string, string, string] {
  return [name, typeof value === "number" ? shown(value) : value, String(value)]
}

function cut(v: number): number {
  return Math.round(v * 100) / 100
}
