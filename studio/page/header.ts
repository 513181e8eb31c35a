// The header: selection of the experiment, and exports (link, files, pictures).
import { h } from "preact"
import { useState } from "preact/hooks"
import * as actions from "./actions.ts"
import { csvOf, views } from "./out/views.ts"
import * as s from "./state.ts"

export function Header() {
  const names = Object.keys(s.known.value)
  // The exports are computed when the menu opens.
  const [isOpen, open] = useState(false)
  return h(
    "header",
    null,
    h("h1", null, "lacewing studio"),
    h(
      "label",
      null,
      "Experiment ",
      h(
        "select",
        {
          id: "known",
          value: names.includes(s.fileName.value) ? s.fileName.value : "",
          onChange: (e: Event) => {
            const { value } = e.target as HTMLSelectElement
            if (value !== "") void actions.openExperiment(s.known.value[value], value)
          },
        },
        h(
          "option",
          { value: "" },
          names.includes(s.fileName.value) || s.fileName.value === "" ? "Choose an experiment" : s.fileName.value,
        ),
        names.map((name) => h("option", { key: name, value: name }, name)),
      ),
    ),
    h(
      "label",
      { class: "button" },
      "Open file",
      h("input", {
        type: "file",
        class: "hidden",
        "aria-label": "Open an experiment or a link file",
        onChange: openFile,
      }),
    ),
    h("button", { type: "button", id: "link", onClick: copyLink, title: "Copy a link to this state" }, "Link"),
    h(
      "details",
      { class: "menu", id: "out", onToggle: (e: Event) => open((e.target as HTMLDetailsElement).open) },
      h("summary", null, "Export"),
      isOpen ? h("div", null, outs()) : null,
    ),
    s.badge.value === undefined
      ? null
      : h(
          "span",
          { id: "badge", class: s.badge.value.agrees ? "badge good" : "badge wrong", role: "status" },
          s.badge.value.agrees ? "✓ " : "✗ ",
          s.badge.value.says,
        ),
  )
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
  ]
}

async function copyLink(): Promise<void> {
  const link = await actions.linkHere()
  if (link === undefined) return
  try {
    await navigator.clipboard.writeText(link)
    s.said.value = `Copied the link (${link.length} characters). It is also in the address bar.`
  } catch {
    s.said.value = `The link is in the address bar (${link.length} characters)`
  }
}

async function openFile(e: Event): Promise<void> {
  const file = (e.target as HTMLInputElement).files?.[0]
  if (file === undefined) return
  await actions.openGiven(file.name, new Uint8Array(await file.arrayBuffer()))
}
