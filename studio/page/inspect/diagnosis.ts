// Why packets wait: the loop of a deadlock packet by packet, or the congestion trees by their roots.
import { h } from "preact"
import type { Diagnosed } from "../../shared/messages.ts"
import * as actions from "../actions.ts"
import { treeColours } from "../network/colours.ts"
import * as s from "../state.ts"
import { unbroken } from "../unbroken.ts"
import { Cause } from "./cause.ts"

const list = (says: readonly string[]) =>
  h(
    "ol",
    null,
    says.map((w, i) => h("li", { key: i }, unbroken(w))),
  )

export function Diagnosis({ is, side }: { is: Diagnosed; side: string }) {
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
