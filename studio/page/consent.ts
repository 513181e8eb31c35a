// The modules of an experiment: before consent with a question, and with their names while they are executed.
import { h } from "preact"
import type { ModuleHere } from "../shared/planner.ts"
import * as actions from "./actions.ts"
import * as s from "./state.ts"

export function Consent() {
  const { value: code } = s.code
  if (code === undefined) return null
  const { modules, allowed } = code
  if (allowed === true)
    return h(
      "p",
      { class: "consent", id: "code-runs" },
      `Code of this experiment runs in this page: ${modules.map(nameOf).join(", ")}.`,
    )
  return h(
    "section",
    { class: "consent", id: "consent", "aria-live": "polite", "aria-label": "Code of the experiment" },
    h(
      "p",
      null,
      h(
        "b",
        null,
        modules.length === 1 ? "This experiment contains a plug-in. " : "This experiment contains plug-ins. ",
      ),
      "A plug-in is a program. It would run in an isolated worker of this page, which can reach no file, no address and no data of other pages, but it can use processor time and memory.",
    ),
    modules.map((m) =>
      h(
        "details",
        { key: m.file },
        h("summary", null, nameOf(m), ` (${m.text.split("\n").length} lines)`),
        h("pre", { tabIndex: 0 }, m.text === "" ? "This file was not given." : m.text),
      ),
    ),
    allowed === false
      ? h("p", null, "It is not executed, so the experiment cannot be opened.")
      : h(
          "p",
          { class: "row" },
          h("button", { type: "button", id: "allow-code", onClick: () => void actions.allowCode() }, "Execute it"),
          h("button", { type: "button", id: "refuse-code", onClick: actions.refuseCode }, "Do not execute it"),
        ),
  )
}

/** Its path and the beginning of its hash, which the names of its runs contain. */
function nameOf({ file, hash }: ModuleHere): string {
  return hash === "" ? file : `${file} (SHA-256 ${hash.slice(0, 12)})`
}
