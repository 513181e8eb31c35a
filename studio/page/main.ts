// The entry point of the page: it assembles the views, registers the keys, and opens the first content. This is a link,
// the argument of the local server, or the first experiment.
import "@preact/signals"
import { h, render } from "preact"
import { heatKinds } from "../shared/messages.ts"
import type { PlannedHere } from "../shared/planner.ts"
import * as actions from "./actions.ts"
import { Experiment } from "./experiment.ts"
import { Header } from "./header.ts"
import { Ask } from "./inspect.ts"
import { isLarge } from "./network/shape.ts"
import { Network } from "./network.ts"
import { Results } from "./results.ts"
import { Controls, Run, speeds } from "./run.ts"
import * as s from "./state.ts"
import { Tours } from "./tours.ts"

const tabs: readonly (readonly [s.Tab, string])[] = [
  ["experiment", "Experiment"],
  ["run", "Run"],
  ["results", "Results"],
  ["tours", "Tours"],
]

function App() {
  const two = s.sides.value.length > 1
  return [
    h(Header, { key: "header" }),
    h(
      "main",
      { key: "main", class: two ? "two" : "" },
      h(
        "div",
        { class: "left" },
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
          panel(),
        ),
      ),
      h(
        "div",
        { class: "middle" },
        h(Controls, null),
        h(
          "div",
          { class: "networks" },
          s.sides.value.map((side) =>
            h(Network, {
              key: `${side.name} ${side.opened.scene.chans} ${engineNumber(side)} ${s.lostGl.value} ${s.matrix.value}`,
              side,
            }),
          ),
        ),
        h(
          "p",
          { class: "row view" },
          h(
            "label",
            null,
            h("input", {
              type: "checkbox",
              id: "matrix",
              // The network is too large for other pictures, except for grids with positions.
              disabled: isMap(),
              checked: s.matrix.value || isMap(),
              onChange: () => void (s.matrix.value = !s.matrix.value),
            }),
            " Matrix view",
          ),
          h("span", { class: "about" }, " Keys: space run or pause; . and , step; h heat; [ and ] speed; ? diagnose"),
        ),
      ),
      h("div", { class: "right" }, h(Ask, null)),
    ),
    h(
      "footer",
      { key: "footer" },
      h("p", { role: "status", id: "said" }, s.busy.value === "" ? s.said.value : s.busy.value),
      s.trouble.value === ""
        ? null
        : h(
            "p",
            { role: "alert", id: "trouble" },
            s.trouble.value,
            h("button", { type: "button", onClick: () => void (s.trouble.value = "") }, "Dismiss"),
          ),
    ),
  ]
}

function isMap(): boolean {
  const scene = s.sides.value[0]?.opened.scene
  return scene !== undefined && isLarge(scene) && scene.kind !== "grid"
}

/** A number for each engine, so that a new engine gets a new picture. */
const numbers = new WeakMap<object, number>()
let engines = 0
function engineNumber({ engine }: s.Side): number {
  if (!numbers.has(engine)) numbers.set(engine, ++engines)
  return numbers.get(engine)!
}

function panel() {
  if (s.tab.value === "experiment") return h(Experiment, null)
  if (s.tab.value === "run") return h(Run, null)
  return s.tab.value === "results" ? h(Results, null) : h(Tours, null)
}

addEventListener("keydown", (e) => {
  const tag = e.target instanceof HTMLElement ? e.target.tagName : ""
  // Keys in text fields are input, not commands. The time slider accepts no text.
  const writes =
    /^(INPUT|TEXTAREA|SELECT)$/.test(tag) && !(e.target instanceof HTMLInputElement && e.target.type === "range")
  if (e.ctrlKey || e.metaKey || e.altKey || writes) return
  // The space key presses these elements.
  if (e.key === " " && /^(BUTTON|SUMMARY)$/.test(tag)) return
  const keys: Record<string, () => Promise<void>> = {
    " ": () => (s.running.value ? actions.pause() : actions.play()),
    ".": () => actions.step(1),
    ",": () => actions.step(-1),
    "?": () => actions.askWhy(),
    h: () => actions.setHeat(heatKinds[(heatKinds.indexOf(s.heat.value) + 1) % heatKinds.length]),
    "]": () => actions.setSpeed(speeds[Math.min(speeds.length - 1, speeds.indexOf(s.speed.value) + 1)]),
    "[": () => actions.setSpeed(speeds[Math.max(0, speeds.indexOf(s.speed.value) - 1)]),
  }
  const does = keys[e.key]
  if (does === undefined) return
  e.preventDefault()
  void does()
})

addEventListener("hashchange", () => void (location.hash.length > 1 && actions.openLink(location.hash.slice(1))))
addEventListener("lost-gl", () => {
  s.lostGl.value = true
  s.trouble.value = "The graphics driver failed. The picture is now drawn without it; the run continues."
})

async function begin(): Promise<void> {
  actions.prepare()
  let start: PlannedHere | undefined
  try {
    const { texts, first }: { texts: Record<string, string>; first: PlannedHere } = await (
      await fetch("experiments.json")
    ).json()
    s.known.value = texts
    start = first
  } catch {
    s.trouble.value = "The bundled experiments could not be loaded. Open your own file."
  }
  if (location.hash.length > 1 && (await actions.openLink(location.hash.slice(1)))) return
  if (await actions.openServed()) return
  const { "first-curve": text } = s.known.value
  if (text !== undefined) await actions.openExperiment(text, "first-curve", {}, start)
}

document.body.textContent = ""
render(h(App, null), document.body)
void begin()
Object.assign(globalThis, { studio: { actions, state: s } })
