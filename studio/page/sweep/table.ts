// The table of a sweep: a row for each run with its state, its values, and buttons that open, stop or resume it.
import { h } from "preact"
import { useState } from "preact/hooks"
import { counted, stopText } from "../../../src/core/wording.ts"
import { reasonMissing, valueIn } from "../../../src/model/missing.ts"
import * as actions from "../actions.ts"
import type { Row } from "./points.ts"

/** Rows that are drawn, and the number from which a filter is useful. */
const MOST_ROWS = 400
const FILTERED = 12

export const nameOf = ({ point, seed }: Pick<Row, "point" | "seed">): string =>
  [...Object.entries(point).map(([k, v]) => (typeof v === "number" ? `${k} ${v}` : v)), `seed ${seed}`].join(", ")

const number = (n: number | undefined, digits = 1): string =>
  n === undefined || Number.isNaN(n) ? "–" : n.toFixed(digits)

export function Table({ rows, id, canRun }: { rows: readonly Row[]; id: string; canRun: boolean }) {
  const [only, filter] = useState("")
  const words = only.toLowerCase().split(/\s+/).filter(Boolean)
  const found = rows.filter((row) => {
    const text = `${nameOf(row)} ${row.result?.why ?? row.task?.state ?? ""}`.toLowerCase()
    return words.every((w) => text.includes(w))
  })
  const columns = ["", "run", "state", "latency", "accepted", ...(canRun ? [""] : [])]
  const all = counted(rows.length, "run")
  const caption = rows.length === found.length ? all : `${found.length} of ${all}`
  return h(
    "div",
    { class: "runs" },
    rows.length > FILTERED
      ? h(
          "p",
          { class: "row" },
          h("label", { for: `filter-${id}` }, "Filter"),
          h("input", {
            id: `filter-${id}`,
            value: only,
            placeholder: "load 0.3",
            onInput: (e: Event) => filter((e.target as HTMLInputElement).value),
          }),
        )
      : null,
    h(
      "div",
      { class: "scroll", tabIndex: 0, role: "group", "aria-label": caption },
      h(
        "table",
        { id },
        h("caption", null, caption),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            columns.map((t, i) =>
              h("th", { key: i, scope: "col" }, t === "" ? h("span", { class: "hidden" }, "action") : t),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          found.slice(0, MOST_ROWS).map((row) => h(Line, { key: row.id, row, canRun })),
        ),
      ),
      found.length > MOST_ROWS
        ? h("p", { class: "about" }, `${found.length - MOST_ROWS} more runs: use the filter.`)
        : null,
    ),
  )
}

function Line({ row, canRun }: { row: Row; canRun: boolean }) {
  const { id, result, task } = row
  const name = nameOf(row)
  const missing = (value: string) => (result === undefined ? undefined : reasonMissing(result, value))
  return h(
    "tr",
    null,
    h(
      "td",
      null,
      h("button", { type: "button", "aria-label": `Open ${name}`, onClick: () => void actions.openPoint(id) }, "Open"),
    ),
    h("td", null, name),
    h("td", { title: result === undefined ? task?.says : `fingerprint ${result.fingerprint}` }, h(State, { row })),
    h("td", { class: "figure", title: missing("latency.mean") }, number(result && valueIn(result, "latency.mean"))),
    h("td", { class: "figure", title: missing("accepted") }, number(result && valueIn(result, "accepted"), 3)),
    canRun ? h("td", null, h(Change, { row, name })) : null,
  )
}

function State({ row: { result, task } }: { row: Row }) {
  if (result !== undefined) return stopText(result.why)
  if (task === undefined) return "waiting"
  if (task.state !== "running") return task.state
  const part = task.status === undefined ? 0 : task.status.cycle / (task.limit ?? 1)
  const says = task.status === undefined ? "begins" : `cycle ${task.status.cycle.toLocaleString("en")}`
  return h("span", { class: "fill", style: `--part: ${Math.min(100, 100 * part).toFixed(0)}%` }, says)
}

/** Stops a run that has not ended, or resumes it. */
function Change({ row: { id, result, task }, name }: { row: Row; name: string }) {
  if (result !== undefined) return null
  return task === undefined || task.state === "running"
    ? h("button", { type: "button", "aria-label": `Stop ${name}`, onClick: () => actions.stopRuns([id]) }, "Stop")
    : h("button", { type: "button", "aria-label": `Run ${name}`, onClick: () => void actions.resumeRun(id) }, "Run")
}
