// The rows with cut-through and packet hold measure what their line says: packets in one piece, and flit by flit.
import { expect, test } from "vitest"
import { flitEngine } from "../../../compile/clocked/flits.ts"
import { compile } from "../../../compile/compile.ts"
import { hostOf } from "../../../model/host.ts"
import { prepare, simulate } from "../../../run/open.ts"
import { entries } from "../booksim2/config.ts"
import { heldSpec } from "./booksim2.ts"

const several = entries().filter(
  (e) => e.group === "speed" && e.nodes < 100 && Number(e.config["packet_size"] ?? 1) > 1,
)

test("cut-through rows move packets in one piece, or flit by flit, as their column says", () => {
  expect(several.map((e) => e.id)).toEqual(["speed-mesh8x8-p5-0.1", "speed-mesh8x8-p5-0.3", "speed-mesh8x8-p5-0.4"])
  for (const e of several) {
    const held = (transfer: "flits" | "packets") => {
      const compiled = compile(heldSpec(e, transfer), hostOf())
      if ("bad" in compiled) throw new Error(compiled.bad[0].says)
      return flitEngine(compiled.ok, { horizon: 10, series: 10 }).constants.held
    }
    // packets of 5 flits
    expect([held("packets"), held("flits")]).toEqual([5, 0])
  }
})

test("both columns simulate the same", async () => {
  const values = async (transfer: "flits" | "packets") => {
    const spec = heldSpec(several[1], transfer)
    const measure = {
      ...spec.measure,
      warmup: "100cycles",
      window: "300cycles",
      limit: "3000cycles",
      drain: "measured" as const,
    }
    const ready = prepare({ ...spec, measure }, hostOf())
    if ("bad" in ready) throw new Error(ready.bad[0].says)
    const { values } = await simulate(ready.ok)
    return [values["latency.mean"], values["latency.max"], values["hops.mean"]]
  }
  expect(await values("packets")).toEqual(await values("flits"))
})
