// The numbers behind the colours: the channels with the longest queues, and the oldest packets.
import { h } from "preact"
import * as actions from "../actions.ts"
import { percent } from "../percent.ts"
import * as s from "../state.ts"
import { unbroken } from "../unbroken.ts"

export function Lists() {
  const { channels, packets } = s.top.value
  if (channels.length === 0) return null
  return h(
    "div",
    null,
    h("h2", null, "Busiest channels and oldest packets"),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { id: "top" },
        h("caption", null, "Channels with the longest queues"),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["channel", "utilisation", "queued flits", "blocked flits"].map((t) =>
              h("th", { key: t, scope: "col" }, t),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          channels.map((c) =>
            h(
              "tr",
              { key: c.chan },
              h(
                "td",
                null,
                h("button", { type: "button", onClick: () => void actions.askChannel(c.chan) }, unbroken(c.label)),
              ),
              h("td", null, percent(c.utilisation)),
              h("td", null, c.queued),
              h("td", null, c.stalled),
            ),
          ),
        ),
      ),
    ),
    h("h3", null, "Oldest packets"),
    h(
      "ul",
      { class: "packets", id: "oldest" },
      packets.map((p, i) =>
        h(
          "li",
          { key: i },
          h("button", { type: "button", onClick: () => void actions.askPacket(p) }, `from ${p.from} to ${p.to}`),
          ` created in cycle ${Math.floor(p.createdAt)}`,
        ),
      ),
    ),
  )
}
