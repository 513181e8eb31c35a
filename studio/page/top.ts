// The top bar: the stories, the sheet, the link, exports and the theme; and the headline with the choices of the view.
import { h } from "preact"
import { useState } from "preact/hooks"
import { heatKinds } from "../shared/messages.ts"
import { storyNames } from "../shared/stories.ts"
import * as actions from "./actions.ts"
import { heatNames } from "./heat-names.ts"
import { isLarge } from "./network/shape.ts"
import { canRecord } from "./out/recording.ts"
import { csvOf, views } from "./out/views.ts"
import { isSingleFile } from "./site.ts"
import * as s from "./state.ts"
import { headline, stories } from "./stories.ts"

/** The mark of lacewing: four wings. */
const LOGO =
  "M12 12C8 3 2.5 3.5 2.5 7.5S8 13 12 12Zm0 0c4-9 9.5-8.5 9.5-4.5S16 13 12 12Zm0 0C8 13 5 15.5 6 18.5S11 18 12 12Zm0 0c4 1 7 3.5 6 6.5S13 18 12 12ZM12 5v15"
const icon = (d: string) => h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d }))

export function Top() {
  // The exports are computed when the menu opens.
  const [isOpen, open] = useState(false)
  const { value: theme } = s.theme
  const other = theme === "dark" ? "light" : "dark"
  return h(
    "header",
    null,
    h("span", { class: "logo" }, icon(LOGO), h("span", null, "lacewing studio")),
    h(
      "nav",
      { "aria-label": "Stories", tabIndex: 0 },
      storyNames.map((name) =>
        h(
          "button",
          {
            key: name,
            type: "button",
            id: `story-${name}`,
            "aria-current": s.story.value === name ? "true" : undefined,
            onClick: () => void actions.openStory(name),
          },
          stories[name].tab,
        ),
      ),
    ),
    h(
      "button",
      {
        type: "button",
        id: "search",
        // the whole visible text: a name without the key would differ from what is seen
        "aria-label": "Search or type a command Ctrl K",
        "aria-keyshortcuts": "Control+K",
        onClick: () => void (s.palette.value = true),
      },
      icon("M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20"),
      h("span", null, "Search or type a command"),
      " ",
      h("kbd", null, "Ctrl K"),
    ),
    h(
      "button",
      {
        type: "button",
        id: "edit",
        "aria-expanded": s.sheet.value,
        "aria-controls": "sheet",
        onClick: () => void (s.sheet.value = !s.sheet.value),
      },
      "Edit",
    ),
    h(
      "button",
      {
        type: "button",
        id: "lists",
        "aria-pressed": s.lists.value,
        onClick: () => void (s.lists.value = !s.lists.value),
      },
      "Lists",
    ),
    s.badge.value === undefined
      ? null
      : h(
          "span",
          { id: "badge", class: s.badge.value.agrees ? "badge good" : "badge wrong", role: "status" },
          s.badge.value.agrees ? "✓ " : "✗ ",
          s.badge.value.says,
        ),
    h("button", { type: "button", id: "link", onClick: () => void actions.copyLink() }, "Copy link"),
    h(
      "details",
      { class: "menu", id: "out", onToggle: (e: Event) => open((e.target as HTMLDetailsElement).open) },
      h("summary", null, "Save"),
      isOpen ? h("div", null, outs()) : null,
    ),
    h(
      "button",
      {
        type: "button",
        id: "theme",
        "aria-label": `Switch to ${other} colours`,
        onClick: () => void (s.theme.value = other),
      },
      other === "dark" ? "Dark" : "Light",
    ),
  )
}

/** Opens the sweep of an experiment with several runs, and shows how many are finished. */
function Runs() {
  const runs = s.planned.value?.runs.length ?? 0
  if (runs < 2 || s.story.value !== undefined) return null
  const hashes = new Set(s.finished.value.map((f) => f.hash))
  const done = s.planned.value!.runs.filter((r) => hashes.has(r.hash)).length
  return h(
    "button",
    { type: "button", id: "runs", onClick: actions.openSweep },
    s.sweeping.value ? `Sweep ${done} of ${runs}` : `Sweep: ${runs} runs`,
  )
}

/** The headline and one line of explanation. At the right: colours of packets, the view, and the heat. */
export function Headline() {
  void s.pictures.value
  const { h1, says } = headline()
  const choice = (label: string, id: string, is: boolean, does: () => void, off = false) =>
    h("button", { type: "button", id, "aria-pressed": is, disabled: off, onClick: does }, label)
  const map = isMap()
  return h(
    "section",
    { class: "headline", "aria-label": "Summary" },
    h("div", { class: "words" }, h("h1", null, h1), h("p", { id: "says" }, says)),
    h(
      "div",
      { class: "views" },
      h(Runs, null),
      h(
        "div",
        { role: "group", "aria-label": "Colour of packets" },
        h("small", null, "Packets by"),
        h(
          "div",
          { class: "choices" },
          choice("Age", "by-age", s.colouring.value === "age", () => void (s.colouring.value = "age")),
          choice("Source", "by-source", s.colouring.value === "source", () => void (s.colouring.value = "source")),
        ),
      ),
      h(
        "div",
        { role: "group", "aria-label": "View" },
        h("small", null, "View"),
        h(
          "div",
          { class: "choices" },
          // The network is too large for other pictures, except for grids with positions.
          choice("Network", "as-network", !s.matrix.value && !map, () => void (s.matrix.value = false), map),
          choice("Matrix", "matrix", s.matrix.value || map, () => void (s.matrix.value = true)),
        ),
      ),
      h(
        "label",
        null,
        h("small", null, "Links show"),
        h(
          "select",
          {
            id: "heat",
            value: s.heat.value,
            onChange: (e: Event) =>
              void actions.setHeat((e.target as HTMLSelectElement).value as (typeof heatKinds)[number]),
          },
          heatKinds.map((k) => h("option", { key: k, value: k }, heatNames[k])),
        ),
      ),
    ),
  )
}

function isMap(): boolean {
  const scene = s.sides.value[0]?.opened.scene
  return scene !== undefined && isLarge(scene) && scene.kind !== "grid"
}

function outs() {
  const file = (label: string, id: string, make: () => void) =>
    h("button", { type: "button", id, onClick: make }, label)
  const found = views()
  const yaml = s.fileName.value.replace(/(\.\w+)?$/, ".yaml")
  return [
    found.map((v) =>
      h(
        "div",
        { key: v.name, class: "row" },
        h("span", null, v.title),
        file("SVG", `out-${v.name}-svg`, () => actions.save(`${v.name}.svg`, v.svg(), "image/svg+xml")),
        file("PNG", `out-${v.name}-png`, () => void actions.savePng(v.name, v.svg())),
        file("CSV", `out-${v.name}-csv`, () => actions.save(`${v.name}.csv`, csvOf(v.rows()), "text/csv")),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("span", null, "Experiment"),
      file("YAML", "out-yaml", () => actions.save(yaml, `# npx lacewing run ${yaml}\n${s.text.value}`, "text/yaml")),
    ),
    s.sides.value.length > 0 && canRecord()
      ? h(
          "div",
          { class: "row" },
          h("span", null, "Film of ten seconds"),
          file("WebM", "out-film", () => void actions.record()),
        )
      : null,
    isSingleFile()
      ? null
      : h(
          "div",
          { class: "row" },
          h("span", null, "This page with its run"),
          file("HTML", "out-page", () => void actions.savePage()),
        ),
  ]
}
