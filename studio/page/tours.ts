// Three guided tours. Each is a list of steps: words, and what is done while they are read.
import { h } from "preact"
import * as hands from "./hands.ts"
import * as s from "./state.ts"

interface Step {
  readonly says: string
  readonly does?: () => Promise<void>
}

const ring = `lacewing: 1
title: A ring with one VC, all packets clockwise
network:
  topology: { name: torus, sides: "8" }
  routing: { name: any.table, file: clockwise.table }
  switch: { name: input-queued, vcs: 1, buffer: 4flits }
traffic: { pattern: tornado, load: 0.6, packet: 8flits }
measure: { warmup: 500cycles, window: 20kcycles, limit: 40kcycles, saturation: never, drain: none }
`
/** at, to, next: always the next router */
const clockwise = Array.from({ length: 64 }, (_, i) => [i >> 3, i & 7])
  .filter(([at, to]) => at !== to)
  .map(([at, to]) => `${at} ${to} ${(at! + 1) % 8}`)
  .join("\n")
const hotspot = `lacewing: 1
title: One endpoint that all others want
network:
  topology: { name: mesh, sides: 8x8 }
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2, buffer: 8flits }
traffic:
  - { name: hot, pattern: { name: hotspot, targets: [27] }, load: 0.08, packet: 4flits }
  - { name: others, pattern: uniform, load: 0.1, packet: 4flits }
measure: { warmup: 1kcycles, window: 20kcycles, limit: 40kcycles, saturation: never, drain: none }
`
const adversarial = `lacewing: 1
title: Minimal against adaptive, all of a group to the next
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 5, buffer: 32flits, speed: 2 }
  links: { local: 5cycles, global: 20cycles }
traffic: { pattern: group-adversarial, load: 0.3, packet: 4flits }
measure: { warmup: 1kcycles, window: 20kcycles, limit: 40kcycles, saturation: never, drain: none }
`

export const tours: Readonly<Record<string, readonly Step[]>> = {
  "A ring that deadlocks": [
    {
      says: "Eight routers in a ring, one VC, packets longer than a buffer. Every endpoint sends almost half way round.",
      does: () => hands.openExperiment(ring, "ring.yaml", { "clockwise.table": clockwise }),
    },
    {
      says: "After some hundred cycles nothing moves any more: each packet holds a buffer and waits for the next one's.",
      does: () => hands.seek(2000),
    },
    { says: "Why? The circle of waits, packet by packet, as lacewing run names it. It is drawn in red.", does: () => hands.askWhy() },
    {
      says: "Check would have said it before the first cycle: the proof names the same kind of circle, and how many VCs are enough.",
      does: () => hands.check(),
    },
  ],
  "A hotspot's tree": [
    {
      says: "A mesh of 64 routers. Everybody sends a little to endpoint 27, together more than it can take, and something to all others.",
      does: () => hands.openExperiment(hotspot, "hotspot.yaml"),
    },
    {
      says: "The queue before endpoint 27 fills, then the buffers behind it, and so on: a tree of full buffers grows backwards.",
      does: () => hands.setHeat("stall").then(() => hands.seek(3000)),
    },
    {
      says: "Why? Each tree in a colour of its own, with its root. Packets that want nothing of endpoint 27 stand in it as well.",
      does: () => hands.askWhy(),
    },
    {
      says: "Back to the beginning: the same tree, small. Any cycle can be reached by the scrubber.",
      does: () => hands.seek(300).then(() => hands.askWhy()),
    },
  ],
  "Minimal against adaptive": [
    {
      says: "A dragonfly of 72 endpoints; every group sends to the next one. Minimal routing has one channel for each pair of groups.",
      does: () => hands.openExperiment(adversarial, "adversarial.yaml"),
    },
    {
      says: "At load 0.3 that channel is asked for more than twice what it carries: its queue grows without end.",
      does: () => hands.setHeat("utilisation").then(() => hands.seek(2000)),
    },
    {
      says: "B is the same experiment with UGAL, which goes around by other groups where queues are long.",
      does: () => hands.branch(["network.routing=dragonfly.ugal-l"]),
    },
    {
      says: "Both at cycle 4,000. More channels carry something in B, and none is overrun. Compare the packets that were delivered.",
      does: () => hands.seek(4000),
    },
  ],
}

export function Tours() {
  const at = s.tour.value
  const steps = at === undefined ? [] : (tours[at.name] ?? [])
  const step = at === undefined ? undefined : steps[at.step]
  return h(
    "section",
    { "aria-label": "Tours" },
    h("p", { class: "about" }, "Three short tours. Each step does something in the picture beside."),
    Object.keys(tours).map((name) => h("p", { key: name }, h("button", { type: "button", onClick: () => void go(name, 0) }, name))),
    at === undefined || step === undefined
      ? null
      : h(
          "div",
          { class: "tour", role: "status", id: "tour" },
          h("h2", null, `${at.name}, ${at.step + 1} of ${steps.length}`),
          h("p", null, step.says),
          h(
            "p",
            { class: "row" },
            at.step > 0 ? h("button", { type: "button", onClick: () => void go(at.name, at.step - 1) }, "Back") : null,
            at.step + 1 < steps.length
              ? h("button", { type: "button", id: "next", onClick: () => void go(at.name, at.step + 1) }, "Next")
              : h("button", { type: "button", onClick: () => void (s.tour.value = undefined) }, "End"),
          ),
        ),
  )
}

/** What the steps so far do: each begins when the one before has ended, however fast they are asked for. */
let before: Promise<void> = Promise.resolve()

function go(name: string, step: number): Promise<void> {
  s.tour.value = { name, step }
  s.tab.value = "tours"
  const does = tours[name]?.[step]?.does
  if (does !== undefined) before = before.then(does, does)
  return before
}
