// The details of a channel: why packets wait for it, and the packets at the head of its queues.
import { h } from "preact"
import type { ChannelAnswer } from "../../shared/messages.ts"
import * as actions from "../actions.ts"
import { percent } from "../percent.ts"
import { unbroken } from "../unbroken.ts"
import { Cause, channelSentence } from "./cause.ts"

const scale = (n: number): string => Math.round(n).toLocaleString("en")

export function Channel({ is, side }: { is: ChannelAnswer; side: string }) {
  return h(
    "div",
    { id: "channel" },
    h("h2", null, channelSentence(is)),
    h(
      "dl",
      { class: "figures" },
      h("div", null, h("dd", null, percent(is.utilisation)), h("dt", null, "utilisation")),
      h("div", null, h("dd", null, scale(is.queued)), h("dt", null, "flits queued for it")),
      h("div", null, h("dd", null, scale(is.stalled)), h("dt", null, "of them blocked")),
    ),
    h(Cause, { side }),
    h("h3", null, "Why"),
    h(
      "ol",
      null,
      is.says.map((w, i) => h("li", { key: i }, unbroken(w))),
    ),
    h("h3", null, "Packets at the head of its queues"),
    is.fronts.length === 0 ? h("p", null, "None.") : null,
    h(
      "ul",
      { class: "packets" },
      is.fronts
        .slice(0, 40)
        .map((f, i) =>
          h(
            "li",
            { key: i },
            h(
              "button",
              { type: "button", onClick: () => void actions.askPacket(f, side) },
              `from ${f.from} to ${f.to}`,
            ),
            ` VC ${f.vc}, ${f.queue} flits, created in cycle ${scale(Math.floor(f.createdAt))}, ${f.hasCredits ? "can move" : "next buffer full"}`,
          ),
        ),
    ),
  )
}
