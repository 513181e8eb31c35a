// Why a network accepts no more, while it runs: the cause that the finished run names, at any cycle, and a change that
// removes it.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { limitAnswer } from "../../studio/engine/limit.ts"
import { cureOf } from "../../studio/planner/cure.ts"
import type { CureAsk } from "../../studio/shared/planner.ts"
import { root } from "../support/build.ts"
import { live } from "./live.ts"

const story = (name: string) => readFileSync(join(root, "studio/stories", `${name}.yaml`), "utf8")
const fatTree = (more: string, load: number, extra = "") => `
lacewing: 1
network: { topology: { name: tree, k: 4, n: 2 }, routing: tree.nearest-ancestor, ${extra}switch: ${more} }
traffic: { pattern: uniform, load: ${load}, packet: 4flits }
measure: { warmup: 2kcycles, window: 4kcycles, saturation: never, drain: none }
`
const ask = (text: string, cause: string, channel: number, more: Partial<CureAsk> = {}): CureAsk => ({
  ...{ text, name: "experiment.yaml", files: {}, run: 0, set: [], cause, channel, offered: 0.3, accepted: 0.125 },
  ...more,
})

/** Returns the cause in the last cycles, and the accepted loads before and after its cure. */
async function cured(text: string, cycle: number) {
  const before = await live(text)
  before.seek(cycle)
  const { from, to, limit, offered = 0, accepted = 0 } = limitAnswer(before)
  expect([from, to, before.now]).toEqual([cycle - 1000, cycle, cycle])
  const cure = await cureOf(ask(text, limit?.cause ?? "", limit?.channel ?? -1, { offered, accepted }))
  if (cure === undefined) throw new Error(`no cure for ${limit?.says}`)
  const after = await live(text, 0, cure.set)
  after.seek(cycle)
  return { limit, cure, offered, accepted, after: limitAnswer(after) }
}

describe("the cause of saturation at a cycle, and its cure", () => {
  test("adversarial traffic: a shared link; UGAL delivers twice as much", async () => {
    // 8 endpoints x 0.3 = 2.4 flits per cycle for a link that carries 1: 1 / 8 = 0.125 for each endpoint.
    const found = await cured(story("adversarial"), 2000)
    expect(found.limit?.cause).toBe("link")
    expect(found.limit?.says).toMatch(/group (\d), .* -> group (?!\1)\d/)
    expect(found.cure).toEqual({ set: ["network.routing=dragonfly.ugal-l"], says: "the routing dragonfly.ugal-l" })
    expect(found.accepted).toBeGreaterThan(0.11)
    expect(found.accepted).toBeLessThan(0.135)
    expect(found.after.accepted).toBeGreaterThan(2 * found.accepted)
    expect(found.after.limit).toBeUndefined()
  })

  test("hot spot: the link to the endpoint; less load for it lets all others through", async () => {
    const found = await cured(story("hotspot"), 2500)
    expect(found.limit?.cause).toBe("endpoint")
    expect(found.limit?.says).toContain("endpoint 27")
    // 64 endpoints offer 64 L + 0.1 to endpoint 27, which receives at most 0.95: L = 0.85 / 64 = 0.0133 (its own share
    // of uniform traffic varies with the draws).
    expect(found.cure.set).toEqual([expect.stringMatching(/^traffic\.0\.load=0\.013\d$/)])
    expect(found.after.limit).toBeUndefined()
  })

  test("buffers that are shorter than the round trip: a larger buffer", async () => {
    // 4 VCs of 8 flits every 600 cycles and more are 0.05 flits per cycle.
    const text = fatTree(
      "{ name: input-queued, vcs: 4, buffer: 8flits }",
      0.1,
      "links: { link: 300cycles, end: 1cycle }, ",
    )
    const found = await cured(text, 4000)
    expect(found.limit?.cause).toBe("credits")
    // 2 x 300 + 2 x 4 flits are less than 8 x 2^7 = 1,024
    expect(found.cure.set).toEqual(["network.switch.buffer=1024flits"])
    expect(found.after.accepted).toBeGreaterThan(1.5 * found.accepted)
  })

  test("a single queue at each input: a faster crossbar", async () => {
    const found = await cured(fatTree("{ name: input-queued, vcs: 1, buffer: 64flits }", 1), 3000)
    expect(found.limit?.cause).toBe("crossbar")
    expect(found.cure.set).toEqual(["network.switch.speed=2"])
    expect(found.after.accepted).toBeGreaterThan(1.1 * found.accepted)
  })

  test("a network that carries its load has no cause; too few cycles and an unknown load are not decided", async () => {
    const idle = await live(fatTree("{ name: combined, vcs: 4 }", 0.3))
    idle.seek(150)
    expect(limitAnswer(idle).unknown).toMatch(/200 cycles/)
    idle.seek(1500)
    const { limit, unknown, accepted } = limitAnswer(idle)
    expect([limit, unknown]).toEqual([undefined, undefined])
    expect(accepted).toBeCloseTo(0.3, 1)
    const packets = await live(`${fatTree("{ name: chunk }", 0.3).replace("measure:", "engine: packet\nmeasure:")}`)
    packets.seek(500)
    expect(limitAnswer(packets).unknown).toMatch(/not decided .* packet engine/)
  })

  test("asking changes no bit, and does not depend on earlier questions", async () => {
    const [one, silent] = [await live(story("adversarial")), await live(story("adversarial"))]
    one.seek(1700)
    limitAnswer(one)
    one.seek(900)
    limitAnswer(one)
    one.seek(2000)
    silent.seek(2000)
    expect(limitAnswer(one)).toEqual(limitAnswer(silent))
    expect(one.observation.fingerprint()).toBe(silent.observation.fingerprint())
  })
})

test("deadlock: the first change that is proved deadlock-free", async () => {
  expect((await cureOf(ask(story("deadlock"), "deadlock", -1)))?.set).toEqual(["network.switch.tailCredit=true"])
  // Without the escape VC of an own, the switch setting alone is not enough.
  const shared = "{ name: input-queued, vcs: 2, buffer: 8flits, tailCredit: true }"
  const text = story("deadlock").replace(/\{ name: input-queued.*\}/, shared)
  expect((await cureOf(ask(text, "deadlock", -1)))?.set.join()).toMatch(/^network\.routing=/)
})

test("a cause without a change that can be tried has no cure", async () => {
  expect(await cureOf(ask(story("adversarial"), "undecided", 3))).toBeUndefined()
  expect(await cureOf(ask("no experiment", "link", 3))).toBeUndefined()
})
