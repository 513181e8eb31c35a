// The tab Results: a results folder, a Parquet file or a journal as curves and a table. Each point can be opened as a
// live run.
import { h } from "preact"
import type { ResultRow } from "../shared/planner.ts"
import * as actions from "./actions.ts"
import { Papers } from "./papers.ts"
import { Hint, Measures } from "./run.ts"
import * as s from "./state.ts"
import { Chart } from "./sweep/chart.ts"
import type { Row } from "./sweep/points.ts"
import { Table } from "./sweep/table.ts"

export const rowOf = ({ id, point, seed, spec, why, fingerprint, values, missing }: ResultRow): Row => ({
  ...{ id, point, seed, load: spec.traffic[0]?.load ?? 0, task: undefined },
  result: { why: why as never, explains: "", fingerprint, values, missing: Object.keys(missing), tables: {} },
})

export function Results() {
  const read = s.results.value
  const rows = read?.rows.map(rowOf) ?? []
  return h(
    "section",
    { "aria-label": "Results" },
    read === undefined
      ? null
      : h(
          "div",
          null,
          h("h2", null, read.title),
          read.said.map((w, i) => h("p", { key: i, class: "complaints" }, w)),
          h("div", { class: "row" }, h(Measures, { rows })),
          h(
            "div",
            { class: "sweep" },
            h("div", null, h(Chart, { rows, measure: s.measure.value, open: actions.openPoint }), h(Hint, { rows })),
            h(Table, { rows, id: "results", canRun: false }),
          ),
        ),
    h(
      "p",
      { class: "row" },
      h(
        "label",
        { class: "button" },
        "Open folder",
        h("input", {
          type: "file",
          class: "hidden",
          id: "folder",
          webkitdirectory: true,
          multiple: true,
          "aria-label": "Open a results folder",
          onChange: open,
        }),
      ),
      h("span", { class: "about" }, "A results folder that lacewing run wrote. The data stays in this page."),
    ),
    h(Papers, null),
  )
}

async function open(e: Event): Promise<void> {
  const list = [...((e.target as HTMLInputElement).files ?? [])]
  const files: Record<string, Uint8Array> = {}
  for (const f of list) {
    // The name of the folder itself is arbitrary, so it is removed from the path.
    const path = f.webkitRelativePath === "" ? f.name : f.webkitRelativePath.split("/").slice(1).join("/")
    files[`results/${path}`] = new Uint8Array(await f.arrayBuffer())
  }
  await actions.openResults(files)
}
