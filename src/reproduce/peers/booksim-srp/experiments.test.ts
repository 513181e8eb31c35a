// Every recorded run of BookSim2 SRP_IAR has an experiment that lacewing accepts.
import { describe, expect, test } from "vitest"
import { hostAt } from "../../../experiment/disk/host.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource } from "../../../experiment/source.ts"
import { endsOf, experimentOf, sendersOf, srpRuns } from "./experiments.ts"

const runs = srpRuns()

test("the table has runs of all groups", () => {
  expect(runs.length).toBeGreaterThan(50)
  expect(new Set(runs.map((r) => r.group))).toContain("srp-hot")
})

describe.each(runs.map((r) => [r.id, r] as const))("%s", (_, r) => {
  test("has an experiment without complaints", () => {
    const planned = plan({ source: plainSource(r.id, experimentOf(r, 3)), host: hostAt("."), name: r.id })
    expect("bad" in planned ? planned.bad : []).toEqual([])
    // the hot endpoint and its senders send no background traffic
    const apart = r.config["classes"] === "2" ? 1 + (r.config["hotspot_senders"] ?? "").split(",").length : 0
    expect(sendersOf(r.config)).toBe(endsOf(r.config) - apart)
  })
})
