// Replies that accumulate at one endpoint faster than they can leave end the run with the stop reason `memory`. No
// packet is dropped silently.
import { expect, it } from "vitest"
import { specOf } from "../../../test/support/machine.ts"
import { prepareFlit, simulate } from "../simulate.ts"

it("a server that replies with 64 flits to each flit runs out of buffer space", async () => {
  const spec = specOf({
    topology: { name: "crossbar", n: 4 },
    routing: { name: "crossbar.direct" },
    switch: { vcs: 2 },
    traffic: [{ load: 1, flits: 1, reply: "64flits", pattern: { name: "hotspot", targets: [0], share: 1 } }],
    measure: { window: "800kcycles", limit: "900kcycles" },
  })
  const prepared = prepareFlit(spec, { read: () => "" })
  if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
  const { why, explains } = await simulate(prepared.ok)
  expect(why).toBe("memory")
  expect(explains).toMatch(/replies waited at their endpoints/)
})
