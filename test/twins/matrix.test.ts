// The random matrix: configurations of every engine, each run in all modes and with 1 to 4 workers: one result. So many
// configurations, whatever time they take; `npm run matrix` goes on from there.
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import type { RunResult } from "../../src/model/experiment.ts"
import {
  configuration,
  engines,
  type MatrixEngine,
  newTally,
  tryNumber,
} from "../../src/reproduce/peers/matrix/matrix.ts"
import { differencesOf, packetModes } from "../../src/reproduce/peers/matrix/modes.ts"
import { shrink, yamlOf } from "../../src/reproduce/peers/matrix/shrink.ts"
import { tryOut } from "../../src/reproduce/peers/matrix/trial.ts"

const SEED = 20
const counts: Readonly<Record<MatrixEngine, number>> = {
  packet: 12,
  "input-queued": 16,
  tiled: 14,
  combined: 10,
  infiniband: 6,
  "omni-path": 6,
  "queue-scheme": 8,
}
/** packets that they measure at least, all together: a matrix of empty networks proves nothing */
const least: Readonly<Record<MatrixEngine, number>> = {
  packet: 1500,
  "input-queued": 1500,
  tiled: 1500,
  combined: 1500,
  infiniband: 600,
  "omni-path": 400,
  "queue-scheme": 1500,
}

describe("the random matrix", () => {
  for (const engine of engines)
    it(`${engine}: one result in every mode, with any number of workers`, async () => {
      const tally = newTally()
      for (let i = 0; i < counts[engine]; i++)
        await tryNumber(engine, i, { seed: SEED, threads: false, least: true }, tally)
      expect(
        tally.found.map((f) =>
          [`seed ${SEED}, number ${f.number}, ${f.way}`, ...f.says.slice(0, 5), f.yaml].join("\n"),
        ),
      ).toEqual([])
      expect(tally.refused, [...tally.complaints.keys()].join("\n")).toBeLessThan(tally.tried / 2)
      expect(tally.packets).toBeGreaterThan(least[engine])
    })

  it("is a function of its seed", () => {
    for (const engine of engines) {
      expect(configuration(engine, 3, 5).spec).toEqual(configuration(engine, 3, 5).spec)
      expect(configuration(engine, 3, 5).spec).not.toEqual(configuration(engine, 4, 5).spec)
    }
  })

  it("finds a result that depends on the way", async () => {
    const { random, spec } = configuration("packet", SEED, 0)
    const [one, other] = packetModes(random, false)
    // what the plan refuses is counted, not compared
    const shifted = { ...other!, engine: { ...other!.engine, interval: 0 } }
    expect((await tryOut(spec, [one!, shifted])).refused[0]?.path).toBe("engine.interval")
    const result: RunResult = {
      why: "limit",
      explains: "",
      fingerprint: "a",
      values: { "engine.rounds": 1, packets: 2 },
      tables: { t: { x: [1, 2] } },
    }
    expect(differencesOf(result, { ...result, values: { "engine.rounds": 7, packets: 2 } })).toEqual([])
    expect(differencesOf(result, { ...result, values: { packets: 3 } })).toEqual(["values.packets: 2 is 3"])
    expect(differencesOf(result, { ...result, fingerprint: "b", tables: { t: { x: [1] } } })).toEqual([
      "fingerprint: a is b",
      "tables.t.x.1: 2 is undefined",
    ])
  })

  it("leaves out of an experiment what a difference does not need", async () => {
    const { spec } = configuration("packet", SEED, 1)
    const small = await shrink(spec, async (s) => s.network.switch["vcs"] !== undefined, 500)
    expect(Object.keys(small.network.switch)).toEqual(["name", "vcs"])
    expect(small.probes).toEqual([])
    expect(small.traffic).toHaveLength(1)
    expect(parse(yamlOf(small))).toMatchObject({
      lacewing: 1,
      network: { switch: small.network.switch },
      seeds: [spec.seed],
    })
  })
})
