import { describe, expect, test } from "vitest"
import { missingWhen, namesOf, reasonMissing, settled, told, valueIn } from "./missing.ts"
import { commonValues as values } from "./values.ts"

const loads = { offered: 0.5, accepted: 0.5, packets: 1000 }
const run = (why: string, more: Record<string, number> = {}, missing?: string[]) => ({
  why,
  values: { ...loads, "latency.mean": 20, "hops.mean": 3, ...more },
  missing,
})

describe("why a value is missing", () => {
  test("a value that exists has no reason", () => {
    expect([reasonMissing(run("steady"), "latency.mean"), valueIn(run("steady"), "latency.mean")]).toEqual([
      undefined,
      20,
    ])
  })
  test.each([
    ["deadlock", {}, "accepted", "deadlocked"],
    ["starved", {}, "hops.mean", "starved"],
    ["saturated", {}, "latency.mean", "saturated"],
    // 0.3 of 0.5 is 40 % less, far above 5 % and 4 / sqrt(1000) = 13 % of noise
    ["drained", { accepted: 0.3 }, "latency.mean", "saturated"],
    ["drained", { packets: 0, accepted: 0, offered: 0 }, "latency.mean", "no packet"],
    ["drained", { messages: 0 }, "message.mean", "no message"],
    ["drained", { "jobs.time": 100, "jobs.ended": 0.75 }, "jobs.time", "did not end"],
    ["drained", { "jobs.time": -0.001, "jobs.ended": 0 }, "jobs.time", "did not end"],
    ["drained", { "links.mean": -0.19 }, "links.mean", "not measured"],
    ["drained", { "latency.sd": Number.NaN }, "latency.sd", "not measured"],
    ["steady", {}, "time.stash", "not measured"],
  ])("%s %j: %s is missing (%s)", (why, more, name, reason) => {
    expect(reasonMissing(run(why, more), name)).toBe(reason)
    expect(valueIn(run(why, more), name)).toBeUndefined()
  })
  test("counts, the verdict and the accepted load of a saturated run exist", () => {
    expect(["accepted", "packets", "hops.mean"].map((name) => reasonMissing(run("saturated"), name))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
  test("a stream is judged by its own loads, one without an offered load by those of the run", () => {
    const own = {
      ...{ "hot.offered": 1, "hot.accepted": 0.3, "hot.packets": 1000, "hot.latency.mean": 900 },
      ...{ "a.b.offered": 0.1, "a.b.accepted": 0.1, "a.b.packets": 1000, "a.b.latency.mean": 30 },
      ...{ "hot.reply.latency.mean": 40, "hot.reply.packets": 3, "late.latency.mean": 0, "late.packets": 0 },
    }
    const reason = (why: string, name: string) =>
      reasonMissing(run(why, { ...own, accepted: 0.2 }), `${name}.latency.mean`)
    expect(["hot", "a.b", "hot.reply"].map((name) => reason("saturated", name))).toEqual([
      "saturated",
      undefined,
      "saturated",
    ])
    expect(reasonMissing(run("drained", own), "late.latency.mean")).toBe("no packet")
  })
  test("names are divided into values and reasons, and values without a number become missing", () => {
    const { values: kept, missing } = settled({ a: 1, b: Number.NaN, c: Number.POSITIVE_INFINITY, d: null })
    expect([kept, missing]).toEqual([{ a: 1 }, ["b", "c", "d"]])
    const result = run("saturated", {}, ["latency.sd"])
    expect(namesOf(result)).toEqual(["offered", "accepted", "packets", "latency.mean", "hops.mean", "latency.sd"])
    expect(told(result)).toEqual({
      values: { ...loads, "hops.mean": 3 },
      missing: { "latency.mean": "saturated", "latency.sd": "saturated" },
    })
  })
  test("declarations say when", () => {
    expect(missingWhen(values["latency.mean"])).toBe(
      "the network deadlocked or starved, or the network is saturated, or no packet was measured",
    )
    expect(missingWhen(values["packets"])).toBeUndefined()
  })
})
