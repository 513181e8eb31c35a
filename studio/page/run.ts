// The tab Runs: the sweep of the plan, whose curves fill in point by point, and the branches A and B.
import { h } from "preact"
import { useState } from "preact/hooks"
import { tellFate } from "../shared/divergence.ts"
import * as actions from "./actions.ts"
import * as s from "./state.ts"
import { Chart } from "./sweep/chart.ts"
import { beyondSaturation, measures, type Row } from "./sweep/points.ts"
import { Table } from "./sweep/table.ts"

/** Returns the runs of the plan, and finished ones of other texts. */
export function rowsOfPlan(): readonly Row[] {
  const done = new Map(s.finished.value.map((f) => [f.hash, f.result]))
  const runs = s.planned.value?.runs ?? []
  return runs.map(({ hash, point, seed, spec }) => ({
    ...{ id: hash, point, seed, load: spec.traffic[0]?.load ?? 0 },
    ...{ result: done.get(hash), task: s.tasks.value[hash] },
  }))
}

/** The tab itself: the plan, its runs and the sweep. */
export function Run() {
  const plan = s.planned.value
  if (plan === undefined) return h("p", null, "No experiment is open.")
  const rows = rowsOfPlan()
  return h(
    "section",
    { "aria-label": "Runs of the experiment" },
    h("h2", null, plan.title),
    h(Progress, { rows }),
    plan.search
      ? h(
          "p",
          { class: "about" },
          "This experiment searches for the saturation load. The page runs each network at one load; use lacewing run for the search.",
        )
      : null,
    h(
      "div",
      { class: "sweep" },
      // A single run has no curve.
      rows.length > 1
        ? h("div", null, h(Chart, { rows, measure: s.measure.value, open: actions.openPoint }), h(Hint, { rows }))
        : null,
      h(Table, { rows, id: "finished", canRun: true }),
    ),
    s.figures.value.map((svg, i) => h("figure", { key: i, dangerouslySetInnerHTML: { __html: svg } })),
    h(Branch, null),
  )
}

/** How far the sweep is, and its buttons. */
function Progress({ rows }: { rows: readonly Row[] }) {
  const count = (of: (row: Row) => boolean) => rows.filter(of).length
  const done = count((r) => r.result !== undefined)
  const running = count((r) => r.task?.state === "running")
  const left = count((r) => r.result === undefined && r.task === undefined) + running
  const stopped = count((r) => r.task !== undefined) - running
  const beyond = beyondSaturation(rows)
  const parts = [`${done} of ${rows.length} ${rows.length === 1 ? "run" : "runs"} finished`]
  if (running > 0) parts.push(`${running} running`)
  if (stopped > 0) parts.push(`${stopped} stopped`)
  return h(
    "div",
    { class: "row" },
    s.sweeping.value
      ? h("button", { type: "button", id: "sweep", onClick: actions.stopSweep }, "Stop the sweep")
      : h(
          "button",
          { type: "button", id: "sweep", class: "main", disabled: left === 0, onClick: () => void actions.sweep() },
          done === 0 ? "Run all" : "Run the rest",
        ),
    beyond.length === 0
      ? null
      : h(
          "button",
          { type: "button", id: "beyond", onClick: () => actions.stopRuns(beyond) },
          `Stop ${beyond.length} ${beyond.length === 1 ? "run" : "runs"} above saturation`,
        ),
    h(Measures, { rows }),
    h(
      "button",
      { type: "button", onClick: () => void actions.drawFigures(), disabled: s.finished.value.length === 0 },
      "Figures",
    ),
    h("span", { class: "about", id: "progress" }, parts.join(", ")),
  )
}

/** The choice of the value of the curves. Values that no run has are not offered. */
export function Measures({ rows }: { rows: readonly Row[] }) {
  const has = (name: string) => rows.some(({ result }) => result !== undefined && Object.hasOwn(result.values, name))
  const names = Object.keys(measures).filter((name) => name === s.measure.value || has(name))
  return h(
    "select",
    {
      id: "measure",
      "aria-label": "Value of the curves",
      value: s.measure.value,
      onChange: (e: Event) => void (s.measure.value = (e.target as HTMLSelectElement).value),
    },
    names.map((name) => h("option", { key: name, value: name }, measures[name])),
  )
}

export function Hint({ rows }: { rows: readonly Row[] }) {
  const open = rows.some((r) => r.result === undefined)
  return h(
    "p",
    { class: "about" },
    "Click a point to open its run. ",
    open ? "Rings are runs that have not finished; a running one shows the mean of all its packets so far." : "",
  )
}

/** The form that creates branch B with changed parameters. */
function Branch() {
  const [set, change] = useState("traffic.0.load=0.5")
  const two = s.sides.value.length > 1
  return h(
    "fieldset",
    null,
    h("legend", null, "Compare: A | B"),
    h(
      "p",
      { class: "about" },
      "Fork here and change settings, e.g. traffic.0.load=0.5; network.switch.vcs=8. Leave it empty to repeat the same experiment.",
    ),
    h("label", { for: "branch-set" }, "Set "),
    h("input", {
      id: "branch-set",
      value: set,
      placeholder: "traffic.0.load=0.5; network.routing.name=dragonfly.minimal",
      onInput: (e: Event) => change((e.target as HTMLInputElement).value),
    }),
    h(
      "p",
      { class: "row" },
      h(
        "button",
        {
          type: "button",
          id: "branch",
          disabled: s.sides.value.length === 0,
          onClick: () =>
            void actions.branch(
              set
                .split(";")
                .map((x) => x.trim())
                .filter((x) => x !== ""),
            ),
        },
        "Fork here",
      ),
      two
        ? h(
            "button",
            { type: "button", id: "first", onClick: () => void actions.firstDifference() },
            "Find first difference",
          )
        : null,
      two
        ? h(
            "label",
            null,
            h("input", {
              type: "checkbox",
              id: "difference",
              checked: s.difference.value,
              onChange: () => void (s.difference.value = !s.difference.value),
            }),
            " Show the difference of heat in B",
          )
        : null,
      two ? h("button", { type: "button", onClick: actions.closeB }, "Close B") : null,
    ),
    h(Parted, null),
  )
}

/** Returns sentences about the first difference of A and B. */
export function partedWords({ last, parting }: NonNullable<typeof s.first.value>): string[] {
  if (parting === undefined) return [`A and B do not differ up to cycle ${last}`]
  const { cycle, packet } = parting
  if (packet === undefined) return [`A and B differ from cycle ${cycle} on, but no packet has moved differently yet`]
  return [
    `A and B differ from cycle ${cycle} on`,
    `The first packet that moves differently goes from endpoint ${packet.from} to ${packet.to}, created in cycle ${Math.floor(packet.createdAt)}, and differs in cycle ${packet.seen}`,
    `In A ${tellFate(packet.a)}`,
    `In B ${tellFate(packet.b)}`,
  ]
}

function Parted() {
  const { value } = s.first
  if (value === undefined) return null
  const packet = value.parting?.packet
  return h(
    "div",
    { id: "first-says", role: "status" },
    partedWords(value).map((w, i) => h("p", { key: i }, w)),
    packet === undefined
      ? null
      : h(
          "p",
          { class: "row" },
          (["A", "B"] as const).map((side) =>
            h(
              "button",
              { key: side, type: "button", onClick: () => void actions.askPacket(packet, side) },
              `Inspect it in ${side}`,
            ),
          ),
        ),
  )
}
