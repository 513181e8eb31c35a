// Generates the whole manual as a map from file names to texts: essays from docs/, reference pages from declarations,
// group pages, the start page, style and search index. It reads no files itself; the caller (scripts) provides
// the sources, the page of comparisons and a Markdown renderer.
import { html, type Markup, raw } from "../draw/report/html.ts"
import type { Catalog } from "../experiment/catalog.ts"
import type { Explanation } from "../inspect/explain.ts"
import { type Essay, essays } from "../inspect/glossary/essays.ts"
import { changelog, type Fragment } from "./changelog.ts"
import { type CommandHelp, type Entry, entriesOf, slug } from "./entry.ts"
import { type Picture, pictureOf } from "./pictures.ts"
import { bodyOf, exitTable, groups, type Known, sentence } from "./reference.ts"
import { indexOf } from "./search.ts"
import { page, redirect, type Shown, style } from "./shell.ts"

/**
 * Callbacks of the renderer: the target of a link (undefined: only its text is shown), and the page of a word in code.
 */
export interface Links {
  link(href: string): string | undefined
  code(text: string): string | undefined
  /** the recorded output of a command in a code block */
  kept(command: string): string | undefined
}

export interface Sources {
  readonly catalog: Catalog
  readonly commands: readonly (CommandHelp & { readonly help: string })[]
  readonly experiments: readonly Explanation[]
  readonly version: string
  /** the text of a file of the package; undefined if it does not exist */
  read(path: string): string | undefined
  /** whether a file is part of the published package */
  packed(path: string): boolean
  readonly fragments: readonly Fragment[]
  markdown(text: string, links: Links): string
  keptOutput(command: string): string | undefined
  /** the body of the page with all comparisons, which is not text of `docs/` */
  readonly validation: Markup
  /** address of the studio with "experiment NAME" or the example of "KIND NAME" */
  studio?(what: string): string | undefined
}

/** Returns all files of the manual. */
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
  // Plug-ins, keys and values take precedence over terms and tables with the same name.
  const byName = new Map<string, string>()
  for (const e of entries) {
    const file = `${e.file}.html`
    byName.set(`${e.family ?? e.kind} ${e.name}`, file)
    if (["word", "page", "table", "column", "event"].includes(e.kind) && byName.has(e.name)) continue
    byName.set(e.name, file)
  }
  const experimentText = new Map(
    s.experiments.map((e) => [e.key, s.read(`experiments/${e.key}/experiment.yaml`) ?? ""]),
  )
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
  // Renders an essay, and adds its headings to the search index.
  const essay = (file: string, path: string, text: string): Markup => {
    headings.set(
      file,
      [...text.matchAll(/^##+ (.+)$/gm)]
        .map((m) => m[1].replace(/[|`*]/g, ""))
        .join("; ")
        .slice(0, 260),
    )
    return raw(s.markdown(text, linksOf(path, s, known)))
  }
  for (const e of essays) {
    const near = essays.filter((w) => w.part === e.part)
    const [before, after] = [near[near.indexOf(e) - 1], near[near.indexOf(e) + 1]]
    const around: Omit<Shown, "body"> = {
      title: e.title,
      above: [
        ["Manual", "index.html"],
        [parts[e.part].title, `index.html#${e.part}`],
      ],
      ...(before === undefined ? {} : { before: [before.title, `${before.word}.html`] }),
      ...(after === undefined ? {} : { after: [after.title, `${after.word}.html`] }),
    }
    if (e.word === "validation") put(e.word, { ...around, body: s.validation })
    else {
      const path = e.file ?? "CHANGELOG.md"
      const plain = s.read(path)
      const text = e.word === "changelog" && plain !== undefined ? changelog(s.fragments, plain) : plain
      if (text === undefined)
        throw new Error(`${path} is missing: the manual has a page for it (src/inspect/glossary/essays.ts)`)
      put(e.word, { ...around, body: essay(e.word, path, text) })
    }
    for (const old of e.also ?? []) files.set(`${old}.html`, redirect(e.title, `${e.word}.html`))
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
        [groups["experiment"], "group-experiment.html"],
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
          [groups[group], `group-${group}.html`],
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
  put("index", { title: "Manual", body: startBody(s.version, essays) })
  files.set("style.css", style)
  files.set("search.js", indexOf(entries, headings))
  return files
}

/** Returns true if a name occurs in a YAML text as a separate word, outside of comments. */
function named(text: string, name: string): boolean {
  return new RegExp(`(^|[\\s:,[{"'])${name.replace(/[.+]/g, "\\$&")}($|[\\s,\\]}"'])`, "m").test(
    text.replace(/#.*$/gm, ""),
  )
}

/** Resolves links of a page relative to its folder: to another page of the manual, or to a file of the package. */
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
      if (target === "docs/index.md") return `index.html${hash}`
      const of = essays.find((e) => e.file === target)
      if (of !== undefined && s.read(target) !== undefined) return `${of.word}.html${hash}`
      const experiment = /^experiments\/([^/]+)\/README\.md$/.exec(target)?.[1]
      if (experiment !== undefined && known.link(`experiment ${experiment}`) !== undefined)
        return `${known.link(`experiment ${experiment}`)}${hash}`
      return s.packed(target) ? `../../${target}${hash}` : undefined
    },
  }
}

/** Resolves "." and ".." in a path. */
function normal(path: string): string {
  const parts: string[] = []
  for (const p of path.split("/")) {
    if (p === "..") parts.pop()
    else if (p !== "." && p !== "") parts.push(p)
  }
  return parts.join("/")
}

/** Returns a list of links with texts. */
function cards(list: readonly { name: string; file: string; about: Markup | string }[]): Markup {
  return html`<ul class="cards">${list.map((c) => html`<li><a href="${c.file}">${c.name}</a><span>${c.about}</span></li>`)}</ul>`
}

/** Returns the page of all entries of one kind. */
function groupBody(many: string, entries: readonly Entry[]): Markup {
  const rows = entries.map(
    (e) => html`<tr><td><a href="${e.file}.html"><code>${e.name}</code></a></td><td>${sentence(e.about)}</td></tr>`,
  )
  return html`<h1>${many}</h1><div class="table" tabindex="0" role="region" aria-label="${many}"><table><thead><tr><th>name</th><th>meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** Returns the start page of the reference. */
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
  return html`<h1>Reference</h1><p>The reference has one page per plug-in, key, measured value, table, column, trace event, command and stop reason, generated from their declarations. <code>lacewing explain NAME</code> prints the same in a terminal.</p>${cards(list)}<h2 id="exit-codes">Exit codes</h2>${exitTable()}`
}

const parts: Readonly<Record<Essay["part"], { readonly title: string; readonly about: string }>> = {
  guide: { title: "Guide", about: "How to do a task, in reading order." },
  model: { title: "Model", about: "What exactly is simulated: switches, engines, protocols and workloads." },
  papers: { title: "Papers", about: "Which figures of papers lacewing reproduces, and which rows differ." },
  architecture: { title: "Architecture", about: "How the code is organised, for people who change it." },
  project: { title: "Project", about: "How to contribute, what changed, and what is executed." },
}

/** Returns the start page of the manual. */
function startBody(version: string, written: readonly Essay[]): Markup {
  const of = (part: Essay["part"]) =>
    cards(
      written
        .filter((e) => e.part === part)
        .map((e) => ({ name: e.title, file: `${e.word}.html`, about: sentence(e.about) })),
    )
  const section = ([part, { title, about }]: readonly [string, { readonly title: string; readonly about: string }]) =>
    html`<h2 id="${part}">${title}</h2><p>${about}</p>${of(part as Essay["part"])}`
  return html`<h1>lacewing manual</h1><p class="lead">lacewing ${version} simulates the interconnection networks of supercomputers and AI clusters, flit by flit or packet by packet. Begin with the <a href="guide-tutorial.html">tutorial</a>. The tests of the project execute the commands of these pages, long ones in a shorter form.</p>
${Object.entries(parts).map(section)}
<h2 id="reference">Reference</h2><p>The <a href="reference.html">reference</a> has a page for each plug-in, key, result column, command and stop reason. It is generated from their declarations. To search, press <kbd>/</kbd> and type a word.</p>`
}
