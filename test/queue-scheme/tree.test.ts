// Congestion trees to look at: the table of CAM lines, the log of events that replays it, and the picture on the
// network.
import { describe, expect, test } from "vitest"
import { picture } from "../../src/draw/figure/picture.ts"
import { largestAt, linesAt, linesIn, treeFigure } from "../../src/draw/figure/tree.ts"
import { topologyOf } from "../../src/draw/topology/specified.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { schemeSpec } from "../support/queue-scheme.ts"

function specOf(scheme: string) {
  const spec = schemeSpec({
    topology: { name: "tree", k: 2, n: 3 },
    switch: {
      scheme,
      memory: "512flits",
      stop: 3,
      go: 1,
      ...(scheme === "bfc" ? {} : { detect: 3, timer: "50cycles" }),
    },
    traffic: [
      { pattern: { name: "to-set", set: [4] }, from: ["1", "3", "5", "7"], load: 1 },
      { pattern: { name: "uniform" }, from: ["0", "2", "4", "6"], load: 0.9 },
    ],
  })
  const measure = {
    ...spec.measure,
    warmup: "0cycles",
    window: "1500cycles",
    limit: "1500cycles",
    series: "500cycles",
    drain: "none" as const,
  }
  return {
    ...spec,
    measure,
    probes: [
      { name: "series" },
      { name: "events", rows: 65_536, kinds: ["lineAllocated", "lineFreed", "lineStopped", "lineGo"] },
    ],
  }
}

async function resultOf(scheme: string) {
  const ready = prepare(specOf(scheme), { read: (path) => path })
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return await simulate(ready.ok)
}

async function tablesOf(scheme: string) {
  const { tables } = await resultOf(scheme)
  return { events: tables["events"], lines: tables["lines"], over: tables["isolation"] }
}

const key = (l: { router: number; port: number; line: number }) => (l.router * 64 + l.port) * 64 + l.line

describe.each(["fbicm-1", "fbicm-2", "recn"])("%s", (scheme) => {
  test("events replay the tree: after all of them the lines are those of the table", async () => {
    const { events, lines } = await tablesOf(scheme)
    const end = linesAt(events, Number.POSITIVE_INFINITY).sort((a, b) => key(a) - key(b))
    expect(end.length).toBeGreaterThan(2)
    expect(end).toEqual(linesIn(lines).sort((a, b) => key(a) - key(b)))
    // who is born and not dead, counted apart
    const count = (kind: string) => (events["event"] as string[]).filter((e) => e === kind).length
    expect(count("lineAllocated") - count("lineFreed")).toBe(end.length)
    expect(count("lineStopped")).toBeGreaterThan(0)
    expect(linesAt(events, largestAt(events)).length).toBeGreaterThanOrEqual(end.length)
  })

  test("lines over time are those that the events replay at the end of each interval", async () => {
    const { events, over } = await tablesOf(scheme)
    const time = over["time"] as number[]
    expect(time).toEqual([500, 1000, 1500])
    expect(over["lines"]).toEqual(time.map((t) => linesAt(events, t - 1).length))
    expect(Math.max(...(over["lines"] as number[]))).toBeGreaterThan(2)
  })
})

test("flits of messages over time are all that set out", async () => {
  for (const scheme of ["fbicm-2", "bfc"]) {
    const { tables, values } = await resultOf(scheme)
    const sum = (tables["isolation"]["flits"] as number[]).reduce((a, b) => a + b, 0)
    expect(sum).toBeGreaterThan(50)
    // some may still wait for their link: of each of the network's ports one or two
    expect(values["isolation.flits"] - sum).toBeGreaterThanOrEqual(0)
    expect(values["isolation.flits"] - sum).toBeLessThan(0.2 * sum)
  }
})

test(
  "the picture: the congested channel is that of the hot endpoint, and no " +
    "channel is nearer to it than one hop behind",
  async () => {
    const { lines } = await tablesOf("fbicm-2")
    const topology = topologyOf(specOf("fbicm-2"))!
    const figure = treeFigure(topology, linesIn(lines), "tree", "a tree")!
    const valued = figure.channels.filter((c) => c.value !== undefined)
    const { graph } = topology
    // endpoints follow the routers
    const hot = valued.find((c) => c.to === graph.routers + 4)
    expect(hot?.value).toBe(0)
    // fed by the channels into its router, one hop away
    expect(valued.some((c) => c.to === graph.routerOf[graph.home[4]] && c.value === 1)).toBe(true)
    expect(figure.max).toBe(Math.max(...valued.map((c) => c.value!)))
    const svg = picture(figure)
    expect(svg.match(/stroke-width="2.6"/g)?.length).toBe(valued.length)
    expect(svg).not.toContain("NaN")
    expect(treeFigure(topology, [], "tree", "nothing")).toBeUndefined()
  },
)
