// Tests which networks of an experiment are proved: those that differ for the proof.
import { expect, test } from "vitest"
import { plan } from "../experiment/plan.ts"
import { readText } from "../experiment/text.ts"
import { checkPlan } from "./check-plan.ts"

const text = (sweep: string) => `lacewing: 1
network:
  topology: { name: mesh, sides: 4x4 }
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2, buffer: 8flits }
traffic: { pattern: uniform, load: 0.1, packet: 1flit }
sweep: ${sweep}
`

function checked(sweep: string): string[] {
  const file = readText(text(sweep))
  if ("bad" in file) throw new Error(file.bad[0].says)
  const made = plan(file.ok)
  if ("bad" in made) throw new Error(made.bad[0].says)
  return checkPlan(made.ok, () => file.ok.host, { brief: true }).map((c) => c.network)
}

test("VCs make another network, buffers, loads and allocators do not", () => {
  const mesh = (vcs: number) => expect.stringMatching(new RegExp(`^mesh sides=4x4 .*, ${vcs} VCs$`))
  expect(
    checked("{ network.switch.buffer: [4flits, 8flits], traffic.load: [0.1, 0.2], network.switch.switch: [1, 2] }"),
  ).toEqual([mesh(2)])
  expect(checked("{ network.switch.vcs: [2, 4], network.switch.buffer: [4flits, 8flits] }")).toEqual([mesh(2), mesh(4)])
  // whether a VC takes a packet while it holds another decides what escape VCs are worth
  expect(checked("{ network.switch.tailCredit: [false, true] }").length).toBe(2)
})
