// Three guided tours. Each is a list of steps: a text and an action.
import { h } from "preact"
import * as actions from "./actions.ts"
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
/** Rows (router, destination): the next router in clockwise direction. A routing table with a cyclic dependency. */
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
      says: "Eight routers in a ring, one VC, packets longer than a buffer. Every endpoint sends almost half-way around the ring.",
      does: () => actions.openExperiment(ring, "ring.yaml", { "clockwise.table": clockwise }),
    },
    {
      says: "After a few hundred cycles no packet moves: each packet occupies a buffer and waits for the next one.",
      does: () => actions.seek(2000),
    },
    {
      says: "The diagnosis lists the deadlock cycle, packet by packet, as lacewing run does.",
      does: () => actions.askWhy(),
    },
    {
      says: "Check finds the deadlock before the first cycle: the proof shows the same kind of cycle, and how many VCs are sufficient.",
      does: () => actions.check(),
    },
  ],
  "Congestion tree of a hot spot": [
    {
      says: "A mesh of 64 routers. All endpoints send a little to endpoint 27, together more than it can accept, and some packets to all others.",
      does: () => actions.openExperiment(hotspot, "hotspot.yaml"),
    },
    {
      says: "The queue at endpoint 27 fills, then the buffers upstream: a tree of full buffers grows backwards.",
      does: () => actions.setHeat("stall").then(() => actions.seek(3000)),
    },
    {
      says: "The diagnosis shows each congestion tree in its own colour, with its root. Packets to other endpoints are blocked in it, too.",
      does: () => actions.askWhy(),
    },
    {
      says: "Back at an early cycle the same tree is small. The slider reaches any cycle.",
      does: () => actions.seek(300).then(() => actions.askWhy()),
    },
  ],
  "Minimal against adaptive": [
    {
      says: "A dragonfly of 72 endpoints; every group sends to the next one. Minimal routing has one global channel per pair of groups.",
      does: () => actions.openExperiment(adversarial, "adversarial.yaml"),
    },
    {
      says: "At load 0.3 that channel receives more than twice its capacity, so its queue grows without bound.",
      does: () => actions.setHeat("utilisation").then(() => actions.seek(2000)),
    },
    {
      says: "B is the same experiment with UGAL, which takes non-minimal paths through other groups where queues are long.",
      does: () => actions.branch(["network.routing=dragonfly.ugal-l"]),
    },
    {
      says: "Both are at cycle 4,000. More channels are used in B, and none is overloaded. Compare the numbers of delivered packets.",
      does: () => actions.seek(4000),
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
    h("p", { class: "about" }, "Three short tours. Each step changes the picture."),
    Object.keys(tours).map((name) =>
      h("p", { key: name }, h("button", { type: "button", onClick: () => void go(name, 0) }, name)),
    ),
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

/** The actions of the steps so far. Each starts after the previous one has ended, also if the user clicks faster. */
let before: Promise<void> = Promise.resolve()

function go(name: string, step: number): Promise<void> {
  s.tour.value = { name, step }
  s.tab.value = "tours"
  const does = tours[name]?.[step]?.does
  if (does !== undefined) before = before.then(does, does)
  return before
}
