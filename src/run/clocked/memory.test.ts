// Answers that pile up at one endpoint faster than they can leave: the run ends with `memory` and says why; nothing is dropped in silence.
import { expect, it } from "vitest"
import { specOf } from "../../../test/support/machine.ts"
import { prepareFlit, simulate } from "../simulate.ts"

it("a server that answers 1 flit with 64 runs out of room for its answers", async () => {
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
  expect(explains).toMatch(/answers waited at their endpoints/)
})
