// The whole manual as files: path -> text. Reads nothing by itself but recorded papers; whoever calls hands in sources and a renderer of Markdown.
import { html, type Markup, raw } from "../draw/report/html.ts"
import type { Catalog } from "../experiment/catalog.ts"
import type { Explanation } from "../inspect/explain.ts"
import { type Essay, essays } from "../inspect/words/essays.ts"
import { changelog, type Fragment } from "./changelog.ts"
import { type CommandHelp, type Entry, entriesOf, slug } from "./entry.ts"
import { type Picture, pictureOf } from "./pictures.ts"
import { bodyOf, groups, type Known, sentence } from "./reference.ts"
import { indexOf } from "./search.ts"
import { page, type Shown, style } from "./shell.ts"
import { type Kept, type Papers, validationBody } from "./validation.ts"

/** What a renderer asks: where a link of a page leads (undefined: nowhere, only its text is shown), and which page a word in code has. */
export interface Links {
  link(href: string): string | undefined
  code(text: string): string | undefined
  /** what a command of a block printed when it was run in full */
  kept(command: string): string | undefined
}

export interface Sources {
  readonly catalog: Catalog
  readonly commands: readonly (CommandHelp & { readonly help: string })[]
  readonly experiments: readonly Explanation[]
  readonly version: string
  /** the text of a file of the package; undefined where there is none */
  read(path: string): string | undefined
  /** whether a file is in the package that is published */
  packed(path: string): boolean
  readonly fragments: readonly Fragment[]
  markdown(text: string, links: Links): string
  readonly kept: readonly Kept[]
  keptOutput(command: string): string | undefined
  readonly papers: Papers
  /** address of the studio with "experiment NAME" or the example of "KIND NAME" */
  studio?(what: string): string | undefined
}

export function siteOf(s: Sources): Map<string, string> {
  const files = new Map<string, string>()
  const entries = entriesOf(s.catalog, s.commands, s.experiments)
  const pictures = new Map<string, { is: Picture; file: string }>()
  for (const p of s.catalog.plugins) {
    const is = pictureOf(p)
    if (is === undefined) continue
    const file = `${p.kind}-${slug(p.name)}.svg`
    pictures.set(`${p.kind} ${p.name}`, { is, file })
    if (is.apart) files.set(file, is.svg)
  }
  const byName = new Map<string, string>()
  for (const e of entries) {
    const file = `${e.file}.html`
    byName.set(`${e.family ?? e.kind} ${e.name}`, file)
    if (e.kind === "word" && byName.has(e.name)) continue
    byName.set(e.name, file)
  }
  const experimentText = new Map(s.experiments.map((e) => [e.key, s.read(`experiments/${e.key}/experiment.yaml`) ?? ""]))
  const known: Known = {
    link: (name) => byName.get(name),
    plugin: (family, name) => s.catalog.plugins.find((p) => p.kind === family && p.name === name),
    picture: (p) => pictures.get(`${p.kind} ${p.name}`),
    help: (command) => s.commands.find((c) => c.name === command)?.help,
    used: (name) => [...experimentText].filter(([, text]) => named(text, name)).map(([e]) => e),
    ...(s.studio === undefined ? {} : { studio: s.studio }),
  }
  const put = (file: string, shown: Shown) => files.set(`${file}.html`, page(shown, s.version))
  const headings = new Map<string, string>()
  const essay = (file: string, path: string, text: string): Markup => {
    headings.set(
      file,
      [...text.matchAll(/^##+ (.+)$/gm)]
        .map((m) => m[1]!.replace(/[|`*]/g, ""))
        .join("; ")
        .slice(0, 260),
    )
    return raw(s.markdown(text, linksOf(path, s, known)))
  }
  for (const e of essays) {
    if (e.word === "validation") put(e.word, { title: e.title, above: [["Manual", "index.html"]], body: validationBody(s.kept, s.papers) })
    else {
      const path = e.file ?? "changes/README.md"
      const text = e.word === "changelog" ? changelog(s.fragments, s.version) : s.read(path)
      if (text === undefined) throw new Error(`${path} is not there: the manual has a page for it (src/inspect/words/essays.ts)`)
      put(e.word, { title: e.title, above: [["Manual", "index.html"]], body: essay(e.word, path, text) })
    }
  }
  for (const e of s.experiments) {
    const path = `experiments/${e.key}/README.md`
    const yaml = experimentText.get(e.key)!
    const run = s.studio?.(`experiment ${e.key}`)
    const body = html`${essay(`experiment-${e.key}`, path, s.read(path)!)}${run === undefined ? "" : html`<p><a class="run" href="${run}">Run it here</a>, in the studio.</p>`}${yaml === "" ? "" : html`<h2>The file</h2><pre tabindex="0"><code>${yaml}</code></pre>`}`
    put(`experiment-${slug(e.key)}`, {
      title: e.key,
      above: [
        ["Reference", "reference.html"],
        [groups["experiment"]!, "group-experiment.html"],
      ],
      body,
    })
  }
  for (const e of entries) {
    const group = e.family ?? e.kind
    if (e.kind !== "page" && e.kind !== "experiment")
      put(e.file, {
        title: e.name,
        above: [
          ["Reference", "reference.html"],
          [groups[group]!, `group-${group}.html`],
        ],
        body: bodyOf(e, known),
      })
  }
  for (const [group, many] of Object.entries(groups))
    put(`group-${group}`, {
      title: many,
      above: [["Reference", "reference.html"]],
      body: groupBody(
        many,
        entries.filter((e) => (e.family ?? e.kind) === group),
      ),
    })
  put("reference", { title: "Reference", above: [["Manual", "index.html"]], body: referenceBody(entries) })
  put("index", { title: "Manual", body: startBody(s.version) })
  files.set("style.css", style)
  files.set("search.js", indexOf(entries, headings))
  return files
}

/** A name as a word of its own. */
function named(text: string, name: string): boolean {
  return new RegExp(`(^|[\\s:,[{"'])${name.replace(/[.+]/g, "\\$&")}($|[\\s,\\]}"'])`, "m").test(text.replace(/#.*$/gm, ""))
}

function linksOf(from: string, s: Sources, known: Known): Links {
  const folder = from.includes("/") ? from.slice(0, from.lastIndexOf("/") + 1) : ""
  return {
    code: (text) => known.link(text),
    kept: s.keptOutput,
    link(href) {
      if (/^\w+:/.test(href)) return href
      const [path = "", anchor] = href.split("#")
      const hash = anchor === undefined ? "" : `#${anchor}`
      if (path === "") return hash
      const target = normal(folder + path)
      const of = essays.find((e) => e.file === target)
      if (of !== undefined) return `${of.word}.html${hash}`
      const experiment = /^experiments\/([^/]+)\/README\.md$/.exec(target)?.[1]
      if (experiment !== undefined && known.link(`experiment ${experiment}`) !== undefined)
        return `${known.link(`experiment ${experiment}`)}${hash}`
      return s.packed(target) ? `../../${target}${hash}` : undefined
    },
  }
}

function normal(path: string): string {
  const parts: string[] = []
  for (const p of path.split("/")) {
    if (p === "..") parts.pop()
    else if (p !== "." && p !== "") parts.push(p)
  }
  return parts.join("/")
}

function cards(list: readonly { name: string; file: string; about: Markup | string }[]): Markup {
  return html`<ul class="cards">${list.map((c) => html`<li><a href="${c.file}">${c.name}</a><span>${c.about}</span></li>`)}</ul>`
}

function groupBody(many: string, entries: readonly Entry[]): Markup {
  const rows = entries.map((e) => html`<tr><td><a href="${e.file}.html"><code>${e.name}</code></a></td><td>${sentence(e.about)}</td></tr>`)
  return html`<h1>${many}</h1><div class="table" tabindex="0" role="region" aria-label="${many}"><table><thead><tr><th>name</th><th>meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function referenceBody(entries: readonly Entry[]): Markup {
  const list = Object.entries(groups).map(([group, many]) => {
    const of = entries.filter((e) => (e.family ?? e.kind) === group)
    return {
      name: `${many} (${of.length})`,
      file: `group-${group}.html`,
      about: `${of
        .slice(0, 6)
        .map((e) => e.name)
        .join(", ")}${of.length > 6 ? ", …" : ""}`,
    }
  })
  return html`<h1>Reference</h1><p>One page for each plug-in, key, measured value, command and reason for which a run ends, made from their declarations. <code>lacewing explain WORD</code> says the same in a terminal.</p>${cards(list)}`
}

const parts: Readonly<Record<Essay["part"], string>> = {
  start: "Start here",
  understand: "Understand",
  topics: "Topics",
  project: "The project",
}

function startBody(version: string): Markup {
  const of = (part: Essay["part"]) =>
    cards(essays.filter((e) => e.part === part).map((e) => ({ name: e.title, file: `${e.word}.html`, about: sentence(e.about) })))
  return html`<h1>The manual of lacewing</h1><p class="lead">lacewing ${version} simulates the interconnection network of a supercomputer: endpoints, switches, links, the packets between them, and what congestion does to them. Every command on these pages is run by the tests of the project.</p>
${Object.entries(parts).map(([part, title], i) => html`<h2${i === 0 ? raw(' id="essays"') : ""}>${title}</h2>${of(part as Essay["part"])}`)}
<h2>Reference</h2><p>Every plug-in, key, value, command and stop reason: <a href="reference.html">the reference</a>. Or press <kbd>/</kbd> and write a word.</p>`
}
