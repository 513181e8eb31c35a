// Common parts of all actions: the planner, the engines of the shown sides, and the display of failures.
import { type Ask, superseded } from "../../shared/messages.ts"
import { Planner } from "../client.ts"
import { pngOf } from "../out/png.ts"
import * as s from "../state.ts"

const planners: { plain?: Planner; isolated?: Planner } = {}
function plannerOf(kind: "plain" | "isolated"): Planner {
  let planner = planners[kind]
  if (planner === undefined || planner.dead) {
    planner = new Planner((why) => void (s.trouble.value = why), kind === "isolated")
    planners[kind] = planner
  }
  return planner
}

/** The planner without custom plug-ins, whose pictures and texts the page can trust. */
export const plainPlanner = (): Planner => plannerOf("plain")
/** The planner of the shown experiment: an isolated one if it executes custom plug-ins. */
export const atPlanner = (): Planner => plannerOf(s.code.value?.allowed === true ? "isolated" : "plain")

/** Shows a failure on the page. */
export function fail(e: unknown): void {
  // A newer position of the time slider replaces the pending one; this is not a failure.
  if (e instanceof Error && e.message === superseded) return
  s.trouble.value = e instanceof Error ? e.message : String(e)
}

/** Runs `work` and shows `busy` meanwhile. A failure is shown and returns undefined. */
export async function trying<T>(busy: string, work: () => Promise<T>): Promise<T | undefined> {
  s.busy.value = busy
  try {
    return await work()
  } catch (e) {
    fail(e)
    return undefined
  } finally {
    s.busy.value = ""
  }
}

export const sideOf = (name: string): s.Side | undefined => s.sides.value.find((x) => x.name === name)
export const all = <T>(message: Ask): Promise<T[]> => Promise.all(s.sides.value.map((x) => x.engine.ask<T>(message)))
export const now = (): number => s.pictures.value["A"]?.status.cycle ?? 0

export function save(name: string, content: BlobPart, type: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Saves a picture as PNG; errors of the browser are shown. */
export async function savePng(name: string, svg: string): Promise<void> {
  await trying("", async () => save(`${name}.png`, await pngOf(svg), "image/png"))
}
