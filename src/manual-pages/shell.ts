// The frame of every page of the manual: head, navigation, search, footer. Style and script are files next to the
// pages, so that the manual opens from disk and loads nothing from the network.
import { html, type Markup } from "../draw/report/html.ts"
import { style as report } from "../draw/report/style.ts"

export interface Shown {
  readonly title: string
  /** breadcrumbs from the whole to the part: name and file */
  readonly above?: readonly (readonly [name: string, file: string])[]
  readonly body: Markup
  /** previous and next page in reading order: name and file */
  readonly before?: readonly [name: string, file: string]
  readonly after?: readonly [name: string, file: string]
}

/** Returns a complete page. */
export function page({ title, above = [], body, before, after }: Shown, version: string): string {
  const way = above.map(([name, file]) => html`<a href="${file}">${name}</a> <span aria-hidden="true">›</span> `)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · lacewing manual</title>
<link rel="stylesheet" href="style.css">
<script src="search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><div>
<a class="home" href="index.html">lacewing</a>
<nav aria-label="Manual"><a href="index.html#guide">Guide</a><a href="index.html#model">Model</a><a href="index.html#papers">Papers</a><a href="reference.html">Reference</a></nav>
<form role="search" id="search"><label class="unseen" for="word">Search the manual</label><input id="word" name="word" type="search" autocomplete="off" spellcheck="false" placeholder="Search for a key, value or term" aria-controls="found"><ul id="found" hidden></ul><p id="count" class="unseen" role="status"></p></form>
</div></header>
<main id="content">
${above.length === 0 ? "" : html`<p class="crumbs">${way}${title}</p>`}
${body}
${before === undefined && after === undefined ? "" : html`<nav class="turn" aria-label="Reading order">${before === undefined ? "" : html`<a rel="prev" href="${before[1]}">‹ ${before[0]}</a>`}${after === undefined ? "" : html`<a rel="next" href="${after[1]}">${after[0]} ›</a>`}</nav>`}
<footer>lacewing ${version}. <code>npm run manual</code> makes these pages from schemas, <code>--help</code>, recorded results and <code>docs/</code>. They need no network.</footer>
</main>
</body>
</html>
`.text
}

/** Returns a page at an old address that redirects to the new one. */
export function redirect(title: string, to: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${to}">
<link rel="canonical" href="${to}">
<title>${title} · lacewing manual</title>
</head>
<body><p>This page has moved to <a href="${to}">${title}</a>.</p></body>
</html>
`.text
}

export const style = `${report}
body { overflow-wrap: break-word; }
.bar { position: sticky; top: 0; z-index: 5; background: var(--paper); border-bottom: 1px solid var(--line); }
.bar > div { max-width: 1120px; margin: 0 auto; padding: 10px 32px; display: flex; gap: 12px 26px; align-items: center; flex-wrap: wrap; }
.bar .home { font-weight: 660; color: var(--ink); text-decoration: none; letter-spacing: -0.01em; }
.bar nav { display: flex; gap: 18px; font-size: 15px; flex-wrap: wrap; } .bar nav a { text-decoration: none; } .bar a:hover { text-decoration: underline; }
#search { position: relative; margin-left: auto; flex: 0 1 320px; }
#search input { width: 100%; padding: 7px 12px; font: inherit; font-size: 15px; color: var(--ink); background: var(--page); border: 1px solid var(--muted); border-radius: 8px; }
#search input:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--c0); outline-offset: 2px; }
#found { position: absolute; right: 0; top: 100%; width: min(520px, 92vw); max-height: 70vh; overflow-y: auto; margin: 6px 0 0; padding: 6px 0; list-style: none; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 8px 28px rgb(0 0 0 / 0.22); }
#found a { display: block; padding: 7px 14px; color: var(--ink); text-decoration: none; font-size: 14px; line-height: 1.4; } #found a:hover, #found a:focus { background: var(--shade); }
#found b { font-weight: 620; } #found .of { color: var(--muted); } #found .about { display: block; color: var(--muted); }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 12px; top: 8px; z-index: 9; background: var(--paper); padding: 6px 10px; }
main { padding-top: 34px; } main h1 { overflow-wrap: anywhere; margin-bottom: 12px; }
.turn { display: flex; justify-content: space-between; gap: 20px; margin: 40px 0 0; padding-top: 16px; border-top: 1px solid var(--line); font-size: 15px; } .turn [rel="next"] { margin-left: auto; text-align: right; }
.crumbs { margin: 0 0 14px; color: var(--muted); font-size: 14px; max-width: none; }
main li { max-width: 72ch; margin: 3px 0; } main ul, main ol { padding-left: 22px; }
main pre { margin: 0 0 16px; } main h3 { margin: 28px 0 6px; font-size: 17px; }
main .table { margin: 0 0 16px; } main .table td, main .table th { white-space: normal; text-align: left; vertical-align: top; } main .table th { position: static; } main .table code { white-space: nowrap; } main .table td:has(small) { min-width: 15em; }
main .table.numbers td, main .table.numbers th { text-align: right; } main .table.numbers td.text, main .table.numbers th.text { text-align: left; }
/* drawings on white paper: dark ones with the same hues where pages are dark */
@media screen and (prefers-color-scheme: dark) { main figure img[src$=".svg"] { filter: invert(0.93) hue-rotate(180deg); mix-blend-mode: lighten; } }
main p > img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; } main figure { margin: 0 0 20px; } main figure img { display: block; max-width: min(100%, 600px); height: auto; margin: 0 auto; border-radius: 6px; background: #fff; } figure figcaption { margin: 10px 0 0; font-size: 14px; color: var(--muted); }
svg.drawn { max-width: 680px; margin: 0 auto; } svg.drawn.small { max-width: 400px; } svg.drawn text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: var(--muted); } svg.drawn text.name { font-weight: 600; font-size: 13px; fill: var(--ink); } svg.drawn .arrow { stroke: var(--muted); stroke-width: 1.6; fill: none; }
.details { margin-top: 18px; } .kind { color: var(--muted); font-size: 15px; margin: 0 0 10px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 14px; margin: 0 0 20px; padding: 0 !important; list-style: none; }
.cards li { margin: 0; padding: 14px 16px; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; } .cards a { font-weight: 620; } .cards span { display: block; margin-top: 3px; color: var(--muted); font-size: 14.5px; line-height: 1.45; }
blockquote { margin: 0 0 12px; padding: 2px 16px; border-left: 3px solid var(--line); color: var(--muted); }
.kept { margin-top: -8px; margin-bottom: 16px; font-size: 14px; }
@media (max-width: 700px) { .bar { position: static; } .bar > div { padding: 10px 16px; } #search { flex: 1 1 100%; margin: 0; } .cards { grid-template-columns: 1fr; } main h1 { font-size: 25px; } main dl { grid-template-columns: 1fr; } dd { margin-bottom: 8px; } #found { left: 0; width: 100%; } }
@media print { .bar, .skip, .turn { display: none; } }
`
