// The parts of a packet's time: their names, a bar, and a list.
import { h } from "preact"
import { type TracePart, traceParts } from "../../../src/observe/packet-trace.ts"

/** Names of the parts of a packet's latency. */
const partNames: Readonly<Record<TracePart, string>> = {
  source: "waiting to enter the network",
  wires: "on links",
  pipelines: "inside routers",
  credits: "blocked: next buffer full",
  output: "waiting for its turn on the link",
  behind: "in line behind other packets",
}

const whole = (n: number): string => Math.round(n).toLocaleString("en")

/** Shows where the cycles of a packet went. Parts without cycles are left out. */
export function Parts({ parts, age }: { parts: Readonly<Record<TracePart, number>>; age: number }) {
  const shown = traceParts.filter((p) => parts[p] > 0)
  const largest = shown.reduce<TracePart>((a, p) => (parts[p] > parts[a] ? p : a), "wires")
  return h(
    "div",
    null,
    h("h3", null, `Where its ${whole(age)} cycles went`),
    h(
      "div",
      { class: "parts", role: "img", "aria-label": shown.map((p) => `${partNames[p]} ${whole(parts[p])}`).join(", ") },
      shown.map((p) =>
        h("span", {
          key: p,
          class: `part${traceParts.indexOf(p)}`,
          style: { flexGrow: parts[p] },
          title: `${partNames[p]}: ${whole(parts[p])} cycles`,
        }),
      ),
    ),
    h(
      "table",
      { class: "plain" },
      h("caption", { class: "hidden" }, "Cycles of each part"),
      h(
        "tbody",
        null,
        shown.map((p) =>
          h(
            "tr",
            { key: p, class: p === largest ? "most" : "" },
            h("th", { scope: "row" }, h("i", { class: `part${traceParts.indexOf(p)}` }), partNames[p]),
            h("td", null, whole(parts[p])),
          ),
        ),
      ),
    ),
  )
}
