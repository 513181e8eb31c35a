// Actions on time: run, pause, any cycle, any speed, any kind of heat.
import type { HeatKind } from "../../shared/messages.ts"
import { clock, cyclesPerSecond, startClock, tellPictures } from "../film/clock.ts"
import * as s from "../state.ts"
import { all, now, sideOf, trying } from "./common.ts"
import { openA } from "./engines.ts"
import { askWhy } from "./inspect.ts"

let takes = 0

/** Plays from the current cycle. At a finite speed, the page plays the film that the engines send ahead. */
export async function play(): Promise<void> {
  if (sideOf("A") === undefined) await openA()
  if (isOver()) {
    sayEnded(Number.POSITIVE_INFINITY)
    return
  }
  s.answer.value = undefined
  await trying("", async () => {
    if (cyclesPerSecond() === Number.POSITIVE_INFINITY) await all({ do: "run" })
    else {
      takes++
      clock.from = clock.t
      for (const { reel } of s.sides.value) Object.assign(reel, { take: takes, asked: 0, stride: 0 })
    }
    s.running.value = true
  })
}

const isOver = (): boolean => s.sides.value.some(({ reel }) => reel.ended && clock.t >= reel.last)

export async function pause(): Promise<void> {
  // A film shows a cycle that the engines have passed; after a run at maximum speed, the sides are at different cycles.
  const film = cyclesPerSecond() !== Number.POSITIVE_INFINITY
  s.running.value = false
  await trying("", async () => {
    await all({ do: "pause" })
    const reached = Math.max(...s.sides.value.map((x) => s.pictures.value[x.name]?.status.cycle ?? 0))
    await all({ do: "seek", cycle: film ? Math.round(clock.t) : reached })
    await look()
  })
}

export async function seek(cycle: number): Promise<void> {
  s.running.value = false
  await trying("", async () => {
    for (const { reel } of s.sides.value) reel.take = 0
    await all({ do: "seek", cycle })
    sayEnded(cycle)
    await look()
  })
}

/** Closes the answer and goes to a cycle. */
export async function seekAway(cycle: number): Promise<void> {
  s.answer.value = undefined
  await seek(cycle)
}

/** Closes the answer, shows a side on narrow screens, and plays on. */
export async function watch(side: "A" | "B"): Promise<void> {
  s.answer.value = undefined
  s.narrow.value = side
  await play()
}

/** Reports a side that ended before the requested cycle, because the picture does not show it. */
function sayEnded(cycle: number): void {
  const over = s.sides.value.flatMap(({ name }) => {
    const status = s.pictures.value[name]?.status
    return status?.ended && status.cycle < cycle ? [`${name} ended in cycle ${status.cycle.toLocaleString("en")}`] : []
  })
  if (over.length > 0) s.said.value = `${over.join(", ")}. There are no later cycles.`
}

export const step = (by: number): Promise<void> => seek(Math.max(0, now() + by))

/** Goes to the next or previous event of the strips. */
export async function toEvent(direction: 1 | -1): Promise<void> {
  const t = Math.round(clock.t)
  const found = s.sides.value
    .flatMap(({ reel }) => reel.events.map((e) => e.cycle))
    .filter((c) => direction * (c - t) > 0)
    .sort((a, b) => direction * (a - b))[0]
  if (found === undefined) s.said.value = direction > 0 ? "There is no later event yet." : "There is no earlier event."
  else await seek(found)
}

export async function setSpeed(speed: number): Promise<void> {
  const again = s.running.value
  if (again) await pause()
  s.speed.value = speed
  if (again) await play()
}

export async function setHeat(kind: HeatKind): Promise<void> {
  s.heat.value = kind
  await trying("", () => all({ do: "heat", heat: kind }))
}

/** Updates the lists of the most loaded channels and the oldest packets. */
export async function look(): Promise<void> {
  const side = sideOf("A")
  if (side === undefined) return
  s.top.value = await side.engine.ask<typeof s.top.value>({ do: "top", count: 12 })
}

/** Starts the clock. It pauses at a deadlock, and shows why it happened, and at the end of a run. */
export function startPlaying(): void {
  startClock((at, why, side) => {
    s.running.value = false
    tellPictures(s.sides.value)
    void seek(Math.round(at)).then(() => {
      if (why === "deadlock") return askWhy(side.name)
      sayEnded(Number.POSITIVE_INFINITY)
      return undefined
    })
  })
}
