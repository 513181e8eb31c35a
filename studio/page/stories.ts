// The words of the page: a headline, one line of explanation, and the names and captions of both sides. Stories have
// their own; those of other experiments are computed from what is accepted.
import type { StoryName } from "../shared/stories.ts"
import { clock } from "./film/clock.ts"
import type { Counters } from "./film/reel.ts"
import * as s from "./state.ts"

interface SideWords {
  readonly title: string
  readonly about: string
  readonly caption: string
}

interface StoryWords {
  readonly tab: string
  readonly headline: string
  /** `ratio`: accepted load of B in units of that of A, once both are known. */
  readonly says: (t: number, ratio: number) => string
  readonly A: SideWords
  readonly B: SideWords
  /** The endpoint that the story is about. */
  readonly mark?: number
}

export const stories: Readonly<Record<StoryName, StoryWords>> = {
  adversarial: {
    tab: "Adversarial traffic",
    headline: "Every group sends to its neighbour. Only one link goes there.",
    says: (t, ratio) =>
      t < 160 || !(ratio > 0)
        ? "Each dot is a packet. 8 endpoints per group offer 0.30 each: 2.4 times the capacity of that one link."
        : `A queues for that link; its centre stays empty. B takes detours and delivers ${ratio.toFixed(1)} times as much.`,
    A: {
      title: "Minimal routing",
      about: "always the shortest path",
      caption: "One link per pair of groups: 2.4 times overbooked",
    },
    B: {
      title: "UGAL routing",
      about: "goes around long queues",
      caption: "Detours through other groups share the load",
    },
  },
  hotspot: {
    tab: "Hot spot",
    headline: "One busy endpoint stops traffic that never goes there.",
    says: () =>
      "Buffers fill backwards from endpoint 27 and grow into a tree. Packets for other endpoints are stuck behind.",
    A: {
      title: "8 % to endpoint 27",
      about: "64 endpoints offer it 5 times its capacity",
      caption: "Links with ties may not send: the next buffer is full",
    },
    B: {
      title: "1 % to endpoint 27",
      about: "within its capacity",
      caption: "Below the limit, no queue grows",
    },
    mark: 27,
  },
  deadlock: {
    tab: "Deadlock",
    headline: "A few packets wait for each other in a loop, and everything stops.",
    says: () =>
      "Both sides have the same traffic and the same seed. One setting of the switch decides whether they can deadlock.",
    A: { title: "VC reused at once", about: "tailCredit: false", caption: "" },
    B: { title: "VC reused when empty", about: "tailCredit: true", caption: "Overloaded, but never stuck" },
  },
  large: {
    tab: "1,056 endpoints",
    headline: "Rows send, columns receive. In A, one stripe carries everything.",
    says: () =>
      "Each cell is the busiest link from one group to another, hatched when it is blocked. The diagonal is inside a group.",
    A: {
      title: "Minimal routing",
      about: "always the shortest path",
      caption: "32 endpoints share one link: 9.6 times overbooked",
    },
    B: { title: "UGAL routing", about: "goes around long queues", caption: "The load is spread over the matrix" },
  },
}

const none: Counters = { accepted: Number.NaN, latency: Number.NaN, blocked: Number.NaN }
/** Before this cycle, the first packets have not arrived, so the counters mean nothing. */
export const FIRST = 60
/** Less than this share of the offered load is accepted: packets cannot get in. The page states it after SETTLED cycles. */
const KEEPS_UP = 0.93
const SETTLED = 250

export type Health = "early" | "keeps up" | "overloaded" | "saturated" | "deadlock"

/** Returns the counters of a side at the shown time, and what they mean. */
export function readingOf({ reel }: s.Side): Counters & { readonly health: Health; readonly missing: number } {
  // The counters follow the shown frames.
  void s.pictures.value
  const counters = clock.t < FIRST ? none : reel.counters(clock.t)
  const { offered } = reel
  const missing = offered === undefined || !(counters.accepted >= 0) ? 0 : 1 - counters.accepted / offered
  const health: Health = reel.isDeadlocked(clock.t)
    ? "deadlock"
    : reel.isSaturated(clock.t)
      ? "saturated"
      : clock.t < SETTLED || offered === undefined || Number.isNaN(counters.accepted)
        ? "early"
        : missing > 1 - KEEPS_UP
          ? "overloaded"
          : "keeps up"
  return { ...counters, health, missing }
}

/** Returns the headline and the line below it. */
export function headline(): { readonly h1: string; readonly says: string } {
  const { value: sides } = s.sides
  const { value: name } = s.story
  const readings = sides.map(readingOf)
  if (name !== undefined) {
    const [a, b] = readings
    const ratio = a !== undefined && b !== undefined && clock.t > 250 ? b.accepted / a.accepted : 0
    // The words of the largest story are about its matrix. As a network, it is the first story again.
    const story = stories[name === "large" && !s.matrix.value ? "adversarial" : name]
    const says =
      story === stories[name]
        ? story.says(clock.t, ratio)
        : `Each dot is a packet. ${stories[name].A.caption}.${ratio > 0 ? ` B delivers ${ratio.toFixed(1)} times as much.` : ""}`
    return { h1: story.headline, says }
  }
  const title = s.planned.value?.title ?? ""
  const [a] = readings
  if (a === undefined || sides[0] === undefined) return { h1: title === "" ? "lacewing studio" : title, says: "" }
  if (s.gain.value !== "") return { h1: title, says: s.gain.value }
  return { h1: title, says: sides.map((side, i) => sentence(side, readings[i], sides.length > 1)).join(" ") }
}

function sentence(side: s.Side, reading: ReturnType<typeof readingOf>, named: boolean): string {
  const { offered } = side.reel
  const who = named ? side.name : "The network"
  if (reading.health === "deadlock") return `${who} is deadlocked: packets wait for each other in a loop.`
  if (offered === undefined || Number.isNaN(reading.accepted)) return `${who} is at cycle ${Math.round(clock.t)}.`
  if (reading.health === "early") return `${who} is offered ${offered.toFixed(2)} flits per endpoint and cycle.`
  return reading.health === "keeps up"
    ? `${who} accepts the offered load of ${offered.toFixed(2)}.`
    : `${who} accepts ${reading.accepted.toFixed(3)} of the ${offered.toFixed(2)} that is offered.`
}

/** Returns the names of a side. */
export function wordsOf(side: s.Side): SideWords {
  const { value: name } = s.story
  if (name !== undefined) return stories[name][side.name]
  // Keys are easier to read without their common part.
  if (side.set.length > 0)
    return { title: side.set.join("; ").replaceAll("network.", "").replaceAll("=", ": "), about: "", caption: "" }
  const run = s.planned.value?.runs[side.run]
  if (run === undefined) return { title: "Experiment", about: "", caption: "" }
  const point = Object.entries(run.point).map(([k, v]) => (typeof v === "number" ? `${k} ${v}` : String(v)))
  // A single run is named by its routing and its traffic.
  const { network, traffic } = run.spec
  const streams = traffic.map((t) => `${t.pattern.name}, load ${t.load}`).join("; ")
  return point.length === 0
    ? { title: network.routing.name, about: [streams, `seed ${run.seed}`].filter(Boolean).join(", "), caption: "" }
    : { title: point.join(", "), about: `seed ${run.seed}`, caption: "" }
}
