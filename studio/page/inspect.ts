// The panel of answers: the packets that wait for a channel, the latency parts of a packet, the buffers of a router,
// the waits-for chain, and the numbers behind the colours.
import { h } from "preact"
import { traceParts } from "../../src/observe/packet-trace.ts"
import type { ChannelAnswer, Diagnosed, PacketAnswer } from "../shared/messages.ts"
import * as actions from "./actions.ts"
import { Cause, channelSentence } from "./cause.ts"
import { treeColours } from "./network/colours.ts"
import { percent } from "./percent.ts"
import { Router } from "./router.ts"
import { number } from "./run.ts"
import * as s from "./state.ts"
import { unbroken } from "./unbroken.ts"

export function Ask() {
  const { value } = s.answer
  return h(
    "section",
    { class: "ask", id: "ask", "aria-label": "Answers", "aria-live": "polite" },
    h(
      "div",
      { class: "row" },
      h("span", { class: "about" }, value === undefined ? "Lists" : `Side ${value.side}, cycle ${actions.now()}`),
      h("button", { type: "button", class: "close", id: "close", "aria-label": "Close", onClick: close }, "×"),
    ),
    value?.kind === "channel" ? h(Channel, { is: value.is, side: value.side }) : null,
    value?.kind === "packet" ? h(Packet, { is: value.is, side: value.side }) : null,
    value?.kind === "router" ? h(Router, { is: value.is, side: value.side }) : null,
    value?.kind === "diagnosis" ? h(Diagnosis, { is: value.is, side: value.side }) : null,
    s.lists.value ? h(Top, null) : null,
  )
}

function close(): void {
  s.answer.value = undefined
  s.lists.value = false
}

/** Names of the parts of a packet's latency. */
export const partNames: Readonly<Record<(typeof traceParts)[number], string>> = {
  source: "waiting to enter the network",
  wires: "on links",
  pipelines: "inside routers",
  credits: "blocked: next buffer full",
  output: "waiting for its turn on the link",
  behind: "in line behind other packets",
}

/** Returns the largest part of a packet's time as a sentence. */
function sentence({ parts, age, stays }: PacketAnswer): string {
  const cycles = (n: number) => Math.round(n).toLocaleString("en")
  const waits = ({ credits, output, behind }: (typeof stays)[number]) => credits + output + behind
  const longest = stays.toSorted((a, b) => waits(b) - waits(a))[0]
  const waited = longest === undefined ? 0 : waits(longest)
  if (parts.source > waited && parts.source > 0.3 * age)
    return `It waited ${cycles(parts.source)} of its ${cycles(age)} cycles outside: its endpoint could not send it.`
  if (longest !== undefined && waited >= 0.3 * age)
    return `It spent ${cycles(waited)} of its ${cycles(age)} cycles in queues of ${longest.label}.`
  const travel = Math.round((100 * (parts.wires + parts.pipelines)) / Math.max(1, age))
  return `It moves freely: ${travel} % of its ${cycles(age)} cycles were travel.`
}

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
    h("p", { class: "about" }, unbroken(is.label)),
    h("h2", null, channelSentence(is)),
    h(Cause, { side }),
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

function Packet({ is, side }: { is: PacketAnswer; side: string }) {
  const sum = traceParts.reduce((n, p) => n + is.parts[p], 0)
  return h(
    "div",
    { id: "packet", "data-age": is.age, "data-sum": sum, "data-root": is.chain.root },
    h("p", { class: "about" }, `Packet from endpoint ${is.from} to endpoint ${is.to}`),
    h("h2", null, unbroken(sentence(is))),
    h(Cause, { side }),
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
      s.sides.value.length > 1
        ? h(
            "button",
            { type: "button", id: "other", onClick: () => void actions.askPacket(is, side === "A" ? "B" : "A") },
            `Same packet in ${side === "A" ? "B" : "A"}`,
          )
        : null,
    ),
  )
}

function Diagnosis({ is, side }: { is: Diagnosed; side: string }) {
  return h(
    "div",
    { id: "diagnosis", "data-kind": is.kind },
    is.kind === "deadlock" ? h(Deadlock, { is, side }) : h("h2", null, "Waiting packets"),
    is.kind === "deadlock" ? null : h(Cause, { side }),
    is.kind === "deadlock" ? null : list(is.words),
    is.kind === "deadlock" ? null : h(Trees, { is, side }),
  )
}

/** The cycle of a deadlock. The numbers of the list are those of the picture. */
function Deadlock({ is, side }: { is: Diagnosed; side: string }) {
  const n = is.cycle.length
  const since = s.sides.value.find((x) => x.name === side)?.reel.deadlock
  const other = s.sides.value.find((x) => x.name !== side)
  return h(
    "div",
    null,
    h(
      "h2",
      null,
      `${n} ${n === 1 ? "packet waits for itself" : "packets wait for each other in a loop"}. ` +
        `${is.stuck} ${is.stuck === 1 ? "packet" : "packets"} can never move again.`,
    ),
    h(
      "p",
      { class: "row" },
      s.story.value === "deadlock" && other !== undefined
        ? h(
            "button",
            { type: "button", id: "fixed", class: "main", onClick: () => void actions.watch(other.name) },
            "See it fixed (B)",
          )
        : null,
      since === undefined
        ? null
        : h(
            "button",
            { type: "button", id: "earlier", onClick: () => void actions.seekAway(Math.max(0, since - 60)) },
            "Go to 60 cycles before",
          ),
    ),
    s.story.value === "deadlock" ? null : h(Cause, { side }),
    s.story.value === "deadlock"
      ? h(
          "p",
          null,
          "A packet may take an escape channel that still holds another packet. With ",
          h("code", null, "switch.tailCredit: true"),
          ", a channel is free only when it is empty. Then ",
          h("code", null, "lacewing check"),
          " proves that no loop can form.",
        )
      : null,
    h("h3", null, "The loop, packet by packet"),
    h(
      "ol",
      { class: "circle" },
      is.cycle.map(({ from, to, holds, waitsFor }, i) =>
        h(
          "li",
          { key: i },
          h("b", null, `${from} → ${to}`),
          ` holds ${holds.replace("->", "→")} and needs ${waitsFor.replace("->", "→")}`,
        ),
      ),
    ),
  )
}

function Trees({ is, side }: { is: Diagnosed; side: string }) {
  if (is.trees.length === 0) return h("p", null, "No packet is blocked, so there is no congestion tree.")
  const more = is.trees.length - treeColours.length
  return h(
    "div",
    null,
    h("h3", null, "Congestion trees, by their roots"),
    h(
      "ul",
      null,
      is.trees
        .slice(0, treeColours.length)
        .map((t, i) =>
          h(
            "li",
            { key: t.root },
            h("i", { style: { background: treeColours[i] } }),
            h("button", { type: "button", onClick: () => void actions.askChannel(t.root, side) }, unbroken(t.label)),
            ` ${t.channels.length} channels wait for it`,
          ),
        ),
    ),
    more > 0 ? h("p", { class: "about" }, `${more} smaller ${more === 1 ? "tree is" : "trees are"} not shown.`) : null,
  )
}

function Top() {
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
