// Reference pages: the declaration of a plug-in, key, value, command or stop reason, an example, and related pages. All
// contents come from schemas and help texts, so nothing is written twice.
import { html, type Markup, raw } from "../draw/report/html.ts"
import { values } from "../experiment/values/list.ts"
import type { Explanation } from "../inspect/explain.ts"
import { essays } from "../inspect/glossary/essays.ts"
import { exitCodes } from "../inspect/glossary/exit-codes.ts"
import { stopReasons } from "../inspect/glossary/stop-reasons.ts"
import type { AnyPlugin } from "../library.ts"
import type { StopReason } from "../model/experiment.ts"
import { type TableInfo, tables } from "../model/tables.ts"
import type { Entry } from "./entry.ts"
import type { Picture } from "./pictures.ts"

/** The other pages and sources that a page may refer to. */
export interface Known {
  /** returns the page of a name, if there is one */
  link(name: string): string | undefined
  plugin(family: string, name: string): AnyPlugin | undefined
  picture(p: AnyPlugin): { readonly is: Picture; readonly file: string } | undefined
  help(command: string): string | undefined
  /** experiments whose file names it */
  used(name: string): readonly string[]
  /** address of the studio with an experiment or the example of a plug-in, by "experiment NAME" or "KIND NAME", where
   *  there is one */
  studio?(what: string): string | undefined
}

export const families: Readonly<Record<string, { readonly many: string; readonly slot: string }>> = {
  topology: { many: "Topologies", slot: "network.topology" },
  routing: { many: "Routings", slot: "network.routing" },
  switch: { many: "Switches", slot: "network.switch" },
  endpoint: { many: "Endpoints", slot: "network.endpoint" },
  congestion: { many: "Congestion management", slot: "network.congestion" },
  qos: { many: "Schedulers", slot: "network.qos" },
  pattern: { many: "Patterns", slot: "traffic.pattern" },
  arrivals: { many: "Arrivals", slot: "traffic.arrivals" },
  sizes: { many: "Sizes", slot: "traffic.packet" },
  workload: { many: "Workloads", slot: "jobs.workload" },
  probe: { many: "Probes", slot: "probes" },
}

export const groups: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(families).map(([k, f]) => [k, f.many])),
  key: "Keys of the experiment file",
  value: "Measured values",
  command: "Commands",
  stop: "Stop reasons",
  column: "Columns of the table runs",
  table: "Tables of the results folder",
  event: "Trace events",
  experiment: "Experiments",
  word: "Words",
}

/** Returns the body of an entry's page. */
export function bodyOf(e: Entry, known: Known): Markup {
  if (e.kind === "plug-in") return pluginBody(e, known)
  if (e.kind === "key") return keyBody(e, known)
  if (e.kind === "value") return valueBody(e)
  if (e.kind === "command") return commandBody(e, known)
  if (e.kind === "stop") return stopBody(e)
  if (e.kind === "table") return tableBody(e, known)
  if (e.kind === "column") return columnBody(e)
  if (e.kind === "event") return eventBody(e, known)
  return wordBody(e, known)
}

const head = (name: string, kind: string, about: string): Markup =>
  html`<h1>${name}</h1><p class="kind">${kind}</p><p>${sentence(about)}</p>`

/** Returns a text as a sentence: with a capital, except for a symbol such as q² or a key, and a full stop. */
export function sentence(text: string): Markup {
  const first = /^(a|[a-z]{2,})(?!\.?\w)/.test(text) ? text[0].toUpperCase() : text[0]
  const whole = text === "" ? "" : `${first}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`
  return coded(whole)
}

/** Returns a text whose parts in backticks are code. */
function coded(text: string): Markup {
  return raw(html`${text}`.text.replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`))
}

/** Returns a definition list without the rows that have no value. */
function list(rows: readonly (readonly [string, Markup | string | undefined])[]): Markup {
  const there = rows.filter(([, v]) => v !== undefined && v !== "")
  return html`<dl class="details">${there.map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>`
}

export function valueText(v: unknown): string {
  return typeof v === "string" ? v : JSON.stringify(v)
}

/** Returns type, unit, range and default of a key or a value as a list. */
function factsOf(f: Explanation): Markup {
  const value =
    f.default !== undefined
      ? valueText(f.default)
      : f.required === true
        ? "none, the key is required"
        : f.type === undefined
          ? undefined
          : "none, the key is optional"
  return list([
    ["type", f.type],
    ["unit", f.unit],
    ["range", f.range],
    ["default", value === undefined ? undefined : html`<code>${value}</code>`],
    ["source", f.source],
  ])
}

/** Returns the page of a key. A key may belong to several plug-ins: each has a section. */
function keyBody(e: Entry, known: Known): Markup {
  const below = e.facts.flatMap((f) => f.keys ?? [])
  const several = e.facts.length > 1
  const one = (f: Explanation): Markup => {
    const [kind = "", name = ""] = f.source.split(" ")
    const plugin = known.plugin(kind, name)
    const to = plugin === undefined ? undefined : known.link(`${kind} ${name}`)
    const of = to === undefined ? html`${f.source}` : html`${kind} <a href="${to}">${name}</a>`
    return several
      ? html`<h2>${of}</h2><p>${sentence(f.about)}</p>${factsOf(f)}${example(f, name)}`
      : html`${factsOf(f)}${plugin === undefined ? "" : html`<p>Of ${of}.</p>`}${example(f, name)}`
  }
  const links = below.map((k) => {
    const to = known.link(`key ${e.name}.${k}`)
    return to === undefined
      ? html`<li><code>${k}</code></li>`
      : html`<li><a href="${to}"><code>${e.name}.${k}</code></a></li>`
  })
  const about =
    several && new Set(e.facts.map((f) => f.about)).size > 1 ? `${e.facts.length} plug-ins have this key` : e.about
  return html`${head(e.name, "key of the experiment file", about)}${e.facts.map(one)}${links.length === 0 ? "" : html`<h2>Keys below it</h2><ul>${links}</ul>`}`
}

/** Returns the key in its place in a file. */
function example(f: Explanation, plugin: string): Markup {
  const parts = f.key.split(".")
  if (parts.length === 1) return html``
  const value = f.default !== undefined ? valueText(f.default) : "…"
  const shown = value === "" ? '""' : value
  const slot = Object.entries(families).find(
    ([k, { slot }]) => f.source.startsWith(`${k} `) && f.key.startsWith(`${slot}.`),
  )
  const text =
    slot !== undefined && parts.length === 3
      ? `${parts[0]}:\n  ${parts[1]}: { name: ${plugin}, ${parts[2]}: ${shown} }`
      : slot !== undefined && parts.length === 2
        ? `${parts[0]}:\n  - { name: ${plugin}, ${parts[1]}: ${shown} }`
        : `${parts.map((p, i) => `${"  ".repeat(i)}${p}:`).join("\n")} ${shown}`
  return html`<pre tabindex="0"><code>${text}</code></pre><p class="note">On the command line: <code>--set ${f.key.replace(/^(traffic|jobs)\./, "$1.0.")}=${shown}</code></p>`
}

/** Returns the page of a plug-in: picture, parameters, limits, citation, an example, and experiments that use it. */
function pluginBody(e: Entry, known: Known): Markup {
  const f = e.facts[0]
  const family = e.family!
  const p = known.plugin(family, e.name)!
  const { slot } = families[family]
  const shown = known.picture(p)
  const picture =
    shown === undefined
      ? ""
      : html`<figure>${shown.is.apart ? html`<img src="${shown.file}" alt="${shown.is.says}">` : raw(shown.is.svg)}<figcaption>${shown.is.says}${shown.is.command === undefined ? "" : html` <code>${shown.is.command}</code>`}</figcaption></figure>`
  const rows = Object.entries(p.params.describe()).map(([k, i]) => {
    const to = known.link(`key ${slot}.${k}`)
    const name = to === undefined ? html`<code>${k}</code>` : html`<a href="${to}"><code>${k}</code></a>`
    const fallback =
      i.fallback !== undefined ? html`<code>${valueText(i.fallback)}</code>` : i.required ? "required" : "none"
    return html`<tr><td>${name}</td><td>${coded(i.about || i.type)}</td><td>${i.unit?.startsWith(`${i.type}, `) ? i.unit : [i.type, i.unit].filter(Boolean).join(", ")}${i.range === undefined ? "" : html`<br>${i.range}`}</td><td>${fallback}</td></tr>`
  })
  const params =
    rows.length === 0
      ? html`<p>This plug-in has no parameters.</p>`
      : html`<h2>Parameters</h2><div class="table" tabindex="0" role="region" aria-label="Parameters of ${e.name}"><table><thead><tr><th>key</th><th>meaning</th><th>type, unit, range</th><th>default</th></tr></thead><tbody>${rows}</tbody></table></div>`
  const used = known.used(e.name)
  const links = used.map((name, i) => {
    const to = known.link(`experiment ${name}`)
    const run = known.studio?.(`experiment ${name}`)
    return html`${i === 0 ? "" : ", "}${to === undefined ? name : html`<a href="${to}">${name}</a>`}${run === undefined ? "" : html`<span class="served"> (<a class="run" href="${run}">run it here</a>)</span>`}`
  })
  const here = known.studio?.(`${family} ${e.name}`)
  const path = slot.split(".")
  const needed = Object.entries(p.params.describe()).filter(([, i]) => i.required)
  const named = needed.length === 0 ? e.name : `{ name: ${e.name}, ${needed.map(([k]) => `${k}: …`).join(", ")} }`
  const yaml = path.length === 1 ? `${path[0]}: [${named}]` : `${path[0]}:\n  ${path[1]}: ${named}`
  return html`${head(e.name, family, f.about)}${picture}
${list([
  ["source", p.cites],
  ["limits", p.limits === undefined ? undefined : coded(p.limits)],
  ["also called", e.also.join(", ")],
  ["where", html`<a href="${known.link(`key ${slot}`) ?? "reference.html"}"><code>${slot}</code></a>`],
  ["used by", links.length === 0 ? undefined : html`${links}`],
])}
<pre tabindex="0"><code>${yaml}</code></pre>${here === undefined ? "" : html`<p><a class="run" href="${here}">Run it here</a>: a small example in the studio.</p>`}${params}${family === "probe" ? tablesOf(e.name, known) : ""}`
}

/** Returns the tables that a probe adds to the results folder. */
function tablesOf(probe: string, known: Known): Markup {
  const of = Object.entries<TableInfo>(tables).filter(([, t]) => t.when.startsWith(`probe \`${probe}\``))
  if (of.length === 0) return html``
  const rows = of.map(([name, t]) => {
    const to = known.link(`table ${name}`)
    return [
      to === undefined ? html`<code>${name}</code>` : html`<a href="${to}"><code>${name}</code></a>`,
      sentence(t.about),
    ] as const
  })
  return html`<h2>Tables</h2>${twoColumns(`Tables of ${probe}`, ["table", "meaning"], rows)}`
}

/** Returns the page of a measured value. */
function valueBody(e: Entry): Markup {
  const f = e.facts[0]
  const unit = f.unit === "cycles" ? "60cycles" : "0.5"
  return html`${head(e.name, "measured value", f.about)}${list([
    ["unit", f.unit],
    ["set by", f.given],
    [
      "streams",
      values[e.name]?.each === true ? html`each traffic stream has its own: <code>STREAM.${e.name}</code>` : undefined,
    ],
    ["missing", f.missing === undefined ? undefined : `if ${f.missing}`],
    ["source", coded("every run: table, CSV, JSON, Parquet and `lacewing sql`")],
  ])}<p>Use it as a threshold; the exit code is 1 if it fails:</p><pre tabindex="0"><code>expect:
  - ${e.name} &lt; ${unit}</code></pre>`
}

/** Returns the page of a command: its help text. */
function commandBody(e: Entry, known: Known): Markup {
  return html`${head(`lacewing ${e.name}`, "command", e.about)}<pre tabindex="0"><code>${known.help(e.name) ?? ""}</code></pre><h2>Exit codes</h2>${exitTable()}`
}

export function exitTable(): Markup {
  return twoColumns(
    "Exit codes",
    ["code", "meaning"],
    Object.entries(exitCodes).map(([code, about]) => [html`${code}`, sentence(about)]),
  )
}

function twoColumns(
  label: string,
  [first, second]: readonly [string, string],
  rows: readonly (readonly [Markup, Markup])[],
): Markup {
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th>${first}</th><th>${second}</th></tr></thead><tbody>${rows.map(([a, b]) => html`<tr><td>${a}</td><td>${b}</td></tr>`)}</tbody></table></div>`
}

/** Returns lines "name: meaning" as a table. */
function namedRows(label: string, head: string, lines: readonly string[]): Markup {
  const rows = lines.map((line) => {
    const at = line.indexOf(": ")
    return [html`<code>${line.slice(0, at)}</code>`, sentence(line.slice(at + 2))] as const
  })
  return twoColumns(label, [head, "meaning"], rows)
}

/** Returns the page of a table of the results folder. */
function tableBody(e: Entry, known: Known): Markup {
  const f = e.facts[0]
  const events = known.link("event injected") === undefined ? "" : html` <a href="group-event.html">Trace events</a>.`
  return html`${head(e.name, "table of the results folder", f.about)}${list([
    ["written if", f.given === undefined ? undefined : coded(f.given)],
    ["read it with", coded(`\`lacewing sql DIR 'select * from "${e.name}"'\``)],
  ])}<p>The first column is <code>hash</code>, the run hash, for joins with <code>runs</code>.${e.name === "events" ? events : ""}</p>${namedRows(`Columns of ${e.name}`, "column", f.keys ?? [])}`
}

function columnBody(e: Entry): Markup {
  const f = e.facts[0]
  return html`${head(e.name, "column of the table runs", f.about)}${list([["type", f.type]])}`
}

function eventBody(e: Entry, known: Known): Markup {
  const f = e.facts[0]
  const to = known.link("table events")
  return html`${head(e.name, "trace event", f.about)}<p>One row of the table ${to === undefined ? html`<code>events</code>` : html`<a href="${to}"><code>events</code></a>`}, with three numbers:</p>${namedRows(`Numbers of ${e.name}`, "column", f.keys ?? [])}`
}

/** Returns the page of a stop reason. */
function stopBody(e: Entry): Markup {
  const { about, advice, exit } = stopReasons[e.name as StopReason]
  return html`${head(e.name, "why a run ended", about)}${list([
    ["exit code", exit === 0 ? "0, unless an expectation fails" : String(exit)],
    [
      "stored",
      ["memory", "time", "crashed"].includes(e.name)
        ? "no; the same command repeats the run"
        : "yes; values and fingerprint are in the results folder",
    ],
    ["source", html`stop reason of every run; <a href="guide-measuring.html">Measuring</a>`],
  ])}<p>${sentence(advice)}</p>`
}

/** Returns the page of a term. */
function wordBody(e: Entry, known: Known): Markup {
  const f = e.facts[0]
  const to = f.page === undefined ? undefined : known.link(`page ${f.page}`)
  const title = essays.find((e) => e.word === f.page)?.title
  return html`${head(e.name, "term", f.about)}${list([["aliases", e.also.join(", ")]])}${to === undefined ? "" : html`<p>More: <a href="${to}">${title}</a>.</p>`}`
}
