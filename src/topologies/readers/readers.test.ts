import { describe, expect, it } from "vitest"
import { Draws } from "../../core/rng.ts"
import graph from "../graph.ts"
import { type GraphForm, readGraph } from "./read.ts"

/** A triangle with a doubled side: 0-1 twice, 1-2, 2-0; endpoints 2, 0, 1 where the form can say so. */
const triangle: Record<Exclude<GraphForm, "auto">, string> = {
  edges: "0 1\n0 1\n1 2 far 5\n2 0\nend 0 2\nend 2",
  csv: "from,to,count,class,latency\n0,1,2\n1,2,1,far,5\n2,0",
  json: '{"routers":[{"id":0,"endpoints":2},1,{"id":"2","endpoints":1}],"links":[{"from":0,"to":1,"count":2},{"source":1,"target":2,"class":"far","latency":5},[2,0]]}',
  graphml: `<?xml version="1.0"?><graphml xmlns="x"><key id="d0" for="node" attr.name="endpoints"/><key id="d1" for="edge" attr.name="count"/>
    <key id="d2" attr.name="class"/><key id="d3" attr.name="latency"/><!-- <node id="9"/> --><graph edgedefault="undirected">
    <node id="0"><data key="d0">2</data></node><node id="1"/><node id="2"><data key="d0">1</data></node>
    <edge source="0" target="1"><data key="d1">2</data></edge><edge source='1' target='2'><data key="d2">far</data><data key="d3">5</data></edge>
    <edge source="2" target="0"/></graph></graphml>`,
  adjacency: "# a comment\n0 2 1\n2 0 1\n1 1 0",
}

const on = (text: string) => ({ rng: new Draws(1), read: () => text })
const ending = { edges: "txt", csv: "csv", json: "json", graphml: "graphml", adjacency: "adj" }

describe("every form tells the same triangle", () => {
  for (const form of Object.keys(triangle) as (keyof typeof triangle)[]) {
    it(form, () => {
      const { list, bad } = readGraph(triangle[form], `net.${ending[form]}`, "auto", form === "edges")
      expect(bad).toEqual([])
      expect(list.names).toEqual(["0", "1", "2"])
      expect(list.edges.map((e) => `${e.a}${e.b}`).map((s) => [...s].sort().join(""))).toEqual(
        form === "adjacency" ? ["01", "01", "02", "12"] : ["01", "01", "12", "02"],
      )
      if (form !== "adjacency") expect(list.edges[2]).toMatchObject({ linkClass: "far", latency: 5 })
      if (form !== "adjacency" && form !== "csv") expect(list.ends).toEqual([2, 0, 1])
      const params = { file: "net", form, p: 1, duplicates: form === "edges" }
      const made = graph.make(params, on(triangle[form]))
      expect(made.graph.routers).toBe(3)
      expect(made.hops(0, 2)).toBe(1)
    })
  }
})

describe("complaints", () => {
  const says = (form: GraphForm, text: string) =>
    readGraph(text, "x", form, false).bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`)
  it("adjacency: not square, not symmetric, not numbers", () => {
    expect(says("adjacency", "0 1\n1 0 0")[0]).toBe("file line 2: has 3 entries in a matrix of 2 rows; write 2 entries")
    expect(says("adjacency", "0 1 1\n1 0 0\n0 0 0")[0]).toContain("entry 2 is 1, the one across the diagonal is 0")
    expect(says("adjacency", "0 x\nx 0")[0]).toContain("not 0, 1, 2")
  })
  it("a router linked to itself, links written twice, parts without a path", () => {
    expect(says("csv", "a,a\na,b")[0]).toContain("router a is linked to itself")
    expect(says("csv", "a,b\nb,a").join()).toContain("is written twice")
    expect(says("json", '{"links":[[0,1],[2,3]]}').join()).toContain("no path between routers 0 and 2")
  })
  it("what is not JSON or GraphML at all", () => {
    expect(says("json", "{")[0]).toContain("is not JSON")
    expect(says("json", "[1]")[0]).toContain("has no list of links")
    expect(says("json", '{"links":[7]}')[0]).toContain("is not a link")
    expect(says("graphml", "<html/>")[0]).toContain("is not GraphML")
    expect(says("graphml", '<graphml><edge source="a"/></graphml>')[0]).toContain("no source or no target")
  })
  it("numbers that are none", () => {
    expect(says("csv", "a,b,0")[0]).toContain("0 is not a number of parallel links")
    expect(says("json", '{"routers":[{"id":1,"endpoints":1.5}],"links":[[1,2]]}')[0]).toContain(
      "1.5 is not a number of endpoints",
    )
    expect(says("csv", "a,b,1,x,0.5")[0]).toContain("latency 0.5")
  })
})
