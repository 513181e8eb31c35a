// Actions on time: run, pause, any cycle, any speed, any kind of heat.
import type { HeatKind } from "../../shared/messages.ts"
import * as s from "../state.ts"
import { all, now, sideOf, trying } from "./common.ts"
import { openA } from "./engines.ts"

export async function play(): Promise<void> {
  if (sideOf("A") === undefined) await openA()
  s.running.value = true
  await trying("", () => all({ do: "run", speed: s.speed.value }))
  sayEnded(Number.POSITIVE_INFINITY)
}

export async function pause(): Promise<void> {
  s.running.value = false
  await trying("", async () => {
    await all({ do: "pause" })
    await align()
    await look()
  })
}

/** Seeks both sides to the same cycle after each pause. */
async function align(): Promise<void> {
  if (s.sides.value.length < 2) return
  const cycle = Math.max(...s.sides.value.map((x) => s.pictures.value[x.name]?.status.cycle ?? 0))
  await all({ do: "seek", cycle })
}

export async function seek(cycle: number): Promise<void> {
  s.running.value = false
  await trying("", async () => {
    await all({ do: "seek", cycle })
    sayEnded(cycle)
    await look()
  })
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

export async function setSpeed(speed: number): Promise<void> {
  s.speed.value = speed
  if (s.running.value) await play()
}

export async function setHeat(kind: HeatKind): Promise<void> {
  s.heat.value = kind
  await trying("", () => all({ do: "heat", heat: kind }))
}

/** Updates the table of the most loaded channels, the numbers behind the colours. */
export async function look(): Promise<void> {
  const side = sideOf("A")
  if (side === undefined) return
  s.top.value = await side.engine.ask<typeof s.top.value>({ do: "top", count: 12 })
}
