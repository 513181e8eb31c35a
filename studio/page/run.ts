// The tab Runs: the runs of the plan, branches A and B, and the latency curve, which fills in point by point.
import { h } from "preact"
import { useState } from "preact/hooks"
import { reasonMissing, valueIn } from "../../src/model/missing.ts"
import { tellFate } from "../shared/divergence.ts"
import * as actions from "./actions.ts"
import { Curve } from "./curve.ts"
import * as s from "./state.ts"

/** The tab itself: the plan, its runs and the sweep. */
export function Run() {
  const plan = s.planned.value
  return h(
    "section",
    { "aria-label": "Runs of the experiment" },
    plan === undefined
      ? h("p", null, "No experiment is open.")
      : h(
          "div",
          null,
          h("p", null, h("b", null, plan.title), plan.runs.length === 1 ? ", 1 run" : `, ${plan.runs.length} runs`),
          h(
            "label",
            null,
            "Run ",
            h(
              "select",
              {
                id: "which",
                value: s.run.value,
                onChange: (e: Event) => void actions.choose(Number((e.target as HTMLSelectElement).value)),
              },
              plan.runs.slice(0, 600).map((r, i) => h("option", { key: i, value: i }, nameOf(r.point, r.seed))),
            ),
          ),
          h(
            "p",
            { class: "row" },
            s.sweeping.value
              ? h("button", { type: "button", onClick: () => void (s.sweeping.value = false) }, "Stop the sweep")
              : h("button", { type: "button", id: "sweep", onClick: () => void actions.sweep() }, "Run all"),
            h(
              "button",
              { type: "button", onClick: () => void actions.drawFigures(), disabled: s.finished.value.length === 0 },
              "Figures",
            ),
          ),
        ),
    h(Curve, null),
    s.figures.value.map((svg, i) => h("figure", { key: i, dangerouslySetInnerHTML: { __html: svg } })),
    h(Finished, null),
    h(Branch, null),
  )
}

const nameOf = (point: Readonly<Record<string, string | number>>, seed: number) =>
  [...Object.entries(point).map(([k, v]) => `${k} ${v}`), `seed ${seed}`].join(", ")

/** The table of finished runs. */
function Finished() {
  if (s.finished.value.length === 0) return null
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { id: "finished" },
      h("caption", null, "Finished runs"),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["run", "ended", "latency", "accepted", "fingerprint"].map((t) => h("th", { key: t, scope: "col" }, t)),
        ),
      ),
      h(
        "tbody",
        null,
        s.finished.value.map((f) =>
          h("tr", { key: f.hash }, [
            h("td", { key: 1 }, nameOf(f.point, f.seed)),
            h("td", { key: 2 }, f.result.why),
            h(
              "td",
              { key: 3, title: reasonMissing(f.result, "latency.mean") },
              number(valueIn(f.result, "latency.mean")),
            ),
            h("td", { key: 4, title: reasonMissing(f.result, "accepted") }, number(valueIn(f.result, "accepted"), 3)),
            h("td", { key: 5 }, h("code", null, f.result.fingerprint)),
          ]),
        ),
      ),
    ),
  )
}

export const number = (n: number | undefined, digits = 1): string =>
  n === undefined || Number.isNaN(n) ? "–" : n.toFixed(digits)

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
