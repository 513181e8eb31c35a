// The tab Experiment: the text, and a form on request. They edit each other. Complaints are shown at their lines.
import { h } from "preact"
import type { FormField } from "../shared/planner.ts"
import * as actions from "./actions.ts"
import { Editor } from "./editor.ts"
import * as s from "./state.ts"

export function Experiment() {
  const wrong = s.complaints.value.length > 0
  return h(
    "section",
    { "aria-label": "Experiment", class: s.formOpen.value ? "experiment both" : "experiment" },
    h("div", { class: "left" }, h(Editor, null), h(Complaints, null), h(Buttons, { wrong }), h(Proofs, null)),
    s.formOpen.value ? h(Form, { wrong }) : null,
  )
}

/** All complaints with their lines, also those that have no line. */
function Complaints() {
  if (s.complaints.value.length === 0) return null
  return h(
    "ul",
    { class: "complaints", role: "alert", id: "complaints" },
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
  )
}

function Buttons({ wrong }: { wrong: boolean }) {
  const button = (id: string, label: string, does: () => void, more: object = { disabled: wrong }) =>
    h("button", { type: "button", id, onClick: does, ...more }, label)
  return h(
    "p",
    { class: "row" },
    button("build", "Simulate this text", () => void actions.buildText(), { disabled: wrong, class: "main" }),
    button("check", "Check for deadlocks", () => void actions.check()),
    button(
      "form",
      s.formOpen.value ? "Hide the form" : "Show as a form",
      () => void (s.formOpen.value = !s.formOpen.value),
      {
        "aria-expanded": s.formOpen.value,
      },
    ),
    h("span", { class: "about" }, "Ctrl space completes a key or a value."),
  )
}

function Proofs() {
  return s.proofs.value === undefined
    ? null
    : s.proofs.value.map((p, i) =>
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
      )
}

function Form({ wrong }: { wrong: boolean }) {
  return h(
    "div",
    { class: "form" },
    wrong
      ? h(
          "p",
          { class: "about" },
          "The form shows the last valid text. Changes in the form are written into the current text.",
        )
      : null,
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
