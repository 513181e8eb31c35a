// Which experiment, and what one takes away: a link, files, pictures.
import { h } from "preact"
import * as hands from "./hands.ts"
import { csvOf, pngOf, svgOf } from "./out.ts"
import * as s from "./state.ts"

export function Header() {
  const names = Object.keys(s.known.value)
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
            if (value !== "") void hands.openExperiment(s.known.value[value]!, value)
          },
        },
        h("option", { value: "" }, "of your own"),
        names.map((name) => h("option", { key: name, value: name }, name)),
      ),
    ),
    h(
      "label",
      { class: "button" },
      "Open file",
      h("input", { type: "file", class: "hidden", "aria-label": "Open an experiment or a link file", onChange: openFile }),
    ),
    h("button", { type: "button", id: "link", onClick: copyLink, title: "Copy a link to this very state" }, "Link"),
    h("details", { class: "menu" }, h("summary", null, "Out"), h("div", null, outs())),
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
  const file = (label: string, make: () => void) => h("button", { type: "button", onClick: make }, label)
  return [
    file("Picture as SVG", () => hands.save("network.svg", svgOf(), "image/svg+xml")),
    file("Picture as PNG", () => void pngOf().then((blob) => blob && hands.save("network.png", blob, "image/png"))),
    file("Channels as CSV", () => hands.save("channels.csv", csvOf(), "text/csv")),
    file("Experiment as YAML", () =>
      hands.save(
        s.fileName.value.replace(/(\.\w+)?$/, ".yaml"),
        `# npx lacewing run ${s.fileName.value.replace(/(\.\w+)?$/, ".yaml")}\n${s.text.value}`,
        "text/yaml",
      ),
    ),
  ]
}

async function copyLink(): Promise<void> {
  const link = await hands.linkHere()
  if (link === undefined) return
  try {
    await navigator.clipboard.writeText(link)
    s.said.value = `The link is in the address bar and on the clipboard (${link.length} characters)`
  } catch {
    s.said.value = `The link is in the address bar (${link.length} characters)`
  }
}

async function openFile(e: Event): Promise<void> {
  const file = (e.target as HTMLInputElement).files?.[0]
  if (file === undefined) return
  await hands.openGiven(file.name, new Uint8Array(await file.arrayBuffer()))
}
