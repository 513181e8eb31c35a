// Thresholds of a file under --set: one that still has its point is judged there, one that has lost it is set aside
// with the reason.
import { describe, expect, test } from "vitest"
import { small } from "../../test/support/catalog.ts"
import { hostAt } from "./disk/host.ts"
import { type Plan, plan } from "./plan.ts"
import { type Placed, yamlSource } from "./source.ts"

const file = (more: string) => `lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 5 }
traffic: { pattern: uniform, load: 0.1, packet: 1flit }
${more}`
const curve = file(`sweep:
  traffic.pattern: [uniform, group-adversarial]
  traffic.load: [0.1, 0.2, 0.3]
expect:
  - latency.mean at pattern=uniform, load=0.1 < 60cycles
  - accepted > 0.05
`)

function attempt(text: string, set: readonly string[]): { ok: Plan } | { bad: Placed[] } {
  const source = yamlSource("x.yaml", text)
  if ("bad" in source) throw new Error(source.bad[0].says)
  return plan({ source: source.ok, host: hostAt("."), name: "x" }, { catalog: small, set })
}
function good(text: string, ...set: string[]): Plan {
  const got = attempt(text, set)
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join("\n"))
  return got.ok
}
const kept = (p: Plan) => p.expect.map((e) => [e.value, e.at])
const said = (p: Plan) => p.skipped.map((s) => s.says)

describe("--set of a swept key", () => {
  test("to another value: the threshold is set aside, the others stay", () => {
    const p = good(curve, "traffic.load=0.4")
    expect(p.runs.length).toBe(2)
    expect(kept(p)).toEqual([["accepted", {}]])
    expect(p.skipped[0].text).toBe("latency.mean at pattern=uniform, load=0.1 < 60cycles")
    expect(said(p)).toEqual(["load is set to 0.4"])
  })
  test("to the threshold's own value: it is judged", () => {
    const p = good(curve, "traffic.0.load=0.1")
    expect(kept(p)).toEqual([
      ["latency.mean", { pattern: "uniform" }],
      ["accepted", {}],
    ])
    expect(said(p)).toEqual([])
  })
  test("all swept keys, or another list of values", () => {
    expect(said(good(curve, "traffic.load=0.1", "traffic.pattern=group-adversarial"))).toEqual([
      "pattern is set to group-adversarial",
    ])
    expect(said(good(curve, "sweep.traffic.load=[0.2, 0.3]"))).toEqual(["no point has load=0.1"])
  })
  test("short names stay those of the file", () => {
    const two = `${file("").replace(/traffic: .*/, "traffic: [{ name: a, load: 0.1 }, { name: b, load: 0.1 }]")}sweep:
  traffic.0.load: [0.1, 0.2]
  traffic.1.load: [0.1, 0.3]
expect: latency.mean at traffic.0.load=0.2 < 60cycles
`
    expect(kept(good(two))).toEqual([["latency.mean", { "traffic.0.load": 0.2 }]])
    expect(kept(good(two, "traffic.1.load=0.1"))).toEqual([["latency.mean", { load: 0.2 }]])
    expect(said(good(two, "traffic.0.load=0.5"))).toEqual(["traffic.0.load is set to 0.5"])
  })
  test("a key of variants is pinned, too; a variant that is then another's twin loses its threshold", () => {
    const variants =
      file(`variants: { few: { network: { switch: { vcs: 2 } } }, many: { network: { switch: { vcs: 8 } } } }
expect: latency.mean at variant=many < 60cycles
`)
    expect(good(variants).runs.map((r) => r.spec.network.switch["vcs"])).toEqual([2, 8])
    const p = good(variants, "network.switch.vcs=4")
    expect(p.runs.map((r) => r.spec.network.switch["vcs"])).toEqual([4])
    expect(said(p)).toEqual(["no run has variant=many"])
  })
  test("a stream that gets another name takes its values along", () => {
    const named = file("expect: uniform.latency.mean < 60cycles\n")
    expect(kept(good(named))).toEqual([["uniform.latency.mean", {}]])
    expect(said(good(named, "traffic.pattern=group-adversarial"))).toEqual([
      '"uniform.latency.mean" is not a measured value',
    ])
  })
})

test("a threshold that is wrong in the file stays a complaint, whatever is set", () => {
  const wrong = curve.replace("load=0.1", "load=0.7")
  for (const set of [[], ["traffic.load=0.4"], ["network.switch.vcs=4"]]) {
    const got = attempt(wrong, set)
    expect("bad" in got && got.bad.map((c) => [c.path, c.says])).toEqual([["expect.0", "no point has load=0.7"]])
  }
})
