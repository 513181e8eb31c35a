// The panel of answers: the packets that wait for a channel, the latency parts of a packet, the buffers of a router,
// the waits-for chain, and the numbers behind the colours.
import { h } from "preact"
import { traceParts } from "../../src/observe/packet-trace.ts"
import type { ChannelAnswer, Diagnosed, PacketAnswer } from "../shared/messages.ts"
import * as actions from "./actions.ts"
import { percent } from "./percent.ts"
import { Router } from "./router.ts"
import { number } from "./run.ts"
import * as s from "./state.ts"

export function Ask() {
  const { value } = s.answer
  return h(
    "section",
    { class: "ask", id: "ask", "aria-label": "Answers", "aria-live": "polite" },
    value === undefined
      ? h("p", { class: "about" }, "Click a channel, a router or a packet to inspect it. The run pauses.")
      : null,
    value?.kind === "channel" ? h(Channel, { is: value.is, side: value.side }) : null,
    value?.kind === "packet" ? h(Packet, { is: value.is }) : null,
    value?.kind === "router" ? h(Router, { is: value.is, side: value.side }) : null,
    value?.kind === "diagnosis" ? h(Diagnosis, { is: value.is, side: value.side }) : null,
    h(Top, null),
  )
}

/** Names of the parts of a packet's latency. */
export const partNames: Readonly<Record<(typeof traceParts)[number], string>> = {
  source: "waiting at the source",
  wires: "on links",
  pipelines: "in router pipelines",
  credits: "next buffer full",
  output: "waiting for the switch",
  behind: "queued behind others",
}

/** Prevents a line break inside an arrow. */
const unbroken = (words: string): string => words.replaceAll("->", "-\u2060>")

const list = (says: readonly string[]) =>
  h(
    "ol",
    null,
    says.map((w, i) => h("li", { key: i }, unbroken(w))),
  )

function Channel({ is, side }: { is: ChannelAnswer; side: string }) {
  return h(
    "div",
    null,
    h("h2", null, unbroken(is.label)),
    h(
      "p",
      null,
      `channel ${is.chan}, cycle ${is.now}: utilisation ${percent(is.utilisation)}, ${is.queued} flits queued, ${is.stalled} of them blocked (next buffer full)`,
    ),
    h("h3", null, "Why"),
    list(is.says),
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
            ` VC ${f.vc}, ${f.queue} flits, created in cycle ${Math.floor(f.createdAt)}, ${f.hasCredits ? "can move" : "next buffer full"}`,
          ),
        ),
    ),
  )
}

function Packet({ is }: { is: PacketAnswer }) {
  const sum = traceParts.reduce((n, p) => n + is.parts[p], 0)
  return h(
    "div",
    { id: "packet", "data-age": is.age, "data-sum": sum, "data-root": is.chain.root },
    h("h2", null, `Packet from endpoint ${is.from} to ${is.to}`),
    h(
      "p",
      null,
      unbroken(
        `${is.flits} flits, created in cycle ${Math.floor(is.createdAt)}, now cycle ${is.now}: ${number(is.age, 0)} cycles old; ${is.says[0]}`,
      ),
    ),
    h(
      "div",
      {
        class: "parts",
        role: "img",
        "aria-label": traceParts.map((p) => `${partNames[p]} ${number(is.parts[p], 0)}`).join(", "),
      },
      traceParts.map((p, i) =>
        is.parts[p] <= 0
          ? null
          : h("span", {
              key: p,
              class: `part${i}`,
              style: { flexGrow: is.parts[p] },
              title: `${partNames[p]}: ${number(is.parts[p], 0)} cycles`,
            }),
      ),
    ),
    h(
      "table",
      null,
      h("caption", null, "Latency so far"),
      h("tbody", null, [
        ...traceParts.map((p, i) =>
          h(
            "tr",
            { key: p },
            h("th", { scope: "row" }, h("i", { class: `part${i}` }), ` ${partNames[p]}`),
            h("td", null, number(is.parts[p], 0)),
          ),
        ),
        h("tr", { key: "sum" }, h("th", { scope: "row" }, "total"), h("td", null, number(sum, 0))),
      ]),
    ),
    h("h3", null, "Path so far"),
    h(
      "ol",
      null,
      is.stays.map((x, i) =>
        h(
          "li",
          { key: i },
          `${x.label}: link ${x.wires}, pipeline ${x.pipelines}${x.credits > 0 ? `, next buffer full ${x.credits}` : ""}${x.output > 0 ? `, waiting for the switch ${x.output}` : ""}${x.behind > 0 ? `, queued behind others ${x.behind}` : ""}`,
        ),
      ),
    ),
    h("h3", null, "Why it waits"),
    list(is.says.slice(1)),
    h(
      "p",
      { class: "row" },
      h("button", { type: "button", id: "follow", onClick: () => void actions.follow(10) }, "Follow for 10 cycles"),
      h("button", { type: "button", onClick: () => void actions.follow(1) }, "Follow for 1 cycle"),
    ),
  )
}

function Diagnosis({ is, side }: { is: Diagnosed; side: string }) {
  return h(
    "div",
    { id: "diagnosis", "data-kind": is.kind },
    h("h2", null, is.kind === "deadlock" ? "Deadlock" : is.kind === "starvation" ? "Starvation" : "Waiting packets"),
    list(is.words),
    is.trees.length === 0
      ? h("p", null, "No packet is blocked, so there is no congestion tree.")
      : h(
          "div",
          null,
          h("h3", null, "Congestion trees, by their roots"),
          h(
            "ul",
            null,
            is.trees
              .slice(0, 6)
              .map((t, i) =>
                h(
                  "li",
                  { key: t.root },
                  h("i", { class: `tree${i}` }),
                  h(
                    "button",
                    { type: "button", onClick: () => void actions.askChannel(t.root, side) },
                    unbroken(t.label),
                  ),
                  ` ${t.channels.length} channels wait for it`,
                ),
              ),
          ),
        ),
  )
}

function Top() {
  const { channels, packets } = s.top.value
  if (channels.length === 0) return null
  return h(
    "details",
    { open: s.answer.value === undefined },
    h("summary", null, "Busiest channels and oldest packets"),
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
