// A congestion management whose parts go beyond its declared needs is refused, so that none runs without effect.
import { afterEach, describe, expect, test, vi } from "vitest"
import { check } from "../api.ts"
import { congestions } from "../library.ts"
import type { Ability } from "../model/abilities.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { EndpointProtocol } from "../model/protocol.ts"
import { undeclared } from "./declared.ts"

afterEach(() => void vi.restoreAllMocks())

/** The needs that a part of a model shows, as the rule states them. */
const shown: readonly Ability[] = ["protocols", "telemetry", "marks", "sensing", "drops", "copies", "windows"]

const plugins = congestions.map((plugin) => {
  const has = (key: string, value: unknown) => (Object.hasOwn(plugin.params.fields, key) ? { [key]: value } : {})
  const got = plugin.params.parse({ ...has("retransmitFrom", "stash"), ...has("to", "0") }, plugin.name)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  const params = got.ok
  const made = plugin.make(params, undefined)
  const fitted = made.fit?.({ roundTrip: 100, packet: 8, cycle: 1000, flit: 8 }) ?? { ok: made }
  if ("bad" in fitted) throw new Error(JSON.stringify(fitted.bad))
  const needs: readonly Ability[] = plugin.needs?.(params) ?? []
  return { name: plugin.name, models: [made, fitted.ok], needs }
})

test.each(plugins)("$name of the library declares all its needs", ({ name, models, needs }) => {
  expect(models.flatMap((model) => undeclared(model, { name, needs }))).toEqual([])
})

// `ideal` declares windows and delays nothing, which is harmless
const cases = plugins.flatMap(({ name, models, needs }) =>
  needs
    .filter((n) => shown.includes(n) && !(name === "ideal" && n === "windows"))
    .map((without) => ({ name, models, needs, without })),
)
test.each(cases)(
  "$name without the need $without is refused by plug-in and need",
  ({ name, models, needs, without }) => {
    const left = needs.filter((n) => n !== without)
    const says = models.flatMap((model) => undeclared(model, { name, needs: left })).map((c) => `${c.says} ${c.fix}`)
    expect(says.length).toBeGreaterThan(0)
    for (const text of says)
      expect(text).toContain(`needs() of "${name}" does not list "${without}". add "${without}" to needs()`)
  },
)
test("every need of the rule is declared by some protocol of the library", () => {
  expect(shown.filter((need) => !cases.some(({ without }) => without === need))).toEqual([])
})

test("unknown keys are refused with the nearest known one, of the model and of its endpoint protocol", () => {
  const protocol: EndpointProtocol = { columns: {}, mayInject: () => 0 }
  const one = undeclared({ endpoints: () => protocol } as CongestionModel, { name: "my.m8", needs: [] })
  expect(one).toEqual([
    {
      path: "network.congestion.name",
      says: 'The model of "my.m8" has the unknown key "endpoints".',
      fix: 'did you mean "endpoint"?',
    },
  ])
  const inner = undeclared(
    { endpoint: () => ({ ...protocol, mayinject: () => 0 }) as EndpointProtocol },
    { name: "my.m8", needs: ["windows"] },
  )
  expect(inner.map((c) => `${c.says} ${c.fix}`)).toEqual([
    'The endpoint protocol of "my.m8" has the unknown key "mayinject". did you mean "mayInject"?',
  ])
})
test("an endpoint protocol that only receives needs protocols", () => {
  const model: CongestionModel = { endpoint: () => ({ columns: {}, delivered: () => {} }) }
  expect(undeclared(model, { name: "my.count", needs: [] }).map((c) => c.fix)).toEqual([
    'add "protocols" to needs() of "my.count"',
  ])
  expect(undeclared(model, { name: "my.count", needs: ["protocols"] })).toEqual([])
})

describe("an experiment", () => {
  const says = async (name: string) => {
    const got = await check({
      lacewing: 1,
      network: {
        topology: { name: "hyperx", sides: "4", p: 4 },
        routing: "hyperx.minimal",
        switch: { name: "input-queued", vcs: 4 },
        congestion: name,
      },
      traffic: { load: 0.3, packet: "8flits" },
    })
    return "bad" in got ? got.bad.map((c) => c.says) : []
  }
  test("with a protocol that forgets its needs is refused on a switch that cannot serve it", async () => {
    const plugin = congestions.find((p) => p.name === "rccc")!
    vi.spyOn(plugin, "needs").mockReturnValue([])
    expect((await says("rccc"))[0]).toBe('The model has "classes", but needs() of "rccc" does not list "protocols".')
  })
  test("with a model that has an unknown key is refused", async () => {
    const plugin = congestions.find((p) => p.name === "none")!
    vi.spyOn(plugin, "make").mockReturnValue({ endpoints: () => ({ columns: {} }) } as CongestionModel)
    expect(await says("none")).toEqual(['The model of "none" has the unknown key "endpoints".'])
  })
})
