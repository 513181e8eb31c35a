// The card of a side: its name, large counters, the picture, a caption and its state.
import { h } from "preact"
import { Network } from "./network.ts"
import * as s from "./state.ts"
import { readingOf, wordsOf } from "./stories.ts"
import { breakable } from "./unbroken.ts"

type Reading = ReturnType<typeof readingOf>

const whole = (n: number): string => Math.round(n).toLocaleString("en")
const isBad = ({ health }: Reading): boolean =>
  health === "overloaded" || health === "saturated" || health === "deadlock"

/** The cards. On a narrow screen their counters are the switch between them, and one picture is shown. */
export function Cards() {
  const { value: sides } = s.sides
  return [
    sides.length < 2
      ? null
      : h(
          "div",
          { class: "switch", role: "group", "aria-label": "Shown side", key: "switch" },
          sides.map((side) => h(Choice, { key: side.name, side })),
        ),
    h(
      "div",
      { class: "nets", "data-on": sides.length > 1 ? s.narrow.value : "A", key: "nets" },
      sides.map((side) => h(Card, { key: `${side.name} ${numberOf(side)}`, side })),
    ),
  ]
}

function Choice({ side }: { side: s.Side }) {
  const reading = readingOf(side)
  return h(
    "button",
    {
      type: "button",
      class: `choice side${side.name}`,
      "aria-pressed": s.narrow.value === side.name,
      onClick: () => void (s.narrow.value = side.name),
    },
    h("b", null, `${side.name} · ${wordsOf(side).title}`),
    h("span", { class: isBad(reading) ? "value bad" : "value" }, acceptedOf(reading)),
    h(
      "span",
      { class: "unit" },
      `${side.reel.offered === undefined ? "accepted" : `of ${side.reel.offered.toFixed(2)} accepted`} · latency ${latencyOf(reading)}`,
    ),
  )
}

function Card({ side }: { side: s.Side }) {
  const reading = readingOf(side)
  const { title, about, caption } = wordsOf(side)
  return h(
    "section",
    { class: `net side${side.name}`, id: `network-${side.name}`, "aria-label": `Network ${side.name}` },
    h(
      "div",
      { class: "facts" },
      h(
        "div",
        { class: "who" },
        // The letter means something only if there are two sides.
        s.sides.value.length > 1 ? h("span", { class: "sign" }, side.name) : null,
        h("div", null, h("h2", null, breakable(title)), breakable(about)),
      ),
      h("div", { class: "counters" }, h(Accepted, { side, reading }), h(Latency, { reading })),
      h("p", { class: "caption" }, caption, h("small", null, undrawn(side))),
    ),
    h(
      "div",
      { class: "picture" },
      h(Network, { key: `${s.lostGl.value} ${s.matrix.value}`, side }),
      h(Pill, { side, reading }),
    ),
  )
}

/** Says why there are no dots, or that only some packets are drawn. */
function undrawn(side: s.Side): string | undefined {
  const frame = s.pictures.value[side.name]
  if (frame === undefined || s.matrix.value) return undefined
  if (frame.packets === undefined) return "Packets are not drawn in a network of this size."
  return frame.packets.every > 1 ? `1 of ${frame.packets.every} packets is drawn.` : undefined
}

function Accepted({ side, reading }: { side: s.Side; reading: Reading }) {
  const { offered } = side.reel
  const percent = Math.round(100 * reading.missing)
  return h(
    "div",
    { class: isBad(reading) ? "counter bad" : "counter" },
    h(
      "div",
      { class: "value", "data-counter": "accepted" },
      acceptedOf(reading),
      offered === undefined || reading.health === "deadlock" ? null : h("small", null, ` of ${offered.toFixed(2)}`),
    ),
    h(
      "div",
      { class: "unit" },
      reading.health === "deadlock" ? "no packet can arrive" : "accepted, flits/endpoint/cycle ",
      reading.health === "keeps up" ? h("em", { class: "good" }, "keeps up") : null,
      reading.health === "overloaded" || reading.health === "saturated"
        ? h("em", null, `${percent} % cannot get in`)
        : null,
    ),
  )
}

function Latency({ reading }: { reading: Reading }) {
  const bad = reading.health === "saturated" || reading.health === "deadlock"
  return h(
    "div",
    { class: bad ? "counter bad" : "counter" },
    h("div", { class: "value", "data-counter": "latency" }, latencyOf(reading)),
    h("div", { class: "unit" }, reading.health === "deadlock" ? "latency of stuck packets" : "latency, cycles"),
  )
}

function acceptedOf({ accepted, health }: Reading): string {
  if (health === "deadlock") return "stopped"
  return Number.isNaN(accepted) ? "–" : accepted.toFixed(3)
}

function latencyOf({ latency, health }: Reading): string {
  if (health === "deadlock") return "endless"
  return Number.isNaN(latency) ? "–" : whole(latency)
}

/** The state of a side in words. */
function Pill({ side, reading }: { side: s.Side; reading: Reading }) {
  const frame = s.pictures.value[side.name]
  const [kind, says] =
    reading.health === "deadlock"
      ? ["dead", `Deadlock since cycle ${whole(side.reel.deadlock ?? 0)}`]
      : reading.health === "saturated"
        ? ["full", "Saturated: queues keep growing"]
        : frame?.status.ended === true && !s.running.value
          ? ["", `Done at cycle ${whole(frame.status.cycle)}`]
          : ["", s.running.value ? "Running" : "Paused"]
  return h("div", { class: `pill ${kind}`, role: "status" }, says)
}

/** A number for each engine, so that a new engine gets a new card. */
const numbers = new WeakMap<object, number>()
let engines = 0
function numberOf({ engine }: s.Side): number {
  if (!numbers.has(engine)) numbers.set(engine, ++engines)
  return numbers.get(engine)!
}
