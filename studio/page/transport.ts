// The row below the strips: play, steps, events, the cycle, the speed, and the legend.
import { h } from "preact"
import * as actions from "./actions.ts"
import { cyclesPerSecond, isAutomatic } from "./film/clock.ts"
import { inkOf } from "./network/colours.ts"
import { isDark } from "./network.ts"
import * as s from "./state.ts"

export const speeds = [Number.NaN, 1, 10, 30, 100, 300, 1000, 4000, Number.POSITIVE_INFINITY]
export const speedName = (speed: number): string =>
  Number.isNaN(speed)
    ? "Automatic"
    : speed === Number.POSITIVE_INFINITY
      ? "Maximum"
      : `${speed.toLocaleString("en")} cycles/s`
/** Moves one step in the list of speeds. */
export function nextSpeed(by: 1 | -1): number {
  const at = speeds.findIndex((x) => Object.is(x, s.speed.value))
  return speeds[Math.max(0, Math.min(speeds.length - 1, at + by))]
}

const icons = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  before: "M18 5 9 12l9 7zM6 5v14",
  back: "m14 6-6 6 6 6",
  step: "m10 6 6 6-6 6",
  after: "m6 5 9 7-9 7zM18 5v14",
}
const icon = (name: keyof typeof icons) =>
  h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: name }, h("path", { d: icons[name] }))

export function Transport() {
  const open = s.sides.value.length > 0
  const cycle = s.pictures.value["A"]?.status.cycle ?? 0
  const { value: running } = s.running
  const rate = s.pictures.value["A"]?.status.rate ?? 0
  const button = (name: keyof typeof icons, id: string, label: string, does: () => Promise<void>, more = "") =>
    h(
      "button",
      {
        type: "button",
        id,
        class: `icon ${more}`,
        disabled: !open,
        "aria-label": label,
        title: label,
        onClick: () => void does(),
      },
      icon(name),
    )
  return h(
    "div",
    { class: "transport" },
    running
      ? button("pause", "pause", "Pause", actions.pause, "main")
      : button("play", "play", "Run", actions.play, "main"),
    button("before", "before", "Previous event", () => actions.toEvent(-1), "wide"),
    button("back", "back", "One cycle back", () => actions.step(-1)),
    button("step", "step", "One cycle forwards", () => actions.step(1)),
    button("after", "after", "Next event", () => actions.toEvent(1), "wide"),
    h(
      "label",
      { class: "cycle" },
      h("span", null, "Cycle "),
      h("input", {
        id: "cycle",
        // a phone hides the word of the label
        "aria-label": "Cycle",
        type: "number",
        min: 0,
        value: cycle,
        disabled: !open,
        onChange: (e: Event) => void actions.seek(Number((e.target as HTMLInputElement).value)),
      }),
    ),
    h(
      "label",
      { class: "speed" },
      h("span", null, "Speed "),
      h(
        "select",
        {
          id: "speed",
          "aria-label": "Speed",
          value: String(s.speed.value),
          onChange: (e: Event) => void actions.setSpeed(Number((e.target as HTMLSelectElement).value)),
        },
        speeds.map((x) => h("option", { key: String(x), value: String(x) }, speedName(x))),
      ),
    ),
    h(
      "span",
      { class: "rate", id: "rate" },
      !running
        ? ""
        : s.speed.value === Number.POSITIVE_INFINITY
          ? `${Math.round(rate).toLocaleString("en")} cycles/s`
          : isAutomatic()
            ? `${cyclesPerSecond()} cycles/s`
            : "",
    ),
    h("button", { type: "button", id: "why", disabled: !open, onClick: () => void actions.askWhy() }, "Why?"),
    h(Legend, null),
  )
}

function Legend() {
  const ink = inkOf(isDark())
  const byAge = s.colouring.value === "age" && !s.matrix.value
  return h(
    "div",
    { class: "legend" },
    byAge
      ? h(
          "span",
          null,
          "Packet age",
          h("i", {
            class: "ages",
            style: { background: `linear-gradient(90deg, ${ink.ages[0]}, ${ink.ages[6]} 55%, ${ink.ages[11]})` },
          }),
          "400+ cycles",
        )
      : null,
    h("span", null, h("i", { class: "busy", style: { background: ink.heat[14] } }), "busy link"),
    h("span", null, h("i", { class: "ties", style: { color: ink.warn } }), "blocked: next buffer full"),
    s.matrix.value
      ? null
      : h(
          "span",
          { class: "least" },
          h("i", { class: "outside", style: { background: ink.faint } }),
          "waiting to enter",
        ),
  )
}
