// The gallery: figures of papers with their reproduction results. The quick mode of each can run in the browser.
import { h } from "preact"
import { useState } from "preact/hooks"
import * as actions from "./actions.ts"
import { isSingleFile } from "./site.ts"
import * as s from "./state.ts"

type Figure = NonNullable<typeof s.papers.value>[number]

export function Papers() {
  const [only, filter] = useState("")
  const papers = s.papers.value
  if (papers === undefined && isSingleFile()) return null
  if (papers === undefined)
    return h(
      "p",
      null,
      h("button", { type: "button", id: "papers", onClick: () => void actions.openPapers() }, "Figures of papers"),
    )
  const found = papers.filter((p) => `${p.id} ${p.title} ${p.claim}`.toLowerCase().includes(only.toLowerCase()))
  return h(
    "div",
    { id: "gallery" },
    h("h2", null, "Figures of papers"),
    h("label", { for: "gallery-filter" }, "Filter "),
    h("input", {
      id: "gallery-filter",
      value: only,
      onInput: (e: Event) => filter((e.target as HTMLInputElement).value),
    }),
    h(
      "p",
      { class: "about" },
      `${found.length} of ${papers.length}. Each runs in its quick version, which takes minutes.`,
    ),
    h(
      "div",
      { class: "scroll tall" },
      found.map((p) => h(One, { key: p.id, figure: p })),
    ),
  )
}

function One({ figure }: { figure: Figure }) {
  const names = Object.keys(figure.experiments)
  const [which, choose] = useState(names[0] ?? "")
  return h(
    "details",
    { class: "figure" },
    h("summary", null, `${figure.id}: ${figure.title}`, h("small", null, figure.says)),
    h("p", { class: "about" }, figure.claim, figure.scaled === "" ? "" : `. Scaled down: ${figure.scaled}.`),
    h(
      "p",
      { class: "row" },
      names.length > 1
        ? h(
            "select",
            {
              "aria-label": `Experiment of ${figure.id}`,
              value: which,
              onChange: (e: Event) => choose((e.target as HTMLSelectElement).value),
            },
            names.map((n) => h("option", { key: n, value: n }, n)),
          )
        : null,
      h("button", { type: "button", class: "run-here", onClick: () => void runIt(figure, which) }, "Run it here"),
    ),
  )
}

async function runIt({ id, experiments }: Figure, which: string): Promise<void> {
  await actions.openExperiment(JSON.stringify(experiments[which], null, 2), `${id.replace("/", "-")}-${which}.json`)
  s.tab.value = "run"
}
