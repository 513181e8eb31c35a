// The sheet at the left: the experiment as text and form, its runs, and stored results. The run continues behind it.
import { h } from "preact"
import * as actions from "./actions.ts"
import { Experiment } from "./experiment.ts"
import { Results } from "./results.ts"
import { Run } from "./run.ts"
import * as s from "./state.ts"

const tabs: readonly (readonly [s.Tab, string])[] = [
  ["experiment", "Experiment"],
  ["run", "Runs"],
  ["results", "Results"],
]

export function Sheet() {
  if (!s.sheet.value) return null
  return h(
    "section",
    { class: "sheet", id: "sheet", "aria-label": "Experiment, runs and results" },
    h(Open, null),
    h(
      "div",
      { role: "tablist", "aria-label": "Panels", class: "tabs" },
      tabs.map(([id, name]) =>
        h(
          "button",
          {
            key: id,
            type: "button",
            role: "tab",
            id: `tab-${id}`,
            "aria-selected": s.tab.value === id,
            "aria-controls": "panel",
            onClick: () => void (s.tab.value = id),
          },
          name,
        ),
      ),
    ),
    h(
      "div",
      { role: "tabpanel", id: "panel", class: "panel", tabIndex: 0, "aria-labelledby": `tab-${s.tab.value}` },
      s.tab.value === "experiment" ? h(Experiment, null) : s.tab.value === "run" ? h(Run, null) : h(Results, null),
    ),
  )
}

/** Opens a bundled experiment or a file. */
function Open() {
  const names = Object.keys(s.known.value)
  const { value: name } = s.fileName
  return h(
    "div",
    { class: "row" },
    h(
      "select",
      {
        id: "known",
        "aria-label": "Experiment",
        value: names.includes(name) ? name : "",
        onChange: (e: Event) => {
          const { value } = e.target as HTMLSelectElement
          if (value !== "") void actions.openExperiment(s.known.value[value], value)
        },
      },
      h("option", { value: "" }, names.includes(name) || name === "" ? "Choose an experiment" : name),
      names.map((n) => h("option", { key: n, value: n }, n)),
    ),
    h(
      "label",
      { class: "button" },
      "Open file",
      h("input", {
        type: "file",
        class: "hidden",
        "aria-label": "Open an experiment or a link file",
        onChange: openFile,
      }),
    ),
    h(
      "button",
      {
        type: "button",
        class: "close",
        id: "close-sheet",
        "aria-label": "Close",
        onClick: () => void (s.sheet.value = false),
      },
      "×",
    ),
  )
}

async function openFile(e: Event): Promise<void> {
  const file = (e.target as HTMLInputElement).files?.[0]
  if (file === undefined) return
  await actions.openGiven(file.name, new Uint8Array(await file.arrayBuffer()))
}
