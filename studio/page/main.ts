// The entry point of the page: it assembles the views, registers the keys, and opens the first content. This is a link,
// the argument of the local server, or the first story.
import "@preact/signals"
import { h, render } from "preact"
import { heatKinds } from "../shared/messages.ts"
import * as actions from "./actions.ts"
import { Cards } from "./card.ts"
import { patience } from "./client.ts"
import { Consent } from "./consent.ts"
import { Ask } from "./inspect/ask.ts"
import { Palette } from "./palette.ts"
import { Sheet } from "./sheet.ts"
import { siteJson } from "./site.ts"
import * as s from "./state.ts"
import { Strips } from "./strips.ts"
import { Headline, Top } from "./top.ts"
import { nextSpeed, Transport } from "./transport.ts"

function App() {
  document.documentElement.dataset["theme"] = s.theme.value
  const asked = s.answer.value !== undefined || s.lists.value
  return [
    h(Top, { key: "top" }),
    h(Palette, { key: "palette" }),
    h("div", { key: "headline" }, h(Headline, null), h(Consent, null)),
    h(
      "main",
      { key: "main", class: s.sides.value.length > 1 ? "two" : "one" },
      h(Sheet, null),
      h("div", { class: "stage" }, h(Cards, null)),
      asked ? h("aside", { "aria-label": "Inspector", tabIndex: 0 }, h(Ask, null)) : null,
    ),
    h(
      "footer",
      { key: "footer" },
      h(Strips, null),
      h(Transport, null),
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

addEventListener("keydown", (e) => {
  const tag = e.target instanceof HTMLElement ? e.target.tagName : ""
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
    e.preventDefault()
    s.palette.value = !s.palette.value
    return
  }
  if (s.palette.value) return
  // Keys in text fields are input, not commands.
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(tag)) return
  // The space key presses these elements.
  if (e.key === " " && /^(BUTTON|SUMMARY)$/.test(tag)) return
  const set = <T>(signal: { value: T }, value: T) => void (signal.value = value)
  const keys: Record<string, () => unknown> = {
    " ": () => (s.running.value ? actions.pause() : actions.play()),
    ".": () => actions.step(1),
    ",": () => actions.step(-1),
    ">": () => actions.toEvent(1),
    "<": () => actions.toEvent(-1),
    "?": () => actions.askWhy(),
    h: () => actions.setHeat(heatKinds[(heatKinds.indexOf(s.heat.value) + 1) % heatKinds.length]),
    m: () => set(s.matrix, !s.matrix.value),
    c: () => set(s.colouring, s.colouring.value === "age" ? "source" : "age"),
    e: () => set(s.sheet, !s.sheet.value),
    l: () => set(s.lists, !s.lists.value),
    "]": () => actions.setSpeed(nextSpeed(1)),
    "[": () => actions.setSpeed(nextSpeed(-1)),
    Escape: () => {
      s.answer.value = undefined
      s.sheet.value = false
      s.lists.value = false
    },
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
  actions.startPlaying()
  // The menu of experiments is not needed for the first picture.
  void siteJson<{ texts: Record<string, string> }>("experiments.json").then(
    ({ texts }) => void (s.known.value = texts),
    () => void (s.trouble.value = "The bundled experiments could not be loaded. Open your own file."),
  )
  const link = location.hash.length > 1 ? location.hash.slice(1) : actions.linkInside()
  if (link !== "" && (await actions.openLink(link))) return
  if (await actions.openServed()) return
  await actions.openStory("adversarial")
}

document.body.textContent = ""
render(h(App, null), document.body)
void begin()
Object.assign(globalThis, { studio: { actions, patience, state: s } })
