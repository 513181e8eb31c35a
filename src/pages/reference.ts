// Reference pages: what is declared of a plug-in, key, value, command or stop reason, an example, and what it belongs to. Nothing here is written twice: it all comes from schemas and help.
import { html, type Markup, raw } from "../draw/report/html.ts"
import type { Explanation } from "../inspect/explain.ts"
import { stopReasons } from "../inspect/words/stop-reasons.ts"
import type { AnyPlugin } from "../library.ts"
import type { StopReason } from "../model/experiment.ts"
import type { Entry } from "./entry.ts"
import type { Picture } from "./pictures.ts"

export interface Known {
  /** the page of a name, if there is one */
  link(name: string): string | undefined
  plugin(family: string, name: string): AnyPlugin | undefined
  picture(p: AnyPlugin): { readonly is: Picture; readonly file: string } | undefined
  help(command: string): string | undefined
  /** experiments whose file names it */
  used(name: string): readonly string[]
  /** address of the studio with an experiment or the example of a plug-in, by "experiment NAME" or "KIND NAME", where there is one */
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
  stop: "Why runs end",
  experiment: "Experiments",
  word: "Words",
}

export function bodyOf(e: Entry, known: Known): Markup {
  if (e.kind === "plug-in") return pluginBody(e, known)
  if (e.kind === "key") return keyBody(e, known)
  if (e.kind === "value") return valueBody(e)
  if (e.kind === "command") return commandBody(e, known)
  if (e.kind === "stop") return stopBody(e)
  return wordBody(e)
}

const head = (name: string, kind: string, about: string): Markup =>
  html`<h1>${name}</h1><p class="kind">${kind}</p><p>${sentence(about)}</p>`

/** A symbol such as q² or k-ary keeps its letter, a key such as measure.limit too. */
export function sentence(text: string): Markup {
  const first = /^(a|[a-z]{2,})(?!\.?\w)/.test(text) ? text[0]!.toUpperCase() : text[0]
  const whole = text === "" ? "" : `${first}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`
  return coded(whole)
}

/** Text in which what stands between backticks is code. */
function coded(text: string): Markup {
  return raw(html`${text}`.text.replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`))
}

function list(rows: readonly (readonly [string, Markup | string | undefined])[]): Markup {
  const there = rows.filter(([, v]) => v !== undefined && v !== "")
  return html`<dl class="facts">${there.map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>`
}

export function valueText(v: unknown): string {
  return typeof v === "string" ? v : JSON.stringify(v)
}

function factsOf(f: Explanation): Markup {
  const value =
    f.default !== undefined
      ? valueText(f.default)
      : f.required === true
        ? "none: it must be given"
        : f.type === undefined
          ? undefined
          : "none: may be left out"
  return list([
    ["type", f.type],
    ["unit", f.unit],
    ["range", f.range],
    ["default", value === undefined ? undefined : html`<code>${value}</code>`],
    ["source", f.source],
  ])
}

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
    return to === undefined ? html`<li><code>${k}</code></li>` : html`<li><a href="${to}"><code>${e.name}.${k}</code></a></li>`
  })
  const about = several && new Set(e.facts.map((f) => f.about)).size > 1 ? `${e.facts.length} plug-ins have this key` : e.about
  return html`${head(e.name, "key of the experiment file", about)}${e.facts.map(one)}${links.length === 0 ? "" : html`<h2>Below it</h2><ul>${links}</ul>`}`
}

/** The key in its place in a file. */
function example(f: Explanation, plugin: string): Markup {
  const parts = f.key.split(".")
  if (parts.length === 1) return html``
  const value = f.default !== undefined ? valueText(f.default) : "…"
  const shown = value === "" ? '""' : value
  const slot = Object.entries(families).find(([k, { slot }]) => f.source.startsWith(`${k} `) && f.key.startsWith(`${slot}.`))
  const text =
    slot !== undefined && parts.length === 3
      ? `${parts[0]}:\n  ${parts[1]}: { name: ${plugin}, ${parts[2]}: ${shown} }`
      : slot !== undefined && parts.length === 2
        ? `${parts[0]}:\n  - { name: ${plugin}, ${parts[1]}: ${shown} }`
        : `${parts.map((p, i) => `${"  ".repeat(i)}${p}:`).join("\n")} ${shown}`
  return html`<pre tabindex="0"><code>${text}</code></pre><p class="note">On the command line: <code>--set ${f.key.replace(/^(traffic|jobs)\./, "$1.0.")}=${shown}</code></p>`
}

function pluginBody(e: Entry, known: Known): Markup {
  const f = e.facts[0]!
  const family = e.family!
  const p = known.plugin(family, e.name)!
  const { slot } = families[family]!
  const shown = known.picture(p)
  const picture =
    shown === undefined
      ? ""
      : html`<figure>${shown.is.apart ? html`<img src="${shown.file}" alt="${shown.is.says}">` : raw(shown.is.svg)}<figcaption>${shown.is.says}${shown.is.command === undefined ? "" : html` <code>${shown.is.command}</code>`}</figcaption></figure>`
  const rows = Object.entries(p.params.describe()).map(([k, i]) => {
    const to = known.link(`key ${slot}.${k}`)
    const name = to === undefined ? html`<code>${k}</code>` : html`<a href="${to}"><code>${k}</code></a>`
    const fallback = i.fallback !== undefined ? html`<code>${valueText(i.fallback)}</code>` : i.required ? "must be given" : "none"
    return html`<tr><td>${name}</td><td>${coded(i.about || i.type)}</td><td>${i.unit?.startsWith(`${i.type}, `) ? i.unit : [i.type, i.unit].filter(Boolean).join(", ")}${i.range === undefined ? "" : html`<br>${i.range}`}</td><td>${fallback}</td></tr>`
  })
  const params =
    rows.length === 0
      ? html`<p>It has no parameters.</p>`
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
<pre tabindex="0"><code>${yaml}</code></pre>${here === undefined ? "" : html`<p><a class="run" href="${here}">Run it here</a>: a small example, in the studio.</p>`}${params}`
}

function valueBody(e: Entry): Markup {
  const f = e.facts[0]!
  const unit = f.unit === "cycles" ? "60cycles" : "0.5"
  return html`${head(e.name, "measured value", f.about)}${list([
    ["unit", f.unit],
    ["given by", f.given],
    ["missing", f.missing === undefined ? undefined : `if ${f.missing}`],
    ["source", coded("of every run: table, CSV, JSON, Parquet and `lacewing sql`")],
  ])}<p>As a threshold, which gives exit code 1 when it fails:</p><pre tabindex="0"><code>expect:
  - ${e.name} &lt; ${unit}</code></pre>`
}

function commandBody(e: Entry, known: Known): Markup {
  return html`${head(`lacewing ${e.name}`, "command", e.about)}<pre tabindex="0"><code>${known.help(e.name) ?? ""}</code></pre><p>Exit codes: 0 done, 1 an expectation or a row failed, 2 the input is wrong and nothing was run, 3 the simulated network deadlocked or starved, 130 interrupted.</p>`
}

function stopBody(e: Entry): Markup {
  const { about, advice, exit } = stopReasons[e.name as StopReason]
  return html`${head(e.name, "why a run ended", about)}${list([
    ["exit code", exit === 0 ? "0, unless an expectation fails" : String(exit)],
    [
      "kept",
      ["memory", "time", "crashed"].includes(e.name)
        ? "no: nothing is kept of such a run, and it is run again by the same command"
        : "yes: values and fingerprint are in the results folder",
    ],
    ["source", html`<code>why</code> of every run; <a href="numbers.html">How a number is made</a>`],
  ])}<p>${sentence(advice)}</p>`
}

function wordBody(e: Entry): Markup {
  const f = e.facts[0]!
  return html`${head(e.name, "word", f.about)}${list([["also", e.also.join(", ")]])}${f.page === undefined ? "" : html`<p>More: <a href="${f.page}.html">${f.page}</a>.</p>`}`
}
