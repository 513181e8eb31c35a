// What was run: the part of the specification that all runs share, as it would be written in a file, with the swept
// keys as lists.
import { Document, isCollection, isMap, isPair, isScalar, isSeq, visit, type YAMLMap, type YAMLSeq } from "yaml"
import type { RunRecord } from "../../results/record.ts"
import { escapeHtml, type Markup, raw } from "./html.ts"

/** Marks a value that differs between the runs while the tree is built. */
const SWEPT = "\u0000swept"
type Tree = { [key: string]: unknown }

/** Swept values carry the tag `!swept`; short maps and lists stand on one line, as one writes them. */
export function specText(records: readonly RunRecord[]): string {
  const document = new Document(shared(records.map((r) => r.spec as unknown)))
  visit(document, {
    Pair(_key, pair) {
      if (isMap(pair.value) && isSeq(pair.value.get(SWEPT))) {
        pair.value = pair.value.get(SWEPT)
        if (isSeq(pair.value)) pair.value.tag = "!swept"
      }
      if (isCollection(pair.value) && short(pair.value)) pair.value.flow = true
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

function short(collection: YAMLMap | YAMLSeq): boolean {
  const plain = collection.items.every((item) => isScalar(item) || (isPair(item) && isScalar(item.value)))
  return isSeq(collection) ? plain : plain && JSON.stringify(collection).length < 90
}

/** Equal everywhere: the value. Different maps and lists: merged key by key. Different values: the list of them. */
function shared(all: readonly unknown[]): unknown {
  const [one] = all
  if (new Set(all.map((v) => JSON.stringify(v))).size <= 1) return one
  if (all.every(isTree)) {
    const keys = [...new Set(all.flatMap((t) => Object.keys(t)))]
    return Object.fromEntries(keys.map((k) => [k, shared(all.filter((t) => Object.hasOwn(t, k)).map((t) => t[k]))]))
  }
  if (all.every(Array.isArray) && new Set(all.map((l: unknown[]) => l.length)).size === 1) {
    return (one as unknown[]).map((_, i) => shared(all.map((l) => (l as unknown[])[i])))
  }
  const distinct = [...new Map(all.map((v) => [JSON.stringify(v), v])).values()]
  return { [SWEPT]: distinct.slice(0, 40) }
}

function isTree(v: unknown): v is Tree {
  return typeof v === "object" && v !== null && !Array.isArray(v)
}

/** YAML with quiet keys and marked lists of swept values. */
export function specHtml(records: readonly RunRecord[]): Markup {
  const lines = specText(records)
    .trimEnd()
    .split("\n")
    .map((line) => {
      const m = /^(\s*(?:- )?)([^:\s][^:]*:)(.*)$/.exec(line)
      if (m === null) return escapeHtml(line)
      const value = escapeHtml(m[3]).replace(/^ !swept (.*)$/, ' <span class="swept">$1</span>')
      return `${m[1]}<span class="key">${escapeHtml(m[2])}</span>${value}`
    })
  return raw(`<pre>${lines.join("\n")}</pre>`)
}
