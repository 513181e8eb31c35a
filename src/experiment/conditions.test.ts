import { expect, test } from "vitest"
import { hostAt } from "./disk/host.ts"
import { plan } from "./plan.ts"
import { plainSource } from "./source.ts"

function planned(routing: unknown, sw: object = {}, more: object = {}) {
  const network = { topology: { name: "torus", sides: "4x4" }, routing, switch: { name: "input-queued", ...sw } }
  const tree = { lacewing: 1, network, traffic: { pattern: "uniform", load: 0.1, packet: "1flit" }, ...more }
  const got = plan({ source: plainSource("experiment", tree), host: hostAt("."), name: "experiment" })
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return got.ok
}
const valuesIn = (p: ReturnType<typeof planned>, key: string) => p.runs.map((r) => r.spec.network.switch[key])

test(
  "a key that the routing needs and the experiment leaves out has the needed " +
    "value, in the specification and in a sentence",
  () => {
    const got = planned("torus.adaptive")
    expect([valuesIn(got, "flow"), valuesIn(got, "busyWhenFull"), valuesIn(got, "tailCredit")]).toEqual([
      ["cut-through"],
      [true],
      [false],
    ])
    expect(got.settled).toEqual([
      "network.switch.flow is cut-through, because torus.adaptive needs it and the experiment does not set it",
      "network.switch.busyWhenFull is true, because torus.adaptive needs it and the experiment does not set it",
    ])
    // wormhole is requested: then a VC must be empty
    const wormhole = planned("torus.adaptive", { flow: "wormhole" })
    expect([valuesIn(wormhole, "busyWhenFull"), valuesIn(wormhole, "tailCredit")]).toEqual([[false], [true]])
  },
)

test("the derived value is the run's own: writing it down gives the same run", () => {
  const hash = (sw: object) => planned("torus.adaptive", sw).runs[0].hash
  expect(hash({})).toBe(hash({ flow: "cut-through", busyWhenFull: true }))
  expect(hash({})).not.toBe(hash({ flow: "wormhole" }))
})

test("an explicit value stays, even one that contradicts", () => {
  const got = planned("torus.adaptive", {
    flow: "wormhole",
    tailCredit: false,
    busyWhenFull: false,
    sharing: "private",
  })
  expect([valuesIn(got, "tailCredit"), valuesIn(got, "flow"), got.settled]).toEqual([[false], ["wormhole"], []])
})

test("other routings keep the defaults, and each point of a sweep gets its own", () => {
  expect(valuesIn(planned("torus.dimension-order"), "busyWhenFull")).toEqual([false])
  const sweep = { sweep: { "network.routing": ["torus.dimension-order", "torus.adaptive"] } }
  const got = planned("torus.dimension-order", {}, sweep)
  expect([valuesIn(got, "busyWhenFull"), got.settled.length]).toEqual([[false, true], 2])
})

test("bubbles get cut-through and private buffers", () => {
  const got = planned({ name: "torus.bubble" })
  expect([valuesIn(got, "flow"), valuesIn(got, "sharing")]).toEqual([["cut-through"], ["private"]])
  // private is the default: only other values are reported
  expect(got.settled).toEqual([
    "network.switch.flow is cut-through, because torus.bubble needs it and the experiment does not set it",
  ])
})

test("a run that is watched for a deadlock has a different hash: it is measured for longer", () => {
  const measured = (deadlock?: string) =>
    planned("torus.adaptive", {}, deadlock === undefined ? {} : { measure: { deadlock } }).runs[0]
  const written = (deadlock?: string) => measured(deadlock).spec.measure.deadlock
  expect([written("watch"), written("stop"), written()]).toEqual(["watch", undefined, undefined])
  expect(measured("watch").hash).not.toBe(measured().hash)
  expect(measured("stop").hash).toBe(measured().hash)
})
