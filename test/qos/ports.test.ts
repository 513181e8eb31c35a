// Arbitration tables that differ by switch and by port: what two saturating streams get at an output is the ratio of
// the weights in the table of that output.
import { describe, expect, test } from "vitest"
import { clockedEngine, partsFor } from "../../src/compile/clocked/engine.ts"
import { compile } from "../../src/compile/compile.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

type Raw = Readonly<Record<string, unknown>>

/** Two switches with six endpoints each, of which 0 and 1 send to 2, and 4 and 5 to 3: with level 0 and level 1. */
function experiment(name: string, qos: Raw, more: Raw = {}) {
  const streams = [0, 1].flatMap((s) =>
    [2, 3].flatMap((end) =>
      [0, 1].map((level) => ({
        name: `s${s}e${end}l${level}`,
        from: [6 * s + level + (end === 2 ? 0 : 4)],
        pattern: { name: "to-set", set: [6 * s + end] },
        class: level,
        load: 1,
        packet: "4flits",
        arrivals: "backlogged",
      })),
    ),
  )
  return {
    lacewing: 1 as const,
    network: {
      topology: { name: "mesh", sides: [2], p: 6 },
      routing: "mesh.dimension-order",
      switch: { name, vcs: 2, ...(name === "infiniband" ? { sl2vl: [0, 1] } : {}) },
      endpoint: "service-levels",
      qos,
      flit: "64B",
    },
    traffic: streams,
    measure: { warmup: "2kcycles", window: "20kcycles", limit: "22kcycles", saturation: "never", drain: "none" },
    ...more,
  }
}

function prepared(value: unknown): ReturnType<typeof prepare> {
  const planned = plan({ source: plainSource("ports.yaml", value), host: hostAt("."), name: "ports" })
  return "bad" in planned ? planned : prepare(planned.ok.runs[0].spec, hostAt("."))
}

function complaintsOf(value: unknown): string[] {
  const made = prepared(value)
  return "bad" in made ? made.bad.map((c) => `${c.path}: ${c.says}`) : []
}

type Done = Readonly<Record<"first" | "firstOther" | "second" | "secondOther", number>>

/** The share of level 0 at endpoints 2 and 3 of both switches, and the fingerprint. */
async function shares(value: unknown): Promise<Done & { fingerprint: string }> {
  const made = prepared(value)
  if ("bad" in made) throw new Error(JSON.stringify(made.bad))
  const { values, fingerprint } = await simulate(made.ok, { workers: 1 })
  const of = (s: number, end: number) => {
    const [zero, one] = [0, 1].map((level) => values[`s${s}e${end}l${level}.accepted`])
    return zero / (zero + one)
  }
  return { first: of(0, 2), firstOther: of(0, 3), second: of(1, 2), secondOther: of(1, 3), fingerprint }
}

/** A VL of the InfiniBand switch is sometimes empty when its turn comes, because its packets cross flit by flit. */
const near = (share: number, expected: number) => expect(Math.abs(share - expected)).toBeLessThan(0.04)

/** 3 to 1 without rows. */
const kinds: readonly (readonly [string, Raw, (zero: number, one: number) => Raw])[] = [
  ["dtable", { table: "0:60,1:20" }, (zero, one) => ({ table: `0:${zero},1:${one}` })],
  ["vl-arbitration", { low: "0:60,1:20" }, (zero, one) => ({ low: `0:${zero},1:${one}` })],
]

describe.each(["infiniband", "omni-path"])("%s", (name) => {
  describe.each(kinds)("%s", (scheduler, rest, row) => {
    const given = (ports: readonly Raw[] | undefined) =>
      experiment(name, { name: scheduler, ...rest, ...(ports === undefined ? {} : { ports }) })
    const at = (ports: readonly Raw[] | undefined) => shares(given(ports))
    test("without rows, all outputs have the same table: 3 to 1", async () => {
      const { fingerprint: _, ...got } = await at(undefined)
      for (const share of Object.values(got)) near(share, 0.75)
    })
    test("rows name a switch, a port of it, and the last row counts", async () => {
      // The two ports along the line come first, so port 5 leads to endpoint 3 of the switch.
      const rows = [
        { routers: ["1"], ...row(20, 60) },
        { routers: [1], outputs: [5], ...row(40, 40) },
      ]
      const got = await at(rows)
      near(got.first, 0.75)
      near(got.firstOther, 0.75)
      near(got.second, 0.25)
      near(got.secondOther, 0.5)
      const turned = await at([rows[1], rows[0]])
      near(turned.secondOther, 0.25)
    })
    test("the same bits in one and two parts", () => {
      const planned = plan({
        source: plainSource("ports.yaml", given([{ routers: [1], ...row(20, 60) }])),
        host: hostAt("."),
        name: "ports",
      })
      if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
      const compiled = compile(planned.ok.runs[0].spec, hostAt("."))
      if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
      const prints = [1, 2].map((parts) => {
        const e = clockedEngine(compiled.ok, { ...partsFor(compiled.ok, parts), horizon: 20_000, series: 1024 })
        e.advance(3000)
        expect(e.audit()).toEqual([])
        return e.fingerprint()
      })
      expect(prints[1]).toBe(prints[0])
    })
    test("rows for all ports are the table of all ports", async () => {
      const [all, base] = [await at([row(60, 20)]), await at(undefined)]
      expect(all).toEqual(base)
    })
    test("any number of rows: the last of 300 counts", async () => {
      const rows = Array.from({ length: 300 }, () => ({ routers: [0], outputs: [4], ...row(20, 60) }))
      expect(await at([...rows, row(20, 60)])).toEqual(await at([row(20, 60)]))
    })
    test("places that do not exist, and levels that a row does not serve, are refused", () => {
      const bad = (ports: readonly Raw[]) => complaintsOf(experiment(name, { name: scheduler, ...rest, ports }))
      expect(bad([{ routers: ["2"], ...row(20, 60) }])).toEqual([
        'network.qos.ports.0.routers: "2" does not name routers from 0 to 1',
      ])
      expect(bad([row(60, 20), { outputs: ["0-8"], ...row(20, 60) }])).toContain(
        'network.qos.ports.1.outputs: "0-8" does not name ports of these routers from 0 to 7',
      )
      expect(bad([{ routers: ["1"], ...row(60, 0) }])[0]).toContain("class 1 has no entry")
      expect(bad([{ routers: [], ...row(60, 20) }])).toEqual(["network.qos.ports.0.routers: has 0 entries"])
      expect(bad([])).toEqual(["network.qos.ports: has 0 entries"])
    })
  })
})

test("ports that only other routers have are refused", () => {
  const value = experiment("infiniband", { name: "dtable", table: "0:8,1:8" })
  const tree = (ports: readonly Raw[]) => ({
    ...value,
    network: {
      ...value.network,
      topology: { name: "tree", k: 4, n: 2 },
      routing: "tree.destination-digit",
      qos: { name: "dtable", table: "0:8,1:8", ports },
    },
  })
  // Routers 4 to 7 are at the top and have four ports, those below have eight.
  expect(complaintsOf(tree([{ routers: "4-7", outputs: "4-7", table: "0:8,1:8" }]))).toEqual([
    'network.qos.ports.0.outputs: "4-7" does not name ports of these routers from 0 to 3',
  ])
  expect(complaintsOf(tree([{ routers: "3-7", outputs: "4-7", table: "0:8,1:8" }]))).toEqual([])
})
