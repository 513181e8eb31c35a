// An input with nothing in it is refused: an empty file of every format, a trace whose ranks do nothing, a graph
// without endpoints.
import { describe, expect, test } from "vitest"
import graph from "../../src/topologies/graph.ts"
import { readGraph } from "../../src/topologies/readers/read.ts"
import { traceFormats } from "../../src/workloads/formats/formats.ts"
import { readTrace } from "../../src/workloads/formats/read.ts"
import { chakraFile } from "../support/traces/chakra.ts"
import { DumpiWriter, metaOf } from "../support/traces/dumpi.ts"
import { type Files, sources } from "../support/traces/read.ts"

/** All complaints; none: the trace can be run. */
async function complaints(files: Files, format?: string): Promise<string[]> {
  const { trace, bad } = await readTrace("t", sources(files), { ranks: 2 }, format)
  const absent =
    trace !== undefined && trace.missing.length > 0 ? [`rank ${trace.missing[0]} of ${trace.ranks} is missing`] : []
  return [...bad, ...(trace?.bad ?? [])].map((c) => c.says).concat(absent)
}

describe("traces", () => {
  test.each(traceFormats.map((f) => f.name))("%s: a file of 0 bytes is refused", async (format) => {
    expect(await complaints(new Map([["t", ""]]), format)).not.toEqual([])
    expect(await complaints(new Map([["t", "\n\n"]]), format)).not.toEqual([])
  })

  const idle: Readonly<Record<string, Files>> = {
    goal: new Map([["t.goal", "num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n"]]),
    "goal that calculates for 0 ns": new Map([["t.goal", "num_ranks 2\nrank 0 {\nl1: calc 0\n}\nrank 1 {\n}\n"]]),
    "empty goal": new Map([["t.goal", ""]]),
    simgrid: new Map([["t.txt", "0 init\n0 finalize\n1 init\n1 finalize\n"]]),
    htsim: new Map([["t.cm", "Nodes 4\nConnections 0\n"]]),
    matrix: new Map([["t.csv", "0,0\n0,0\n"]]),
    chakra: new Map([
      ["t.0.et", chakraFile([])],
      ["t.1.et", chakraFile([])],
    ]),
    dumpi: new Map<string, Uint8Array | string>([
      ["t.meta", metaOf(1, "t")],
      ["t-0000.bin", new DumpiWriter().call("Init", [0, []]).call("Finalize").bytes()],
    ]),
  }
  test.each(Object.keys(idle))("%s: a trace whose ranks do nothing is refused", async (name) => {
    const empty = "The trace is empty: no rank computes, sends or receives."
    expect([empty, "there is no flow in it"]).toContain((await complaints(idle[name]))[0])
  })

  test("one operation of one rank is enough", async () => {
    expect(await complaints(new Map([["t.goal", "num_ranks 2\nrank 0 {\nl1: calc 1\n}\nrank 1 {\n}\n"]]))).toEqual([])
  })
})

describe("graphs", () => {
  const file = (name: string, text: string) =>
    graph.check({ file: name, form: "auto", p: 1, duplicates: false }, { read: () => text } as never).map((c) => c.says)
  test.each([
    ["a.txt", "", "links"],
    ["a.csv", "from,to\n", "links"],
    ["a.json", '{ "routers": [], "links": [] }', "links"],
    ["a.graphml", "<graphml><graph></graph></graphml>", "links"],
    ["a.adj", "", "links"],
    [
      "b.json",
      '{ "routers": [{ "id": "a", "endpoints": 0 }, { "id": "b", "endpoints": 0 }], "links": [["a", "b"]] }',
      "endpoints",
    ],
  ])("%s with nothing in it is refused", (name, text, what) => {
    expect(file(name, text).join("; ")).toContain(`has no ${what}`)
  })
  test("a router without a number of endpoints has p of them", () => {
    expect(readGraph("a b\n", "a.txt", "auto", false).list.ends).toBeUndefined()
    expect(file("a.txt", "a b\n")).toEqual([])
  })
})
