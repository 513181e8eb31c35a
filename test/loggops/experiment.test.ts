// `rules: loggopsim` from the file of an experiment to its results: times, reports, a pause, and what is refused.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { check } from "../../src/api.ts"
import { defineExperiment } from "../../src/index.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { open, prepare, simulate } from "../../src/run/simulate.ts"

type Tree = Record<string, unknown>

const folder = mkdtempSync(join(tmpdir(), "lacewing-loggops-"))
let files = 0
/** Returns a job that replays a schedule, which it writes to a file. */
function trace(goal: string, mpi: Tree = {}, more: Tree = {}): Tree[] {
  const file = join(folder, `${++files}.goal`)
  writeFileSync(file, goal)
  return [{ name: "app", workload: { name: "trace", file }, mpi, ...more }]
}
/** Rank 1 computes while the message of rank 0 arrives, and answers. */
const pair = `num_ranks 2
rank 0 {
send 101b to 1 tag 0
recv 1b from 1 tag 1
}
rank 1 {
a: recv 101b from 0 tag 0
b: calc 50000
c: send 1b to 0 tag 1
c requires a
}
`
const base: Tree = {
  lacewing: 1,
  network: { topology: { name: "crossbar", n: 8 }, routing: "crossbar.direct", cycle: "1ns" },
  engine: { name: "ideal", rules: "loggopsim", L: "2500ns", g: "1000ns", G: "6ns", o: "1500ns", O: "0ns", S: "65535B" },
  jobs: trace(pair),
  measure: { until: "jobs", limit: "10ms" },
}
async function specOf(more: Tree = {}): Promise<RunSpec> {
  const got = await check(defineExperiment({ ...base, ...more } as never))
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return got.ok.runs[0]!.spec
}
async function refusal(more: Tree): Promise<string> {
  const got = await check(defineExperiment({ ...base, ...more } as never))
  return "bad" in got ? got.bad.map((b) => `${b.path}: ${b.says}`).join("\n") : ""
}
function ready(spec: RunSpec) {
  const made = prepare(spec, { read: (path) => readFileSync(path, "utf8") })
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return made.ok
}

// Rank 1 takes the message when its calculation ends, then sends; rank 0 takes the answer.
const [first, answer] = [50000 + 1500 + 100 * 6, 1500 + 2500 + 1500]

describe("results", () => {
  test("times are those of LogGOPSim, in cycles", async () => {
    const { why, values, tables } = await simulate(ready(await specOf()), { threads: false })
    expect([why, values["jobs.time"], values["jobs.ended"], values["cycles"]]).toEqual([
      "drained",
      first + answer,
      1,
      first + answer,
    ])
    expect(tables["jobs-ranks"]).toMatchObject({
      rank: [0, 1],
      end: [first + answer, first + 1500],
      computing: [0, 50000],
      communication: [first + answer, 100 * 6 + 2 * 1500],
    })
    expect(tables["jobs-calls"]).toMatchObject({ call: ["compute", "send", "recv"], calls: [1, 2, 2] })
    expect(tables["jobs-sizes"]).toMatchObject({ bytes: [1, 128], messages: [1, 1] })
  })
  test("the critical path leads from the first send over the answer to the end", async () => {
    const { tables } = await simulate(ready(await specOf()), { threads: false })
    const sent = first + 1500
    expect(tables["jobs-path"]).toMatchObject({
      rank: [0, 1, 0],
      from: [Number.NaN, 0, 1],
      sent: [Number.NaN, 1500, sent],
      came: [0, 50000, sent + 2500],
      until: [1500, sent, first + answer],
    })
  })
  test("calculations of several processors count once as computing time", async () => {
    const goal = "num_ranks 1\nrank 0 {\ncalc 20000\ncalc 5000 cpu 1\n}\n"
    const { tables } = await simulate(ready(await specOf({ jobs: trace(goal) })), { threads: false })
    expect(tables["jobs-ranks"]).toMatchObject({ end: [20000], computing: [20000], communication: [0] })
  })
  test("a job may start late, and its costs may be its own", async () => {
    const { o: _o, O: _O, S: _S, ...engine } = base["engine"] as Tree
    const jobs = trace(pair, { overhead: "1500ns" }, { start: "7us" })
    const { tables } = await simulate(ready(await specOf({ engine, jobs })), { threads: false })
    expect(tables["jobs"]).toMatchObject({ began: [7000], end: [7000 + first + answer] })
  })
  test("programs without collectives run too: blocking operations become dependencies", async () => {
    const jobs = [{ workload: { name: "ring", ranks: 4, bytes: "101B", laps: 1 } }]
    const { values } = await simulate(ready(await specOf({ jobs })), { threads: false })
    expect(values["jobs.time"]).toBe(4 * (1500 + 2500 + 1500 + 100 * 6))
  })
  test("a pause does not change the result", async () => {
    const spec = await specOf()
    const whole = await simulate(ready(spec), { threads: false })
    const before = await open(ready(spec))
    expect(before.step(4000)).toBe(false)
    const after = await open(ready(spec), {}, before.save())
    while (!after.step(700));
    const { seconds: _, ...values } = (await after.result()).values
    const { seconds: __, ...expected } = whole.values
    expect([values, (await after.result()).fingerprint]).toEqual([expected, whole.fingerprint])
  })
})

describe("refused, because the rules do not contain it", () => {
  test.each<[string, Tree, string]>([
    [
      "a collective",
      { jobs: [{ workload: { name: "collective", ranks: 4, bytes: "8B" } }] },
      "jobs.0.workload: rules: loggopsim executes sends, receives and calculations only " +
        "(rank 0, operation 1: allreduce is a collective, and a schedule has only messages).",
    ],
    [
      "a delay that is not in LogGOPS",
      { jobs: trace(pair, { software: "10ns" }) },
      "jobs.0.mpi.software: rules: loggopsim does not model it. Of mpi, it applies overhead, overheadByte, eager, " +
        "limit, header, compute, gap.",
    ],
    [
      "two ranks on one endpoint",
      { jobs: trace(pair, {}, { each: 2 }) },
      "jobs: Several ranks are on endpoint 0, but with rules: loggopsim each rank has its own interfaces.",
    ],
    [
      "the rules on another engine",
      { engine: { name: "packet", rules: "loggopsim" } },
      'engine.rules: expected one of codes-2019, found the text "loggopsim"',
    ],
    [
      "other rules",
      { engine: { name: "ideal", rules: "logp" } },
      'engine.rules: expected one of loggopsim, found the text "logp"',
    ],
  ])("%s", async (_, more, says) => {
    expect(await refusal(more)).toContain(says)
  })
  test.each(["ideal", "packet", "flit"])("cpu and nic on the %s engine without the rules", async (name) => {
    const network = {
      ...(base["network"] as Tree),
      ...(name === "packet" ? { switch: "chunk", endpoint: "rails" } : {}),
    }
    const goal = pair.replace("calc 50000", "calc 50000 cpu 1")
    expect(await refusal({ network, engine: { name }, jobs: trace(goal) })).toContain(
      "jobs.0.workload: Rank 1 of the schedule uses cpu 1, but a rank has one processor and one network interface here.",
    )
  })
})
