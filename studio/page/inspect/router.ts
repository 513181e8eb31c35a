// The details of a router: its outputs, its input buffers by VC, the owners of its output VCs, its arbiters and its
// shared buffers.
import { type ComponentChildren, h } from "preact"
import type { RouterAnswer } from "../../shared/messages.ts"
import * as actions from "../actions.ts"
import { percent } from "../percent.ts"

export function Router({ is, side }: { is: RouterAnswer; side: string }) {
  const { inside, packets } = is
  const vcs = 1 + Math.max(0, ...inside.buffers.map((b) => b.vc))
  const fill = inside.buffers.reduce((sum, b) => sum + b.flits, 0)
  return h(
    "div",
    { id: "router" },
    h("h2", null, sentence(is)),
    h("p", { class: "about" }, is.label),
    table(
      "Outputs",
      ["to", "busy", "queued flits", "blocked flits"],
      is.ports.map((p) => [
        h("button", { type: "button", onClick: () => void actions.askChannel(p.chan, side) }, p.to),
        percent(p.utilisation),
        p.queued,
        p.stalled,
      ]),
    ),
    inside.buffers.length === 0
      ? null
      : opened(`Buffers: ${fill} flits`, true, grid(is, vcs, packets, side), waiting(is)),
    hasSeveralQueues(is) ? opened(`Queues: ${is.queues.length}`, true, queues(is)) : null,
    inside.outputs.length === 0 ? null : opened("Output VCs", false, outputs(is)),
    inside.pools.length === 0
      ? null
      : opened(
          `Stash: ${inside.pools.reduce((sum, p) => sum + p.flits, 0)} flits in ${inside.pools.length} pools`,
          true,
          table(
            "Pools by port",
            ["port", "flits", "of", "full"],
            inside.pools.map((p) => [p.port, p.flits, p.of, filled(p.flits, p.of)]),
          ),
        ),
    inside.arbiters.length === 0
      ? null
      : opened(
          "Allocator",
          false,
          table(
            "Arbiters",
            ["at", "next"],
            inside.arbiters.map((a) => [a.name, a.says]),
          ),
        ),
    inside.state.length === 0
      ? null
      : opened(
          "Internal state by port",
          false,
          table(
            "State columns of the switch",
            ["column", ...inside.state[0].values.map((_, port) => String(port))],
            inside.state.map((c) => [c.name, ...c.values]),
          ),
        ),
  )
}

function opened(title: string, open: boolean, ...children: ComponentChildren[]) {
  return h("details", { open }, h("summary", null, title), children)
}

export function table(caption: string, heads: readonly string[], rows: readonly (readonly ComponentChildren[])[]) {
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      null,
      h("caption", null, caption),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          heads.map((t, i) => h("th", { key: i, scope: "col" }, t)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row, i) =>
          h(
            "tr",
            { key: i },
            row.map((cell, k) => h("td", { key: k }, cell)),
          ),
        ),
      ),
    ),
  )
}

const filled = (flits: number, of: number) =>
  h(
    "span",
    { class: "fill", style: { "--part": `${of > 0 ? Math.min(100, Math.round((100 * flits) / of)) : 0}%` } },
    of > 0 ? percent(flits / of) : "",
  )

/** Returns how full the router is, and how many of its queues are blocked. */
function sentence({ inside, queues }: RouterAnswer): string {
  const flits = inside.buffers.reduce((sum, b) => sum + b.flits, 0)
  const blocked = queues.filter((q) => !q.hasCredits).length
  if (queues.length === 0) return "No packet waits in this router."
  const holds = `It holds ${flits.toLocaleString("en")} ${flits === 1 ? "flit" : "flits"}. `
  return blocked === 0
    ? `${holds}All of its ${queues.length} waiting packets have credits.`
    : `${holds}${blocked} of its ${queues.length} waiting packets cannot leave: the next buffer is full.`
}

/** True: the switch has several queues for an input VC, or queues inside. The grid of buffers does not show these. */
function hasSeveralQueues({ queues }: RouterAnswer): boolean {
  const names = queues.map((q) => `${q.input} ${q.inputVc}`)
  return queues.some((q) => q.input < 0) || new Set(names).size < names.length
}

/** The queues of a switch with queues for each output, or inside. */
function queues({ queues, ports, inputs }: RouterAnswer) {
  return table(
    "Queues with packets, longest first",
    ["at", "VC", "for", "flits", ""],
    queues
      .toSorted((a, b) => b.flits - a.flits)
      .slice(0, 200)
      .map((q) => [
        q.input < 0 ? "inside" : `from ${inputs[q.input]}`,
        q.inputVc,
        ports[q.chan]?.to ?? q.chan,
        q.flits,
        q.hasCredits ? "can move" : "next buffer full",
      ]),
  )
}

/** The grid of input buffers: inputs as rows, VCs as columns. A cell with flits links to its head packet. */
function grid(is: RouterAnswer, vcs: number, packets: RouterAnswer["packets"], side: string) {
  const at = new Map(is.inside.buffers.map((b) => [`${b.input} ${b.vc}`, b]))
  const inputs = [...new Set(is.inside.buffers.map((b) => b.input))]
  const cell = (input: number, vc: number) => {
    const b = at.get(`${input} ${vc}`)
    if (b === undefined) return ""
    const front = packets.find((p) => p.id === b.packet)
    const says = b.of > 0 ? `${b.flits}/${b.of}` : String(b.flits)
    const bar = h(
      "span",
      {
        class: "fill",
        style: { "--part": `${b.of > 0 ? Math.min(100, (100 * b.flits) / b.of) : b.flits > 0 ? 100 : 0}%` },
      },
      says,
    )
    if (front === undefined) return bar
    return h(
      "button",
      {
        type: "button",
        title: `packet from ${front.from} to ${front.to}: ${b.does}`,
        onClick: () => void actions.askPacket(front, side),
      },
      bar,
    )
  }
  return table(
    "Flits and capacity of each input VC",
    ["from", ...Array.from({ length: vcs }, (_, v) => `VC ${v}`)],
    inputs.map((input) => [is.inputs[input] ?? input, ...Array.from({ length: vcs }, (_, v) => cell(input, v))]),
  )
}

function waiting({ inside, inputs }: RouterAnswer) {
  const busy = inside.buffers.filter((b) => b.packet >= 0)
  if (busy.length === 0) return h("p", null, "All input buffers are empty.")
  return table(
    "State of the head packets",
    ["from", "VC", "head packet"],
    busy.slice(0, 200).map((b) => [inputs[b.input] ?? b.input, b.vc, b.does]),
  )
}

function outputs({ inside }: RouterAnswer) {
  return table(
    "Owner and free buffer space",
    ["output", "VC", "owner", "free space", "in its buffer"],
    inside.outputs
      .slice(0, 400)
      .map((o) => [
        o.port,
        o.vc < 0 ? "all" : o.vc,
        o.input < 0 ? "–" : `input ${o.input}, VC ${o.inputVc}`,
        o.credits < 0 ? "–" : `${o.credits} of ${o.of}`,
        o.buffered < 0 ? "–" : o.buffered,
      ]),
  )
}
