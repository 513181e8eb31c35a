import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { ringTable } from "../../test/support/ring.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { plan } from "../experiment/plan.ts"
import { plainSource } from "../experiment/source.ts"
import { proofLines, quickProofs } from "./quick-proof.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-proof-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
writeFileSync(join(dir, "ring.table"), ringTable(6))

function runsOf(network: object, sweep?: object) {
  const tree = { lacewing: 1, network, traffic: { pattern: "uniform", load: 0.1, packet: "1flit" }, ...(sweep ? { sweep } : {}) }
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
    { warning: false, text: expect.stringMatching(/^free of deadlock: torus sides=6 .*torus.dimension-order/) },
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
  const proofs = quickProofs(runsOf({ ...ring, topology: { name: "torus", sides: "40x40" }, routing: "torus.dimension-order" }), dir)
  expect(proofs.map((p) => p.verdict)).toEqual(["not decided"])
  expect(proofLines(proofs)[0]!.text).toMatch(/^not decided whether free of deadlock: .*too many for a quick proof/)
})
