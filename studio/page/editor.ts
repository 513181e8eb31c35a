// The editor of the experiment: a text field with line numbers. Complaints stand behind their lines with a wave under
// the wrong word, and a list completes keys and values at the cursor. A layer below the text draws the complaints.
import { h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Completion, SaidAt } from "../shared/planner.ts"
import * as actions from "./actions.ts"
import * as s from "./state.ts"

/** Milliseconds after a key until the text is read, and until a list is offered. */
const READ = 250
const OFFER = 120
/** Items of the list. */
const SHOWN = 9

export function Editor() {
  const field = useRef<HTMLTextAreaElement>(null)
  const [list, offer] = useState<Completion | undefined>(undefined)
  const [at, choose] = useState(0)
  const timers = useRef({ read: 0, offer: 0, asked: 0 })
  const text = s.text.value
  const lines = text.split("\n")
  const bad = new Map<number, SaidAt>()
  for (const c of s.complaints.value) if (c.line !== undefined && !bad.has(c.line)) bad.set(c.line, c)

  /** `isAsked`: also where no word has begun. Otherwise the key Enter would insert a key into an empty line. */
  const complete = async (isAsked: boolean) => {
    const element = field.current
    if (element === null) return
    const asked = ++timers.current.asked
    const found = await actions.complete(element.value, element.selectionStart)
    if (asked !== timers.current.asked || document.activeElement !== element) return
    choose(0)
    offer(isAsked || (found !== undefined && found.from < found.to) ? found : undefined)
  }
  const close = () => {
    timers.current.asked++
    clearTimeout(timers.current.offer)
    offer(undefined)
  }
  const changed = (value: string) => {
    s.text.value = value
    clearTimeout(timers.current.read)
    timers.current.read = Number(setTimeout(() => void actions.setText(value), READ))
  }
  const accept = (item: Completion["items"][number] | undefined) => {
    const element = field.current
    if (list === undefined || item === undefined || element === null) return
    close()
    // The browser changes the text, so that undo works.
    element.setSelectionRange(list.from, list.to)
    element.focus()
    if (!document.execCommand("insertText", false, item.insert)) {
      element.setRangeText(item.insert, list.from, list.to, "end")
      changed(element.value)
    }
    if (item.insert.endsWith(": ")) timers.current.offer = Number(setTimeout(() => void complete(true), OFFER))
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => choose((at + 1) % (list?.items.length ?? 1)),
    ArrowUp: () => choose((at + (list?.items.length ?? 1) - 1) % (list?.items.length ?? 1)),
    Enter: () => accept(list?.items[at]),
    Tab: () => accept(list?.items[at]),
    Escape: close,
  }
  useEffect(() => () => clearTimeout(timers.current.offer), [])
  return h(
    "div",
    { class: "editor" },
    h(
      "div",
      { class: "gutter", "aria-hidden": "true" },
      lines.map((_, i) => h("div", { key: i, class: bad.has(i + 1) ? "wrong" : "" }, i + 1)),
    ),
    h(
      "div",
      { class: "page" },
      h(
        "pre",
        { class: "under", "aria-hidden": "true" },
        lines.map((line, i) => h(Line, { key: i, line, bad: bad.get(i + 1) })),
      ),
      h("textarea", {
        ref: field,
        id: "text",
        "aria-label": "Experiment in YAML",
        "aria-invalid": s.complaints.value.length > 0 ? "true" : "false",
        "aria-autocomplete": "list",
        "aria-controls": list === undefined ? undefined : "completions",
        "aria-activedescendant": list === undefined ? undefined : `completion-${at}`,
        "aria-describedby": s.complaints.value.length > 0 ? "complaints" : undefined,
        spellcheck: false,
        autocapitalize: "off",
        rows: lines.length + 1,
        value: text,
        onInput: (e: InputEvent) => {
          changed((e.target as HTMLTextAreaElement).value)
          clearTimeout(timers.current.offer)
          // Deleting text offers no list.
          if (e.inputType?.startsWith("insert"))
            timers.current.offer = Number(setTimeout(() => void complete(false), OFFER))
          else close()
        },
        onKeyDown: (e: KeyboardEvent) => {
          if (e.ctrlKey && e.key === " ") {
            e.preventDefault()
            void complete(true)
            return
          }
          const does = list === undefined ? undefined : keys[e.key]
          if (does === undefined) return
          e.preventDefault()
          e.stopPropagation()
          does()
        },
        onBlur: close,
        onClick: close,
      }),
      list === undefined ? null : h(List, { list, at, text, accept }),
    ),
  )
}

/** A line of the layer below the text. Its text is transparent. */
function Line({ line, bad }: { line: string; bad: SaidAt | undefined }) {
  if (bad === undefined) return h("div", null, line === "" ? "\u200b" : line)
  const from = Math.max(0, (bad.column ?? 1) - 1)
  const { width: length = 1 } = bad
  return h(
    "div",
    { class: "bad" },
    line.slice(0, from),
    h("u", null, line.slice(from, from + length) || " "),
    line.slice(from + length),
    h("span", null, `${bad.says}${bad.fix === "" ? "" : `: ${bad.fix}`}`),
  )
}

/** The list of completions below the cursor. */
function List(p: { list: Completion; at: number; text: string; accept: (item: Completion["items"][number]) => void }) {
  const { list, at, text, accept } = p
  const before = text.slice(0, list.from).split("\n")
  const first = Math.max(0, Math.min(at - SHOWN + 2, list.items.length - SHOWN))
  const { about = "" } = list.items[at] ?? {}
  return h(
    "div",
    {
      class: "completions",
      style: { left: `calc(${before[before.length - 1].length}ch + 4px)`, top: `calc(${before.length} * 1.5em + 6px)` },
      // The field keeps the focus.
      onMouseDown: (e: Event) => e.preventDefault(),
    },
    h(
      "ul",
      { id: "completions", role: "listbox", "aria-label": "Completions" },
      list.items.slice(first, first + SHOWN).map((item, i) =>
        h(
          "li",
          {
            key: item.label,
            id: `completion-${first + i}`,
            role: "option",
            "aria-selected": first + i === at,
            onClick: () => accept(item),
          },
          item.label,
        ),
      ),
    ),
    about === "" ? null : h("p", null, about),
  )
}
