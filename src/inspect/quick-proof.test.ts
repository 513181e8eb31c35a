import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { ringTable } from "../../test/support/ring.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { plan } from "../experiment/plan.ts"
import { plainSource } from "../experiment/source.ts"
import { deadlockComplaints, proofLines, quickProofs } from "./quick-proof.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-proof-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
writeFileSync(join(dir, "ring.table"), ringTable(6))

function runsOf(network: object, sweep?: object, measure: object = {}) {
  const traffic = { pattern: "uniform", load: 0.1, packet: "1flit" }
  const tree = { lacewing: 1, network, traffic, measure, ...(sweep ? { sweep } : {}) }
  const got = plan({ source: plainSource("experiment", tree), host: hostAt(dir), name: "experiment" })
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return got.ok.runs
}
const ring = { topology: { name: "torus", sides: "6" }, switch: { name: "input-queued", vcs: 2, buffer: "4flits" } }

test("free, and each network once, whatever the loads and seeds", () => {
  const runs = runsOf({ ...ring, routing: "torus.dimension-order" }, { "traffic.load": [0.1, 0.2, 0.3] })
  const proofs = quickProofs(runs, dir)
  expect(proofs.map((p) => p.verdict)).toEqual(["free"])
  expect(proofLines(proofs)).toEqual([
    { warning: false, text: expect.stringMatching(/^Deadlock-free: torus sides=6 .*torus.dimension-order/) },
  ])
  // known by now: the very same answer
  expect(quickProofs(runs, dir)[0]).toBe(proofs[0])
})

test("not free: a warning with the six packets of the ring", () => {
  const proofs = quickProofs(runsOf({ ...ring, routing: { name: "any.table", file: "ring.table" } }), dir)
  expect(proofs.map((p) => p.verdict)).toEqual(["not free"])
  const [line] = proofLines(proofs)
  expect(line!.warning).toBe(true)
  expect(line!.text.match(/a packet from endpoint \d+ to endpoint \d+ holds .* and waits for/g)).toHaveLength(6)
})

test("too large to be proved quickly: not decided, and at once", () => {
  const proofs = quickProofs(
    runsOf({ ...ring, topology: { name: "torus", sides: "40x40" }, routing: "torus.dimension-order" }),
    dir,
  )
  expect(proofs.map((p) => p.verdict)).toEqual(["not decided"])
  expect(proofLines(proofs)[0].text).toMatch(/^Deadlock freedom not decided: .*too many for a quick proof/)
})

describe("what is refused before cycle 0", () => {
  const circular = { ...ring, routing: { name: "any.table", file: "ring.table" } }
  const adaptive = (sides: string, tailCredit?: boolean) => ({
    topology: { name: "torus", sides },
    routing: "torus.adaptive",
    switch: { name: "input-queued", vcs: 3, ...(tailCredit === undefined ? {} : { flow: "wormhole", tailCredit }) },
  })
  const told = (network: object, measure?: object) =>
    deadlockComplaints(runsOf(network, undefined, measure), dir).map(({ path, says, fix }) => ({ path, says, fix }))

  test("a cyclic dependency, once for all loads, with the option to run it nevertheless", () => {
    const runs = runsOf(circular, { "traffic.load": [0.1, 0.2] })
    expect(deadlockComplaints(runs, dir)).toEqual([
      expect.objectContaining({
        path: "network.routing",
        says: '"any.table" can deadlock on this network: 6 packets can wait for one another in a cycle',
        fix: "choose another routing; to run it nevertheless, add --anyway or set measure.deadlock: watch",
      }),
    ])
  })

  test("not with measure.deadlock: watch", () => {
    expect(told(circular, { deadlock: "watch" })).toEqual([])
    expect(told(circular, { deadlock: "stop" })).toHaveLength(1)
  })

  test("a value that contradicts what the routing needs, with the value to set", () => {
    expect(told(adaptive("4x4"))).toEqual([])
    const refused = {
      path: "network.switch.flow",
      says:
        '"torus.adaptive" can deadlock with this value: the switch may assign a packet to a ' +
        "VC that still holds other packets and has no space for it",
      fix:
        "set it to cut-through, or remove it; to run it nevertheless, add " + "--anyway or set measure.deadlock: watch",
    }
    expect(told(adaptive("4x4", false))).toEqual([refused])
    // too large to be proved quickly: what is declared decides
    expect(told(adaptive("40x40", false))).toEqual([refused])
    expect(told(adaptive("40x40"))).toEqual([])
  })

  test("the proof names the cure that the switch declares", () => {
    const shared = {
      topology: { name: "hyperx", sides: [4], p: 2 },
      routing: { name: "hyperx.valiant", odd: "shared" },
      switch: { name: "input-queued", vcs: 3 },
    }
    expect(told(shared)[0]).toMatchObject({
      path: "network.routing",
      fix: expect.stringMatching(/^set network.switch.flow: cut-through and network.switch.busyWhenFull: true; /),
    })
    expect(proofLines(quickProofs(runsOf(shared), dir))[0].text).toMatch(
      /\n {2}fix: set network.switch.flow: cut-through and network.switch.busyWhenFull: true$/,
    )
  })
})
