// Random schedules on the engine by the rules of LogGOPSim and on a twin of plain objects (support/plain-loggops.ts):
// all ranks finish at the same nanosecond. The reference schedules run too if they are beside the project.
import { expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { scheduleEnds } from "../../src/reproduce/peers/schedule-ends.ts"
import { goalText, type PlainNet, type PlainOp, type PlainRank, plainEnds } from "../support/plain-loggops.ts"

interface Shape {
  readonly messages: number
  readonly calcs: number
  readonly tags: number
  readonly sizes: readonly number[]
  readonly units: number
  readonly wild: boolean
  readonly started: boolean
}

type Mutable = { ops: PlainOp[]; lines: [number, number, "requires" | "irequires"][] }

/** Draws messages between random ranks. Dependencies lead back to operations that were drawn before, so no rank hangs. */
function drawn(d: Draws, ranks: number, shape: Shape): PlainRank[] {
  const all: Mutable[] = Array.from({ length: ranks }, () => ({ ops: [], lines: [] }))
  const unit = () => (shape.units > 1 && d.below(2) === 0 ? d.below(shape.units) : undefined)
  function add(rank: number, op: PlainOp): void {
    const { ops, lines } = all[rank]!
    const [cpu, nic] = [unit(), op.kind === "calc" ? undefined : unit()]
    const before = ops.length
    ops.push({ ...op, ...(cpu === undefined ? {} : { cpu }), ...(nic === undefined ? {} : { nic }) })
    for (let i = d.below(3); i > 0 && before > 0; i--)
      lines.push([before, d.below(before), shape.started && d.below(3) === 0 ? "irequires" : "requires"])
  }
  for (let m = 0; m < shape.messages + shape.calcs; m++) {
    if (d.below(shape.messages + shape.calcs) < shape.calcs) {
      add(d.below(ranks), { kind: "calc", size: [0, 100, 1500, 20000][d.below(4)]! })
      continue
    }
    const from = d.below(ranks)
    const to = (from + 1 + d.below(ranks - 1)) % ranks
    const [size, tag] = [shape.sizes[d.below(shape.sizes.length)]!, d.below(shape.tags)]
    add(from, { kind: "send", size, peer: to, tag })
    const any = shape.wild && d.below(4) === 0
    add(to, { kind: "recv", size, peer: any ? -1 : from, tag: any ? -1 : tag })
  }
  // Lines of a file need not follow the order of operations.
  for (const { lines } of all) for (let i = lines.length - 1; i > 0; i--) swap(lines, i, d.below(i + 1))
  return all
}

function swap<T>(list: T[], i: number, j: number): void {
  const [a, b] = [list[i]!, list[j]!]
  list[i] = b
  list[j] = a
}

const nets: readonly PlainNet[] = [
  { L: 2500, o: 1500, g: 1000, G: 6, O: 0, S: 65535 },
  { L: 1000, o: 200, g: 900, G: 1, O: 0, S: 65535 },
  { L: 700, o: 0, g: 0, G: 0, O: 0, S: 65535 },
  { L: 1000, o: 700, g: 300, G: 2, O: 1, S: 65535 },
  { L: 300, o: 100, g: 400, G: 1, O: 3, S: 65535 },
]
const plain: Shape = {
  messages: 24,
  calcs: 8,
  tags: 1000,
  sizes: [1, 8, 1024, 30000],
  units: 1,
  wild: false,
  started: false,
}
const shapes: readonly (readonly [string, Shape, number])[] = [
  ["eager messages", plain, 65535],
  ["few tags and different sizes", { ...plain, tags: 2 }, 65535],
  ["wildcards", { ...plain, tags: 2, wild: true }, 65535],
  ["irequires", { ...plain, started: true }, 65535],
  ["rendezvous", plain, 1000],
  ["every message a rendezvous", { ...plain, started: true }, 0],
  ["several processors and interfaces", { ...plain, units: 3 }, 65535],
  ["all of it", { ...plain, tags: 3, units: 2, wild: true, started: true }, 1000],
]

test.each(shapes)("the engine equals its twin for random schedules: %s", (_, shape, S) => {
  const wrong: string[] = []
  for (let seed = 1; seed <= 40; seed++) {
    const d = new Draws(seed)
    const ranks = drawn(d, 2 + d.below(7), shape)
    const net = { ...nets[seed % nets.length]!, S }
    const got = scheduleEnds(goalText(ranks), net)
    const expected = plainEnds(ranks, net)
    if (!("ok" in got) || got.ok.some((t, r) => t !== expected[r]))
      wrong.push(`seed ${seed}: ${"ok" in got ? got.ok : got.bad.map((b) => b.says)} instead of ${expected}`)
  }
  expect(wrong).toEqual([])
})
