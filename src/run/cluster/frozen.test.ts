import { describe, expect, test } from "vitest"
import { planned } from "../../../test/support/cluster.ts"
import { hashOf, modelVersion } from "../../experiment/identity.ts"
import { packageVersion } from "../../experiment/version.ts"
import { nodeDigest } from "../../results/disk.ts"
import { sealText } from "../../results/seal.ts"
import { type Asked, frozenOf, frozenText } from "./frozen.ts"

const plan = planned(5, { seeds: 2, expect: "latency.mean at load=0.5 < 60cycles", limits: { time: "90s" } })
const asked: Asked = { on: "slurm", cluster: { ...plan.cluster, partition: "main" }, checkpoint: 600, audit: true }
const text = frozenText(plan, asked)
const inside = text.slice(text.indexOf('"run":') + 6, -1)

describe("a plan that is written down", () => {
  test("comes back whole: every specification complete, and with the text that results show", () => {
    const got = frozenOf(text)
    if (typeof got === "string") throw new Error(got)
    expect(got.asked).toEqual(JSON.parse(JSON.stringify(asked)))
    expect(got.plan.runs).toHaveLength(10)
    for (const [i, run] of got.plan.runs.entries()) {
      const { hash, seed, point, spec, files } = plan.runs[i]!
      expect([run.hash, run.seed, run.point, run.files]).toEqual([hash, seed, point, files])
      expect(JSON.stringify(run.spec)).toBe(JSON.stringify(spec))
      expect(hashOf(run.spec, run.files)).toBe(hash)
    }
    expect([got.plan.expect, got.plan.limits]).toEqual([plan.expect, { seconds: 90, megabytes: Infinity }])
  })
  test("has what many runs share once: the network of ten runs", () => {
    expect(text.split('"mesh.dimension-order"')).toHaveLength(2)
  })
  test("is refused when anything was changed or cut off", () => {
    const changed = "is not what was written: it was changed or cut short"
    expect(frozenOf(text.replace('"load":0.5', '"load":0.6'))).toBe(changed)
    expect(frozenOf(text.slice(0, -100))).toBe(changed)
    expect(frozenOf(inside)).toBe(changed)
    expect(frozenOf("")).toBe(changed)
  })
  test("of another version is refused, with both versions", () => {
    const of = (version: string, model: number) =>
      sealText(
        inside.replace(`"version":"${packageVersion}","model":${modelVersion}`, `"version":"${version}","model":${model}`),
        nodeDigest,
      )
    expect(typeof frozenOf(of(packageVersion, modelVersion))).toBe("object")
    expect(frozenOf(of("9.0.0", modelVersion))).toBe(
      `was made by lacewing 9.0.0 (model ${modelVersion}), and this is ${packageVersion} (model ${modelVersion})`,
    )
    expect(frozenOf(of(packageVersion, 1))).toMatch(/\(model 1\), and this is/)
  })
})
