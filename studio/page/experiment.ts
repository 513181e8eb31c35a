// The tab Experiment: the text and a form that edit each other. Complaints are shown at their lines.
import { h } from "preact"
import type { FormField } from "../shared/planner.ts"
import * as actions from "./actions.ts"
import * as s from "./state.ts"

let typing: ReturnType<typeof setTimeout> | undefined

export function Experiment() {
  const lines = s.text.value.split("\n").length
  const bad = new Set(s.complaints.value.map((c) => c.line))
  return h(
    "section",
    { "aria-label": "Experiment" },
    h("div", { class: "editor" }, [
      h(
        "div",
        { class: "gutter", "aria-hidden": "true", key: "gutter" },
        Array.from({ length: lines }, (_, i) => h("div", { key: i, class: bad.has(i + 1) ? "wrong" : "" }, i + 1)),
      ),
      h("textarea", {
        key: "text",
        id: "text",
        "aria-label": "Experiment in YAML",
        "aria-invalid": s.complaints.value.length > 0 ? "true" : "false",
        spellcheck: false,
        rows: lines + 1,
        value: s.text.value,
        onInput: (e: Event) => {
          const { value } = e.target as HTMLTextAreaElement
          s.text.value = value
          clearTimeout(typing)
          typing = setTimeout(() => void actions.setText(value), 250)
        },
      }),
    ]),
    s.complaints.value.length === 0
      ? null
      : h(
          "ul",
          { class: "complaints", role: "alert" },
          s.complaints.value
            .slice(0, 12)
            .map((c, i) =>
              h(
                "li",
                { key: i },
                c.line === undefined ? null : h("b", null, `line ${c.line} `),
                h("code", null, c.path),
                ` ${c.says}`,
                c.fix === "" ? null : h("em", null, ` ${c.fix}`),
              ),
            ),
        ),
    h(
      "p",
      { class: "row" },
      h(
        "button",
        { type: "button", id: "check", onClick: () => void actions.check(), disabled: s.complaints.value.length > 0 },
        "Check",
      ),
      h(
        "button",
        { type: "button", onClick: () => void actions.openA(), disabled: s.complaints.value.length > 0 },
        "Build",
      ),
    ),
    s.proofs.value?.map((p, i) =>
      h(
        "div",
        { key: i, class: p.free ? "proof" : "proof wrong" },
        h("b", null, p.network),
        h(
          "ul",
          null,
          p.words.map((w, k) => h("li", { key: k }, w)),
        ),
      ),
    ),
    s.complaints.value.length === 0
      ? null
      : h(
          "p",
          { class: "about" },
          "The form below shows the last valid text. Changes in the form are written into the current text.",
        ),
    s.form.value.map((part) =>
      h(
        "details",
        { key: part.title, open: part.title === "Traffic" || part.title === "Traffic 1" || part.title === "Topology" },
        h("summary", null, part.title),
        h("p", { class: "about" }, part.about),
        part.fields.map((f) => h(Field, { key: f.path, f })),
      ),
    ),
  )
}

function Field({ f }: { f: FormField }) {
  const id = `f-${f.path}`
  const change = (e: Event) => {
    const { value } = e.target as HTMLInputElement
    void actions.write(f.path, value === "" ? null : plain(value))
  }
  const value = f.value === undefined || f.value === null ? "" : String(f.value)
  const input =
    f.choices !== undefined
      ? h("select", { id, value, onChange: change, disabled: f.swept }, [
          f.choices.includes(value) ? null : h("option", { key: "", value }, value),
          ...f.choices.map((c) => h("option", { key: c, value: c }, c)),
        ])
      : h("input", { id, value, onChange: change, disabled: f.swept, class: f.written ? "written" : "" })
  const unit = [f.unit, f.range].filter((x) => x !== undefined).join(", ")
  return h(
    "div",
    { class: "field" },
    h("label", { for: id, title: f.about, class: f.written ? "written" : "" }, f.key),
    input,
    h("small", null, f.swept ? "swept; " : "", f.about, unit === "" ? "" : ` (${unit})`),
  )
}

/** Parses a value as YAML does. */
function plain(value: string): unknown {
  if (value === "true") return true
  if (value === "false") return false
  return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value
}
