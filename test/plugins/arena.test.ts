// The participants of the arena follow from what the plug-ins declare.
import { join } from "node:path"
import { expect, test } from "vitest"
import { scenariosOf } from "../../src/cli/inspect/arena-scenarios.ts"
import { plainScale } from "../../src/core/units.ts"
import { isCongestion, only } from "../../src/experiment/outside/kinds.ts"
import { dataVcsOf, fieldOf } from "../../src/inspect/arena/participants.ts"
import { congestions } from "../../src/library.ts"
import { gallery, load } from "./support.ts"

const tree = {
  network: { switch: { name: "combined", vcs: 4 } },
  traffic: [
    { name: "hot", pattern: { name: "incast", senders: 8, to: [7] } },
    { name: "victims", pattern: { name: "incast", senders: 8, to: [7], role: "others" } },
  ],
}
const on = { vcs: 4, needs: 2, direct: 1 }

function variants(...args: Parameters<typeof fieldOf>): Record<string, unknown> {
  const got = fieldOf(...args)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return Object.fromEntries(got.ok.participants.map((p) => [p.name, p.settings]))
}

test("every congestion control of the library takes part, with the VCs that it declares", () => {
  const made = variants(tree, {}, congestions, on, plainScale)
  expect(Object.keys(made)).toEqual(["alone", ...congestions.map((c) => c.name)])
  // the victims alone: the hot stream is the first one and sends nothing
  expect(made["alone"]).toEqual({ "traffic.0.load": 0 })
  // one VC for hot packets; the scenario names the hot endpoint
  expect(made["ideal"]).toEqual({ network: { congestion: { name: "ideal", to: [7] }, switch: { vcs: 5 } } })
  // control and hot packets
  expect(made["cbcm"]).toEqual({ network: { congestion: { name: "cbcm" }, switch: { vcs: 6 } } })
  expect(made["ecn-window"]).toMatchObject({ network: { endpoint: { ack: "1flit" } } })
})

test("classes on minimal paths and on detours get as many VCs as a dragonfly needs", () => {
  const made = variants(tree, {}, congestions, { vcs: 4, needs: 4, direct: 4 }, plainScale)
  expect(made["cbcm"]).toEqual({ network: { congestion: { name: "cbcm" }, switch: { vcs: 12 } } })
  // data, answers, reservations and speculative packets
  expect(made["srp"]).toEqual({ network: { congestion: { name: "srp", vcs: 4 }, switch: { vcs: 16 } } })
})

test("a scenario without known hot endpoints has no ideal, with the reason", () => {
  const got = fieldOf({ ...tree, traffic: [{ name: "victims" }] }, {}, congestions, on, plainScale)
  expect("ok" in got && got.ok.left).toEqual([{ name: "ideal", says: "no endpoint is known to be hot in advance" }])
})

test("a written variant keeps its keys and gets the VCs that it does not set", async () => {
  const more = { variants: { trimmed: { network: { congestion: { name: "nscc" }, switch: { trim: "256flits" } } } } }
  expect(variants(tree, more, congestions, on, plainScale)["trimmed"]).toEqual({
    network: { congestion: { name: "nscc" }, switch: { vcs: 5, trim: "256flits" } },
  })
  const { plugins } = await load(join(gallery, "swift.mjs"))
  const custom = variants(tree, {}, [only(plugins[0], isCongestion)], on, plainScale)
  expect(custom["my.swift"]).toEqual({ network: { congestion: { name: "my.swift" }, switch: { vcs: 5 } } })
})

test("an experiment without VCs in the switch is rejected", () => {
  const got = dataVcsOf({ network: {} })
  expect("bad" in got && got.bad[0].path).toBe("network.switch.vcs")
})

test("the quick set has every participant, or says why one cannot take part", async () => {
  const arena = join(gallery, "../../experiments/arena")
  const got = await scenariosOf({
    paths: [join(arena, "quick/incast-hyperx.yaml"), join(arena, "quick/bursty-dragonfly.yaml")],
    plugins: [],
    participants: join(arena, "participants.yaml"),
    seeds: [1],
    code: true,
  })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  const [hyperx, dragonfly] = got.ok
  expect(hyperx.participants).toEqual(
    expect.arrayContaining([...congestions.map((c) => c.name), "my.swift", "my.back-pressure", "ndp-like"]),
  )
  // the switch of bfc has one VC, and both routings need more
  expect([hyperx, dragonfly].map((s) => s.left.map((l) => l.name))).toEqual([["bfc"], ["ideal", "bfc"]])
})
