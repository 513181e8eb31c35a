// The details of an endpoint: its load in both directions, the packets that wait outside, and its packets in the
// network.
import { h } from "preact"
import type { EndpointAnswer, PacketsAt } from "../../shared/messages.ts"
import * as actions from "../actions.ts"
import { percent } from "../percent.ts"

const whole = (n: number): string => Math.round(n).toLocaleString("en")

/** Returns what limits the endpoint, or that nothing does. */
function sentence({ waited, utilisation, from, to, end }: EndpointAnswer): string {
  if (waited > 100)
    return `Its oldest packet has waited ${whole(waited)} cycles outside, because the network does not accept it.`
  if (utilisation > 0.95) return `Its link is full: it receives one flit in almost every cycle.`
  if (from.count + to.count === 0) return `No packet of endpoint ${end} is in the network.`
  return `It sends and receives freely: ${whole(from.count)} of its packets are in the network, and ${whole(to.count)} are going to it.`
}

export function Endpoint({ is, side }: { is: EndpointAnswer; side: string }) {
  const rate = (flits: number) => (is.now > 0 ? (flits / is.now).toFixed(3) : "–")
  return h(
    "div",
    { id: "endpoint" },
    h("h2", null, sentence(is)),
    h(
      "dl",
      { class: "figures" },
      Number.isNaN(is.sent)
        ? null
        : h("div", null, h("dd", null, rate(is.sent)), h("dt", null, "flits sent per cycle, since the start")),
      h("div", null, h("dd", null, rate(is.received)), h("dt", null, "flits received per cycle, since the start")),
      h("div", null, h("dd", null, percent(is.utilisation)), h("dt", null, "utilisation of the link to it, now")),
      is.waited >= 0
        ? h("div", null, h("dd", null, whole(is.waited)), h("dt", null, "cycles that its oldest packet waits to enter"))
        : null,
    ),
    h(
      "p",
      { class: "row" },
      h(
        "button",
        { type: "button", onClick: () => void actions.askRouter(is.router, side) },
        `Router ${is.router}: ${is.label}`,
      ),
      h("button", { type: "button", onClick: () => void actions.askChannel(is.home, side) }, "The link to it"),
    ),
    h(Packets, { title: "Packets that it sent", of: is.from, side, who: (p) => `to endpoint ${p.to}` }),
    h(Packets, { title: "Packets going to it", of: is.to, side, who: (p) => `from endpoint ${p.from}` }),
  )
}

function Packets(p: {
  title: string
  of: PacketsAt
  side: string
  who: (packet: PacketsAt["oldest"][number]) => string
}) {
  const { title, of, side, who } = p
  const more = of.count - of.oldest.length
  return h(
    "div",
    null,
    h("h3", null, `${title}: ${whole(of.count)}${more > 0 ? `, the oldest ${of.oldest.length}` : ""}`),
    h(
      "ul",
      { class: "packets" },
      of.oldest.map((packet, i) =>
        h(
          "li",
          { key: i },
          h("button", { type: "button", onClick: () => void actions.askPacket(packet, side) }, who(packet)),
          ` since cycle ${whole(Math.floor(packet.createdAt))}, ${packet.hops} ${packet.hops === 1 ? "hop" : "hops"}`,
        ),
      ),
    ),
  )
}
