// The style sheet of report.html and of the gallery: one column of text width, figures next to each other where the
// window is wide enough, light and dark colours, and print.
import { dark, light, properties } from "../figure/theme.ts"

export const style = `
:root { color-scheme: light; ${properties(light)}
  --page: #fbfbfa; --line: #e3e6ea; --warn: #8a5300; --warn-page: #fff6e5; --warn-line: #f0cf94; --bad: #a4262c;
  --bad-page: #fdeeee; --bad-line: #eab6b8; --good: #14693b; --shade: #f3f4f5; --edge: rgb(0 0 0 / 0.16); }
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; ${properties(dark)}
    --page: #0f1317; --line: #2b323b; --warn: #f0c060; --warn-page: #2b220f; --warn-line: #5c4720; --bad: #ff9a94;
    --bad-page: #321818; --bad-line: #6b2f2f; --good: #6fd3a0; --shade: #1b2027; --edge: rgb(0 0 0 / 0.6); }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans",
  sans-serif; font-variant-numeric: tabular-nums; text-rendering: optimizeLegibility; }
main { max-width: 1120px; margin: 0 auto; padding: 48px 32px 64px; }
h1 { margin: 0 0 8px; max-width: 24em; font-size: 34px; line-height: 1.18; font-weight: 660; letter-spacing: -0.018em;
  text-wrap: balance; }
h2 { margin: 56px 0 14px; font-size: 21px; line-height: 1.3; font-weight: 640; letter-spacing: -0.01em; }
h3 { margin: 0 0 2px; font-size: 16px; line-height: 1.35; font-weight: 620; }
p { margin: 0 0 12px; max-width: 68ch; } p.lead { margin-top: 20px; }
a { color: var(--c0); }
.sub { margin: 0; color: var(--muted); max-width: none; }
.sub span + span::before { content: "·"; margin: 0 8px; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.86em; }
pre { margin: 0; padding: 16px 18px; overflow-x: auto; background: var(--paper); border: 1px solid var(--line);
  border-radius: 8px; line-height: 1.5; }
pre .key { color: var(--muted); } pre .swept { color: var(--c1); font-weight: 600; }
.box { margin: 28px 0 0; padding: 14px 18px; border: 1px solid var(--warn-line); border-left-width: 4px;
  border-radius: 8px; background: var(--warn-page); }
.box.bad { border-color: var(--bad-line); background: var(--bad-page); }
.box h2 { margin: 0 0 4px; font-size: 16px; color: var(--warn); } .box.bad h2 { color: var(--bad); }
.box p, .box ul { margin: 0; max-width: none; font-size: 15px; } .box ul { padding-left: 20px; }
.box ul.packets { margin: 4px 0 6px; font-size: 14px; } .box p.cure { margin: 2px 0 10px; }
.figures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px; }
figure { position: relative; margin: 0; padding: 18px 20px 14px; background: var(--paper);
  border: 1px solid var(--line); border-radius: 12px; break-inside: avoid; }
figure.full { grid-column: 1 / -1; }
figcaption { margin-bottom: 10px; } figcaption p { margin: 0; font-size: 14px; line-height: 1.45; color: var(--muted); }
figure svg { display: block; width: 100%; height: auto; overflow: visible; outline-offset: 4px; }
figure svg.narrow { display: none; }
/* a shadow on the edge behind which a wide table continues */
.table { width: fit-content; max-width: 100%; overflow-x: auto;
  background: linear-gradient(to right, var(--paper) 40%, transparent) left / 36px 100% no-repeat local,
  linear-gradient(to left, var(--paper) 40%, transparent) right / 36px 100% no-repeat local, linear-gradient(to right,
  var(--edge), transparent) left / 14px 100% no-repeat scroll, linear-gradient(to left, var(--edge),
  transparent) right / 14px 100% no-repeat scroll, var(--paper); border: 1px solid var(--line); border-radius: 12px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; line-height: 1.4; }
th, td { padding: 7px 14px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
table.dense th, table.dense td { padding: 7px; } table.dense th button::after { width: 0.8em; }
th.text, td.text { text-align: left; } td.dim { color: var(--muted); opacity: 0.6; }
tbody tr:last-child td { border-bottom: 0; } tbody tr:hover { background: var(--shade); }
th { position: sticky; top: 0; white-space: normal; background: var(--paper); color: var(--muted); font-weight: 560; }
th button { all: unset; cursor: pointer; color: inherit; }
th button:focus-visible, svg:focus-visible { outline: 2px solid var(--c0); border-radius: 3px; }
th button::after { content: "↕"; display: inline-block; width: 1.1em; text-align: right; opacity: 0.35; }
th[aria-sort="ascending"] button::after { content: "↑"; opacity: 1; }
th[aria-sort="descending"] button::after { content: "↓"; opacity: 1; }
.tag { display: inline-block; padding: 0 8px; border-radius: 9px; font-size: 12.5px; line-height: 18px;
  background: var(--shade); color: var(--muted); }
.tag.warn { background: var(--warn-page); color: var(--warn); }
.tag.bad { background: var(--bad-page); color: var(--bad); } .tag.good { color: var(--good); }
details { margin-top: 12px; } summary { cursor: pointer; color: var(--muted); padding: 4px 0; }
details[open] > summary { margin-bottom: 10px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 5px 22px; margin: 0 0 16px; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
.filters { display: flex; flex-wrap: wrap; gap: 16px; } .filters[hidden] { display: none; }
p.sub + ul.lead { margin-top: 12px; } ul.lead { max-width: 68ch; padding-left: 22px; }
select { font: inherit; padding: 3px 6px; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; }
h2.paper { margin-top: 72px; padding-top: 20px; border-top: 2px solid var(--ink); font-size: 17px; color: var(--muted);
  max-width: 60em; } section h2 { margin-top: 36px; }
td.wrap { white-space: normal; min-width: 16em; } .note { color: var(--muted); font-size: 13px; }
figure .note { margin: 8px 0 0; } .figures + .table { margin-top: 20px; }
.small { margin-top: 8px; font-size: 13.5px; }
footer { margin-top: 64px; padding-top: 16px; border-top: 1px solid var(--line); color: var(--muted); font-size: 14px; }
#tip { position: fixed; z-index: 9; left: 0; top: 0; max-width: min(340px, 92vw); padding: 9px 12px; border-radius: 8px;
  background: var(--ink); color: var(--paper); font-size: 13px; line-height: 1.45; pointer-events: none;
  visibility: hidden; box-shadow: 0 4px 18px rgb(0 0 0 / 0.22); }
#tip b { display: block; font-weight: 620; } #tip div { display: flex; justify-content: space-between; gap: 18px; }
#tip span { opacity: 0.75; }
.ring { fill: none; stroke: var(--ink); stroke-width: 1.6; pointer-events: none; }
@media (max-width: 860px) { .figures { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 560px) {
  main { padding: 28px 16px 48px; } h1 { font-size: 26px; } h2 { margin-top: 40px; }
  figure { padding: 14px 12px 10px; border-radius: 10px; } figure svg.wide { display: none; }
  figure svg.narrow { display: block; }
  table.rows { font-size: 13px; } table.rows th, table.rows td { padding: 6px 4px; white-space: normal; }
  table.rows td.text { min-width: 0; } table.rows td.wrap { min-width: 7em; overflow-wrap: anywhere; }
  table.rows .tag { padding: 0 4px; font-size: 11.5px; }
  th, td { padding: 7px 10px; } td.text { white-space: normal; min-width: 8em; }
  td.text:last-child { white-space: nowrap; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; }
}
@media print {
  :root { color-scheme: light; ${properties(light)}
    --page: #fff; --line: #ccc; --shade: #fff; --edge: transparent; --warn: #5c3900; --warn-page: #fff;
    --bad-page: #fff; --bad: #7a1c20; }
  @page { margin: 16mm; } body { font-size: 10.5pt; } main { padding: 0; max-width: none; } h1 { font-size: 20pt; }
  h2 { break-after: avoid; margin-top: 24pt; }
  figure, .table, .box { border-radius: 0; } .table { overflow: visible; } table { font-size: 8.5pt; }
  th, td { padding: 2pt 5pt; white-space: normal; } th { position: static; }
  th button::after { content: none; } tr { break-inside: avoid; } pre { white-space: pre-wrap; } #tip { display: none; }
  details > summary { list-style: none; }
}
`
