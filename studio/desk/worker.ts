// The desk behind messages.
import type { DeskAsk } from "../shared/desk.ts"
import { answer } from "./desk.ts"

addEventListener("message", async ({ data }: MessageEvent<DeskAsk & { readonly number: number }>) => {
  try {
    postMessage({ kind: "answer", number: data.number, ...(await answer(data)) })
  } catch (e) {
    const says = e instanceof Error ? e.message : String(e)
    postMessage({ kind: "answer", number: data.number, bad: [{ path: "", says, fix: "this is an error of the studio: please report it" }] })
  }
})
