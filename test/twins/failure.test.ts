// When workers of a packet simulation break off, the first one's error is what one hears.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { chunkTimes } from "../../src/compile/packet/machine.ts"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import { GROUP, WorkerGroup } from "../../src/engines/flit/worker-group.ts"
import { stepAlone } from "../../src/engines/packet/single-thread.ts"
import type { WorkerLoop } from "../../src/engines/packet/worker.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { breakOff, firstFailure, hasFailed, shareFailure } from "../../src/run/worker-group/failure.ts"
import { built, root } from "../support/build.ts"

describe("the first failure", () => {
  it("is kept, whatever the others say after it", () => {
    const f = shareFailure(3)
    expect(hasFailed(f)).toBe(false)
    breakOff(f, 2, new TypeError("the cause"))
    breakOff(f, 0, new Error("another worker broke off"))
    expect(hasFailed(f)).toBe(true)
    expect(firstFailure(f).message).toBe("the cause")
    expect(firstFailure(f).stack).toContain("the cause")
  })

  it("stays a lack of memory", () => {
    const f = shareFailure(1)
    breakOff(f, 0, new RangeError("allocation of a record"))
    expect(firstFailure(f)).toBeInstanceOf(RangeError)
  })
})

describe("a failure that is not yet announced", () => {
  it("is invisible, so that nobody waits for a text whose writer was terminated", () => {
    const f = shareFailure(2)
    const error = new Error("the cause")
    // the thread ends in the middle of writing
    Object.defineProperty(error, "stack", {
      get() {
        throw new Error("terminated")
      },
    })
    expect(() => breakOff(f, 1, error)).toThrow("terminated")
    expect(hasFailed(f)).toBe(false)
    breakOff(f, 0, new Error("worker 1 ended"))
    expect(firstFailure(f).message).toBe("worker 1 ended")
  })

  it("has a text of bounded length, whatever it consists of", () => {
    const f = shareFailure(2)
    // JSON writes each of these characters as six bytes: 1,200 of the message and 1,200 of the stack are kept
    breakOff(f, 1, new RangeError("\u0000".repeat(100_000)))
    expect(firstFailure(f).message).toBe("\u0000".repeat(1200))
    expect(firstFailure(f)).toBeInstanceOf(RangeError)
  })
})

describe("a worker that waits", () => {
  it("looks for failures after every wait, also while others keep it awake", () => {
    let waits = 0
    function* endless() {
      for (; waits < 1000; waits++) yield undefined
    }
    // two workers with full rings to a third one call each other, so that no rest ends in sleep
    const w = { channels: { rest: () => true } } as unknown as WorkerLoop<unknown>
    const watch = () => {
      throw new Error("another worker broke off")
    }
    expect(() => stepAlone(w, endless(), watch)).toThrow("another worker broke off")
    expect(waits).toBe(0)
  })

  it("passes the barrier of a clocked team when its counts reach 32 bits", () => {
    const sync = new Int32Array(GROUP.words + 2 * GROUP.line)
    // the second of two workers arrives in round 2^30 + 1: it is arrival 2^31 + 2. One that did not notice would wait;
    // here it would throw
    sync[GROUP.round] = 2 ** 30
    sync[GROUP.arrived] = (2 ** 31 + 1) | 0
    sync[GROUP.broken] = 1
    new WorkerGroup(sync, 2, 1).barrier()
    expect(sync[GROUP.round]).toBe(2 ** 30 + 1)
  })

  it("breaks off at the barrier of a clocked team, and while it waits for an order, when another one failed", () => {
    const sync = new Int32Array(new SharedArrayBuffer(4 * (GROUP.words + 2 * GROUP.line)))
    new WorkerGroup(sync, 2, 0).fail()
    const other = new WorkerGroup(sync, 2, 1)
    expect(() => other.barrier()).toThrow("another worker broke off")
    expect(() => other.serve({ parts: 2, window: 1, run() {}, collect() {} }, 0)).toThrow("another worker broke off")
  })
})

describe("real failures", () => {
  it("end their runs with the first worker's error, wherever they happen (as npm run stress:failure)", () => {
    const script = join(root, "scripts/stress-failure.mjs")
    const dist = built()
    const args = [script, "--failures", "24", "--processes", "2", "--seed", "34", "--patience", "1800", "--dist", dist]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
    expect(stderr).toBe("")
    expect(stdout).toMatch(/\b0 hangs, 0 with another error/)
    expect(Number(/(\d+) failures, 0 hangs/.exec(stdout)![1])).toBeGreaterThanOrEqual(24)
  })
})

describe("workers on threads", () => {
  const from = <T>(file: string): Promise<T> => import(pathToFileURL(join(built(), file)).href)
  let team: typeof import("../../src/run/packet/worker-group.ts")
  let compile: typeof import("../../src/compile/packet/compile.ts")
  let runs: typeof import("../../src/run/packet/run.ts")
  let collects: typeof import("../../src/measure/packet/collect.ts")
  beforeAll(async () => {
    team = await from("run/packet/worker-group.js")
    compile = await from("compile/packet/compile.js")
    runs = await from("run/packet/run.js")
    collects = await from("measure/packet/collect.js")
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

  it("with a look-ahead that is too long stop with the late message, not with another worker's error", async () => {
    const compiled = compile.compilePacket(spec, { read: () => "" })
    if ("bad" in compiled) throw new Error(compiled.bad[0].says)
    const { network } = compiled.ok
    const { graph } = network.topology
    const plan = runs.workersPlan(network, { sync: "windows", workers: 3 })
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
    const run = await team.PacketWorkerGroup.gather(network, plan, () => {}, {
      spec,
      folder: ".",
      collect,
      memories,
      window,
      warm: 0,
    })
    expect(() => run.advance(5_000_000)).toThrow(
      /is scheduled for LP \d+ at \d+ ps, where the clock is past|no earlier event/,
    )
  })
})
