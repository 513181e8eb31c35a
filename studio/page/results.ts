// The tab Results: a results folder, a Parquet file or a journal as a table with a filter and a curve. Each point can
// be opened as a live run.
import { h } from "preact"
import { useState } from "preact/hooks"
import * as actions from "./actions.ts"
import { Papers } from "./papers.ts"
import { number } from "./run.ts"
import * as s from "./state.ts"

export function Results() {
  const [only, filter] = useState("")
  const read = s.results.value
  const rows =
    read?.rows.filter((r) => only === "" || JSON.stringify({ ...r.point, seed: r.seed, why: r.why }).includes(only)) ??
    []
  return h(
    "section",
    { "aria-label": "Results" },
    h(
      "p",
      { class: "about" },
      "Open a results folder (results/…) that lacewing run wrote. The data stays in this page.",
    ),
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
    h(Papers, null),
    read === undefined
      ? null
      : h(
          "div",
          null,
          h("h2", null, read.title),
          read.said.map((w, i) => h("p", { key: i, class: "complaints" }, w)),
          h("label", { for: "filter" }, "Filter "),
          h("input", {
            id: "filter",
            value: only,
            onInput: (e: Event) => filter((e.target as HTMLInputElement).value),
          }),
          h("button", { type: "button", onClick: () => plot(rows) }, "Plot"),
          h(
            "div",
            { class: "scroll" },
            h(
              "table",
              { id: "results" },
              h("caption", null, `${rows.length} of ${read.rows.length} runs`),
              h(
                "thead",
                null,
                h(
                  "tr",
                  null,
                  ["", "point", "ended", "latency", "accepted"].map((t) =>
                    h("th", { key: t, scope: "col" }, t === "" ? h("span", { class: "hidden" }, "live") : t),
                  ),
                ),
              ),
              h(
                "tbody",
                null,
                rows
                  .slice(0, 500)
                  .map((r, i) =>
                    h(
                      "tr",
                      { key: i },
                      h("td", null, h("button", { type: "button", onClick: () => void actions.openRow(r) }, "live")),
                      h(
                        "td",
                        null,
                        [...Object.entries(r.point).map(([k, v]) => `${k} ${v}`), `seed ${r.seed}`].join(", "),
                      ),
                      h("td", null, r.why),
                      h("td", { title: r.missing["latency.mean"] }, number(r.values["latency.mean"])),
                      h("td", { title: r.missing["accepted"] }, number(r.values["accepted"], 3)),
                    ),
                  ),
              ),
            ),
          ),
        ),
  )
}

function plot(rows: NonNullable<typeof s.results.value>["rows"]): void {
  s.finished.value = rows.map(({ point, seed, spec, why, fingerprint, values, missing }, i) => ({
    ...{ hash: `stored ${i} ${fingerprint}`, point, seed, spec },
    result: { why: why as never, explains: "", fingerprint, values, missing: Object.keys(missing), tables: {} },
  }))
  s.tab.value = "run"
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
