// Why the network accepts no more, in one sentence, with a button that tries a change. The engine decides the cause
// with the rules of a finished run.
import { h } from "preact"
import type { ChannelAnswer } from "../../shared/messages.ts"
import * as actions from "../actions.ts"
import * as s from "../state.ts"
import { unbroken } from "../unbroken.ts"

/** The cause on the side of the answer, at its cycle. */
export function Cause({ side }: { side: string }) {
  const { value: cause } = s.cause
  if (cause === undefined || cause.side !== side || cause.cycle !== actions.now()) return null
  const { is, isDeadlock, cure } = cause
  return h(
    "div",
    { id: "cause", "data-cause": isDeadlock ? "deadlock" : (is.limit?.cause ?? ""), role: "status" },
    isDeadlock ? null : h("p", { class: "sentence" }, unbroken(sentenceOf(is))),
    cure === undefined
      ? null
      : h(
          "p",
          { class: "row" },
          h(
            "button",
            { type: "button", id: "cure", class: "main", onClick: () => void actions.tryCure() },
            "Try the cure",
          ),
          `B with ${cure.says}`,
        ),
    cure === undefined && (isDeadlock || is.limit !== undefined)
      ? h("p", { class: "about" }, "No change of a setting is known that would remove this cause.")
      : null,
  )
}

function sentenceOf({
  limit,
  unknown,
  offered = 0,
  accepted = 0,
  from,
  to,
}: NonNullable<typeof s.cause.value>["is"]): string {
  if (unknown !== undefined) return unknown
  if (limit === undefined)
    return (
      `The network carries its load: it accepted ${accepted.toFixed(3)} of ${offered.toFixed(3)} flits per endpoint ` +
      `and cycle from cycle ${from.toLocaleString("en")} to ${to.toLocaleString("en")}.`
    )
  return `${limit.says[0].toUpperCase()}${limit.says.slice(1)}.`
}

/** Returns why packets wait for a channel, in one sentence. */
export function channelSentence({ chain, queued, utilisation }: ChannelAnswer): string {
  if (chain.ends === "nothing waits") return "No packet waits for this link."
  if (chain.links.length > 1 || chain.ends !== "its turn") return chainSentence(chain)
  return `${flits(queued)} for their turn on this link, which is used ${Math.round(100 * utilisation)} % of the time.`
}

const flits = (n: number): string => (n === 1 ? "1 flit waits" : `${Math.round(n).toLocaleString("en")} flits wait`)

/** Returns how a chain of waiting packets ends; empty if there is none. */
export function chainSentence({ links, ends }: ChannelAnswer["chain"]): string {
  const full = links.length - 1
  const ahead = full < 1 ? "" : `${full} full ${full === 1 ? "buffer is" : "buffers are"} ahead. `
  if (links.length === 0) return ""
  if (ends === "endpoint") return `${ahead}All wait for an endpoint, which accepts one flit per cycle.`
  if (ends === "circle") return `${ahead}The packets wait for each other in a loop.`
  if (ends === "in motion") return `${ahead}The next buffer was full, and its credits have not returned yet.`
  return full < 1 ? "" : `${ahead}All wait for one link, which sends one flit per cycle.`
}
