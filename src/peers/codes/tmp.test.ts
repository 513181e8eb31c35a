import { test } from "vitest"
import { replay, replays } from "./replays.ts"
test("x", () => {
  for (const r of replays()) {
    if (!r.trace.startsWith("halo")) continue
    const got = [1, 2, 3, 4, 5, 6, 7, 8].map((s) => replay(r, s))
    const pc = got.map((g) => 100 * (g.end / r.end - 1))
    const mean = pc.reduce((a, b) => a + b) / 8
    const sd = Math.sqrt(pc.reduce((a, b) => a + (b - mean) ** 2, 0) / 7)
    console.log(r.id, mean.toFixed(2), "sd", sd.toFixed(2), pc.map((x) => x.toFixed(1)).join(" "))
  }
})
