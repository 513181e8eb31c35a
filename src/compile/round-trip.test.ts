// The round trip of the idle network against packets that are sent through one: the latency there, and a flit back.
import { describe, expect, test } from "vitest"
import { check, run } from "../api.ts"
import { defineExperiment } from "../index.ts"
import { compile } from "./compile.ts"
import { idleRoundTrip } from "./round-trip.ts"

const host = { read: (path: string): string => `no file ${path}` }

function row(n: number, flits: number, link: number, more: object = {}) {
  return defineExperiment({
    lacewing: 1,
    network: {
      topology: { name: "mesh", sides: String(n), p: 1 },
      routing: "mesh.dimension-order",
      switch: { name: "combined", vcs: 2, buffer: "256flits", ...more },
      links: { link: `${link}cycles`, end: "3cycles" },
    },
    traffic: { pattern: { name: "to-set", set: [n - 1] }, from: [0], load: flits / 2000, packet: `${flits}flits` },
    measure: { warmup: "0cycles", window: "20kcycles", limit: "60kcycles" },
  } as never)
}

async function latencyOf(e: ReturnType<typeof row>): Promise<number> {
  const got = await run(e, { workers: 1 })
  if ("bad" in got) throw new Error(got.bad[0].says)
  return got.ok.records[0].result.values["latency.mean"]
}

describe("round trip of the idle network", () => {
  test.each([
    [2, 1, 1, {}],
    [5, 8, 10, {}],
    [3, 24, 10, { speed: 1.5 }],
    [4, 32, 7, { route: "3cycles", traverse: "2cycles" }],
  ])(
    "%i routers in a row, %i flits, links of %i cycles: the measured latencies of a packet and of a flit",
    async (n, flits, link, more) => {
      const there = await latencyOf(row(n, flits, link, more))
      const back = await latencyOf(row(n, 1, link, more))
      const planned = await check(row(n, flits, link, more))
      if ("bad" in planned) throw new Error(planned.bad[0].says)
      const compiled = compile(planned.ok.runs[0].spec, host)
      if ("bad" in compiled) throw new Error(compiled.bad[0].says)
      const { topology, switch: sw } = compiled.ok.network
      if (sw.moves === "flits") throw new Error("combined moves packets")
      expect(idleRoundTrip(topology, sw.layout, flits)).toBe(there + back)
    },
  )
})
