// Storage traffic through a network: what a trace says is what is sent, and a bad line stops everything.
import { expect, test } from "vitest"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import { compile } from "../../src/compile/compile.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { hostOf } from "../../src/model/host.ts"
import { schemeSpec } from "../support/queue-scheme.ts"

const good = "sec,usec,disk,op,bytes\n0,0,0,W,1024\n0,1,1,R,100\n0,2,0,W,64\n0,3,1,R,2048\n"

function compiled(week: string, more: Readonly<Record<string, unknown>> = {}, load = 0.1) {
  const pattern = { name: "block-trace", file: "week.csv", hosts: [0, 5], disks: [10, 15], spread: "alike", ...more }
  return compile(schemeSpec({ traffic: [{ pattern, load }] }), hostOf({ "week.csv": week }))
}

const says = (c: ReturnType<typeof compiled>) => ("bad" in c ? c.bad.map((b) => `${b.path}: ${b.says}`) : [])

test("every request is one message, from the host or from the disk, and arrives", () => {
  const c = compiled(good)
  if ("bad" in c) throw new Error(says(c).join("\n"))
  const prints = [1, 2].map((parts) => {
    const assign = Uint8Array.from({ length: c.ok.network.topology.graph.routers }, (_, r) => r % parts)
    const e = transferEngine(c.ok, { horizon: 200_000, series: 1024, ...(parts > 1 ? { parts, assign } : {}) })
    e.columns.control[CONTROL.from] = 0
    e.advance(100_000)
    expect(e.audit()).toEqual([])
    // packets of 8 flits of 8 B: 16 + 2 + 1 + 32 for each host
    expect([e.stat("created"), e.stat("delivered")]).toEqual([102, 102])
    const outer = (end: number) => e.layout.outerEnd.indexOf(end)
    expect([0, 5, 10, 15].map((end) => e.columns.endOut[outer(end)])).toEqual([34 * 8, 34 * 8, 34 * 8, 0])
    return e.fingerprint()
  })
  expect(new Set(prints).size).toBe(1)
})

test("what cannot be is refused, with its line", () => {
  expect(says(compiled(good.replace("0,2,0,W", "0,2,0,X")))).toEqual([
    'traffic.0.pattern.file: line 4: "X" is neither R nor W',
  ])
  expect(says(compiled(good, { disks: [10, 5] }))).toEqual(["traffic.0.pattern.disks: endpoint 5 is also a host"])
  expect(says(compiled(good, { hosts: [0, 99] }))).toEqual(["traffic.0.pattern.hosts: this network has no endpoint 99"])
  expect(says(compiled(good, { compression: 2 }))[0]).toMatch(
    /^traffic.0.load: compressed by 2, the trace offers a load of /,
  )
  expect(says(compiled(good, {}, 0))).toEqual(["traffic.0.load: a trace without load never starts"])
})
