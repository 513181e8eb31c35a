// What all hands share: the desk, the engines of the sides that are shown, and how a failure is told.
import { type Ask, superseded } from "../../shared/messages.ts"
import { Desk } from "../client.ts"
import { pngOf } from "../out/png.ts"
import * as s from "../state.ts"

let desk: Desk | undefined
export const atDesk = (): Desk => {
  if (desk === undefined || desk.dead) desk = new Desk((why) => void (s.trouble.value = why))
  return desk
}

/** Tells a failure where a person sees it. */
export function fail(e: unknown): void {
  // who moves the scrubber on while it goes somewhere need not be told
  if (e instanceof Error && e.message === superseded) return
  s.trouble.value = e instanceof Error ? e.message : String(e)
}

/** `busy`: what is shown meanwhile. */
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

/** A picture as PNG; what a browser refuses is said. */
export async function savePng(name: string, svg: string): Promise<void> {
  await trying("", async () => save(`${name}.png`, await pngOf(svg), "image/png"))
}
