// The work of scripts/prose.mjs: splits a file into texts (paragraphs of a page, string literals and comments of the
// source), and holds each to the rules.
import { execFileSync } from "node:child_process"
import { exceptions } from "./exceptions.mjs"
import { COLUMNS, LINE, LONGEST, MEAN, rules } from "./rules.mjs"

/** Pages that people read. Logs are dated notes and stay as they were written. */
const page =
  /^(README|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT|CHANGELOG)\.md$|^(docs|papers|bench|test|experiments|src|studio|changes)\/(.*\/)?[^/]*\.md$/
const log = /\/log\//
/** Glossary data name the old words on purpose; tests state texts of every kind. */
const quoted = /^src\/inspect\/glossary\/|\.test\.ts$|^src\/experiment\/renamed/

/** @returns {"page" | "source" | undefined} */
export function kindOf(file) {
  if (log.test(file)) return undefined
  if (page.test(file)) return "page"
  if (/^(src|studio)\/.*\.tsx?$/.test(file) && !quoted.test(file)) return "source"
  return undefined
}

/** Files of the repository that are checked. */
export function texts(root) {
  return execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  })
    .split("\n")
    .filter((f) => kindOf(f) !== undefined)
}

/** @returns {{ file: string, line: number, message: string }[]} */
export function findings(file, text) {
  const found = (kindOf(file) === "page" ? pageFindings(text) : sourceFindings(text)).map((f) => ({ file, ...f }))
  const own = exceptions.filter((e) => e.file === file)
  const unused = own.filter((e) => !found.some((f) => f.text.includes(e.text)))
  return [
    ...found.filter((f) => !own.some((e) => f.text.includes(e.text))),
    ...unused.map((e) => ({ file, line: 1, message: `the exception "${e.text}" matches nothing: remove it` })),
  ]
}

function pageFindings(text) {
  const found = []
  const { paragraphs, lines } = prose(text)
  for (const { line, text: words } of paragraphs) {
    found.push(...wordFindings(words, line, "page"))
    for (const s of sentencesOf(words))
      if (wordsOf(s) > LONGEST)
        found.push({
          line,
          text: s,
          message: `a sentence of ${wordsOf(s)} words (at most ${LONGEST}): ${s.slice(0, 60)}…`,
        })
  }
  for (const { line, text: l, table } of lines) {
    if (table && cells(l) > COLUMNS)
      found.push({ line, text: l, message: `a table of ${cells(l)} columns (at most ${COLUMNS})` })
    if (
      !table &&
      l.length > LINE &&
      /\s/.test(l.slice(0, LINE).trim()) &&
      !/\]\([^)]*$|https?:\/\//.test(l.slice(0, LINE))
    )
      found.push({ line, text: l, message: `a line of ${l.length} characters (at most ${LINE})` })
  }
  const { mean, sentences } = countsOf(text)
  if (sentences >= 5 && mean > MEAN)
    found.push({ line: 1, text: "", message: `the mean sentence has ${mean.toFixed(1)} words (at most ${MEAN})` })
  return found
}

function sourceFindings(source) {
  const found = []
  for (const { line, text, kind } of literals(source)) {
    if (kind === "message" && !/\s/.test(text.trim())) continue
    found.push(...wordFindings(text, line, kind))
    for (const s of sentencesOf(text))
      if (wordsOf(s) > LONGEST)
        found.push({ line, text: s, message: `a ${kind} with a sentence of ${wordsOf(s)} words: ${s.slice(0, 60)}…` })
  }
  return found
}

function wordFindings(text, line, kind) {
  const found = []
  for (const rule of rules) {
    if (rule.where !== undefined && !rule.where.includes(kind)) continue
    const all = new RegExp(rule.word.source, `${rule.word.flags}g`)
    const left = rule.but === undefined ? text : text.replace(new RegExp(rule.but.source, `${rule.but.flags}g`), "")
    for (const m of left.matchAll(all))
      found.push({
        line,
        text: context(left, m.index),
        message: `"${m[0]}" in a ${kind}: write ${rule.use} (${context(left, m.index)})`,
      })
  }
  return found
}

const context = (text, at) => text.slice(Math.max(0, at - 30), at + 40).replace(/\s+/g, " ")
const cells = (l) =>
  l
    .replace(/`[^`]*`/g, "")
    .replace(/\\\|/g, "")
    .split("|").length - 2
const wordsOf = (s) => s.split(/\s+/).filter((w) => /[\p{L}\p{N}]/u.test(w)).length

/** Sentences of a text: they end with a mark that a blank and a capital, a digit or the end follow. */
export function sentencesOf(text) {
  return text
    .replace(/\b(e\.g|i\.e|et al|vs|cf|Fig|Sec|ch|vol|no|approx|etc)\./g, "$1")
    .replace(/\b([A-Z])\. (?=[A-Z])/g, "$1 ")
    .split(/(?<=[.!?:;])["')\]]?\s+(?=["'([]?[\p{Lu}\p{N}`*])|(?<=[.!?])["')\]]?\s*$/u)
    .map((s) => s.trim())
    .filter((s) => wordsOf(s) > 0)
}

/** Words, sentences and their mean length in a page; tables and code are left out. */
export function countsOf(text) {
  const all = prose(text)
    .paragraphs.filter((p) => !p.table)
    .flatMap((p) => sentencesOf(p.text))
  const lengths = all.map(wordsOf)
  const words = lengths.reduce((sum, n) => sum + n, 0)
  return {
    words,
    sentences: all.length,
    mean: all.length === 0 ? 0 : words / all.length,
    longest: lengths.reduce((most, n) => Math.max(most, n), 0),
  }
}

/** Paragraphs, list items, headings and table cells of a page without code; and its lines outside of code. */
export function prose(text) {
  const paragraphs = []
  const lines = []
  let fenced = false
  let current
  const flush = () => {
    if (current !== undefined) paragraphs.push(current)
    current = undefined
  }
  text.split("\n").forEach((raw, i) => {
    if (/^\s*(```|~~~)/.test(raw)) {
      fenced = !fenced
      flush()
      return
    }
    if (fenced || (/^( {4}|\t)\S/.test(raw) && current === undefined)) return
    const table = /^\s*\|/.test(raw)
    const plain = plainText(raw)
    lines.push({ line: i + 1, text: raw, table })
    if (table) {
      flush()
      if (/^\s*\|[\s:|-]+\|?\s*$/.test(raw)) return
      for (const cell of plain.split("|"))
        if (cell.trim() !== "") paragraphs.push({ line: i + 1, text: cell.trim(), table: true })
      return
    }
    if (plain.trim() === "" || /^\s*(<!--|<)/.test(raw)) {
      flush()
      return
    }
    const heading = /^#+ /.test(raw)
    const item = /^\s*([-*+]|\d+[.)])\s+/.test(raw)
    if (heading || item) flush()
    const body = plain.replace(/^\s*(#+|[-*+>]|\d+[.)])\s+/, "").trim()
    if (heading) paragraphs.push({ line: i + 1, text: body, table: true })
    else if (current === undefined) current = { line: i + 1, text: body, table: false }
    else current.text += ` ${body}`
  })
  flush()
  return { paragraphs, lines }
}

/** The text of a line of Markdown: code becomes one word, links their text. */
function plainText(line) {
  return line
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`/g, "CODE")
    .replace(/https?:\/\/\S+/g, "LINK")
    .replace(/\*\*|__/g, "")
    .replace(/<[^>]+>/g, "")
}

/** String literals and comments of TypeScript, with their lines. A small scanner: strings, templates with their
 *  expressions, comments and regular expressions. */
export function literals(source) {
  const found = []
  let at = 0
  let line = 1
  let last = ""
  const templates = []
  let depth = 0
  const step = () => {
    if (source[at] === "\n") line++
    at++
  }
  const template = () => {
    const from = line
    let text = ""
    while (at < source.length && source[at] !== "`") {
      if (source[at] === "\\") {
        step()
        text += " "
        step()
      } else if (source[at] === "$" && source[at + 1] === "{") {
        at += 2
        templates.push(depth)
        depth = 0
        found.push({ line: from, text: `${text}X`, kind: "message" })
        return
      } else {
        text += source[at]
        step()
      }
    }
    at++
    last = "x"
    found.push({ line: from, text, kind: "message" })
  }
  let comment
  while (at < source.length) {
    const c = source[at]
    const next = source[at + 1]
    if (c === "/" && next === "/") {
      const end = source.indexOf("\n", at)
      const text = source.slice(at + 2, end < 0 ? source.length : end).trim()
      const own = source.slice(source.lastIndexOf("\n", at - 1) + 1, at).trim() === ""
      if (own && comment !== undefined && comment.next === line && text !== "") {
        comment.text += ` ${text}`
        comment.next = line + 1
      } else {
        comment = { line, text, kind: "comment", next: own ? line + 1 : -1 }
        found.push(comment)
      }
      at = end < 0 ? source.length : end
    } else if (c === "/" && next === "*") {
      const end = source.indexOf("*/", at)
      const text = source
        .slice(at + 2, end)
        .replace(/^\s*\*+ ?/gm, "")
        .replace(/\s+/g, " ")
        .trim()
      found.push({ line, text, kind: "comment" })
      while (at < end + 2) step()
    } else if (c === '"' || c === "'") {
      const from = line
      let text = ""
      at++
      while (at < source.length && source[at] !== c && source[at] !== "\n") {
        if (source[at] === "\\") at++
        text += source[at]
        at++
      }
      at++
      last = "x"
      found.push({ line: from, text, kind: "message" })
    } else if (c === "`") {
      at++
      template()
    } else if (c === "}" && templates.length > 0 && depth === 0) {
      depth = templates.pop()
      at++
      template()
    } else if (c === "/" && !/[\w)\]}"'`]/.test(last)) {
      let inside = false
      at++
      while (at < source.length && (source[at] !== "/" || inside)) {
        if (source[at] === "\\") at++
        else if (source[at] === "[") inside = true
        else if (source[at] === "]") inside = false
        else if (source[at] === "\n") break
        at++
      }
      at++
      last = "x"
    } else {
      if (c === "{") depth++
      if (c === "}") depth--
      if (/\S/.test(c)) {
        last = /\w/.test(c) && /\b(return|of|in|typeof|case)$/.test(source.slice(at - 6, at + 1)) ? "(" : c
      }
      step()
    }
  }
  return found
}
