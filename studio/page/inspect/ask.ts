// The panel of answers: one of the kinds of answers, or the lists of busy channels and old packets.
import { h } from "preact"
import * as actions from "../actions.ts"
import * as s from "../state.ts"
import { unbroken } from "../unbroken.ts"
import { Channel } from "./channel.ts"
import { Diagnosis } from "./diagnosis.ts"
import { Endpoint } from "./endpoint.ts"
import { Lists } from "./lists.ts"
import { Packet } from "./packet.ts"
import { Router } from "./router.ts"

export function Ask() {
  const { value } = s.answer
  const two = s.sides.value.length > 1
  return h(
    "section",
    { class: "ask", id: "ask", "aria-label": "Answers", "aria-live": "polite" },
    h(
      "div",
      { class: `crumb side${value?.side ?? ""}` },
      value !== undefined && two ? h("span", { class: "sign" }, value.side) : null,
      h("span", { class: "about" }, value === undefined ? "Lists" : unbroken(titleOf(value))),
      h("button", { type: "button", class: "close", id: "close", "aria-label": "Close", onClick: close }, "×"),
    ),
    value === undefined ? null : h(Kind, { value }),
    s.lists.value ? h(Lists, null) : null,
  )
}

function Kind({ value }: { value: s.Answer }) {
  const { side } = value
  if (value.kind === "channel") return h(Channel, { is: value.is, side })
  if (value.kind === "packet") return h(Packet, { is: value.is, side })
  if (value.kind === "router") return h(Router, { is: value.is, side })
  if (value.kind === "endpoint") return h(Endpoint, { is: value.is, side })
  return h(Diagnosis, { is: value.is, side })
}

/** Returns what the answer is about, and its cycle. */
function titleOf(value: s.Answer): string {
  const cycle = `cycle ${actions.now().toLocaleString("en")}`
  if (value.kind === "packet") return `Packet from endpoint ${value.is.from} to endpoint ${value.is.to}, ${cycle}`
  if (value.kind === "channel") return `Link ${value.is.label}, ${cycle}`
  if (value.kind === "router") return `Router ${value.is.router}, ${cycle}`
  if (value.kind === "endpoint") return `Endpoint ${value.is.end}, ${cycle}`
  return value.is.kind === "deadlock" ? `Deadlock, ${cycle}` : `Waiting packets, ${cycle}`
}

function close(): void {
  s.answer.value = undefined
  s.lists.value = false
}
