// The manual: every link leads somewhere, every key has a page, search and `explain` know every word, nothing is loaded
// from elsewhere, what can be drawn is drawn.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { commands } from "../../src/cli/commands.ts"
import { raw } from "../../src/draw/report/html.ts"
import { Catalog } from "../../src/experiment/catalog.ts"
import { editorSchema } from "../../src/experiment/editor-schema.ts"
import { values } from "../../src/experiment/values/list.ts"
import { explain } from "../../src/inspect/explain.ts"
import { essays } from "../../src/inspect/glossary/essays.ts"
import { stopReasons } from "../../src/inspect/glossary/stop-reasons.ts"
import { changelog } from "../../src/manual-pages/changelog.ts"
import { commandExplained, entriesOf, lookUp, slug } from "../../src/manual-pages/entry.ts"
import { experimentsExplained } from "../../src/manual-pages/experiments.ts"
import { siteOf } from "../../src/manual-pages/site.ts"
import { peerReasonOf } from "../../src/reproduce/manual/reasons.ts"
import { papers } from "../../src/reproduce/papers/index.ts"
import { standing } from "../../src/reproduce/papers/judge.ts"
import { wordOf } from "../../src/reproduce/papers/paper.ts"
import { readRecorded } from "../../src/reproduce/papers/record.ts"
import type { Validation } from "../../src/reproduce/peers/validate/rows.ts"
import { planned } from "../../studio/planner/planner.ts"
import { readFragment } from "../../studio/shared/link.ts"
import { root } from "../support/build.ts"
import { madeManual, type Site, searchOf } from "./site.ts"

let site: Site
const catalog = new Catalog()
beforeAll(() => {
  site = madeManual()
})

const studio = "../studio/index.html#"
const pages = () => site.files.filter((f) => f.endsWith(".html"))

/** href and src of a page, with the element that has it. */
function links(file: string): { element: string; to: string }[] {
  return [...site.text(file).matchAll(/<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map((m) => ({
    element: m[1],
    to: m[2],
  }))
}

describe("links", () => {
  test("there are many pages", () => expect(pages().length).toBeGreaterThan(600))
  test("each leads to a file that is there, and to an anchor that is in it", () => {
    const ids = new Map(
      pages().map((f) => [f, new Set([...site.text(f).matchAll(/\sid="([^"]+)"/g)].map((m) => m[1]))]),
    )
    const wrong: string[] = []
    for (const page of pages())
      for (const { to } of links(page)) {
        // what the studio is told stands in the fragment: it is read below
        if (/^https?:/.test(to) || to.startsWith(studio)) continue
        const [path = "", anchor] = to.split("#")
        const file = path === "" ? page : path
        if (!existsSync(join(site.folder, file))) wrong.push(`${page}: ${to}`)
        else if (anchor !== undefined && ids.get(file)?.has(anchor) !== true)
          wrong.push(`${page}: ${to} has no such anchor`)
      }
    expect(wrong).toEqual([])
  })
  test(
    "links to the studio lead to it, each with an experiment that it " +
      "accepts; few plug-ins that can be shown have none",
    async () => {
      expect(existsSync(join(site.folder, studio.slice(0, -1)))).toBe(true)
      const all = new Set(
        pages().flatMap((page) =>
          links(page).flatMap(({ to }) => (to.startsWith(studio) ? [to.slice(studio.length)] : [])),
        ),
      )
      expect(all.size).toBeGreaterThan(100)
      const refused: string[] = []
      for (const fragment of all) {
        const read = await readFragment(fragment)
        if ("bad" in read) refused.push(read.bad)
        else if ("bad" in planned(read.ok.text, "linked.yaml", read.ok.files ?? {})) refused.push(read.ok.text)
      }
      expect(refused).toEqual([])
      const shown = ["topology", "routing", "switch", "pattern", "arrivals", "probe"]
      const without = catalog.plugins.filter(
        (p) => shown.includes(p.kind) && !site.text(`${p.kind}-${p.name}.html`).includes(studio),
      )
      // those that need files of the user
      expect(without.map((p) => p.name)).toEqual(["block-trace", "matrix", "storage"])
    },
  )
  test("nothing is loaded from elsewhere", () => {
    const loaded = pages().flatMap((page) =>
      links(page)
        .filter((l) => l.element !== "a")
        .map((l) => `${page}: ${l.to}`),
    )
    expect(loaded.filter((l) => /: (?:\w+:|\/)/.test(l))).toEqual([])
    const texts = site.files.filter((f) => /\.(css|js|svg)$/.test(f))
    expect(texts.length).toBeGreaterThan(50)
    expect(
      texts.filter((f) =>
        /url\(|@import|\bfetch\(|XMLHttpRequest|https?:(?!\/\/www\.w3\.org\/2000\/svg)/.test(site.text(f)),
      ),
    ).toEqual([])
  })
  test("no page has what a template forgot", () => {
    expect(
      pages().filter((f) =>
        /\bundefined\b|\[object |NaN/.test(site.text(f).replace(/<(pre|details|table)[\s\S]*?<\/\1>|#[\w-]{40,}/g, "")),
      ),
    ).toEqual([])
  })
})

describe("written pages", () => {
  test("a page that is listed and missing is an error, unless it is being written", () => {
    const sources = {
      catalog,
      commands: [],
      experiments: [],
      version: "0",
      packed: () => false,
      fragments: [],
      markdown: (text: string) => text,
      keptOutput: () => undefined,
      validation: raw(""),
    }
    const without = (file: string) => ({ ...sources, read: (path: string) => (path === file ? undefined : "# Page") })
    expect(() => siteOf(without("docs/guide/measuring.md"))).toThrow("docs/guide/measuring.md is missing")
    expect(() => siteOf(without("docs/model/tiled.md"))).toThrow("docs/model/tiled.md is missing")
  })
  test("old addresses and other words of a page redirect to it", () => {
    const wanted = {
      numbers: "guide-measuring",
      reading: "guide-reports",
      tutorial: "guide-tutorial",
      live: "guide-studio",
    }
    for (const [old, now] of Object.entries(wanted))
      expect(site.text(`${old}.html`)).toContain(`<meta http-equiv="refresh" content="0; url=${now}.html">`)
    const words = [...essays.map((e) => e.word), ...essays.flatMap((e) => e.also ?? [])]
    expect(new Set(words).size).toBe(words.length)
  })
  test("the front page links to each of them under its part", () => {
    const front = site.text("index.html")
    for (const part of ["guide", "model", "papers", "architecture", "project", "reference"])
      expect(front).toContain(`<h2 id="${part}">`)
    const there = essays.filter((e) => site.files.includes(`${e.word}.html`))
    expect(there.length).toBeGreaterThan(25)
    expect(there.filter((e) => !front.includes(`<a href="${e.word}.html">`)).map((e) => e.word)).toEqual([])
  })
})

describe("reference", () => {
  test("every key of the schema has a page, and search finds it by its last word", () => {
    const { find } = searchOf(site)
    const keys = new Set<string>()
    const walk = (schema: unknown, path: string): void => {
      if (Array.isArray(schema)) for (const s of schema) walk(s, path)
      else if (typeof schema === "object" && schema !== null)
        for (const [k, v] of Object.entries(schema)) {
          if (k === "properties")
            for (const [name, inner] of Object.entries(v as object)) {
              // older names are explained by the page of their new name
              if (typeof inner === "object" && inner !== null && "deprecated" in inner) continue
              const key = path === "" ? name : `${path}.${name}`
              // the name of a plug-in, engine or search is a page of its own
              if (name !== "name" || path === "" || path === "traffic" || path === "jobs") keys.add(key)
              walk(inner, key)
            }
          else if (k === "anyOf" || k === "items") walk(v, path)
        }
    }
    walk(editorSchema(catalog), "")
    expect(keys.size).toBeGreaterThan(300)
    expect([...keys].filter((k) => !site.files.includes(`key-${slug(k)}.html`))).toEqual([])
    expect([...keys].filter((k) => find(k)[0]?.name !== k && find(k)[0]?.of !== "page")).toEqual([])
    expect([...keys].filter((k) => !find(k.split(".").at(-1)!).some((p) => p.name === k))).toEqual([])
  })
  test("so have plug-ins, values, commands and stop reasons", () => {
    const wanted = [
      ...catalog.plugins.map((p) => `${p.kind}-${p.name}`),
      ...Object.keys(values).map((v) => `value-${v}`),
      ...commands.filter((c) => c.name !== "task").map((c) => `command-${c.name}`),
      ...Object.keys(stopReasons).map((s) => `stop-${s}`),
    ]
    expect(wanted.filter((w) => !site.files.includes(`${w.toLowerCase()}.html`))).toEqual([])
  })
  test("a key tells unit, range, default and source", () => {
    const page = site.text("key-traffic.load.html")
    expect(page).toMatch(/<dt>range<\/dt><dd>at least 0, at most 64<\/dd>/)
    expect(page).toMatch(/<dt>source<\/dt><dd>experiment file<\/dd>/)
    expect(site.text("key-network.switch.vcs.html")).toMatch(/<h2>switch <a href="switch-tiled.html">tiled<\/a><\/h2>/)
    expect(site.text("key-measure.precision.html")).toMatch(/<dt>default<\/dt><dd><code>0\.02<\/code><\/dd>/)
    expect(site.text("command-run.html")).toContain("--dry-run")
    expect(site.text("stop-deadlock.html")).toMatch(/<dt>exit code<\/dt><dd>3<\/dd>/)
  })
  test("every topology, routing and switch is drawn, and most patterns", () => {
    const drawn = (kind: string, name: string) => /<figure>/.test(site.text(`${kind}-${name}.html`))
    const without = catalog.plugins.filter(
      (p) => ["topology", "routing", "switch", "arrivals"].includes(p.kind) && !drawn(p.kind, p.name),
    )
    expect(without.map((p) => p.name)).toEqual([])
    // those that need files of the user are not
    const patterns = catalog.family("pattern").filter((p) => !drawn("pattern", p.name))
    expect(patterns.map((p) => p.name)).toEqual(["block-trace", "matrix", "storage"])
  })
})

describe("words", () => {
  test("the index is small", () => expect(Buffer.byteLength(site.text("search.js"))).toBeLessThanOrEqual(100_000))
  test("every page of the index is there, and `explain` knows its word", () => {
    const { pages } = searchOf(site)
    expect(pages.length).toBeGreaterThan(600)
    expect(pages.filter((p) => !site.files.includes(p.file)).map((p) => p.file)).toEqual([])
    const more = [...commands.map(commandExplained), ...experimentsExplained(root)]
    const words = [...new Set(pages.flatMap((p) => [p.name, ...p.also]))]
    expect(words.filter((w) => !("ok" in explain(w, catalog, more)))).toEqual([])
  })
  test("a word leads to the same page in a terminal as in a browser", () => {
    const entries = entriesOf(catalog, commands, experimentsExplained(root))
    const { find } = searchOf(site)
    for (const word of [
      "saturation",
      "ugal",
      "engine.G",
      "engine.g",
      "vcs",
      "latency.p99",
      "run",
      "deadlock",
      "warmup",
    ])
      expect([word, `${lookUp(word, entries)[0]?.file}.html`]).toEqual([word, find(word)[0]?.file])
  })
})

describe("validation", () => {
  const page = () => site.text("validation.html")
  test("every row that fails stands there with what is known of the cause", () => {
    const failing = papers.flatMap((figure) =>
      (standing(figure, readRecorded(join(root, "papers"), figure.id))?.rows ?? [])
        .filter((r) => wordOf(r) === "fails")
        .map(() => figure.id),
    )
    expect(failing.length).toBeGreaterThan(10)
    const told = (id: string) =>
      new RegExp(`<h4 id="${id.replace("/", "-")}">[\\s\\S]*?<b>Cause:</b> (.{20})`).exec(page())?.[1]
    expect([...new Set(failing)].filter((id) => told(id) === undefined)).toEqual([])
    // of those whose cause nobody has named yet the page says so; of most it is known
    expect(failing.filter((id) => told(id)!.startsWith("the cause is not")).length).toBeLessThan(failing.length / 4)
  })
  test("so do those of other simulators, whose output is kept", () => {
    for (const suite of ["booksim2", "codes", "loggops"]) {
      const { rows } = JSON.parse(readFileSync(join(root, `docs/recorded/validate-${suite}.json`), "utf8"))
        .validation as Validation
      expect(page()).toContain(`All ${rows.length} rows`)
      expect(rows.filter((r) => r.pass === false && peerReasonOf(r.id) === undefined).map((r) => r.id)).toEqual([])
    }
  })
})

describe("the project", () => {
  test("the citation has the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(readFileSync(join(root, "CITATION.cff"), "utf8")).toContain(`\nversion: ${version}\n`)
  })
  test("the change log has every fragment once, newest first", () => {
    const files = readdirSync(join(root, "changes")).filter((f) => /^\d{4}-/.test(f))
    const text = changelog(
      files.map((file) => ({ file, text: readFileSync(join(root, "changes", file), "utf8") })),
      "# Change log\n\n## 0.1.0\n\nThe first.\n",
    )
    const numbers = [...text.matchAll(/^### (\d+)\. /gm)].map((m) => Number(m[1]))
    expect(numbers).toEqual(files.map((f) => Number(f.slice(0, 4))).sort((a, b) => b - a))
    expect(
      changelog(
        [
          { file: "0007-a-b.md", text: "One.\n" },
          { file: "README.md", text: "no" },
        ],
        "# Change log\n\n## 0.1.0\n\nThe first.\n",
      ),
    ).toBe("# Change log\n\n## Since the last entry\n\n### 7. A b\n\nOne.\n\n## 0.1.0\n\nThe first.\n")
    expect(changelog([], "# Change log\n")).toBe("# Change log\n")
  })
  test("every key that the page for those who come from elsewhere names, or a value, is one of ours", () => {
    const text = readFileSync(join(root, "docs/guide/coming-from.md"), "utf8")
    const named = [...text.matchAll(/`((?:network|traffic|measure|jobs|engine|search)\.[\w.]+)`/g)].map((m) => m[1])
    expect(named.length).toBeGreaterThan(20)
    const pageOf = (k: string) => [`key-${slug(k)}.html`, `value-${slug(k)}.html`].find((f) => site.files.includes(f))
    expect(named.filter((k) => pageOf(k!) === undefined)).toEqual([])
    const plugins = [...text.matchAll(/`((?:any|dragonfly|mesh|hyperx|slimfly|torus|tree)\.[\w.-]+)`/g)].map(
      (m) => m[1],
    )
    expect(plugins.filter((name) => !catalog.plugins.some((p) => p.name === name))).toEqual([])
  })
})
