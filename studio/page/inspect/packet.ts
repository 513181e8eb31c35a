// The details of a packet: where its time went, its path, and what it waits for now.
import { h } from "preact"
import { traceParts } from "../../../src/observe/packet-trace.ts"
import type { PacketAnswer } from "../../shared/messages.ts"
import * as actions from "../actions.ts"
import * as s from "../state.ts"
import { unbroken } from "../unbroken.ts"
import { Cause, chainSentence } from "./cause.ts"
import { Parts } from "./parts.ts"

type Stay = PacketAnswer["stays"][number]

const whole = (n: number): string => Math.round(n).toLocaleString("en")
const waitOf = ({ credits, output, behind }: Stay): number => credits + output + behind
const longestOf = (stays: readonly Stay[]): Stay | undefined => stays.toSorted((a, b) => waitOf(b) - waitOf(a))[0]

/** Returns the largest part of a packet's time as a sentence. */
function sentence({ parts, age, stays }: PacketAnswer): string {
  const longest = longestOf(stays)
  const waited = longest === undefined ? 0 : waitOf(longest)
  if (parts.source > waited && parts.source > 0.3 * age)
    return `It waited ${whole(parts.source)} of its ${whole(age)} cycles outside: its endpoint could not send it.`
  if (longest !== undefined && waited >= 0.3 * age)
    return `It spent ${whole(waited)} of its ${whole(age)} cycles queuing for the link ${longest.link ?? longest.label}.`
  const travel = Math.round((100 * (parts.wires + parts.pipelines)) / Math.max(1, age))
  return `It moves freely: ${travel} % of its ${whole(age)} cycles were travel.`
}

export function Packet({ is, side }: { is: PacketAnswer; side: string }) {
  const sum = traceParts.reduce((n, p) => n + is.parts[p], 0)
  const longest = longestOf(is.stays)
  const first = s.pictures.value[side]?.status.kept[0] ?? 0
  const before = longest === undefined ? undefined : Math.max(first, Math.floor(longest.since))
  return h(
    "div",
    { id: "packet", "data-age": is.age, "data-sum": sum, "data-root": is.chain.root },
    h("h2", null, unbroken(sentence(is))),
    h("p", { class: "about" }, unbroken(`Now it is ${is.says[0]}. ${chainSentence(is.chain)}`)),
    h(Parts, { parts: is.parts, age: is.age }),
    h(
      "p",
      { class: "row" },
      h(
        "button",
        { type: "button", id: "follow", class: "main", onClick: () => void actions.follow(10) },
        "Follow it for 10 cycles",
      ),
      h("button", { type: "button", onClick: () => void actions.follow(1) }, "1 cycle"),
      before !== undefined && longest !== undefined && waitOf(longest) > 0 && before < is.now
        ? h(
            "button",
            { type: "button", id: "began", onClick: () => void actions.seekWith(before, is, side) },
            "Go to where it began to wait",
          )
        : null,
      s.sides.value.length > 1
        ? h(
            "button",
            { type: "button", id: "other", onClick: () => void actions.askPacket(is, side === "A" ? "B" : "A") },
            `Same packet in ${side === "A" ? "B" : "A"}`,
          )
        : null,
    ),
    h(Cause, { side }),
    h("h3", null, "Its path"),
    h(
      "ol",
      { class: "path" },
      h("li", null, `endpoint ${is.from}`, h("span", null, `cycle ${whole(Math.floor(is.createdAt))}`)),
      is.stays.map((x, i) => h(Stop, { key: i, x, side })),
      h("li", { class: "goal" }, `endpoint ${is.to}`, h("span", null, "its destination")),
    ),
    is.says.length < 2
      ? null
      : [
          h("h3", { key: "title" }, "What it waits for"),
          h(
            "ol",
            { key: "list" },
            is.says.slice(1).map((w, i) => h("li", { key: i }, unbroken(w))),
          ),
        ],
    h("p", { class: "about" }, `${is.flits} flits, created in cycle ${whole(Math.floor(is.createdAt))}.`),
  )
}

/** A router of the path, and the cycles that the packet waited there. */
function Stop({ x, side }: { x: Stay; side: string }) {
  const waits = [
    [x.credits, "next buffer full"],
    [x.output, "waiting for its turn"],
    [x.behind, "behind other packets"],
  ] as const
  const says = waits.filter(([n]) => n > 0).map(([n, words]) => `${whole(n)} ${words}`)
  return h(
    "li",
    null,
    h("button", { type: "button", class: "text", onClick: () => void actions.askRouter(x.router, side) }, x.label),
    h("span", null, `cycle ${whole(x.since)}`),
    says.length === 0 ? null : h("small", null, says.join(", ")),
  )
}
