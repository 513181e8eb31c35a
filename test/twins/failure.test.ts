// When workers of a packet simulation break off, the first one's error is what one hears.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { chunkTimes } from "../../src/compile/packet/machine.ts"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { breakOff, firstFailure, hasFailed, shareFailure } from "../../src/run/packet/failure.ts"
import { built } from "../support/build.ts"

describe("the first failure", () => {
  it("is kept, whatever the others say after it", () => {
    const f = shareFailure()
    expect(hasFailed(f)).toBe(false)
    breakOff(f, new TypeError("the cause"))
    breakOff(f, new Error("another worker broke off"))
    expect(hasFailed(f)).toBe(true)
    expect(firstFailure(f).message).toBe("the cause")
    expect(firstFailure(f).stack).toContain("the cause")
  })

  it("stays a lack of memory", () => {
    const f = shareFailure()
    breakOff(f, new RangeError("allocation of a record"))
    expect(firstFailure(f)).toBeInstanceOf(RangeError)
  })
})

describe("workers on threads", () => {
  const from = <T>(file: string): Promise<T> => import(pathToFileURL(join(built(), file)).href)
  let team: typeof import("../../src/run/packet/team.ts")
  let compile: typeof import("../../src/compile/packet/compile.ts")
  let runs: typeof import("../../src/run/packet/run.ts")
  let collects: typeof import("../../src/run/packet/collect.ts")
  beforeAll(async () => {
    team = await from("run/packet/team.js")
    compile = await from("compile/packet/compile.js")
    runs = await from("run/packet/run.js")
    collects = await from("run/packet/collect.js")
  })

  const spec: RunSpec = {
    network: {
      topology: { name: "torus", sides: "4x4" },
      routing: { name: "torus.dimension-order" },
      switch: { name: "chunk", vcs: 2, chunk: "1KiB", buffer: "4KiB", bandwidth: "10GB/s", credit: "5ns" },
      endpoint: { name: "rails" },
      links: {},
      cycle: "1ns",
      flit: "64B",
    },
    engine: { name: "packet", sync: "conservative" },
    traffic: [plainStream({ arrivals: { name: "poisson" }, packet: { name: "fixed", size: "1KiB" }, load: 0.8 })],
    measure: plainMeasure({}),
    probes: [],
    seed: 1,
  }

  it("that were promised too long a look-ahead stop with the message that came too late, not with each other's", async () => {
    const compiled = compile.compilePacket(spec, { read: () => "" })
    if ("bad" in compiled) throw new Error(compiled.bad[0]!.says)
    const { network } = compiled.ok
    const { graph } = network.topology
    const plan = runs.crewPlan(network, { sync: "windows", workers: 3 })
    plan.between.fill(1_000_000)
    const collect = {
      streams: 1,
      ends: graph.ends,
      cycle: 1000,
      interval: 1e6,
      intervals: 8,
      times: chunkTimes(network),
      routers: graph.routers,
    }
    const memories = Array.from({ length: 3 }, () => collects.shareCollector(collect))
    const window = collects.shareWindow()
    const run = await team.PacketTeam.gather(network, plan, () => {}, { spec, folder: ".", collect, memories, window, warm: 0 })
    expect(() => run.advance(5_000_000)).toThrow(/is scheduled for LP \d+ at \d+ ps, where the clock is past|no earlier event/)
  })
})
