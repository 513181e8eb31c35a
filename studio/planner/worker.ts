// The worker of the planner: receives requests, calls planner.ts and sends the replies.
import type { PlannerRequest } from "../shared/planner.ts"
import { answer } from "./planner.ts"

addEventListener("message", async ({ data }: MessageEvent<PlannerRequest & { readonly number: number }>) => {
  if (data.do === "ping") {
    postMessage({ kind: "answer", number: data.number, ok: true })
    return
  }
  try {
    postMessage({ kind: "answer", number: data.number, ...(await answer(data)) })
  } catch (e) {
    const says = e instanceof Error ? e.message : String(e)
    postMessage({
      kind: "answer",
      number: data.number,
      bad: [{ path: "", says, fix: "this is a bug in the studio, please report it with the experiment" }],
    })
  }
})
