// The replays that CODES ran, beside its record where that is at hand, and one of them beside its bound; `lacewing
// validate codes` judges all.
import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { validateCodes } from "../validate/codes.ts"
import { replays } from "./replays.ts"

test("the table of this project is the record", () => {
  const file = new URL("../../../../../shared/reference/codes/runs.json", import.meta.url)
  expect(replays().length).toBe(24)
  if (!existsSync(file)) {
    console.log("skipped: the record of CODES is not beside the project")
    return
  }
  interface Recorded {
    readonly id: string
    readonly result: { readonly max_runtime_ns: number; readonly avg_comm_ns: number; readonly max_comm_ns: number }
  }
  const { trace_replays } = JSON.parse(readFileSync(file, "utf8")) as { trace_replays: readonly Recorded[] }
  for (const r of replays()) {
    const x = trace_replays.find((t) => t.id === r.id)!.result
    expect([r.id, r.end, r.mean, r.most]).toEqual([r.id, x.max_runtime_ns, x.avg_comm_ns, x.max_comm_ns])
  }
})

test("rings within 0.1 %, one halo of small messages within 2 %", async () => {
  const { rows } = await validateCodes({ full: false, match: /^(ring8.*_dis0|halo27e_dragonfly_plus.*dis1)$/ })
  expect(rows.map((r) => r.id).length).toBe(7)
  expect(rows.filter((r) => r.pass !== true)).toEqual([])
})
